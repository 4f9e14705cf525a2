"""What to score with, and the button that starts it."""

from __future__ import annotations

import streamlit as st

from console import stored
from console.components import ui
from console.components.datasets.draft import Draft
from console.components.datasets.place import Place, go
from jeval_core import data
from jeval_core.card import Card, option_text
from jeval_core.harness.spec import Spec
from jeval_core.registry import SUITES, get_evaluator, list_evaluators

USUAL = ("bleu", "gleu", "rouge_n", "rouge_l")
GROUPS = ("task_type", "risk_tier", "model_version")
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
    key = f"evaluators-{draft.token}"
    if key not in st.session_state:
        st.session_state[key] = [id for id in (draft.sample.evaluators if draft.sample else USUAL) if id in fit]
    st.session_state[key] = [id for id in st.session_state[key] if id in fit]
    chosen = st.pills(
        "Evaluators",
        fit,
        selection_mode="multi",
        key=key,
        format_func=lambda id: cards[id].name,
        label_visibility="collapsed",
    )
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        with st.popover("Thresholds and options", disabled=not chosen):
            for id in chosen:
                _settings(cards[id], draft.token)
        names = _groups(draft, table, mapping)
        if names:
            with st.popover("Groups"):
                st.caption("Aggregates are also made for each value of these columns.")
                group_key = f"groups-{draft.token}"
                if group_key not in st.session_state:
                    st.session_state[group_key] = _usual_groups(draft, table, mapping, names)
                for name in names:
                    _tick(group_key, name)
    _button(draft, table, chosen, whole)


def _lacking(cards: list[Card]) -> str:
    if not cards:
        return "Each of them gives every row a score."
    return f"{', '.join(c.name for c in cards)} would need a column that is not mapped."


def _take_suite(token: str, fit: list[str]) -> None:
    suite = st.session_state["take-suite"]
    st.session_state[f"evaluators-{token}"] = [c.id for c in list_evaluators(suite) if c.id in fit]


def _tick(key: str, name: str) -> None:
    def take() -> None:
        kept = [n for n in st.session_state[key] if n != name]
        st.session_state[key] = [*kept, name] if st.session_state[f"{key}-{name}"] else kept

    st.checkbox(ui.literal(name), value=name in st.session_state[key], key=f"{key}-{name}", on_change=take)


def _groups(draft: Draft, table: data.Table, mapping: data.ColumnMap) -> list[str]:
    """Columns to group by: known fields first, then the unmapped ones with few values."""
    known = [f for f in GROUPS if getattr(mapping, f) is not None]
    known += ["model_version"] if len(draft.files) > 1 and "model_version" not in known else []
    few = [n for n in mapping.unmapped if 1 < _values(table, n) <= FEW]
    return [*known, *mapping.tags, *few]


def _usual_groups(draft: Draft, table: data.Table, mapping: data.ColumnMap, names: list[str]) -> list[str]:
    if draft.sample:
        return [n for n in draft.sample.group_by if n in names]
    return [n for n in names if n in GROUPS or n in mapping.tags]


def _values(table: data.Table, name: str) -> int:
    return len(table.columns[name].slice(0, 5_000).unique())


def _settings(card: Card, token: str) -> None:
    """Threshold and options of one evaluator; they stay in the session under keys of their own."""
    with st.container(width=300, gap="xsmall"):
        st.markdown(f"**{card.name}** :gray[{card.passes}]")
        variant = card.variants[0]
        if len(card.variants) > 1:
            variant = st.selectbox("variant", card.variants, key=f"set-{token}-{card.id}-variant")
        for option in card.options:
            values = option.values.get(variant, ())
            if len(values) > 1:
                st.selectbox(
                    option.name,
                    values,
                    key=f"set-{token}-{card.id}-{variant}-{option.name}",
                    format_func=option_text,
                    help=option.about,
                )
        st.number_input(
            "threshold",
            0.0,
            card.max_threshold,
            value=card.threshold,
            step=0.05 if card.max_threshold else 1.0,
            key=f"set-{token}-{card.id}-threshold",
        )


def _chosen_settings(card: Card, token: str) -> tuple[dict[str, object], float | None]:
    """Options and threshold that differ from the evaluator's own."""
    state, prefix = st.session_state, f"set-{token}-{card.id}-"
    variant = state.get(f"{prefix}variant", card.variants[0])
    options: dict[str, object] = {} if variant == card.variants[0] else {"variant": variant}
    defaults = get_evaluator(card.id, options).options
    for option in card.options:
        value = state.get(f"{prefix}{variant}-{option.name}", defaults.get(option.name))
        if value != defaults.get(option.name):
            options[option.name] = value
    threshold = state.get(f"{prefix}threshold", card.threshold)
    return options, None if threshold == card.threshold else threshold


def _button(draft: Draft, table: data.Table, chosen: list[str], whole: bool) -> None:
    rows = f"{len(table):,} rows" if whole and len(draft.files) == 1 else "all rows"
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.button(
            f"**Score {rows}**",
            key="score-file",
            disabled=not chosen or not len(table),
            on_click=_start,
            args=(draft, chosen),
        )
        st.caption(_note(table, chosen), width="content")


def _note(table: data.Table, chosen: list[str]) -> str:
    if not len(table):
        return "There is no row to score."
    return "No judge questions, $0. The run is kept and can be opened again." if chosen else "Choose an evaluator."


def _start(draft: Draft, chosen: list[str]) -> None:
    """Callback: make the job and go to it."""
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
        group_by=tuple(st.session_state.get(f"groups-{draft.token}", ())),
        reading={name: value for name, value in draft.reading.items() if value is not None},
    )
    jobs = stored.jobs()
    id = jobs.add(spec)
    jobs.start(id)
    go(Place(job=id))
