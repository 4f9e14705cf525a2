// Two texts under each other, one column per character. Edits differ by shape first, by colour second.
const EDITS = { substitute: "replaced", insert: "added", delete: "left out" };
const glyph = (char) => (char === " " ? "␣" : char === "\n" ? "↵" : char === "\t" ? "⇥" : char);

draw.Alignment = (node, b, ctx) => {
  const sums = { substitute: 0, insert: 0, delete: 0 };
  for (const [op] of b.ops) if (op in sums) sums[op] += 1;
  const columns = b.ops.map(([op, above, below]) => h(`span.col.${op}`, h("span", glyph(above) || "\u00a0"), h("span", glyph(below) || "\u00a0")));
  const size = ctx.em > 66 && b.ops.length < 44 ? "large" : b.ops.length < 100 ? "middle" : "small";
  const label = `${b.caption}: ${Object.entries(sums).map(([op, n]) => `${n} ${EDITS[op]}`).join(", ")}`;
  const key = h("p.keyline", Object.entries(sums).map(([op, n]) => h(`span.key.col.${op}`, h("i", { "aria-hidden": "true" }), `${count(n)} ${op}`)),
    b.start || b.hidden ? h("span.hint", windowWords(b)) : null);
  node.replaceChildren(...[caption(b.caption), h("div.align", { role: "img", "aria-label": label, "data-size": size }, columns), key].filter(Boolean));
};

function windowWords(b) {
  const shown = `columns ${count(b.start + 1)}–${count(b.start + b.ops.length)} of ${count(b.start + b.ops.length + b.hidden)}`;
  return `Shown: ${shown}, around the first edit.`;
}
