// Real tables: column heads, row heads, and a roving tab stop down the first column.

/** heads: [text, class]; cells: text | node. Column 0 heads its row. */
function table(title, heads, rows, rowAttrs) {
  return h("table", title && h("caption", title),
    h("thead", h("tr", heads.map(([text, cls]) => h(`th.${cls || "l"}`, { scope: "col" }, text)))),
    h("tbody", { "data-rove": "" }, rows.map((row, i) => tableRow(row, heads, rowAttrs ? rowAttrs(i) : null, i === 0))));
}

function tableRow(row, heads, map, first) {
  const focus = map ? { tabindex: first ? 0 : -1, "data-item": "" } : null;
  return h("tr", map, row.map((cell, j) => (j
    ? h(`td.${heads[j][1] || "l"}`, cell)
    : h(`th.${heads[0][1] || "l"}`, { scope: "row" }, focus, cell))));
}

/** Draw the first rows of a long list, and the rest when asked. */
function windowedTable(node, total, limit, build) {
  const render = (n) => {
    const more = n < total ? h("button.small.more", { type: "button" }, `Show all ${count(total)}`) : null;
    if (more) more.onclick = () => { render(total); node.querySelector("[data-item]")?.focus(); };
    node.replaceChildren(...[build(n), more].filter(Boolean));
  };
  render(Math.min(total, limit));
}

draw.CountTable = (node, b, ctx) => {
  const order = ctx.model?.order(ctx.order);
  if (!order) return node.replaceChildren();
  node.kept ??= new Map();
  if (!node.kept.has(ctx.order)) node.kept.set(ctx.order, countTable(order, ctx));
  return node.replaceChildren(node.kept.get(ctx.order));
};

const TABLE_ROWS = 100;
function countTable(order, ctx) {
  const grams = order.grams.filter((g) => g.in_output);
  if (!grams.length) return caption(`The output has no ${gramName(order.n)}.`);
  const limits = grams.some((g) => g.limited_by);
  const heads = [[oneGram(order.n)], ["output", "r"], ["expected", "r"], ["counted", "r"], ...(limits ? [["limit from"]] : [])];
  const title = `${capital(gramName(order.n))}: ${count(order.matched)} of ${count(order.total)} counted${order.against ? `, against ${ctx.model.row(order.against)?.label ?? order.against}` : ""}`;
  const node = h("div.scroll", { "data-n": order.n });
  windowedTable(node, grams.length, TABLE_ROWS, (n) => table(title, heads,
    grams.slice(0, n).map((g) => countRow(g, limits, ctx)), (i) => keyed(grams[i].id)));
  return node;
}

function countRow(g, limits, ctx) {
  const over = g.clipped ? g.in_output - g.clipped : 0;
  const status = !g.clipped ? "miss" : over ? "over" : "hit";
  const name = h("span.gram", h(`i.swatch.${status}`, { "aria-hidden": "true" }), h("span", h("span", { dir: "auto" }, g.tokens.join(" ")), over ? h("em", `${count(over)} over the limit`) : null));
  const limit = limits ? [g.limited_by ? ctx.model.row(g.limited_by)?.label ?? "–" : "–"] : [];
  return [name, count(g.in_output), count(g.in_expected), h("b", count(g.clipped)), ...limit];
}

draw.Table = (node, b) => {
  const cell = (column, value) => {
    if (value === null || value === undefined) return "–";
    if (typeof value !== "number") return value;
    return column.sign && value === 0 ? "–" : num(value, column.num ?? 3, column.sign);
  };
  const heads = b.columns.map((c) => [c.label, c.num !== undefined && c.num !== null ? "r" : "l"]);
  const build = (n) => table(b.caption, heads, b.rows.slice(0, n).map((row) => row.map((value, j) => cell(b.columns[j], value))), b.keys ? (i) => keyed(b.keys[i]) : null);
  windowedTable(node, b.rows.length, TABLE_ROWS, build);
};

function arithmetic(lines, title) {
  const node = h("div.arith");
  const heads = [[sr("quantity")], [sr("how")], [sr("value")]];
  windowedTable(node, lines.length, 40, (n) => table(title, heads, lines.slice(0, n).map(([name, how, value]) => [name, `= ${how}`, `= ${exact(value)}`])));
  return node;
}
