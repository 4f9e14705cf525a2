// The segments under a token as one CSS background. Patterns repeat, so each becomes a class once, in a sheet that all
// stages share: a change of order then writes class names and nothing else.
const LANES = { names: new Map(), sheet: null };
const PITCH = 0.5, BAR = 0.36, TOP = 1.78, INSET = 3;   // em, em, em, px

/** The sheet must be known to the document or shadow tree that shows the rows. */
function adoptLanes(node) {
  LANES.sheet ??= new CSSStyleSheet();
  const tree = node.getRootNode();
  if (tree.adoptedStyleSheets && !tree.adoptedStyleSheets.includes(LANES.sheet)) tree.adoptedStyleSheets = [...tree.adoptedStyleSheets, LANES.sheet];
}

/** Per lane: status, starts here, ends here, is meant ("h10!"); spans that start at i go to lane i mod n, so none overlap. */
function lanePattern(spans, n, i, keys) {
  const lanes = [];
  let best = "none";
  for (let lane = 0; lane < n; lane += 1) {
    const start = i - ((((i - lane) % n) + n) % n);
    const span = start >= 0 ? spans[start] : undefined;
    if (!span) { lanes.push("-"); continue; }
    if (best === "none" || RANK[span.status] < RANK[best]) best = span.status;
    lanes.push(`${span.status[0]}${i === start ? 1 : 0}${i === start + n - 1 ? 1 : 0}${keys?.has(span.g.id) ? "!" : ""}`);
  }
  return { best, name: `${best[0]}|${lanes.join(",")}` };
}

function laneClass(name) {
  let cls = LANES.names.get(name);
  if (cls === undefined) {
    const [best, lanes] = name.split("|");
    const layers = lanes.split(",").flatMap((code, lane) => (code === "-" ? [] : segment(code, lane)));
    if (best === "h") layers.push("linear-gradient(var(--tint), var(--tint)) 0 0 / 100% 1.6em no-repeat");
    cls = layers.length ? `lane${LANES.names.size}` : "";
    LANES.names.set(name, cls);
    if (cls) LANES.sheet.insertRule(`.${cls} { background: ${layers.join(", ")}; }`);
  }
  return cls;
}

function segment([status, first, last, hot], lane) {
  const left = first === "1" ? INSET : 0, right = last === "1" ? INSET : 0;
  const y = (TOP + lane * PITCH).toFixed(2);
  const across = `calc(100% - ${left + right}px)`;
  const full = hot ? "var(--c)" : "var(--seg)";
  if (status === "h") return [`linear-gradient(${full}, ${full}) ${left}px ${y}em / ${across} ${BAR}em no-repeat`];
  const edge = status === "o" ? full : hot ? "var(--text)" : "var(--segline)";
  const line = `linear-gradient(${edge}, ${edge})`;
  const layers = [`${line} ${left}px ${y}em / ${across} 1px no-repeat`, `${line} ${left}px calc(${y}em + ${BAR}em - 1px) / ${across} 1px no-repeat`];
  if (left) layers.push(`${line} ${left}px ${y}em / 1px ${BAR}em no-repeat`);
  if (right) layers.push(`${line} calc(100% - ${right}px) ${y}em / 1px ${BAR}em no-repeat`);
  if (status === "o") layers.push(`repeating-linear-gradient(135deg, ${full} 0 1.5px, transparent 1.5px 4px) ${left}px ${y}em / ${across} ${BAR}em no-repeat`);
  return layers;
}
