"""What to score with, and the button that starts it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from console.components import ui
from console.components.datasets import asking
from console.components.datasets import draft as drafts
from console.components.datasets.draft import Draft
from console.components.datasets.place import here
from console.components.datasets.running import start
from console.names import KINDS
from jeval_core import data
from jeval_core.card import Card, option_text
from jeval_core.errors import JevalError
from jeval_core.evaluators.judged import Judged
from jeval_core.harness.spec import Spec
from jeval_core.registry import SUITE_OPTIONS, SUITES, get_evaluator, list_evaluators

USUAL = ("bleu", "gleu", "rouge_n", "rouge_l")
AS_FOUND = "as found in the file"
SCALES = {AS_FOUND: None, "0 to 1": (0.0, 1.0), "0 to 4": (0.0, 4.0), "1 to 5": (1.0, 5.0), "0 to 10": (0.0, 10.0),
          "0 to 100": (0.0, 100.0)}  # fmt: skip
GROUPS = ("model_version", "task_type", "risk_tier")
LOOKED_AT = 100
"""Unmapped columns that are offered as groups."""
FEW = 20
"""Values of a column that make it a group at first sight."""


def draw(draft: Draft, table: data.Table, mapping: data.ColumnMap, whole: bool) -> None:
    """Evaluators, settings, groups, and the button."""
    cards = {c.id: c for c in list_evaluators()}
    fields = {field for field, _ in mapping.describe()}
    fit = [id for id, c in cards.items() if set(c.required) <= fields]
    st.space("xsmall")
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        with st.container(width="stretch"):
            ui.section("Evaluators", _lacking([c for id, c in cards.items() if id not in fit]))
        st.menu_button("Take a suite", [*SUITES], key="take-suite", on_click=_take_suite, args=(draft.token, fit))
    if not fit:
        _button(draft, table, [], [], whole)
        return
    chosen = [id for kind, title in KINDS.items() for id in _pills(draft, cards, fit, kind, title)]
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        with st.popover("Thresholds and options", disabled=not chosen):
            for id in chosen:
                _settings(cards[id], draft.token)
        names = _groups(draft, table, mapping)
        if names:
            with st.popover("Groups"):
                st.caption("Aggregates are also made for each value of these columns.")
                for name in names:
                    _tick(draft, table, mapping, name)
    if mapping.gold and chosen:
        _scale(draft.token)
    ones = [get_evaluator(id, _chosen_settings(cards[id], draft.token)[0]) for id in chosen]
    judged = [one for one in ones if isinstance(one, Judged)]
    plan = asking.draw(judged, table, mapping, draft.token, whole) if judged else None
    _button(draft, table, chosen, [n for n in names if _ticked(draft, table, mapping, n)], whole, plan)


def _scale(token: str) -> None:
    """On which scale people scored, where it cannot be seen for sure."""
    key = f"scale-{token}"
    st.session_state[key] = _kept(token, key, AS_FOUND)
    st.selectbox("Scale of the human scores", [*SCALES], key=key, width=240)
    _keep(token, key)


def _pills(draft: Draft, cards: dict[str, Card], fit: list[str], kind: str, title: str) -> list[str]:
    """The evaluators of one kind, of which some are chosen."""
    options = [id for id in fit if cards[id].kind == kind]
    if not options:
        return []
    key, usual = _pills_key(draft.token, kind), draft.sample.evaluators if draft.sample else USUAL
    st.session_state[key] = [id for id in _kept(draft.token, key, [*usual]) if id in options]
    chosen = st.pills(title, options, selection_mode="multi", key=key, wrap=True, format_func=lambda id: cards[id].name)
    _keep(draft.token, key)
    return [*chosen]


def _pills_key(token: str, kind: str) -> str:
    return f"evaluators-{token}" if kind == "code" else f"evaluators-{kind}-{token}"


def _kept(token: str, key: str, usual: Any) -> Any:
    """A widget's value: as it stands, as it was when it was last drawn, or as usual."""
    if key in st.session_state:
        return st.session_state[key]
    return drafts.of_session(token)["choices"].get(key, usual)


def _keep(token: str, key: str) -> None:
    drafts.of_session(token)["choices"][key] = st.session_state[key]


def _lacking(cards: list[Card]) -> str:
    if not cards:
        return "Each of them gives every row a score."
    if len(cards) > 4:
        return f"{len(cards)} more would need a column that is not mapped, such as criteria or input."
    return f"{', '.join(c.name for c in cards)} would need a column that is not mapped."


def _take_suite(token: str, fit: list[str]) -> None:
    suite = st.session_state["take-suite"]
    for kind in KINDS:
        members = [c.id for c in list_evaluators(suite) if c.id in fit and c.kind == kind]
        st.session_state[_pills_key(token, kind)] = members
    for card in list_evaluators():
        if len(card.variants) > 1:
            own = SUITE_OPTIONS.get(suite, {}).get(card.id, {})
            st.session_state[f"set-{token}-{card.id}-variant"] = own.get("variant", card.variants[0])
            _keep(token, f"set-{token}-{card.id}-variant")


