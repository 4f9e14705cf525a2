// A curve with one reference line and one point, and the product that falls into the gauge.

draw.Curve = (node, b) => {
  const X = (v) => (100 * (v - b.x.min)) / (b.x.max - b.x.min || 1);
  const Y = (v) => (100 * (v - b.y.min)) / (b.y.max - b.y.min || 1);
  const line = (d, cls) => svg("path", { d, class: cls, "vector-effect": "non-scaling-stroke" });
  const path = b.points.map(([x, y], i) => `${i ? "L" : "M"}${X(x).toFixed(2)} ${(100 - Y(y)).toFixed(2)}`).join("");
  const x = X(b.mark.x), y = Y(b.mark.y), ref = X(b.ref.x);
  const words = b.mark.label === b.ref.label ? b.mark.label : `${b.mark.label}, ${b.ref.label}`;
  const plot = h("div.plot", { role: "img", "aria-label": `${b.caption}: ${words}, ${b.y.label} ${num(b.mark.y)}` },
    svg("svg", { viewBox: "0 0 100 100", preserveAspectRatio: "none", "aria-hidden": "true" },
      line("M0 0V100H100", "frame"), line(`M${ref} 0V100`, "refline"), line(`M0 ${100 - y}H${x}V100`, "drop"), line(path, "curve")),
    at(h("i.dot"), x, y),
    y < 82 ? at(h("span.y", String(b.y.max)), null, 100) : null, y > 18 ? at(h("span.y", String(b.y.min)), null, 0) : null,
    at(h("span.y.b", num(b.mark.y)), null, y), curveLabels(b, x, ref));
  node.replaceChildren(caption(b.caption), plot);
};

function curveLabels(b, x, ref) {
  if (b.mark.x === b.ref.x) return [at(h(`span.x.${x > 70 ? "toleft" : x < 30 ? "toright" : "mid"}`, `${b.mark.label}, ${b.ref.label}`), x)];
  const [left, right] = b.mark.x < b.ref.x ? [[b.mark.label, x], [b.ref.label, ref]] : [[b.ref.label, ref], [b.mark.label, x]];
  return [at(h(`span.x.${left[1] < 28 ? "below" : "toleft"}`, left[0]), left[1]), at(h(`span.x.${right[1] > 75 ? "toleft.below" : "toright"}`, right[0]), right[1])];
}

draw.Product = (node, b) => {
  let sofar = 1;
  const rows = b.factors.map((f, i) => {
    const before = sofar;
    sofar *= f.value;
    const cut = width(at(h("i.cut"), 100 * sofar), 100 * (before - sofar));
    const track = h("div.track", { "aria-hidden": "true" }, i && f.value < 1 ? cut : null, width(h("i.fill"), 100 * sofar));
    return h("div.axisrow", h("span.name", f.label), track, h("span.val", i ? "× " : "", num(f.value)));
  });
  const lead = h("div.axisrow.leads", { "aria-hidden": "true" }, h("span"), h("div.track", at(h("i.lead"), 100 * b.result)), h("span"));
  node.replaceChildren(...rows, lead);
};
