// Where the stage touches the page around it: the address, and printing.

/** The address names the frame on screen, so that a copied one opens there again. No server message. */
function writeAddress(frame, order) {
  const url = new URL(window.location.href);
  url.searchParams.set("frame", String(frame));
  if (order) url.searchParams.set("order", String(order));
  if (url.href !== window.location.href) window.history.replaceState(window.history.state, "", url);
}

/** On paper there is no stepping: all frames are printed, and the reader gets the view back afterwards. */
function printView(view, setView) {
  let before = null;
  const open = () => { before = view(); if (before !== "all") setView("all"); };
  const close = () => { if (before && before !== "all") setView(before); before = null; };
  window.addEventListener("beforeprint", open);
  window.addEventListener("afterprint", close);
  return { destroy() { window.removeEventListener("beforeprint", open); window.removeEventListener("afterprint", close); } };
}
