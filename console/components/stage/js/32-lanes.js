// The segments under a token as one CSS background. Patterns repeat, so each is written once.
const LANES = new Map();
const PITCH = 0.5, BAR = 0.36, TOP = 1.78, INSET = 3;   // em, em, em, px

function laneCss(lanes, best, keys) {
  const name = `${best}|${lanes.map((l) => (l ? `${l.status[0]}${l.first ? 1 : 0}${l.last ? 1 : 0}${keys?.has(l.g.id) ? "!" : ""}` : "-")).join("")}`;
  let css = LANES.get(name);
  if (css === undefined) {
    const layers = lanes.flatMap((l, lane) => (l ? segment(l, lane, Boolean(keys?.has(l.g.id))) : []));
    if (best === "hit") layers.push("linear-gradient(var(--tint), var(--tint)) 0 0 / 100% 1.6em no-repeat");
    css = layers.join(", ");
    LANES.set(name, css);
  }
  return css;
}

function segment(span, lane, hot) {
  const left = span.first ? INSET : 0, right = span.last ? INSET : 0;
  const y = (TOP + lane * PITCH).toFixed(2);
  const across = `calc(100% - ${left + right}px)`;
  const full = hot ? "var(--c)" : "var(--seg)";
  if (span.status === "hit") return [`linear-gradient(${full}, ${full}) ${left}px ${y}em / ${across} ${BAR}em no-repeat`];
  const edge = span.status === "over" ? full : hot ? "var(--text)" : "var(--segline)";
  const line = `linear-gradient(${edge}, ${edge})`;
  const layers = [`${line} ${left}px ${y}em / ${across} 1px no-repeat`, `${line} ${left}px calc(${y}em + ${BAR}em - 1px) / ${across} 1px no-repeat`];
  if (span.first) layers.push(`${line} ${left}px ${y}em / 1px ${BAR}em no-repeat`);
  if (span.last) layers.push(`${line} calc(100% - ${right}px) ${y}em / 1px ${BAR}em no-repeat`);
  if (span.status === "over") layers.push(`repeating-linear-gradient(135deg, ${full} 0 1.5px, transparent 1.5px 4px) ${left}px ${y}em / ${across} ${BAR}em no-repeat`);
  return layers;
}
