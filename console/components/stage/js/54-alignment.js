// Two texts under each other, one column per character. Edits differ by shape first, by colour second.
const EDITS = { substitute: "replaced", insert: "added", delete: "left out" };
const glyph = (char) => (char === " " ? "␣" : char === "\n" ? "↵" : char === "\t" ? "⇥" : char);

draw.Alignment = (node, b, ctx) => {
  const sums = { substitute: 0, insert: 0, delete: 0 };
  for (const [op] of b.ops) if (op in sums) sums[op] += 1;
  const columns = b.ops.map(([op, above, below]) => h(`span.col.${op}`, h("span", glyph(above) || "\u00a0"), h("span", glyph(below) || "\u00a0")));
  const size = clamp((ctx.em - 2.6) / (b.ops.length * 1.29 || 1), 1.07, 2);      // one line if it can be read
  const label = `${b.caption}: ${Object.entries(sums).map(([op, n]) => `${n} ${EDITS[op]}`).join(", ")}`;
  const picture = h("div.align", { role: "img", "aria-label": label }, columns);
  picture.style.fontSize = `${size.toFixed(3)}em`;
  const key = h("p.keyline", Object.entries(sums).map(([op, n]) => h(`span.key.col.${op}`, h("i", { "aria-hidden": "true" }), `${count(n)} ${op}`)),
    b.start || b.hidden ? h("span.hint", windowWords(b)) : null);
  node.replaceChildren(...[caption(b.caption), picture, key].filter(Boolean));
};

function windowWords(b) {
  const shown = `columns ${count(b.start + 1)}–${count(b.start + b.ops.length)} of ${count(b.start + b.ops.length + b.hidden)}`;
  return `Shown: ${shown}, around the first edit.`;
}
