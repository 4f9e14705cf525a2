// What the drawings ask of a scene, answered once and kept: which n-gram starts where, and in which order they count.
const LONG = 30;           // a row with more tokens wraps: its lanes take only the height they need
const WINDOW = 120;        // tokens of a row on the page; above WINDOW_FROM a row shows a window
const WINDOW_FROM = 600;

function makeModel(scene) {
  const kept = new Map();
  const keep = (key, make) => {
    if (!kept.has(key)) kept.set(key, make());
    return kept.get(key);
  };
  const order = (n) => scene.orders.find((o) => o.n === n);
  const row = (id) => byId(scene.rows, id);
  const longest = Math.max(0, ...scene.rows.map((r) => r.tokens.length));

  /** start position -> {g: gram, status}, sparse. */
  const spans = (n, rowId) => keep(`s${n}/${rowId}`, () => {
    const list = new Array(row(rowId).tokens.length);
    for (const g of order(n).grams) for (const [start, status] of g.at[rowId] ?? []) list[start] = { g, status };
    return list;
  });

  /** Every n-gram of the output, the counted ones first: the cells of a fraction bar. */
  const cells = (n) => keep(`c${n}`, () => {
    const list = [];
    for (const g of order(n).grams) for (const [start, status] of g.at.output ?? []) list.push({ id: g.id, start, status });
    return list.sort((a, b) => RANK[a.status] - RANK[b.status] || a.start - b.start);
  });

  const tally = (n) => keep(`t${n}`, () => {
    const sums = { hit: 0, over: 0, miss: 0 };
    for (const g of order(n).grams) for (const [, status] of g.at.output ?? []) sums[status] += 1;
    return sums;
  });

  const gram = (id) => keep("grams", () => new Map(scene.orders.flatMap((o) => o.grams.map((g) => [g.id, g])))).get(id);

  /** First position at which two rows differ; the window opens a little before it. */
  const firstDifference = () => {
    const [a, b] = scene.rows.map((r) => r.tokens);
    if (!b) return 0;
    let i = 0;
    while (i < a.length && i < b.length && a[i].t === b[i].t) i += 1;
    return i;
  };
  const windowed = longest > WINDOW_FROM;
  const clampFrom = (from) => clamp(from, 0, Math.max(0, longest - WINDOW));
  const from = windowed ? clampFrom(firstDifference() - 20) : 0;
  return { order, row, spans, cells, tally, gram, longest, windowed, from, clampFrom, long: longest > LONG };
}

/** The ids of the n-grams of order n that cover token i of a row. */
function gramsAt(model, n, rowId, i) {
  const spans = model.spans(n, rowId);
  const ids = [];
  for (let start = Math.max(0, i - n + 1); start <= i; start += 1) if (spans[start]) ids.push(spans[start].g.id);
  return ids;
}
