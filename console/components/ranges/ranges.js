// Groups as a table: name, rows, a drawn interval, the value, the interval in words. Text by textContent only.
export default function ({ data, parentElement, setTriggerValue }) {
  const wrap = parentElement.querySelector(".wrap");
  wrap.pick = (label) => setTriggerValue("picked", label);
  const drawn = JSON.stringify(data);
  if (wrap.drawn === drawn) return;                // a table that is replaced under the pointer loses the click
  wrap.drawn = drawn;
  const make = (tag, cls, text) => Object.assign(document.createElement(tag), { className: cls, textContent: text ?? "" });
  const [low, high] = data.span;
  const share = (x) => 100 * Math.max(0, Math.min(1, (x - low) / (high - low)));
  const classes = ["name", "n muted", "cell", "value", "interval muted"];

  const axis = (row) => {
    const line = make("div", "axis");
    line.setAttribute("aria-hidden", "true");         // the columns beside it say the same in words
    if (data.ref != null) {
      const ref = make("i", "ref");
      ref.style.left = `${share(data.ref)}%`;
      line.append(ref);
    }
    if (row.lo != null && row.hi != null) {
      const whisk = make("i", "whisk");
      whisk.style.left = `${share(row.lo)}%`;
      whisk.style.right = `${100 - share(row.hi)}%`;
      line.append(whisk);
    }
    if (row.value != null) {
      const dot = make("i", "dot");
      dot.style.left = `${share(row.value)}%`;
      line.append(dot);
    }
    return line;
  };

  const table = make("table", data.pickable ? "can-pick" : "");
  table.setAttribute("aria-label", data.alt);
  const head = table.createTHead().insertRow();
  data.head.forEach((text, i) => {
    const cell = make("th", classes[i], i === 2 ? "" : text);
    cell.scope = "col";
    if (i === 2) {
      const scale = make("div", "scale");
      scale.append(...data.ends.map((end) => make("span", "", end)));
      cell.append(scale);
    }
    head.append(cell);
  });
  const body = table.createTBody();
  for (const row of data.rows) {
    const tr = body.insertRow();
    const picked = data.pickable && row.label === data.picked;
    tr.classList.toggle("picked", picked);
    const name = make("th", classes[0], data.pickable ? "" : row.label);
    name.scope = "row";
    name.title = row.label;
    if (data.pickable) {
      const button = make("button", "", row.label);
      button.type = "button";
      button.setAttribute("aria-pressed", picked ? "true" : "false");
      name.append(button);
      tr.onclick = () => wrap.pick(row.label);    // the button's own click, Enter and Space bubble here
    }
    const cell = make("td", classes[2]);
    cell.append(axis(row));
    tr.append(name, make("td", classes[1], row.n), cell, make("td", classes[3], row.text), make("td", classes[4], row.interval));
  }

  const focused = [...wrap.querySelectorAll("button")].indexOf(parentElement.activeElement ?? parentElement.getRootNode().activeElement);
  wrap.replaceChildren(table);
  wrap.querySelectorAll("button")[focused]?.focus({ preventScroll: true });   // a rerun must not lose the reader's place
  if (!data.pickable && wrap.scrollHeight > wrap.clientHeight + 1) wrap.tabIndex = 0;
  else wrap.removeAttribute("tabindex");
}