def _tick(draft: Draft, table: data.Table, mapping: data.ColumnMap, name: str) -> None:
    key = f"group-{draft.token}-{name}"
    st.session_state[key] = _ticked(draft, table, mapping, name)
    st.checkbox(ui.literal(name), key=key)
    _keep(draft.token, key)


def _ticked(draft: Draft, table: data.Table, mapping: data.ColumnMap, name: str) -> bool:
    usual = name in draft.sample.group_by if draft.sample else name in GROUPS or name in mapping.tags
    return bool(_kept(draft.token, f"group-{draft.token}-{name}", usual))


def _groups(draft: Draft, table: data.Table, mapping: data.ColumnMap) -> list[str]:
    """Columns to group by: known fields first, then the unmapped ones with few values."""
    known = [f for f in GROUPS if getattr(mapping, f) is not None]
    known = ["model_version", *known] if not draft.one and "model_version" not in known else known
    few = [n for n in mapping.unmapped[:LOOKED_AT] if 1 < _values(table, n) <= FEW]
    return [*known, *mapping.tags, *few]


def _values(table: data.Table, name: str) -> int:
    return len(table.columns[name].slice(0, 5_000).unique())


def _settings(card: Card, token: str) -> None:
    """Threshold and options of one evaluator."""
    prefix = f"set-{token}-{card.id}-"

    def pick(name: str, key: str, values: Sequence[Any], usual: Any, **more: Any) -> Any:
        st.session_state[key] = _kept(token, key, usual)
        value = st.selectbox(name, values, key=key, **more)
        _keep(token, key)
        return value

    with st.container(width=300, gap="xsmall"):
        st.markdown(f"**{card.name}** :gray[{card.passes}]")
        variant = card.variants[0]
        if len(card.variants) > 1:
            variant = pick("variant", f"{prefix}variant", card.variants, variant)
        for option in card.options:
            values = option.values.get(variant, ())
            if len(values) > 1:
                key = f"{prefix}{variant}-{option.name}"
                pick(option.name, key, values, values[0], format_func=option_text, help=option.about)
        key = f"{prefix}threshold"
        st.session_state[key] = _kept(token, key, float(card.threshold))
        step = 0.05 if card.max_threshold else 1.0
        st.number_input("threshold", 0.0, card.max_threshold, step=step, key=key)
        _keep(token, key)


def _chosen_settings(card: Card, token: str) -> tuple[dict[str, object], float | None]:
    """Options and threshold that differ from the evaluator's own."""
    prefix = f"set-{token}-{card.id}-"
    variant = _kept(token, f"{prefix}variant", card.variants[0])
    options: dict[str, object] = {} if variant == card.variants[0] else {"variant": variant}
    defaults = get_evaluator(card.id, options).options
    for option in card.options:
        value = _kept(token, f"{prefix}{variant}-{option.name}", defaults.get(option.name))
        if value != defaults.get(option.name):
            options[option.name] = value
    threshold = _kept(token, f"{prefix}threshold", card.threshold)
    return options, None if threshold == card.threshold else threshold


def _button(
    draft: Draft,
    table: data.Table,
    chosen: list[str],
    groups: list[str],
    whole: bool,
    plan: asking.Plan | None = None,
) -> None:
    rows = ui.count(len(table), "row") if whole and draft.one else "all rows"
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.button(
            f"**Score {rows}**",
            key="score-file",
            disabled=not chosen or not len(table) or (plan is not None and not plan.ready),
            on_click=_start,
            args=(chosen, groups, plan.settings if plan else {}),
        )
        st.caption(ui.literal(_note(table, chosen, plan)), width="content")


def _note(table: data.Table, chosen: list[str], plan: asking.Plan | None) -> str:
    if not len(table):
        return "There is no row to score."
    if plan is not None:
        return plan.note
    slow = any(get_evaluator(id).card.kind == "embedding" for id in chosen)
    more = "An encoder reads every text on this machine, some milliseconds each. " if slow else ""
    kept = f"No judge questions, $0. {more}The run is kept and can be opened again."
    return kept if chosen else "Choose an evaluator."


def _start(chosen: list[str], groups: list[str], judge: dict[str, Any]) -> None:
    """Callback: make the job and go to it.

    Files and mapping are those of this moment: the button may have been drawn before the last change of them.
    """
    try:
        draft = drafts.of(here())
    except JevalError as error:
        ui.failed(error)
        return
    options, thresholds = {}, {}
    for id in chosen:
        own, threshold = _chosen_settings(get_evaluator(id).card, draft.token)
        options |= {id: own} if own else {}
        thresholds |= {id: threshold} if threshold is not None else {}
    spec = Spec(
        files=tuple((str(path), name) for path, name in draft.files),
        columns=draft.columns,
        tag_columns=draft.tag_columns,
        evaluators=tuple(chosen),
        options=options,
        thresholds=thresholds,
        group_by=tuple(groups),
        reading={name: value for name, value in draft.reading.items() if value is not None},
        judge=judge,
        gold_scale=SCALES[_kept(draft.token, f"scale-{draft.token}", AS_FOUND)],
    )
    start(spec)
