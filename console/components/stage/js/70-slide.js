// A slide: note, token rows, blocks, arithmetic, and the whole frame in words. In step view there is one slide,
// repainted from frame to frame, so that what stays keeps its place.
const WORDS_LATER = 2000;   // longer texts for screen readers are filled in after the step

function makeSlide(ctx, notes) {
  const part = { head: h("h2"), notes: notes.map((text) => h("p.note", text)), panel: h("div.panel"), words: h("div.sr.words"), rows: null, aside: null, window: null };
  if (ctx.scene) {
    part.rows = makeRows(ctx);
    if (ctx.scene.orders.length) part.aside = makeAside(ctx);
    if (ctx.model.windowed) part.window = makeWindow(ctx);
    part.scene = h("div.scene", part.window?.node, part.rows.node, part.aside?.node);
    part.scene.classList.toggle("long", ctx.model.long);
  }
  const node = h("div.slide", { role: "group", "aria-roledescription": "slide" }, part.head, h("div.notes", part.notes), part.scene, part.panel, part.words);
  return { node, part, blocks: new Map(), sums: new Map() };
}

function paintSlide(slide, ctx, frame, index, noteIndex) {
  const { node, part } = slide;
  const main = ctx.frames.filter((f) => !f.extra).length;
  slide.label = `${frame.extra ? "extra" : `${index + 1} of ${main}`}: ${frame.title}`;
  attrs(node, { "aria-label": slide.label });
  node.dataset.scene = frame.scene;
  ctx.filled = frame.gauge === "filled";
  part.head.replaceChildren(h("span", { "aria-hidden": "true" }, frame.extra ? "+" : String(index + 1)), frame.title);
  part.notes.forEach((note, i) => attrs(note, { "data-off": i === noteIndex ? null : "", "aria-hidden": i === noteIndex ? null : "true" }));
  paintScene(slide, ctx, frame);
  const nodes = frame.blocks.filter((b) => draw[b.type]).map((b, i) => paintBlock(slide, ctx, frame, b, i));
  const sum = sumOf(slide, ctx, frame, nodes.length === 0);
  if (sum) nodes.push(sum);
  if (!frame.blocks.length && ctx.filled && ctx.trace.gauge?.unit === "edit") nodes.push(paintBlock(slide, ctx, frame, ctx.editRun, 0));
  part.panel.classList.toggle("bare", frame.blocks.length === 0);
  node.classList.toggle("mute", nodes.length === 0);
  sync(part.panel, nodes);
  fillWords(slide, frame);
}

function paintScene({ part }, ctx, frame) {
  if (!part.scene) return;
  part.scene.dataset.scene = frame.scene;
  if (frame.scene === "none") return;
  part.window?.paint();
  paintRows(part.rows, ctx, frame);
  if (part.aside) paintAside(part.aside, ctx, frame);
}

/** A block with an id is the same picture in every frame that has it; it is redrawn only when something changed. */
function paintBlock(slide, ctx, frame, block, i) {
  const key = block.id ? `${block.type}/${block.id}` : `${frame.id}/${i}`;
  if (!slide.blocks.has(key)) slide.blocks.set(key, h(`div.block.${block.type}`));
  const node = slide.blocks.get(key);
  node.dataset.area = block.area ?? "wide";
  const same = node.drawn === block || (node.drawn && node.drawn.type === "Alignment" && sameOps(node.drawn, block));
  const usesOrder = ["FractionBars", "CountTable"].includes(block.type);
  const usesWidth = ["LogBalance", "Alignment", "LcsGrid", "FractionBars", "TwoBars", "LevelBars", "OptionBars"].includes(block.type);
  if (!same || (usesOrder && node.order !== ctx.order) || (usesWidth && node.em !== ctx.em)) draw[block.type](node, block, ctx);
  Object.assign(node, { drawn: block, order: ctx.order, em: ctx.em });
  return node;
}

const sameOps = (a, b) => a.ops.length === b.ops.length && a.start === b.start && a.ops.every((op, i) => op.every((x, j) => x === b.ops[i][j]));

/** The arithmetic, when asked for, or when the frame has nothing else to show. */
function sumOf(slide, ctx, frame, alone) {
  if (!frame.arithmetic.length || !(ctx.math || alone)) return null;
  if (!slide.sums.has(frame.id)) slide.sums.set(frame.id, arithmetic(frame.arithmetic, alone ? null : "The arithmetic"));
  return slide.sums.get(frame.id);
}

function fillWords(slide, frame) {
  const { words } = slide.part;
  clearTimeout(slide.later);
  if (slide.said === frame) return;
  slide.said = frame;
  if (frame.text.length <= WORDS_LATER) words.textContent = frame.text;
  else {
    words.textContent = "";
    slide.later = setTimeout(() => { words.textContent = frame.text; }, 400);
  }
}

function lightSlide(slide, ctx, keys) {
  const { part } = slide;
  if (part.rows && part.rows.from >= 0) lightRows(part.rows, ctx, keys);
  lightPanel(part.panel, keys);
  slide.node.classList.toggle("linking", keys.size > 0);
  if (part.aside) part.aside.said.textContent = linkSentence(ctx, keys);
}
