// The gauge: always on screen, filled in the last frame. The side that passes is marked on the track.
/** A distance on the axis of the gauge: one cell per edit, those within the limit first. Drawn where a frame has nothing else. */
draw.EditRun = (node, g) => {
  const X = (v) => clamp((100 * (v - g.min)) / (g.max - g.min || 1), 0, 100);
  const within = Math.min(g.value, g.threshold), over = g.value - within;
  const runs = [[within, "within"], [over, "over"]].filter(([n]) => n > 0).map(([n, cls]) => {
    const run = width(h(`i.run.${cls}`), X(n + g.min));
    run.style.setProperty("--cells", n);
    return run;
  });
  const words = [within ? `${count(within)} within the threshold` : "", over ? `${count(over)} over it` : ""].filter(Boolean);
  const track = h("div.track", { "aria-hidden": "true", "data-grain": grain(g.max - g.min || 1, 70) }, runs);
  const drop = h("div.drop", { "aria-hidden": "true" }, h("i", at(h("i"), X(g.value))));
  node.replaceChildren(h("div.axisrow", h("span.name", "edits"), track, h("span.words", words.length ? words.map((line) => h("span", line)) : "no edits")), drop);
};

/** A threshold of 6.75 levels is not 6.8. */
const levelText = (x) => num(x, Math.abs(x * 10 - Math.round(x * 10)) < 1e-9 ? 1 : 2);
const unitNumber = (g, x) => (g.unit === "level" ? levelText(x) : g.unit === "edit" ? count(x) : short(x));

function makeGauge(g) {
  const X = (v) => clamp((100 * (v - g.min)) / (g.max - g.min || 1), 0, 100);
  const left = g.pass_side === "left";
  const zone = width(at(h("i.zone"), left ? 0 : X(g.threshold)), left ? X(g.threshold) : 100 - X(g.threshold));
  const tip = at(h("span.tip", `pass ${left ? "up to" : "from"} ${unitNumber(g, g.threshold)}`), X(g.threshold));
  tip.classList.toggle("atleft", X(g.threshold) < 12);
  tip.classList.toggle("atright", X(g.threshold) > 88);
  const ends = [[g.min, 0], [g.max, 100]].filter(([, x]) => Math.abs(x - X(g.threshold)) > 14).map(([v, x]) => at(h("span.end", g.unit === "edit" ? count(v) : short(v)), x));
  const part = { fill: h("i.fill"), val: h("span.score"), word: h("span.word"), chips: h("span.chips") };
  const name = g.unit === "edit" ? "edits" : g.unit === "level" ? "level" : "score";
  const node = h("footer.gauge.axisrow", { role: "group", "data-unit": g.unit }, h("span.name", name, part.chips),
    h("div.track", { "aria-hidden": "true" }, part.fill, zone, at(h("i.tick"), X(g.threshold)), tip, ends), h("span.readout", part.val, part.word));
  node.parts = part;
  node.X = X;
  return node;
}

function paintGauge(node, g, filled) {
  const { fill, val, word, chips } = node.parts;
  fill.className = `fill ${g.passed ? "pass" : "fail"}`;
  width(fill, filled ? node.X(g.value) : 0);
  node.classList.toggle("filled", filled);
  val.textContent = filled ? g.label : "–";
  val.classList.toggle("long", g.label.length > 9);
  word.replaceChildren(filled ? verdict(g.passed) : h("span.wait", "not yet"));
  const list = [...(g.unit ? [{ label: "score", value: g.score }] : []), ...g.chips];
  chips.replaceChildren(...list.map((c) => h("span.note1", c.value === null ? c.label : `${c.label} ${filled ? num(c.value) : "–"}`)));
  attrs(node, { "aria-label": filled ? `Score ${g.label}, ${g.passed ? "pass" : "fail"}` : "Score: filled in the last frame" });
}
