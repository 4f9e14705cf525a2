// All n-grams of one text in one pool: a square each, grouped by order. A group is one picture with two paths.
const SQUARES = 240;       // more than this in a group, and one square stands for several

draw.PooledSquares = (node, b) => {
  const most = Math.max(...b.rows.flatMap((r) => r.groups.map((g) => g.total)), 1);
  const each = most > SQUARES ? Math.ceil(most / SQUARES) : 1;
  const columns = most <= 14 ? most : Math.ceil(Math.sqrt((most / each) * 3));
  /** Groups of one order stand under each other. */
  const room = (order) => Math.min(columns, Math.ceil(Math.max(...b.rows.map((r) => r.groups.find((g) => g.order === order)?.total ?? 0)) / each));
  const rows = b.rows.map((r) => h("div.poolrow", h("span.name", r.label),
    h("div.groups", r.groups.map((g) => squareGroup(g, each, columns, room(g.order)))),
    h("span.sum", h("b", count(r.shared)), ` of ${count(r.total)}`)));
  const key = h("p.keyline", h("span.key.hit", h("i.swatch"), "shared"), h("span.key.miss", h("i.swatch"), "only here"), each > 1 ? h("span", `one square = ${each} n-grams`) : null);
  node.replaceChildren(h("div.pool", { "data-dense": most > 14 ? "" : null }, rows), key);
};

function squareGroup(g, each, columns, room) {
  const total = Math.ceil(g.total / each), shared = Math.round(g.shared / each);
  const cols = Math.max(1, Math.min(columns, total)), lines = Math.max(1, Math.ceil(total / cols));
  const box = (i) => `M${(i % cols) * 10 + 1} ${Math.floor(i / cols) * 10 + 1}h8v8h-8z`;
  const path = (from, to) => Array.from({ length: to - from }, (_, k) => box(from + k)).join("");
  const picture = svg("svg", { viewBox: `0 0 ${cols * 10} ${lines * 10}`, class: "squares", "aria-hidden": "true" },
    svg("path", { d: path(0, shared), class: "hit" }), svg("path", { d: path(shared, total), class: "miss" }));
  picture.style.setProperty("--cols", cols);
  picture.style.setProperty("--lines", lines);
  const node = h("div.group", { "data-n": g.order, ...keyed(`n${g.order}`) }, h("span.of", h("span.chip", `n = ${g.order}`), h("span", h("b", count(g.shared)), ` of ${count(g.total)}`)), picture);
  node.style.setProperty("--most", room);
  return node;
}
