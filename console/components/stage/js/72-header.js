// The header: transport, frames by name, toggles, in this order on the page and for the Tab key.
const tool = (cls, label, name) => h(`button.${cls}`, { type: "button", "aria-label": label, title: label }, icon(name));

function makeHeader(ctx) {
  const b = {
    play: h("button.play", { type: "button" }),
    first: tool("nav", "First frame", "first"), prev: tool("nav", "Previous frame", "prev"),
    next: tool("nav", "Next frame", "next"), last: tool("nav", "Last frame", "last"),
    all: h("button.toggle", { type: "button", "aria-pressed": "false" }, "All frames"),
    math: h("button.toggle", { type: "button", "aria-pressed": "false" }, "Arithmetic"),
  };
  const main = ctx.frames.filter((f) => !f.extra).length;
  const picks = ctx.frames.map((f, i) => h(`button.pick${f.extra ? ".extra" : ""}`, { type: "button", title: f.title },
    h("span.no", { "aria-hidden": "true" }, f.extra ? "+" : String(i + 1)), h("span.ti", h("span", f.title)), sr(f.extra ? " (extra)" : ` (${i + 1} of ${main})`)));
  picks.forEach((pick) => { pick.querySelector(".ti").dataset.t = pick.title; });
  const node = h("header.head", h("div.transport", { role: "group", "aria-label": "Steps" }, b.play, b.first, b.prev, b.next, b.last),
    h("div.rail", { role: "group", "aria-label": "Frames" }, picks), h("div.toggles", b.all, b.math));
  setPlaying(b.play, false);
  return { node, b, picks };
}

function setPlaying(button, playing) {
  button.replaceChildren(icon(playing ? "pause" : "play"), h("span", playing ? "Pause" : "Play"));
}

function paintHeader(header, { frame, total, main, view, math }) {
  const all = view === "all";
  header.picks.forEach((pick, i) => attrs(pick, { "aria-current": !all && i === frame ? "step" : null }));
  for (const name of ["first", "prev"]) attrs(header.b[name], { "aria-disabled": String(frame === 0) });
  attrs(header.b.next, { "aria-disabled": String(frame === total - 1) });
  attrs(header.b.last, { "aria-disabled": String(frame === main - 1) });
  attrs(header.b.all, { "aria-pressed": String(all) });
  attrs(header.b.math, { "aria-pressed": String(math) });
}

/** Who is on stage: only where no page around it says so. */
function makeWho(evaluator, title) {
  const parts = evaluator.signature.split("|").flatMap((part, i) => (i ? ["|", h("wbr"), part] : [part]));
  return h("div.who", h(title ? "h1" : "h2", title || evaluator.name), h("p.sig", title && title !== evaluator.name ? h("span", evaluator.name) : null, h("code", parts)));
}
