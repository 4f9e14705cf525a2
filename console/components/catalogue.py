"""Who measures: the evaluator's head with catalogue and options, and its texts below the fold."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from console import charts, state
from console.components import judge, judged, send, ui
from console.examples import first, untouched
from console.names import KINDS
from console.state import Query
from jeval_core import Study, get_evaluator, list_evaluators
from jeval_core.card import Card, option_text
from jeval_core.labels import number
from jeval_core.registry import SUITES
from jeval_core.whatif import DELTA_TOKENS

CHIPS = {"code": ("runs in code", "$0", "deterministic"), "judge": ("1 question",),
         "embedding": ("runs on this machine", "$0", "deterministic")}  # fmt: skip
ROUND = "catalogue"
"""Counts the choices made: the popover gets a new key with each, which closes it."""


def head(card: Card, query: Query) -> DeltaGenerator:
    """Name, chips, the catalogue and the options; returns the place at the right for one more control."""
    box = st.container(gap="xxsmall")
    with box.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.title(card.name, anchor=False, width="content")
        passes = f"passes at {card.passes}" if query.threshold is None else f"threshold {number(query.threshold)}"
        who = (ui.literal(f"judge: {judge.active(query)}"),) if card.kind == "judge" else ()
        ui.chips(*CHIPS.get(card.kind, ()), *who, passes)
        st.space("stretch")
        if card.kind == "judge":
            judge.panel()
        tools = st.container(width="content")
        with st.popover("Options", key="options-open", on_change="rerun"):
            _options(card, query)
        opened = f"{ROUND}-{st.session_state.setdefault(ROUND, 0)}"
        with st.popover("Change evaluator", icon=":material/tune:", key=opened, on_change="rerun"):
            _choose(card)
    box.caption(card.line)
    return tools


def _choose(card: Card) -> None:
    with st.container(width=620, gap="xsmall"):
        every = {c.id: c for c in list_evaluators()}
        st.selectbox(
            "Find an evaluator",
            [*every],
            index=None,
            format_func=lambda id: f"{every[id].name}: {every[id].line}",
            key="jump",
            placeholder=f"Search {len(every)} evaluators by name or purpose",
            label_visibility="collapsed",
            on_change=_jump,
        )
        suite = st.segmented_control(
            "Suite", [*SUITES], default="everything", required=True, label_visibility="collapsed", key="suite"
        )
        for kind, title in KINDS.items():
            members = [c for c in list_evaluators(suite or "everything") if c.kind == kind]
            if not members:
                continue
            st.caption(title)
            with st.grid(2, gap=(None, "small"), min_column_width=260):
                for c in members:
                    mark = "● " if c.id == card.id else ""
                    st.button(
                        f"{mark}**{c.name}** :gray[{c.passes}]",
                        key=f"pick-{c.id}",
                        type="tertiary",
                        on_click=choose,
                        args=(c.id,),
                    )


def choose(id: str) -> None:
    """Callback: another evaluator for the same texts, with its own defaults; an example gives way to one that fits."""
    query, card = state.current(), get_evaluator(id).card
    example = untouched(query.evaluator, query.fields)
    kept = query.fields.fits(card) and not (example and card.kind != query.card.kind)
    state.put(Query(id, query.fields if kept else first(card) if example else query.fields))
    st.session_state[ROUND] += 1


def _jump() -> None:
    if st.session_state.jump:
        choose(st.session_state.jump)
    st.session_state.jump = None


def _options(card: Card, query: Query) -> None:
    chosen = get_evaluator(card.id, query.options).options
    with st.container(width=320, gap="xsmall"):
        _select("variant", card.variants, chosen, "Whose definition.")
        for o in card.options:
            values = o.values.get(str(chosen["variant"]), ())
            if len(values) > 1:
                _select(o.name, values, chosen, o.about)
        st.session_state[f"threshold-{card.id}"] = card.check_threshold(query.threshold)
        st.number_input(
            "threshold",
            0.0,
            card.max_threshold,
            step=0.05 if card.max_threshold else 1.0,
            key=f"threshold-{card.id}",
            on_change=_set_threshold,
            args=(card.id,),
            help=f"The default is {card.threshold:g}.",
        )


def _select(name: str, values: tuple[Any, ...], chosen: dict[str, Any], about: str) -> None:
    key = f"option-{name}-{'-'.join(map(option_text, values))}"
    st.session_state[key] = chosen[name]
    st.selectbox(name, values, key=key, format_func=option_text, help=about, on_change=_set_option, args=(name, key))


def _set_option(name: str, key: str) -> None:
    query = state.current()
    value = st.session_state[key]
    kept = (
        {} if name == "variant" else {k: v for k, v in query.options.items() if k != name}
    )  # options belong to a variant
    defaults = get_evaluator(query.evaluator, kept).options
    st.session_state[state.OPTIONS] = kept if defaults.get(name) == value else {**kept, name: value}


def _set_threshold(id: str) -> None:
    value = st.session_state[f"threshold-{id}"]
    st.session_state[state.THRESHOLD] = None if value == get_evaluator(id).card.threshold else value


def below(card: Card, query: Query, study: Study | None) -> None:
    """Everything under the stage; without a study what does not depend on one."""
    scored = study is not None and study.trace.gauge is not None
    if study is not None and scored and card.kind == "judge":
        judged.two(query, study.trace)
    elif study is not None and scored:
        _numbers(study)
    st.space("small")
    for column, (title, items) in zip(
        st.columns(3, gap="large"),
        (
            ("Reach for it when", card.texts.use),
            ("Not the right tool when", card.texts.avoid),
            ("Watch out for", card.texts.watch),
        ),
        strict=True,
    ):
        with column:
            ui.section(title)
            st.markdown("\n".join(f"- {item}" for item in items))
    st.space("small")
    left, right = st.columns([1.15, 1], gap="large")
    with left:
        send.draw(query)
    with right:
        ui.section("Rolling it up", "One result is a fact. These make a data set of them a metric.")
        for a in card.aggregates:
            name, formula = st.columns([1, 2.2], gap="small")
            name.markdown(f"**{a.name[:1].upper()}{a.name[1:]}**")
            with formula.container(gap="xxsmall"):
                st.markdown(f"${a.latex}$")
                st.caption(a.about)
    st.space("small")
    left, right = st.columns([1.15, 1], gap="large")
    with left:
        ui.section("Questions people ask")
        for question, reply in card.texts.questions:
            with st.expander(question):
                st.write(reply)
    with right:
        ui.section("Related evaluators")
        for id in card.related:
            _related(get_evaluator(id).card)


def _related(card: Card) -> None:
    with st.container(horizontal=True, vertical_alignment="center", border=True, gap="small"):
        with st.container(width="stretch"):
            ui.section(card.name, f"{card.line} Passes at {card.passes}.", level=3)
        st.button("Open", key=f"related-{card.id}", on_click=choose, args=(card.id,))


def _numbers(study: Study) -> None:
    """What-if and variants, side by side."""
    st.space("small")
    left, right = st.columns([1, 1.15], gap="large")
    with left:
        ui.section(
            "What if",
            "Exact change of the score when one word of the output is left out. Click a word in the stage to edit it.",
        )
        if study.changes:
            charts.show(charts.what_if(study.changes), key="whatif", alt=charts.what_if_alt(study.changes))
        else:
            st.caption(f"Computed for outputs that have words, up to {DELTA_TOKENS} of them.")
    if not study.variants:
        return
    with right:
        ui.section("Who gets which number", "The same pair by other rules, each with what it does differently.")
        rows = [
            (
                f"● {v.label}" if v.current else v.label,
                v.detail,
                f"{v.result.score:.4f}",
                ui.verdict(bool(v.result.passed)),
            )
            for v in study.variants
            if v.result.score is not None
        ]
        st.table(
            pd.DataFrame(rows, columns=["Computed by", "With", "Score", "Verdict"]),
            border="horizontal",
            hide_index=True,
        )
        with st.expander("Signatures to quote"):
            for v in study.variants:
                st.code(v.result.signature, language=None)
