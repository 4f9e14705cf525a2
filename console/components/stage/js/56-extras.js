// The extra frames: who gets which number, and what each word is worth.

draw.Variants = (node, b) => {
  const scale = h("div.variant.scale", h("span"), h("div.track", { "aria-hidden": "true" }, at(h("span.end", "0"), 0), at(h("span.end", `pass from ${short(b.threshold)}`), 100 * b.threshold), at(h("span.end", "1"), 100)));
  const rows = b.rows.map((r) => {
    const pass = r.passed;
    const track = h("div.track", { "aria-hidden": "true" }, width(h("i.stem"), 100 * r.value), at(h("i.tick"), 100 * b.threshold), at(h(`i.dot.${pass ? "pass" : "fail"}`), 100 * r.value));
    const name = h("span.name", { title: r.signature }, h("b", r.label, r.current ? h("em", " · this one") : null), h("small", r.detail));
    return h(`li.variant${r.current ? ".current" : ""}`, name, track, h("span.val", num(r.value)), verdict(pass));
  });
  node.replaceChildren(h("ul.variants", rows), scale);
};

draw.TokenDeltas = (node, b, ctx) => {
  const tokens = ctx.model.row(b.row)?.tokens ?? [];
  const most = Math.max(...b.deltas.map(([, d]) => Math.abs(d)), 1e-12);
  const shown = b.deltas.slice(0, 400);
  const digits = most >= 0.0005 ? 3 : 6;
  const cells = shown.map(([i, d], k) => {
    const bar = h(`span.delta.${d > 0 ? "up" : d < 0 ? "down" : "zero"}`, num(d, digits, true));
    bar.style.setProperty("--drop", (Math.abs(d) / most).toFixed(3));
    const map = { role: "button", tabindex: k ? -1 : 0, "data-item": "", "data-token": i, "data-k": `${b.row}#${i}`, "aria-label": `${tokens[i]?.t}: ${num(d, digits, true)} without it` };
    return h("span.tok", map, h("span", { dir: "auto" }, tokens[i]?.t ?? ""), bar);
  });
  const list = h("div.toks.deltas", { role: "toolbar", "aria-orientation": "vertical", "aria-label": "change of score without each token", "data-rove": "", "data-row": b.row }, cells);
  list.classList.toggle("many", shown.length > LONG);
  const hint = ctx.whatif ? h("p.hint", "Pick a word of the output, here or above, to delete or replace it or to put another before it, and score again.") : null;
  node.replaceChildren(...[h("div.row", h("div.lab", "without it", h("small", "change of score")), list), hint].filter(Boolean));
};
