// The persistent token rows. A token is one element; the n-grams under it are painted as its background,
// so a change of order repaints and lays nothing out, and rows wrap and print like text.

function makeRows(ctx) {
  const rows = ctx.scene.rows.map((row) => {
    const list = h("div.toks", { role: "toolbar", "aria-orientation": "vertical", "aria-label": `${row.label}: tokens`, "data-rove": "", "data-row": row.id });
    const total = row.tokens.length;
    const node = h("div.row", { "data-role": row.role }, h("div.lab", row.label, h("small", plural(total, "token"))), total ? list : h("p.hint", "no tokens"));
    return { row, list, node, cells: [], from: 0 };
  });
  const node = h("div.rows", rows.map((r) => r.node));
  node.classList.toggle("long", ctx.model.long);
  node.classList.toggle("flat", !ctx.scene.orders.length);
  return { node, rows, from: -1, order: -1, marks: undefined, lit: [] };
}

function paintRows(view, ctx, frame) {
  view.node.dataset.scene = frame.scene;
  const moved = view.from !== ctx.from;
  if (moved) fillRows(view, ctx);
  if (ctx.scene.orders.length && (moved || view.order !== ctx.order)) paintLanes(view, ctx);
  if (moved || view.marks !== frame.marks) paintMarks(view, frame.marks);
}

function fillRows(view, ctx) {
  view.from = ctx.from;
  for (const r of view.rows) {
    const end = ctx.model.windowed ? ctx.from + WINDOW : r.row.tokens.length;
    const shown = r.row.tokens.slice(ctx.from, end);
    r.from = ctx.from;
    r.cells = shown.map((token, k) => h("span.tok", { role: "button", tabindex: k ? -1 : 0, dir: "auto", "data-item": "", "data-token": ctx.from + k, "data-no": ctx.from + k + 1 }, token.t));
    r.list.replaceChildren(...r.cells);
  }
}

function paintLanes(view, ctx) {
  const n = ctx.order;
  view.order = n;
  view.node.dataset.n = n;
  view.node.style.setProperty("--lanes", ctx.model.long ? Math.max(2, n) : Math.max(2, ...ctx.scene.orders.map((o) => o.n)));
  for (const r of view.rows) {
    r.cells.forEach((cell, k) => {
      const lanes = lanesAt(ctx.model, n, r.row.id, r.from + k);
      const best = ["hit", "over", "miss"].find((status) => lanes.some((l) => l?.status === status));
      cell.style.background = laneCss(lanes, best, null);
      cell.dataset.status = best ?? "none";
      cell.setAttribute("aria-label", best ? `${cell.textContent}, ${STATUS_WORDS[best]}` : cell.textContent);
    });
  }
}

function paintMarks(view, marks) {
  view.marks = marks;
  for (const r of view.rows) {
    const on = new Set(marks?.[r.row.id]);
    r.cells.forEach((cell, k) => cell.classList.toggle("marked", on.has(r.from + k)));
  }
}

/** Light the tokens that carry a key, and only the segments of the n-grams that are meant. */
function lightRows(view, ctx, keys) {
  for (const [cell, background] of view.lit) {
    cell.classList.remove("hot");
    cell.style.background = background;
  }
  view.lit = [];
  view.node.classList.toggle("linking", [...keys].some((k) => /^\d+\.\d+$/.test(k)));
  if (!keys.size) return;
  const hasOrders = Boolean(ctx.model.order(ctx.order));
  for (const r of view.rows) {
    const line = ctx.grid && r.row.id === ctx.grid.a ? "a" : ctx.grid && r.row.id === ctx.grid.b ? "b" : null;
    r.cells.forEach((cell, k) => {
      const i = r.from + k;
      const lanes = hasOrders ? lanesAt(ctx.model, ctx.order, r.row.id, i) : [];
      const bySpan = lanes.some((l) => l && keys.has(l.g.id));
      if (!bySpan && !keys.has(`${r.row.id}#${i}`) && !(line && keys.has(line + i))) return;
      view.lit.push([cell, cell.style.background]);
      cell.classList.add("hot");
      if (bySpan) cell.style.background = laneCss(lanes, cell.dataset.status, keys);
    });
  }
}
