// Two texts with their own words marked. textContent only: both come from users and models.
export default function ({ data, parentElement }) {
  const pair = parentElement.querySelector(".pair");
  const make = (tag, text) => Object.assign(document.createElement(tag), { textContent: text ?? "" });
  pair.replaceChildren(...data.sides.map((side) => {
    const box = document.createElement("section");
    box.append(make("h4", side.title));
    const text = document.createElement("p");
    if (!side.runs.length) text.append(make("em", "(empty)"));
    for (const [words, alone] of side.runs) text.append(make(alone ? "mark" : "span", words));
    text.tabIndex = 0;                                // a long text scrolls; the keyboard has to reach it
    box.append(text);
    return box;
  }));
}
