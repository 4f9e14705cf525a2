// Linking: everything that shares a key lights up together, on hover or focus. A click pins, Esc unpins.
// Keys: a gram ("2.3"), an order ("n2"), a grid line ("a4", "b7"), a token ("output#5").

function makeHub(light) {
  let pinned = null;
  let shown = "";
  const show = (keys) => {
    const name = keys.join(" ");
    if (name === shown) return;
    shown = name;
    light(new Set(keys));
  };
  return {
    hover: (keys) => show(keys.length ? keys : pinned ?? []),
    pin(keys) { pinned = keys.length ? keys : null; show(pinned ?? []); },
    unpin() { const had = pinned !== null; pinned = null; show([]); return had; },
    again() { const keys = shown ? shown.split(" ") : []; shown = ""; light(new Set(keys)); shown = keys.join(" "); },
    get pinned() { return pinned; },
  };
}

/** The keys of whatever stands under the pointer or has the focus. */
function keysOf(target, event, ctx) {
  const token = target.closest?.("[data-token]");
  if (token) return tokenKeys(ctx, token.closest("[data-row]").dataset.row, Number(token.dataset.token));
  const place = target.closest?.("[data-cells], [data-grid]");
  if (place && event && "clientX" in event) return place.keysAt?.(event) ?? [];
  const holder = target.closest?.("[data-k]");
  return holder ? holder.dataset.k.split(" ").filter(Boolean) : [];
}

function tokenKeys(ctx, rowId, i) {
  const keys = [`${rowId}#${i}`];
  if (ctx.model.order(ctx.order)) keys.push(...gramsAt(ctx.model, ctx.order, rowId, i));
  if (ctx.grid) {
    if (rowId === ctx.grid.a) keys.push(`a${i}`);
    if (rowId === ctx.grid.b) keys.push(`b${i}`);
  }
  return keys;
}

/** One sentence about the n-grams that are lit. */
function linkSentence(ctx, keys) {
  const grams = ctx.model ? [...keys].map((k) => ctx.model.gram(k)).filter(Boolean) : [];
  if (!grams.length) return "";
  const [g] = grams;
  if (grams.length === 1) return `“${g.tokens.join(" ")}”: ${g.in_output} in output, ${g.in_expected} expected, ${g.clipped} counted`;
  return `in ${grams.length} ${gramName(g.tokens.length)}, ${grams.filter((x) => x.clipped).length} of them counted`;
}

function lightPanel(panel, keys) {
  for (const node of panel.querySelectorAll("[data-k]")) {
    node.classList.toggle("hot", keys.size > 0 && node.dataset.k.split(" ").some((k) => keys.has(k)));
  }
  for (const node of panel.querySelectorAll("[data-cells], [data-grid]")) node.light?.(keys);
}
