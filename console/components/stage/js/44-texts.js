// Texts as sent, and how long they are. Positions are code points, so a text is cut as an array of characters.
const TEXT_SHOWN = 1200;

draw.TextFields = (node, b) => {
  const fields = b.fields.map((field) => {
    const dd = h("dd", { dir: "auto" });
    fillText(dd, field, TEXT_SHOWN);
    return h("div", h("dt", field.name), dd);
  });
  node.replaceChildren(...[caption(b.caption), h("dl.fields", fields)].filter(Boolean));
};

function fillText(dd, field, limit) {
  const chars = Array.from(field.text);
  const parts = [];
  const end = Math.min(limit, chars.length);
  let i = 0;
  for (const [from, to] of field.cut) {
    if (from >= end) break;
    parts.push(chars.slice(i, from).join(""), h("del", visible(chars.slice(from, Math.min(to, end)).join("")), sr(" (removed)")));
    i = to;
  }
  parts.push(chars.slice(i, end).join(""));
  if (!chars.length) parts.push(h("span.hint", "empty"));
  dd.replaceChildren(...parts.filter((part) => part !== ""));
  if (end < chars.length) {
    const more = h("button.small", { type: "button" }, `Show all ${count(chars.length)} characters`);
    more.onclick = () => fillText(dd, field, Infinity);
    dd.append(h("span.cutoff", "… "), more);
  }
}

/** White space that was removed must be seen to be struck. */
const visible = (text) => text.replace(/ /g, "␣").replace(/\n/g, "↵").replace(/\t/g, "⇥");

draw.Lengths = (node, b) => {
  const most = Math.max(...b.rows.map((r) => r.n), 1);
  const rows = b.rows.map((r) => {
    const run = width(h("i.run"), (100 * r.n) / most);
    run.style.setProperty("--cells", Math.max(r.n, 1));
    const units = h("div.units", { "aria-hidden": "true", "data-grain": most > 240 ? "none" : most > 50 ? "fine" : "cells" }, run);
    return h("li", h("span.name", r.label), units, h("span.of", h("b", count(r.n)), r.note ? `, ${r.note}` : null));
  });
  node.replaceChildren(...[caption(b.caption), h("ul.lengths", rows)].filter(Boolean));
  node.style.setProperty("--room", `${clamp(most * 2.4, 6, 30)}em`);
};
