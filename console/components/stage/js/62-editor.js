// What if: a small form under a token of the output. The page scores the edited text; nothing is scored here.
const EDIT_WORDS = { replace: "Replace", insert: "Insert before", delete: "Delete" };

/** apply({kind, index, text}) is called once; done() always, so that the focus can go back. */
function openEditor(token, uid, apply, done) {
  const index = Number(token.dataset.token);
  const word = token.firstElementChild?.textContent ?? token.textContent;
  const radios = Object.entries(EDIT_WORDS).map(([kind, text]) => h("label", h("input", { type: "radio", name: `edit-${uid}`, value: kind, checked: kind === "replace" ? "" : null }), h("span", text)));
  const field = h("input", { type: "text", "aria-label": "Text", dir: "auto", autocomplete: "off", spellcheck: "false" });
  field.value = word;
  const cancel = h("button.small", { type: "button" }, "Cancel");
  const form = h("form.editor", { "aria-label": `Change “${word}”`, role: "group" },
    h("fieldset", h("legend", `“${word}”`), radios), field, h("div.do", h("button.small.main", { type: "submit" }, "Apply"), cancel));
  const kind = () => form.querySelector("input:checked").value;
  form.onchange = (event) => {
    if (event.target === field) return;
    field.disabled = kind() === "delete";
    if (kind() === "insert" && field.value === word) field.value = "";
    if (kind() === "replace" && field.value === "") field.value = word;
    if (!field.disabled) field.focus();
  };
  form.onsubmit = (event) => {
    event.preventDefault();
    const edit = { kind: kind(), index, text: kind() === "delete" ? "" : field.value };
    if (edit.kind !== "delete" && !edit.text.trim()) return field.focus();
    done();
    return apply(edit);
  };
  cancel.onclick = done;
  form.addEventListener("keydown", (event) => {
    if (event.key === "Escape") { event.stopPropagation(); done(); }
  });
  form.field = field;
  return form;
}

/** Under its token, but inside the stage. */
function placeEditor(form, token, box) {
  box.append(form);
  const outer = box.getBoundingClientRect(), inner = token.getBoundingClientRect();
  const x = clamp(inner.left - outer.left + box.scrollLeft, 8, Math.max(8, box.clientWidth - form.offsetWidth - 8));
  form.style.left = `${x}px`;
  form.style.top = `${inner.bottom - outer.top + box.scrollTop + 4}px`;
  form.field.focus();
  form.field.select();
}
