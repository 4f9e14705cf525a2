// The two ways in. `mount` for any page; the default export is a Streamlit component (v2).

/** Draw a trace inside root. Options: DEFAULTS and trace. Returns {set(changes), go(frame), state, destroy()}. */
export function mount(root, options) {
  return mountStage(root, options);
}

const SYNC_AFTER = 300;     // ms after the last step, and only when asked for
const mounted = new WeakMap();

/** Streamlit calls this at every rerun. Only a new `sig` draws anew; own edits keep the frame that is open. */
export default function component({ parentElement: root, data, setStateValue, setTriggerValue }) {
  const old = mounted.get(root);
  if (old && old.sig === data.sig) {
    old.data = data;
    old.send = { setStateValue, setTriggerValue };
    old.follow(data);
    return old.destroy;
  }
  const state = old?.view?.state;
  const kept = old?.edited && state ? state : { frame: data.frame, order: data.order, view: state?.view ?? data.view };
  old?.destroy();
  const entry = makeEntry(root, data, { setStateValue, setTriggerValue }, kept);
  mounted.set(root, entry);
  return entry.destroy;
}

function makeEntry(root, data, send, kept) {
  const box = root.querySelector?.(".stage-root") ?? root;
  const entry = { sig: data.sig, data, send, edited: false, view: null };
  let timer = null, sent = null;
  const report = (state) => {
    if (!entry.data.sync) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      for (const name of ["frame", "order", "view"]) if (sent?.[name] !== state[name]) entry.send.setStateValue(name, state[name]);
      sent = state;
    }, SYNC_AFTER);
  };
  const given = (d) => ({ whatif: Boolean(d.whatif), address: Boolean(d.address), present: Boolean(d.present) });
  entry.view = mountStage(box, {
    ...given(data), ...kept, trace: data.trace, height: data.height ?? null, title: data.title ?? "", onChange: report,
    onEdit(edit) { entry.edited = true; entry.send.setTriggerValue("edit", edit); },
  });
  entry.follow = (d) => entry.view.set(given(d));
  entry.destroy = () => { clearTimeout(timer); entry.view.destroy(); if (mounted.get(root) === entry) mounted.delete(root); };
  sent = entry.view.state ?? null;
  return entry;
}
