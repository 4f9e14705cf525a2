// Changes as a table: name, rows, both runs, a drawn interval around 0, the change in words, the claim. textContent only.
export default function ({ data, parentElement, setTriggerValue }) {
  const wrap = parentElement.querySelector(".wrap");
  wrap.pick = (id) => setTriggerValue("picked", id);
  const drawn = JSON.stringify(data);
  if (wrap.drawn === drawn) return;                // a table that is replaced under the pointer loses the click
  wrap.drawn = drawn;
  const make = (tag, cls, text) => Object.assign(document.createElement(tag), { className: cls, textContent: text ?? "" });
  const place = (x) => 50 + 50 * Math.max(-1, Math.min(1, x / data.end));
  const marks = { improved: "✓\u00a0improved", regressed: "✗\u00a0regressed" };

  const axis = (line) => {
    const box = make("div", "axis");
    box.setAttribute("aria-hidden", "true");          // the columns beside it say the same in words
    const span = (cls, from, to) => {
      const bar = make("i", cls);
      bar.style.left = `${from}%`;
      bar.style.right = `${100 - to}%`;
      box.append(bar);
    };
    if (line.mde != null) span("blind", place(-line.mde), place(line.mde));
    box.append(make("i", "zero"));
    if (line.lo != null) span("whisk", place(line.lo), place(line.hi));
    const dot = make("i", "dot");
    dot.style.left = `${place(line.value)}%`;
    box.append(dot);
    return box;
  };

  const columns = [[data.first, "name"], ["rows", "n muted"], ["A", "a"], ["B", "b"], ["", "cell"], ["B − A", "delta"], ["95% interval", "interval muted"], ["", "claim"]];
  const table = make("table", data.pickable ? "can-pick" : "");
  table.setAttribute("aria-label", data.alt);
  const head = table.createTHead().insertRow();
  columns.forEach(([text, cls], i) => {
    const cell = make("th", cls, i === 4 || i === 7 ? "" : text);
    cell.scope = "col";
    if (i === 4) {
      const scale = make("div", "scale");
      scale.append(...data.ends.map((end) => make("span", "", end)));
      cell.append(scale);
    }
    if (i === 7) cell.append(make("span", "hidden", "claim"));
    head.append(cell);
  });
  const body = table.createTBody();
  for (const line of data.lines) {
    const tr = body.insertRow();
    const picked = data.pickable && line.id === data.picked;
    tr.className = `${line.claim.replace(" ", "-")}${picked ? " picked" : ""}`;
    tr.title = line.more;
    const name = make("th", "name", data.pickable ? "" : line.name);
    name.scope = "row";
    if (data.pickable) {
      const button = make("button", "", line.name);
      button.type = "button";
      button.setAttribute("aria-pressed", picked ? "true" : "false");
      name.append(button);
      tr.onclick = () => wrap.pick(line.id);         // the button's own click, Enter and Space bubble here
    }
    const drawing = make("td", "cell");
    drawing.append(axis(line));
    tr.append(
      name, make("td", "n muted", line.n), make("td", "a", line.a), make("td", "b", line.b), drawing,
      make("td", "delta", line.delta), make("td", "interval muted", line.interval), make("td", "claim", marks[line.claim] ?? line.claim),
    );
  }
  const focused = [...wrap.querySelectorAll("button")].indexOf(parentElement.getRootNode().activeElement);
  wrap.replaceChildren(table);
  wrap.querySelectorAll("button")[focused]?.focus({ preventScroll: true });   // a rerun must not lose the reader's place
}
