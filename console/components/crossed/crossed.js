// Groups by figures. A click anywhere in a row picks its group. Text by textContent only.
export default function ({ data, parentElement, setTriggerValue }) {
  const wrap = parentElement.querySelector(".wrap");
  wrap.pick = (name) => setTriggerValue("picked", name);
  wrap.setAttribute("aria-label", data.alt);
  const drawn = JSON.stringify(data);
  if (wrap.drawn === drawn) return;
  wrap.drawn = drawn;
  const make = (tag, cls, text) => Object.assign(document.createElement(tag), { className: cls, textContent: text ?? "" });
  const marks = { improved: "✓\u00a0", regressed: "✗\u00a0" };
  const table = make("table", "");
  table.setAttribute("aria-label", data.alt);
  const head = table.createTHead().insertRow();
  for (const [i, text] of [data.first, "rows", ...data.columns].entries()) {
    const cell = make("th", i === 0 ? "name" : i === 1 ? "n muted" : "figure", text);
    cell.scope = "col";
    head.append(cell);
  }
  const body = table.createTBody();
  for (const group of data.groups) {
    const tr = body.insertRow();
    const picked = group.name === data.picked;
    tr.classList.toggle("picked", picked);
    const name = make("th", "name");
    name.scope = "row";
    const button = make("button", "", group.name);
    button.type = "button";
    button.title = group.name;
    button.setAttribute("aria-pressed", picked ? "true" : "false");
    name.append(button);
    tr.onclick = () => wrap.pick(group.name);
    tr.append(name, make("td", "n muted", group.n));
    for (const cell of group.cells) {
      const td = make("td", `figure ${cell.claim.replace(" ", "-")}`);
      td.title = cell.more;
      td.append(make("span", "text", `${marks[cell.claim] ?? ""}${cell.text}`));
      if (cell.claim === "too few") td.append(make("span", "few", "too few"));
      tr.append(td);
    }
  }
  const focused = [...wrap.querySelectorAll("button")].indexOf(parentElement.getRootNode().activeElement);
  wrap.replaceChildren(table);
  wrap.querySelectorAll("button")[focused]?.focus({ preventScroll: true });
}
