// The two ways in. `mount` for any page; the default export is a Streamlit component (v2).

/** Draw a trace inside root. Options: DEFAULTS and trace. Returns {set(changes), go(frame), state, destroy()}. */
export function mount(root, options) {
  return mountStage(root, options);
}

const SYNC_AFTER = 300;     // ms after the last step, and only when asked for
const mounted = new WeakMap();

/** Streamlit calls this at every rerun. Only other content or another size draws anew. */
export default function component({ parentElement: root, data, setStateValue, setTriggerValue }) {
  const old = mounted.get(root);
  const send = { setStateValue, setTriggerValue };
  const shape = `${Boolean(data.present)}/${data.height}`;
  if (old && old.sig === data.sig && old.shape === shape) {
    old.follow(data, send);
    return old.destroy;
  }
  const state = keptState(old, data);
  old?.destroy();
  const entry = makeEntry(root, data, send, state);
  Object.assign(entry, { sig: data.sig, shape });
  mounted.set(root, entry);
  if (old?.edited && old.sig !== data.sig) entry.view.focusToken?.(old.edited.index);
  return entry.destroy;
}

/** New content opens where the page says; the reader's own edit, or another size, keeps the frame that is open. */
function keptState(old, data) {
  const state = old?.view.state;
  if (!state) return { frame: data.frame, order: data.order, view: data.view };
  if (old.edited || old.sig === data.sig) return state;
  return { frame: data.frame, order: data.order, view: state.view };
}

function makeEntry(root, data, send, state) {
  const box = root.querySelector?.(".stage-root") ?? root;
  const entry = { data, send, edited: null, view: null };
  let timer = null, sent = null;
  const report = (now) => {
    if (!entry.data.sync) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      for (const name of ["frame", "order", "view"]) if (sent?.[name] !== now[name]) entry.send.setStateValue(name, now[name]);
      sent = now;
    }, SYNC_AFTER);
  };
  const given = (d) => ({ whatif: Boolean(d.whatif), address: Boolean(d.address) });
  entry.view = mountStage(box, {
    ...given(data), ...state, trace: data.trace, present: Boolean(data.present), height: data.height ?? null, onChange: report,
    onEdit(edit) { entry.edited = edit; entry.send.setTriggerValue("edit", edit); },
  });
  sent = entry.view.state ?? null;
  entry.follow = (d, now) => {
    const changed = JSON.stringify(given(d)) !== JSON.stringify(given(entry.data));
    Object.assign(entry, { data: d, send: now });
    if (changed) entry.view.set(given(d));
  };
  entry.destroy = () => {
    clearTimeout(timer);
    entry.view.destroy();
    if (mounted.get(root) === entry) mounted.delete(root);
  };
  return entry;
}
