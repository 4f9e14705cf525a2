// The stage: puts the parts together and keeps one state {frame, order, view, math, from}.
const DEFAULTS = { theme: "auto", frame: 0, order: 1, view: "step", math: false, present: false, whatif: false, address: false, title: "", height: null, interval: 2600, onChange: null, onEdit: null };

function makeContext(o) {
  const { trace } = o;
  const scene = trace.scene;
  const model = scene ? makeModel(scene) : null;
  const orders = scene?.orders.map((x) => x.n) ?? [];
  const grid = trace.frames.flatMap((f) => f.blocks).find((b) => b.type === "LcsGrid");
  return {
    trace, scene, model, frames: trace.frames, em: 70, math: o.math, whatif: o.whatif,
    order: orders.includes(o.order) ? o.order : orders[0] ?? 0, from: model?.from ?? 0,
    editRun: { ...trace.gauge, type: "EditRun" }, grid: grid ? { a: grid.a, b: grid.b } : null, uid: Math.random().toString(36).slice(2, 8),
  };
}

function notScored(root, trace) {
  const reason = trace.result?.reason ?? "This row was not scored.";
  root.replaceChildren(h("section.stage.empty", { "aria-label": "Not scored" }, h("p.plain", h("b", "Not scored. "), reason)));
  return { set() {}, go() {}, destroy() { root.replaceChildren(); } };
}

