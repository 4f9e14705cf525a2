// Keys, for the whole stage: arrows step, Home and End go to the ends. Not where a child needs them itself.
const STEPS = {
  ArrowRight: (i) => i + 1, ArrowLeft: (i) => i - 1, Home: () => 0,
  End: (i, main) => main - 1,       // the last numbered frame; the arrow goes on into the extra ones
};
const OWN_KEYS = "input, select, textarea, .editor, .scrolls-x";

function onKey(event, { step, hub, act }) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  const target = event.target;
  if (event.key === "Escape") { if (hub.unpin()) event.preventDefault(); return; }
  if (target.closest?.(OWN_KEYS)) return;
  const item = target.closest?.("[data-item]");
  if (item && (event.key === "ArrowDown" || event.key === "ArrowUp")) rove(item, event.key === "ArrowDown" ? 1 : -1);
  else if (item && (event.key === "Enter" || event.key === " ")) act(item);
  else if (event.key in STEPS && !event.shiftKey) step(STEPS[event.key]);
  else return;
  event.preventDefault();
}

function rove(item, by) {
  const items = [...item.closest("[data-rove]").querySelectorAll("[data-item]")];
  const next = items[items.indexOf(item) + by];
  if (next) moveStop(item, next);
}

/** One tab stop per row of tokens or column of a table: it goes where the focus was last. */
function moveStop(from, to) {
  if (from) attrs(from, { tabindex: -1 });
  attrs(to, { tabindex: 0 });
  to.focus();
}

function keepStop(item) {
  for (const other of item.closest("[data-rove]").querySelectorAll('[data-item][tabindex="0"]')) if (other !== item) attrs(other, { tabindex: -1 });
  attrs(item, { tabindex: 0 });
}
