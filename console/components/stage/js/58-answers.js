// The answers of judges: what was asked, and the weights that came back, on the axis of the gauge.
const OPTION_TEXT = 200;    // characters of an option beside its bar; the rest when asked for

const FLAG = "M4 2h1.8v1.2h10.7l-2.6 4.1 2.6 4.1H5.8V18H4z";
const flagLine = (flag) => (flag ? h("p.flag", svg("svg", { viewBox: "0 0 20 20", class: "icon", "aria-hidden": "true" }, svg("path", { d: FLAG })), h("span", h("b", flag.word), ` ${flag.text}`)) : null);

/** A weight with two decimals; with three where two would say that there is none. */
const weightText = (p) => (p > 0 && p < 0.0005 ? "<0.001" : num(p, p > 0 && Number(p.toFixed(2)) === 0 ? 3 : 2));

/** A bound is rounded up, so that it stays one. */
function boundText(bound) {
  const up = Math.ceil(bound * 1000 - 1e-9) / 1000;
  return num(up, Number(up.toFixed(2)) === up ? 2 : 3);
}

/** Two decimals, or as many as keep the number on its side of the threshold. */
function sideText(x, threshold) {
  const digits = [2, 3, 4, 5].find((n) => (Number(x.toFixed(n)) >= threshold) === (x >= threshold - 1e-9));
  return num(x, digits ?? 6);
}

/** A picture that only gains its line to the gauge from one frame to the next is not built again. */
function buildOnce(node, b, ctx, build) {
  const shape = JSON.stringify([{ ...b, lead: null }, ctx.em, ctx.trace.gauge?.passed]);
  if (node.shape !== shape) {
    node.classList.toggle("enters", !node.isConnected);
    node.replaceChildren(...build().filter(Boolean));
  }
  node.shape = shape;
  node.classList.toggle("leads", Boolean(b.lead) && ctx.filled);
}

const fall = (x) => h("div.drop.fall", { "aria-hidden": "true" }, h("i", at(h("i"), x)));

draw.Question = (node, b, ctx) => {
  const words = (spec, text, limit) => {
    const part = h(spec, { dir: "auto" });
    fillText(part, { text, cut: [] }, null, limit);
    return part;
  };
  const options = b.options.map((o, i) => h("li", h("span.olabel", h("b", { dir: "auto" }, o.label), b.kind === "score" ? h("small", `level ${i}`) : null),
    o.text ? words("span.otext", o.text, TEXT_SHOWN) : null));
  const names = { score: "levels, as worded", yes_no: "answers", choice: "options" };
  node.dataset.kind = b.kind;
  node.classList.toggle("named", b.kind === "choice" && b.options.some((o) => o.label.length > 11));
  node.replaceChildren(h("div.asked", h("span.name", "instructions"), words("p.instructions", b.instructions, TEXT_SHOWN)),
    h("p.name.heads", names[b.kind] ?? "options"), h("ol", { role: "list" }, options));
};

/** The room between two levels, in em: beside the two columns of the gauge, or between the insets of a narrow page. */
const pitchOf = (n, em) => (em >= 40 ? em - 22.9 : em - 4.6) / Math.max(1, n - 1);

draw.LevelBars = (node, b, ctx) => {
  const last = b.levels.at(-1).index || 1;
  const X = (level) => clamp((100 * level) / last, 0, 100);
  const pitch = pitchOf(b.levels.length, ctx.em);
  buildOnce(node, b, ctx, () => {
    node.style.setProperty("--thick", `${clamp(pitch * 0.46, 0.9, ctx.em >= 40 ? 4.8 : 2.8).toFixed(2)}em`);
    node.classList.toggle("close", pitch < 5);
    node.classList.toggle("closer", pitch < 3.5);
    const picture = h("div.levels", { "aria-hidden": "true" }, h("span.name", "probability"), h("div.lplot", levelBars(b, X, pitch < 3.5)), ...levelAxis(b, X, pitch < 5));
    const mean = h("div.levels", { "aria-hidden": "true" }, h("span.name", "expected level"), meanMark(b, X, last), h("span.verdict.pass", "pass"));
    return [picture, flagLine(b.flag), mean, fall(X(b.expected))];
  });
};

/** Full height is 0.4 or more, so that a flat distribution looks flat. */
function levelBars(b, X, close) {
  const top = Math.max(0.4, ...b.levels.map((level) => level.p));
  return b.levels.map((level) => {
    const open = b.bound !== undefined && b.missing?.includes(level.index);
    const text = open ? boundText(b.bound) : weightText(level.p);
    const number = close ? text.replace("0.", ".") : text;
    const bar = h(`i.lbar${open ? ".open" : level.p ? "" : ".none"}`);
    bar.style.setProperty("--share", ((open ? b.bound : level.p) / top).toFixed(5));
    return at(h(`div.level${open || !level.p ? ".weak" : ""}`, h("span", open ? h("small", close ? "≤" : "at most") : null, h("b", number)), bar), X(level.index));
  });
}