function mountStage(root, options) {
  const o = { ...DEFAULTS, ...options };
  if (!o.trace?.frames?.length) return notScored(root, o.trace ?? {});
  const ctx = makeContext(o);
  const total = ctx.frames.length, mainCount = ctx.frames.filter((f) => !f.extra).length;
  const stage = h("section.stage", { role: "group", "aria-roledescription": "carousel", "aria-label": `${ctx.trace.evaluator.name}, frame by frame`, tabindex: -1 });
  const header = makeHeader(ctx), body = h("div.slides"), live = h("div.sr", { "aria-live": "polite" });
  const gauge = ctx.trace.gauge ? makeGauge(ctx.trace.gauge) : null;
  const who = o.present || o.title ? makeWho(ctx.trace.evaluator, o.title) : null;
  let slides = [], timer = null, seen = 0, editing = null, idle = 0;
  const hub = makeHub((keys) => slides.forEach((slide) => lightSlide(slide, ctx, keys)));

  const limit = (i) => clamp(Math.trunc(i) || 0, 0, total - 1);
  o.frame = limit(o.frame);

  function build() {
    closeEditor();
    slides = o.view === "all" ? ctx.frames.map((f) => makeSlide(ctx, [f.note])) : [makeSlide(ctx, ctx.frames.map((f) => f.note))];
    body.replaceChildren(...slides.map((slide) => slide.node));
  }

  function paint() {
    const all = o.view === "all", focused = stage.getRootNode().activeElement;
    attrs(stage, { "data-theme": o.theme, "data-view": o.view, "data-present": o.present ? "" : null, "data-fixed": o.height ? "" : null });
    if (all) slides.forEach((slide, i) => paintSlide(slide, ctx, ctx.frames[i], i, 0));
    else paintSlide(slides[0], ctx, ctx.frames[o.frame], o.frame, o.frame);
    if (gauge) paintGauge(gauge, ctx.trace.gauge, all || ctx.frames[o.frame].gauge === "filled");
    paintHeader(header, { frame: o.frame, total, main: mainCount, view: o.view, math: ctx.math });
    hub.again();
    if (focused && !focused.isConnected) stage.focus({ preventScroll: true });       // what had the focus left with its frame
    clearTimeout(idle);
    idle = setTimeout(tidy, 250);
  }

  /** After the step: an area that scrolls and holds nothing to focus must be reachable by keyboard. */
  function tidy() {
    for (const area of stage.querySelectorAll(".slides, .gridbox, .arith")) {
      const scrolls = area.scrollHeight > area.clientHeight + 1 || area.scrollWidth > area.clientWidth + 1;
      attrs(area, scrolls ? { tabindex: 0, role: "group", "aria-label": area === body ? "Frame" : "Scrollable" } : { tabindex: null, role: null, "aria-label": null });
      area.classList.toggle("scrolls-x", scrolls && area !== body && area.scrollWidth > area.clientWidth + 1);
    }
  }

  function say(change) {
    o.onChange?.({ frame: o.frame, order: ctx.order, view: o.view, ...change });
    if (o.address) writeAddress(o.frame, ctx.order);
  }

  function go(i, byPlay = false) {
    const to = limit(i);
    if (!byPlay) stop();
    if (to === o.frame && o.view === "step") return;
    o.frame = to;
    if (o.view === "all") { scrollToSlide(to); paintHeader(header, { frame: to, total, main: mainCount, view: o.view, math: ctx.math }); return; }
    closeEditor();
    paint();
    if (!byPlay) live.textContent = `${slides[0].label}. ${ctx.frames[to].note}`;
    say();
  }

  function scrollToSlide(i) {
    const node = slides[i].node;
    if (body.scrollHeight > body.clientHeight + 1) body.scrollTop = node.offsetTop - body.offsetTop;
    else node.scrollIntoView({ block: "start" });
  }

  const reveal = () => slides.forEach((slide) => { if (slide.part.rows) revealRows(slide.part.rows); });

  function setOrder(n) {
    if (n === ctx.order || !ctx.model?.order(n)) return;
    ctx.order = n;
    hub.unpin();
    paint();
    say();
  }

  function setView(view) { stop(); o.view = view; build(); paint(); say(); }

  function stop() {
    if (timer) clearInterval(timer);
    timer = null;
    attrs(live, { "aria-live": "polite" });
    setPlaying(header.b.play, false);
  }

  function play() {
    if (timer) return stop();
    live.textContent = "";
    attrs(live, { "aria-live": "off" });
    if (o.frame >= mainCount - 1) go(0, true);
    setPlaying(header.b.play, true);
    timer = setInterval(() => { go(o.frame + 1, true); if (o.frame >= mainCount - 1) stop(); }, o.interval);
  }

  function closeEditor() {
    if (!editing) return;
    const { form, token } = editing;
    editing = null;
    form.remove();
    if (token.isConnected) token.focus();
  }

  /** A click or Enter: pin what is linked; on a token of the output also offer to change it. */
  function act(item, event) {
    const keys = keysOf(item, event, ctx);
    const token = item.closest("[data-token]");
    const output = token?.closest('[data-row="output"]');
    const editable = Boolean(ctx.whatif && output);
    const again = !editable && keys.length > 0 && hub.pinned?.join(" ") === keys.join(" ");
    closeEditor();
    hub.pin(again ? [] : keys);
    reveal();
    for (const node of stage.querySelectorAll('[aria-pressed="true"][data-item]')) attrs(node, { "aria-pressed": null });
    if (token && !again) attrs(token, { "aria-pressed": "true" });
    if (!editable) return;
    const form = openEditor(token, ctx.uid, (edit) => o.onEdit?.(edit), closeEditor);
    editing = { form, token };
    placeEditor(form, token, body);
  }

  function onClick(event) {
    const target = event.target;
    if (target.closest(".editor")) return;
    const shift = target.closest("[data-window]");
    if (shift) return moveWindow(Number(shift.dataset.window));
    const item = target.closest("[data-token], [data-k], [data-cells], [data-grid]");
    if (!item || target.closest("button")) { if (!target.closest("button, label, input")) { closeEditor(); hub.unpin(); } return; }
    const bar = target.closest(".FractionBars .fbar[data-n]");
    if (bar && ctx.model?.order(Number(bar.dataset.n))) setOrder(Number(bar.dataset.n));
    act(item, event);
  }

  function moveWindow(by) {
    const from = ctx.model.clampFrom(ctx.from + by * WINDOW);
    if (from === ctx.from) return;
    ctx.from = from;
    paint();
  }

  header.b.play.onclick = play;
  header.b.first.onclick = () => go(0);
  header.b.prev.onclick = () => go(o.frame - 1);
  header.b.next.onclick = () => go(o.frame + 1);
  header.b.last.onclick = () => go(mainCount - 1);
  header.b.all.onclick = () => setView(o.view === "all" ? "step" : "all");
  header.b.math.onclick = () => { ctx.math = !ctx.math; paint(); };
  header.picks.forEach((pick, i) => { pick.onclick = () => go(i); });

  stage.addEventListener("change", (event) => { if (event.target.closest(".orders")) setOrder(Number(event.target.value)); });
  stage.addEventListener("click", onClick);
  stage.addEventListener("keydown", (event) => onKey(event, { hub, act, step: (next) => go(next(o.frame, mainCount)) }));
  stage.addEventListener("pointermove", (event) => hub.hover(keysOf(event.target, event, ctx)));
  stage.addEventListener("pointerleave", () => hub.hover([]));
  stage.addEventListener("focusin", (event) => {
    const item = event.target.closest?.("[data-item]");
    if (item) keepStop(item);
    if (!event.target.matches?.(":focus-visible")) return;
    hub.hover(keysOf(event.target, null, ctx));
    reveal();
  });
  stage.addEventListener("focusout", (event) => { if (!stage.contains(event.relatedTarget)) hub.hover([]); });

  function measure() {
    seen = stage.clientWidth;
    ctx.em = Math.round(seen / (parseFloat(getComputedStyle(stage).fontSize) || 14)) || 70;
  }
  const watch = new ResizeObserver(() => { if (Math.abs(stage.clientWidth - seen) > 8) { measure(); paint(); } });
  const print = o.height ? null : printView(() => o.view, setView);

  if (o.height) {
    stage.style.height = `${o.height}px`;
    stage.style.setProperty("--tall", `${o.height}px`);
  }
  stage.append(...[who, header.node, body, gauge, live].filter(Boolean));
  root.replaceChildren(stage);
  attrs(stage, { "data-present": o.present ? "" : null });
  measure();
  build();
  paint();
  watch.observe(stage);

  return {
    stage, go,
    focusToken(i) { (body.querySelector(`.rows [data-row="output"] [data-token="${i}"]`) ?? stage).focus({ preventScroll: true }); },
    get state() { return { frame: o.frame, order: ctx.order, view: o.view }; },
    set(changes) {
      const view = changes.view ?? o.view, frame = "frame" in changes ? limit(changes.frame) : o.frame;
      const rebuild = view !== o.view;
      Object.assign(o, changes, { view, frame });
      if ("whatif" in changes) ctx.whatif = changes.whatif;
      if (changes.order && ctx.model?.order(changes.order)) ctx.order = changes.order;
      if (rebuild) build();
      paint();
    },
    destroy() { stop(); clearTimeout(idle); slides.forEach((slide) => clearTimeout(slide.later)); watch.disconnect(); print?.destroy(); root.replaceChildren(); },
  };
}
