// Beside the rows: which order is shown, what its marks mean with their counts, and what the pointer is on.

function makeAside(ctx) {
  const name = `order-${ctx.uid}-${(ctx.radios = (ctx.radios ?? 0) + 1)}`;
  const radios = ctx.scene.orders.map((o) => h("label", { "data-n": o.n, title: `${capital(gramName(o.n))}: ${count(o.matched)} of ${count(o.total)}` },
    h("input", { type: "radio", name, value: o.n }), h("span", String(o.n))));
  const keys = h("div.keys");
  const said = h("p.said");
  const node = h("div.aside", h("fieldset.orders", h("legend", "order"), radios), keys, said);
  return { node, keys, said, order: -1, inputs: radios.map((r) => r.firstChild) };
}

function paintAside(aside, ctx, frame) {
  aside.node.dataset.scene = frame.scene;
  if (aside.order === ctx.order) return;
  aside.order = ctx.order;
  aside.node.dataset.n = ctx.order;
  aside.inputs.forEach((input) => { input.checked = Number(input.value) === ctx.order; });
  const sums = ctx.model.tally(ctx.order);
  const words = { hit: "counted", miss: "not expected", over: "over the limit" };
  aside.keys.replaceChildren(...Object.entries(words).map(([status, word]) => h(`span.key.${status}${sums[status] ? "" : ".zero"}`, h("i.swatch", { "aria-hidden": "true" }), `${count(sums[status])} ${word}`)));
}

/** The window over rows that are too long for the page, with its two buttons. */
function makeWindow(ctx) {
  const earlier = h("button.small", { type: "button", "data-window": "-1" }, "Earlier");
  const later = h("button.small", { type: "button", "data-window": "1" }, "Later");
  const text = h("span");
  const paint = () => {
    const end = Math.min(ctx.from + WINDOW, ctx.model.longest);
    text.textContent = `Shown: tokens ${count(ctx.from + 1)}–${count(end)} of ${count(ctx.model.longest)}. The numbers count all of them.`;
    attrs(earlier, { "aria-disabled": String(ctx.from === 0) });
    attrs(later, { "aria-disabled": String(end === ctx.model.longest) });
  };
  return { node: h("div.window", earlier, later, text), paint };
}