function levelAxis(b, X, close) {
  const ticks = b.levels.map((level) => at(h("span", h("b", String(level.index)), close ? null : h("small", `worded ${level.worded}`)), X(level.index)));
  const [first, last] = [b.levels[0], b.levels.at(-1)];
  const range = [`levels ${first.index} to ${last.index},`, h("small", `worded ${first.worded} to ${last.worded}`)];
  return [h("span.name.lname", close ? range : "level"), h("div.laxis", ticks)];
}

/** The mean with one standard deviation to each side; an end beyond the scale is left open. */
function meanMark(b, X, last) {
  const low = b.expected - b.sd, high = b.expected + b.sd;
  const whisker = width(at(h(`i.whisker${low < 0 ? "" : ".low"}${high > last ? "" : ".high"}`), X(low)), X(high) - X(low));
  const triangle = at(svg("svg", { viewBox: "0 0 20 16", class: "tri" }, svg("path", { d: "M10 0 20 16H0Z" })), X(b.expected));
  const words = h("span.mean", h("b", `E ${sideText(b.expected, b.threshold)}`), ` ± ${num(b.sd, 2)}`);
  words.style.setProperty("--x", `${X(b.expected)}%`);
  return h("div.lmean", at(h("i.passzone"), X(b.threshold)), b.sd ? whisker : null, triangle, words);
}

draw.OptionBars = (node, b, ctx) => {
  const alone = b.options.length === 1;
  node.classList.toggle("alone", alone);
  node.classList.toggle("stacked", ctx.em >= 40 && b.options.some((o) => o.name.length > 24 || (alone && o.text)));
  buildOnce(node, b, ctx, () => [
    alone ? flagLine(b.flag) : null,
    h("ul.options", b.options.map((o, i) => optionRow(o, b, Boolean(b.missing?.includes(i)), alone ? ctx.trace.gauge : null, node.classList.contains("stacked")))),
    alone ? null : flagLine(b.flag), alone ? null : sumRow(b), fall(100 * clamp(b.sum, 0, 1)),
  ]);
};

/** Yes alone is the whole answer: its word is the verdict of the score, and the threshold stands in its bar. */
function optionRow(o, b, missing, gauge, stacked) {
  const open = missing && b.bound !== undefined;
  const passes = gauge ? gauge.passed : o.passes;
  const bar = width(h(`i.fill${open ? ".open" : o.p ? "" : ".none"}`), 100 * clamp(open ? b.bound : o.p, 0, 1));
  const track = h("div.track", { "aria-hidden": "true" }, bar, gauge ? tickAt(b.threshold) : null);
  const value = open ? h("span.val.weak", h("small", "at most "), boundText(b.bound)) : h(`span.val${o.p ? "" : ".weak"}`, gauge ? sideText(o.p, b.threshold) : weightText(o.p));
  const word = h(`span.verdict.${passes ? "pass" : "fail"}`, icon(passes ? "pass" : "fail"), gauge ? (passes ? "passes" : "fails") : passes ? "counts as pass" : "counts as fail");
  const name = h("span.name", { dir: "auto" }, o.name);
  const text = o.text ? h(stacked ? "span.otext" : "p.otext", { dir: "auto" }) : null;
  if (text) fillText(text, { text: o.text, cut: [] }, null, OPTION_TEXT);
  const tail = h("span.tailed", value, word, gauge ? passFrom(b) : null);
  return h(`li.option.axisrow.${passes ? "passes" : "fails"}`, stacked ? [h("p.headed", name, " ", text), track, tail] : [name, track, tail, text]);
}

const tickAt = (threshold) => at(h("i.tick"), 100 * clamp(threshold, 0, 1));
const passFrom = (b) => h("small", `pass from ${short(b.threshold)}`);

/** What passes, laid end to end. */
function sumRow(b) {
  let sofar = 0;
  const seams = b.options.filter((o) => o.passes && o.p).map((o) => at(h("i.seam"), 100 * (sofar += o.p))).slice(0, -1);
  const track = h("div.track", { "aria-hidden": "true" }, width(h("i.fill"), 100 * clamp(b.sum, 0, 1)), seams, tickAt(b.threshold));
  return h("div.axisrow.total.passes", h("span.name", "passing options together"), track, h("span.tailed", h("span.val", sideText(b.sum, b.threshold)), passFrom(b)));
}
