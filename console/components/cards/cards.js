// Cards of evaluators. Text by textContent only; a card is a list item with one link.
export default function ({ data, parentElement }) {
  const make = (tag, cls, text) => {
    const node = document.createElement(tag);
    if (cls) node.className = cls;
    if (text !== undefined && text !== null) node.textContent = text;
    return node;
  };
  const place = (node, side, share) => { node.style[side] = `${100 * Math.max(0, Math.min(1, share))}%`; return node; };
  const gauge = (card, word) => {
    const track = make("div", `track ${word}`);
    track.setAttribute("aria-hidden", "true");
    track.append(place(make("i", "fill"), "width", card.share), place(make("i", "tick"), "left", card.tick));
    return track;
  };
  const bar = (b) => {
    const row = make("div", "bar"), track = make("span", "room");
    track.setAttribute("aria-hidden", "true");
    track.append(place(make("i"), "width", b.share));
    row.append(make("span", "label", b.label), track, make("span", "value", b.text));
    return row;
  };
  const draw = (card) => {
    const item = make("li"), box = make("article", card.apart ? "apart" : "");
    const head = make("div", "head"), word = card.passed === null ? "none" : card.passed ? "pass" : "fail";
    head.append(make("h3", "", card.name));
    if (card.apart) head.append(make("span", "mark", "against the others"));
    const top = make("p", "top");
    top.append(make("b", card.label.length > 6 ? "score long" : "score", card.label));
    top.append(make("span", `verdict ${word}`, card.passed === null ? "" : `${card.passed ? "✓" : "✗"}\u00a0${word}`));
    box.append(head, top);
    if (card.share !== null) box.append(gauge(card, word));
    box.append(make("p", "why", card.why));
    if (card.caution) box.append(make("p", "caution", card.caution));
    for (const text of card.warnings) box.append(make("p", "warning", text));
    const small = make("div", "small");
    if (card.bars.length) small.append(make("p", "caption", card.caption), ...card.bars.map(bar));
    const link = make("a", "", card.passed === null ? "Open in Explore" : "See the frames");
    link.href = card.href;
    link.target = "_self";
    link.setAttribute("aria-label", `${link.textContent}: ${card.name}`);
    box.append(small, link);
    item.append(box);
    return item;
  };
  parentElement.querySelector(".cards").replaceChildren(...data.cards.map(draw));
}
