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
  node.classList.toggle("compact", ctx.model.long || rows.length > 2);     // else room for all orders, so that nothing moves
  node.classList.toggle("long", ctx.model.long);
  node.classList.toggle("flat", !ctx.scene.orders.length);
  return { node, rows, from: -1, order: -1, marks: undefined, lit: [] };
}

function paintRows(view, ctx, frame) {
  view.node.dataset.scene = frame.scene;
  const moved = view.from !== ctx.from;
  if (moved) fillRows(view, ctx);
  const turned = ctx.scene.orders.length > 0 && (moved || view.order !== ctx.order);
  if (turned) paintLanes(view, ctx);
  if (moved || turned || view.marks !== frame.marks) paintMarks(view, frame.marks);
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
  view.lit = [];
  view.node.dataset.n = n;
  view.node.style.setProperty("--lanes-now", Math.max(2, n));
  view.node.style.setProperty("--lanes-most", Math.max(2, ...ctx.scene.orders.map((o) => o.n)));
  adoptLanes(view.node);
  for (const r of view.rows) {
    const spans = ctx.model.spans(n, r.row.id);
    r.cells.forEach((cell, k) => {
      const { best, name } = lanePattern(spans, n, r.from + k, null);
      cell.className = `tok ${best} ${laneClass(name)}`;
      cell.setAttribute("aria-label", best === "none" ? cell.textContent : `${cell.textContent}, ${STATUS_WORDS[best]}`);
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
  for (const [cell, name] of view.lit) cell.className = name;
  view.lit = [];
  view.node.classList.toggle("linking", [...keys].some((k) => /^\d+\.\d+$/.test(k)));
  if (!keys.size) return;
  const n = ctx.model.order(ctx.order) ? ctx.order : 0;
  for (const r of view.rows) {
    const line = ctx.grid && r.row.id === ctx.grid.a ? "a" : ctx.grid && r.row.id === ctx.grid.b ? "b" : null;
    r.cells.forEach((cell, k) => {
      const i = r.from + k;
      const meant = n > 0 && gramsAt(ctx.model, n, r.row.id, i).some((id) => keys.has(id));
      if (!meant && !keys.has(`${r.row.id}#${i}`) && !(line && keys.has(line + i))) return;
      view.lit.push([cell, cell.className]);
      if (meant) {
        const { best, name } = lanePattern(ctx.model.spans(n, r.row.id), n, i, keys);
        cell.className = `tok ${best} ${laneClass(name)}`;
      }
      cell.classList.add("hot");
    });
  }
}

/** Where a row scrolls, bring the first lit token into it. */
function revealRows(view) {
  for (const r of view.rows) {
    const cell = r.cells.find((c) => c.classList.contains("hot"));
    if (!cell || r.list.scrollHeight <= r.list.clientHeight + 1) continue;
    const top = cell.offsetTop, bottom = top + cell.offsetHeight;
    if (top < r.list.scrollTop || bottom > r.list.scrollTop + r.list.clientHeight) r.list.scrollTop = top;
  }
}
