// Fractions made of their n-grams: num cells over den cells, both in units of 1/den. Runs of equal cells are one
// element with a repeating gradient; a cell is found again by its place.

const runsOf = (bar, ctx) => (bar.cells === "plain" || !bar.order || !ctx.model?.order(bar.order)
  ? { hit: bar.num - bar.bonus, over: 0, miss: bar.den - bar.num }
  : ctx.model.tally(bar.order));

function makeBar(bar, ctx) {
  const part = { ghost: h("i.ghost"), top: h("i.run.hit"), plusTop: h("i.plus"), plusLow: h("i.plus"), low: {}, hot: h("div.hotcells") };
  for (const status of ["hit", "over", "miss"]) part.low[status] = h(`i.run.${status}`);
  const node = h("div.bar", { "aria-hidden": "true" }, part.ghost, h("div.num", part.top, part.plusTop), h("div.den", Object.values(part.low), part.plusLow), part.hot);
  node.parts = part;
  if (bar.order && bar.cells !== "plain" && ctx.model?.order(bar.order)) linkCells(node, bar.order, ctx);
  return node;
}

function linkCells(node, n, ctx) {
  node.dataset.cells = n;
  node.keysAt = (event) => {
    const box = node.getBoundingClientRect();
    const cell = ctx.model.cells(n)[Math.floor(((event.clientX - box.left) / box.width) * node.den)];
    return cell ? [cell.id] : [`n${n}`];
  };
  node.light = (keys) => {
    const lit = [...keys].some((k) => k.startsWith(`${n}.`)) ? ctx.model.cells(n).flatMap((c, i) => (keys.has(c.id) ? [i] : [])) : [];
    node.parts.hot.replaceChildren(...lit.slice(0, 60).map((i) => width(at(h("i"), (100 * i) / node.den), 100 / node.den)));
  };
}

/** How finely cells can be told apart on a bar so many em wide; below that they would only shimmer. */
function grain(cells, em) {
  const px = (14 * em) / cells;
  return px < 4.5 ? "none" : px < 12 ? "fine" : "cells";
}

function fillBar(node, bar, ctx) {
  const part = node.parts;
  const runs = runsOf(bar, ctx);
  const cell = 100 / Math.max(bar.den, 1);
  const size = (run, n) => { width(run, n * cell); run.style.setProperty("--cells", Math.max(n, 1)); };
  node.den = bar.den;
  node.dataset.grain = grain(bar.den, ctx.em > 64 ? ctx.em - 52 : ctx.em - 14);
  size(part.top, bar.num - bar.bonus);
  for (const [status, run] of Object.entries(part.low)) size(run, runs[status]);
  const more = bar.value === null ? 0 : 100 * bar.value - bar.num * cell;       // smoothing that adds to the value, not to the counts
  width(part.plusTop, bar.bonus ? bar.bonus * cell : Math.max(0, more));
  width(part.plusLow, bar.bonus * cell);
  node.classList.toggle("more", !bar.bonus && more > 0.01);
  part.plusTop.style.setProperty("--mark", bar.ghost >= 0.45 ? "24%" : "76%");          // beside the ghost’s edge, which stands in this cell
  node.classList.toggle("bonus", bar.bonus > 0);
  width(part.ghost, 100 * (bar.ghost ?? 0));
  part.ghost.classList.toggle("on", Boolean(bar.ghost) && (bar.bonus > 0 || Math.abs(more) > 0.01));
}

const chip = (n, text) => h("span.chip", { "data-n": n }, text ?? `n = ${n}`);
const axis = (ticks) => h("div.axis", { "aria-hidden": "true" }, ticks.map(([x, text]) => at(h("span", text), x)));

function makeBarRow(bar, ctx) {
  const part = { bar: makeBar(bar, ctx), frac: h("span.frac"), val: h("span.val"), tag: h("span.tag") };
  const node = h("li.fbar", bar.order ? chip(bar.order, bar.label) : h("span.name", bar.label), part.bar, part.frac, part.val, part.tag);
  attrs(node, { ...keyed(bar.key), "data-n": bar.order ?? null });
  node.parts = part;
  return node;
}

function paintBarRow(node, bar, ctx) {
  const part = node.parts;
  node.classList.toggle("skipped", Boolean(bar.skipped));
  node.classList.toggle("off", bar.state === "off");
  node.classList.toggle("sel", bar.order === ctx.order && bar.cells !== "plain");
  if (bar.skipped) { part.tag.textContent = `skipped: ${bar.skipped}`; return; }
  fillBar(part.bar, bar, ctx);
  part.frac.replaceChildren(h("span", count(bar.num)), sr(" of "), h("span", count(bar.den)));
  part.frac.classList.toggle("changed", bar.bonus > 0);
  part.val.textContent = bar.value === null ? "–" : num(bar.value);
  part.tag.textContent = bar.tag ?? (bar.state === "off" ? "larger" : "");
}

/** The rows of a bar block; a row that was drawn before is changed in place. */
function barList(node, bars, ctx) {
  node.rows ??= new Map();
  node.list ??= h("ul.fbars");
  node.foot ??= h("div.fbar.scale", axis([[0, "0"], [25, ""], [50, "0.5"], [75, ""], [100, "1"]]));
  sync(node.list, bars.map((bar) => {
    if (!node.rows.has(bar.key)) node.rows.set(bar.key, makeBarRow(bar, ctx));
    paintBarRow(node.rows.get(bar.key), bar, ctx);
    return node.rows.get(bar.key);
  }));
  return [node.list, node.foot];
}

/** One drawing function per block type. Each may be called again on the same node with another block. */
const draw = {};

draw.FractionBars = (node, b, ctx) => {
  const alone = (b.area ?? "wide") === "wide";
  node.classList.toggle("onaxis", alone);
  const parts = barList(node, b.bars, ctx);
  sync(node, alone ? [...parts, dropLine(node, b.bars.map((bar) => bar.value), ctx)].filter(Boolean) : parts);
};

/** A line from the value that is the score down to the gauge, which has the same axis. */
function dropLine(node, values, ctx) {
  const { gauge } = ctx.trace;
  if (!ctx.filled || !gauge || gauge.unit || !values.includes(gauge.value)) return null;
  node.drop ??= h("div.drop", { "aria-hidden": "true" }, h("i", h("i")));
  at(node.drop.firstChild.firstChild, 100 * gauge.value);
  return node.drop;
}

draw.TwoBars = (node, b, ctx) => {
  node.classList.add("onaxis");
  const parts = barList(node, b.bars, ctx);
  node.mean ??= h("i.pin", h("span", h("b"), h("span")));
  node.list.classList.toggle("pinned", Boolean(b.mean));
  if (b.mean) {
    at(node.mean, 100 * b.mean.value).firstChild.replaceChildren(h("b", num(b.mean.value)), ` ${b.mean.label}`);
    node.foot.firstChild.append(node.mean);
  } else node.mean.remove();
  const counted = b.bars.filter((bar) => bar.state !== "off").map((bar) => bar.value);
  sync(node, [...parts, dropLine(node, b.mean ? [b.mean.value] : counted, ctx)].filter(Boolean));
};
