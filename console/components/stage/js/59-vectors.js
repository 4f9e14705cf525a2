// Cosines: two vectors as stripes, the angle between them, and where the cosine lies among others.

draw.Stripes = (node, b) => {
  node.replaceChildren(caption(b.caption), ...b.rows.map((row) => h("div.stripe", h("span.name", row.label), stripe(row))));
};

/** Up is positive, down negative; the zero line runs through the middle. */
function stripe(row) {
  const bars = row.values.map((value, i) => {
    const size = Math.min(1, Math.abs(value) / row.top);
    const map = { x: i + 0.14, width: 0.72, y: value < 0 ? 1 : 1 - size, height: size, class: value < 0 ? "down" : "up" };
    return svg("rect", map);
  });
  const words = `${row.label}: ${row.values.filter((v) => v > 0).length} of ${row.values.length} numbers positive`;
  const zero = svg("path", { d: `M0 1H${row.values.length}`, "vector-effect": "non-scaling-stroke" });
  return svg("svg", { viewBox: `0 0 ${row.values.length} 2`, preserveAspectRatio: "none", role: "img", "aria-label": words }, ...bars, zero);
}

draw.AngleDial = (node, b) => {
  const turn = (b.degrees * Math.PI) / 180, tip = [100 * Math.cos(turn), -100 * Math.sin(turn)];
  const arrow = ([x, y], name) => svg("g", { class: name }, svg("path", { d: `M0 0L${x.toFixed(2)} ${y.toFixed(2)}` }), head(x, y));
  const arc = svg("path", { class: "arc", d: `M34 0A34 34 0 0 0 ${(0.34 * tip[0]).toFixed(2)} ${(0.34 * tip[1]).toFixed(2)}` });
  const rim = svg("path", { class: "rim", d: "M100 0A100 100 0 0 0 -100 0" });
  const drop = svg("path", { class: "drop", d: `M${tip[0].toFixed(2)} ${tip[1].toFixed(2)}V0` });
  const angle = `${num(b.degrees, 1)}°`;
  const picture = svg("svg", { viewBox: "-112 -112 224 124", role: "img", "aria-label": `${b.labels[0]} and ${b.labels[1]} at ${angle}, cosine ${num(b.cosine, 4)}` },
    rim, drop, arc, arrow([100, 0], "first"), arrow(tip, "second"));
  const line = (name, cls, words) => h(`li.${cls}`, h("i", { "aria-hidden": "true" }), h("span", name), words ? h("b", words) : null);
  const key = h("ul.dialkey", { role: "list" }, line(b.labels[0], "first"), line(b.labels[1], "second"), line("angle", "between", angle),
    line("cosine", "shadow", num(b.cosine, 4)));
  node.replaceChildren(picture, key);
};

function head(x, y) {
  const turn = Math.atan2(y, x);
  const point = (a) => `${(x - 9 * Math.cos(turn + a)).toFixed(2)} ${(y - 9 * Math.sin(turn + a)).toFixed(2)}`;
  return svg("path", { class: "head", d: `M${x.toFixed(2)} ${y.toFixed(2)}L${point(0.42)}L${point(-0.42)}Z` });
}

draw.RangeStrip = (node, b) => {
  const X = (v) => 100 * clamp(v, 0, 1);
  const range = (x) => `${num(x.low, 2)} to ${num(x.high, 2)}`;
  const rows = (b.bands ?? []).map((x) => {
    const band = width(at(h("i.band"), X(x.low)), Math.max(0.4, X(x.high) - X(x.low)));
    const track = h("div.track", { "aria-hidden": "true" }, band, at(h("i.middle"), X(x.middle)), at(h("i.here"), X(b.value)));
    return h("div.axisrow", h("span.name", x.label, h("small", `n = ${count(x.n)}`)), track, h("span.val", range(x)));
  });
  const own = h("div.axisrow.own", h("span.name", "this pair"), h("div.track", { "aria-hidden": "true" }, at(h("i.here"), X(b.value)), at(h("i.dot"), X(b.value))), h("span.val", h("b", num(b.value, 4))));
  node.replaceChildren(caption(b.caption), ...rows, own);
};
