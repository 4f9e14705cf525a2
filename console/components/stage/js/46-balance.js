// The geometric mean as a balance: equal weights at ln p, the fulcrum at their mean.
const TICKS = [1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.05, 0.02, 0.01, 0.001, 0.0001, 1e-5, 1e-6];

draw.LogBalance = (node, b, ctx) => {
  if (!b.weights.length) {
    node.replaceChildren(h("p.cap", b.caption), h("p.plain", "Nothing in common: the score is 0, there is nothing to balance."));
    return;
  }
  const low = Math.min(-0.25, ...b.weights.map((w) => w.ln)) * 1.16;
  const high = -low * 0.09;
  const X = (ln) => (100 * (ln - low)) / (high - low);
  const mean = b.mean_ln === null ? null : X(b.mean_ln);
  const beamEm = ctx.em > 64 ? ctx.em - 32 : ctx.em - 2.4;   // beside the side column, or alone
  const room = (100 * 4.94) / beamEm;                     // the width of a weight, in % of the beam
  const levels = dodge(b.weights.map((w) => X(w.ln)), room);
  const weights = b.weights.map((w, i) => weight(w, X(w.ln), levels[i]));
  const beam = h("div.beam", h("ul.weights", { "aria-label": "ln p of each order" }, weights), h("div.plank"), axis(ticksFor(X, room, mean)),
    mean === null ? null : fulcrum(b, mean, room));
  beam.style.setProperty("--levels", Math.max(...levels) + 1);
  node.replaceChildren(caption(b.caption), beam);
};

function weight(w, x, level) {
  const node = at(h("li.weight", { "data-n": w.order, ...keyed(`n${w.order}`) }, h("span", h("em", `n = ${w.order}`), ` ${num(w.p)}`), h("b", num(w.ln))), clamp(x, 4, 96));
  node.style.setProperty("--level", level);
  return node;
}

function fulcrum(b, mean, room) {
  const triangle = svg("svg", { viewBox: "0 0 20 14", "aria-hidden": "true" }, svg("path", { d: "M10 0 20 14H0Z" }));
  const words = h("span", h("b", num(b.mean)), ` = exp(${num(b.mean_ln)})`);
  const node = at(h("div.fulcrum", triangle, words), mean);
  node.classList.toggle("atleft", mean < room);
  node.classList.toggle("atright", mean > 100 - room);
  return node;
}

/** Ticks in p, thinned so that their words keep apart and keep off the fulcrum. */
function ticksFor(X, room, mean) {
  const shown = [];
  for (const p of TICKS) {
    const x = X(Math.log(p));
    if (x < 0 || (shown.length && shown.at(-1)[0] - x < room * 0.6)) continue;
    if (mean === null || Math.abs(x - mean) > room * 0.45) shown.push([x, String(p)]);
  }
  return shown;
}

/** Lowest free level for boxes of one width. */
function dodge(xs, room) {
  const levels = [];
  xs.forEach((x, i) => {
    let level = 0;
    while (xs.some((y, j) => j < i && levels[j] === level && Math.abs(x - y) < room)) level += 1;
    levels[i] = level;
  });
  return levels;
}
