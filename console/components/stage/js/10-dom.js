// Small helpers. Data reaches the page through textContent and attributes only.
const SVG = "http://www.w3.org/2000/svg";

function attrs(node, map) {
  for (const [name, value] of Object.entries(map)) {
    if (value === null || value === undefined || value === false) node.removeAttribute(name);
    else node.setAttribute(name, value);
  }
  return node;
}

/** h("div.a.b", "text" | node | {attribute: value} | array | null …) */
function h(spec, ...kids) {
  const [tag, ...classes] = spec.split(".");
  const node = document.createElement(tag);
  if (classes.length) node.className = classes.join(" ");
  for (const kid of kids.flat()) {
    if (kid === null || kid === undefined || kid === false) continue;
    if (kid.nodeType || typeof kid !== "object") node.append(kid);
    else attrs(node, kid);
  }
  return node;
}

function svg(tag, map, ...kids) {
  const node = attrs(document.createElementNS(SVG, tag), map);
  node.append(...kids);
  return node;
}

/** Like replaceChildren, but a node that stays is not touched: it keeps its focus, scroll and motion. */
function sync(parent, kids) {
  const keep = new Set(kids);
  for (const child of [...parent.children]) if (!keep.has(child)) child.remove();
  kids.forEach((kid, i) => {
    if (parent.children[i] !== kid) parent.insertBefore(kid, parent.children[i] ?? null);
  });
}

/** Place a node along the axis of its parent. Styles go through the CSSOM: a strict policy forbids style="". */
function at(node, x, y) {
  if (x !== null && x !== undefined) node.style.left = `${x}%`;
  if (y !== null && y !== undefined) node.style.bottom = `${y}%`;
  return node;
}

const width = (node, percent) => { node.style.width = `${percent}%`; return node; };
const sr = (text) => h("span.sr", text);
const keyed = (...keys) => ({ "data-k": keys.join(" ") });
const caption = (text) => (text ? h("p.cap", text) : null);
const clamp = (x, low, high) => Math.max(low, Math.min(high, x));
const byId = (list, id) => list.find((x) => x.id === id);

const ICONS = {
  first: "M5 4h2v12H5zM17 4v12L8 10z", prev: "M14 4v12L5 10z", next: "M6 4l9 6-9 6z", last: "M13 4h2v12h-2zM3 4l9 6-9 6z",
  play: "M6 4l10 6-10 6z", pause: "M5 4h3.5v12H5zM11.5 4H15v12h-3.5z",
  pass: "M8.2 15.8 2.6 10l1.7-1.7 3.9 4 7.6-8L17.5 6z", fail: "M4.1 2.7 10 8.6l5.9-5.9 1.4 1.4-5.9 5.9 5.9 5.9-1.4 1.4-5.9-5.9-5.9 5.9-1.4-1.4L8.600 10 2.7 4.100z",
};
const icon = (name) => svg("svg", { viewBox: "0 0 20 20", class: "icon", "aria-hidden": "true" }, svg("path", { d: ICONS[name] }));
const verdict = (pass) => h(`span.verdict.${pass ? "pass" : "fail"}`, icon(pass ? "pass" : "fail"), pass ? "pass" : "fail");
