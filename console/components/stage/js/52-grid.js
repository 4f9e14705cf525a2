// The grid of equal tokens with the walk through it: one picture, plus the list of pairs the walk takes.
const GRID_MOST = 40;

draw.LcsGrid = (node, b, ctx) => {
  const [A, B] = [b.a, b.b].map((id) => ctx.model.row(id)?.tokens.map((t) => t.t) ?? []);
  const grid = b.dots && A.length <= GRID_MOST && B.length <= GRID_MOST && A.length && B.length ? gridPicture(b, A, B, ctx.em, 19 - 3 * (ctx.scene.rows.length - 2)) : null;
  const side = b.path ? pairList(b.path, A, B) : h("p.plain", grid
    ? "Rows: the output, read downwards. Columns: the expected text, read to the right. A dot: the same token."
    : `${count(A.length)} × ${count(B.length)} tokens are too many for a grid; the next frame lists the pairs the walk takes.`);
  node.classList.toggle("nogrid", !grid);
  node.classList.toggle("turned", Boolean(grid?.turned));
  node.replaceChildren(...[grid, h("div.gridside", side)].filter(Boolean));
};

/** Sizes in cells. Where there is room, columns are as wide as their words, which then need not be turned. */
function gridShape(A, B, em, tall) {
  const longest = (list) => Math.max(...list.map((t) => Math.min(Array.from(t).length, 16))) * 0.315 + 0.55;
  const left = longest(A), wide = longest(B);
  const fit = Math.min(1.75, tall / (A.length + 1.2), (em - 32.5) / (B.length * wide + left));
  if (fit > 1.25) return { left, top: 1.1, cell: wide, size: fit, turned: false };
  return { left, top: wide, cell: 1, size: clamp((tall - 0.6) / (A.length + wide), 1.12, 1.75), turned: true };
}

function gridPicture(b, A, B, em, room) {
  const { left, top, cell, size, turned } = gridShape(A, B, em, room);
  const X = (j) => (j + 0.5) * cell;
  const walk = new Set((b.path ?? []).map(([i, j]) => `${i},${j}`));
  const dots = b.dots.map(([i, j]) => svg("circle", { cx: X(j), cy: i + 0.5, r: walk.has(`${i},${j}`) ? 0.24 : 0.17, class: walk.has(`${i},${j}`) ? "walk" : "dot" }));
  const label = `Grid of equal tokens: output down, expected across. Equal at ${b.dots.map(([i, j]) => `${i + 1}, ${j + 1}`).slice(0, 60).join("; ") || "no cell"}.`;
  const bands = { a: svg("rect", { class: "band", x: 0, width: B.length * cell, height: 1 }), b: svg("rect", { class: "band", y: 0, width: cell, height: A.length }) };
  const words = { a: A.map((t, i) => gridWord(t, -0.3, i + 0.5, "side")), b: B.map((t, j) => gridWord(t, X(j), turned ? -0.3 : -0.55, turned ? "up" : "over")) };
  const w = B.length * cell + left, tall = A.length + top;
  const picture = svg("svg", { viewBox: `${-left} ${-top} ${w + 0.1} ${tall + 0.1}`, class: "grid", role: "img", "aria-label": label, "data-grid": "" },
    bands.a, bands.b, svg("path", { class: "cells", d: gridLines(A.length, B.length, cell) }), ...walkLines(b.path ?? [], X), ...dots, ...words.a, ...words.b);
  picture.style.width = `${(w * size).toFixed(2)}em`;
  picture.style.height = `${(tall * size).toFixed(2)}em`;
  linkGrid(picture, A.length, B.length, cell, bands, words);
  const box = h("div.gridbox", picture);
  box.turned = turned;
  return box;
}

const gridLines = (rows, cols, cell) => Array.from({ length: rows + 1 }, (_, i) => `M0 ${i}H${cols * cell}`).join("") + Array.from({ length: cols + 1 }, (_, j) => `M${j * cell} 0V${rows}`).join("");

function gridWord(text, x, y, place) {
  const chars = Array.from(text);
  const node = svg("text", { x, y, class: place, transform: place === "up" ? `rotate(-90 ${x} ${y})` : null });
  node.textContent = chars.length > 16 ? `${chars.slice(0, 15).join("")}…` : text;
  return node;
}

function walkLines(path, X) {
  return path.slice(1).map(([i, j], k) => {
    const [i0, j0] = path[k];
    return svg("path", { d: `M${X(j0)} ${i0 + 0.5}L${X(j)} ${i + 0.5}`, class: i - i0 > 1 || j - j0 > 1 ? "jump" : "step" });
  });
}

function linkGrid(picture, rows, cols, cell, bands, words) {
  picture.keysAt = (event) => {
    const p = new DOMPoint(event.clientX, event.clientY).matrixTransform(picture.getScreenCTM().inverse());
    const i = Math.floor(p.y), j = Math.floor(p.x / cell), keys = [];
    if (i >= 0 && i < rows) keys.push(`a${i}`);
    if (j >= 0 && j < cols) keys.push(`b${j}`);
    return keys;
  };
  picture.light = (keys) => {
    for (const side of ["a", "b"]) {
      const i = words[side].findIndex((_, k) => keys.has(side + k));
      bands[side].classList.toggle("on", i >= 0);
      if (i >= 0) bands[side].setAttribute(side === "a" ? "y" : "x", side === "a" ? i : i * cell);
      words[side].forEach((word, k) => word.classList.toggle("hot", keys.has(side + k)));
    }
  };
}

/** The walk as pairs; what it jumps over stands between them. */
function pairList(path, A, B) {
  const rows = [];
  let [pi, pj] = [-1, -1];
  for (const [i, j] of [...path, [A.length, B.length]]) {
    if (i - pi > 1 || j - pj > 1) rows.push({ gap: true, a: A.slice(pi + 1, i), b: B.slice(pj + 1, j) });
    if (i < A.length) rows.push({ key: `a${i} b${j}`, a: [A[i]], b: [B[j]] });
    [pi, pj] = [i, j];
  }
  const cell = (words) => (words.length > 24 ? `${words.slice(0, 24).join(" ")} … and ${count(words.length - 24)} more` : words.join(" ") || "–");
  const node = h("div.pairs.scroll");
  const heads = [["output", "r"], [sr("relation"), "c"], ["expected"]];
  windowedTable(node, rows.length, TABLE_ROWS, (n) => table(null, heads,
    rows.slice(0, n).map((r) => [h("span", { dir: "auto" }, cell(r.a)), r.gap ? [sr("jumps over"), h("span", { "aria-hidden": "true" }, "⇢")] : "=", h("span", { dir: "auto" }, cell(r.b))]),
    (i) => (rows[i].gap ? { class: "gap" } : { "data-k": rows[i].key })));
  return node;
}
