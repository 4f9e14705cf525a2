// Texts as sent, and how long they are. Positions are code points, so a text is cut as an array of characters.
const TEXT_SHOWN = 1200;

draw.TextFields = (node, b, ctx) => {
  const fields = b.fields.map((field) => {
    const dd = h("dd", { dir: "auto" });
    fillText(dd, field, ctx.scene?.rows.find((row) => row.text === field.text), TEXT_SHOWN);
    return h("div", h("dt", field.name), dd);
  });
  node.classList.toggle("brief", b.fields.every((field) => field.text.length < 160));
  node.replaceChildren(...[caption(b.caption), h("dl.fields", fields)].filter(Boolean));
};

/** The stretches of a text that mean something, in order and without overlap: what was cut, and where each token stands. */
function stretches(field, row, end) {
  const cuts = field.cut.map(([from, to]) => ({ from, to, key: null }));
  const tokens = row ? row.tokens.flatMap((token, i) => (token.at && token.at[0] < end ? [{ from: token.at[0], to: token.at[1], key: `${row.id}#${i}` }] : [])) : [];
  return [...cuts, ...tokens].sort((a, b) => a.from - b.from);
}

function fillText(dd, field, row, limit) {
  const chars = Array.from(field.text);
  const end = Math.min(limit, chars.length);
  const slice = (from, to) => chars.slice(from, Math.min(to, end)).join("");
  const parts = [];
  let i = 0;
  for (const part of stretches(field, row, end)) {
    if (part.from < i || part.from >= end) continue;
    if (part.from > i) parts.push(slice(i, part.from));
    if (part.key) parts.push(h("span", { "data-k": part.key }, slice(part.from, part.to)));
    else parts.push(h("del", visible(slice(part.from, part.to))), sr(" (removed) "));
    i = part.to;
  }
  if (i < end) parts.push(slice(i, end));
  dd.replaceChildren(...(chars.length ? parts : [h("span.hint", "empty")]));
  if (end < chars.length) dd.append(h("span", "… "), moreText(() => fillText(dd, field, null, Infinity), chars.length));
}

function moreText(show, n) {
  const more = h("button.small", { type: "button" }, `Show all ${count(n)} characters`);
  more.onclick = show;
  return more;
}

/** White space that was removed must be seen to be struck. */
const visible = (text) => text.replace(/ /g, "␣").replace(/\n/g, "↵").replace(/\t/g, "⇥");

draw.Lengths = (node, b) => {
  const most = Math.max(...b.rows.map((r) => r.n), 1);
  const rows = b.rows.map((r) => {
    const run = width(h("i.run"), (100 * r.n) / most);
    run.style.setProperty("--cells", Math.max(r.n, 1));
    const units = h("div.units", { "aria-hidden": "true", "data-grain": grain(most, clamp(most * 2.4, 6, 14)) }, run);
    return h("li", h("span.name", r.label), units, h("span.of", h("b", count(r.n)), r.note ? `, ${r.note}` : null));
  });
  node.replaceChildren(...[caption(b.caption), h("ul.lengths", rows)].filter(Boolean));
  node.style.setProperty("--room", `${clamp(most * 2.4, 6, 30)}em`);
};
