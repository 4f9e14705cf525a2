"""Side by side: one pair by every evaluator that takes it, and where each of them lies."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from console import state
from console.components import ui
from console.components.cards import cards
from console.components.side import found, moves, which
from console.components.side.found import SORTS
from console.examples import CASES, Example

HINTS = {
    "output": "What the model wrote",
    "expected": "A reference answer",
    "input": "What the output replies to",
    "criteria": "What a judge holds the output against",
}


def main() -> None:
    """The pair, the cards, and two questions about it."""
    problems = state.load()
    query = state.current()
    _head(query)
    for problem in problems:
        st.warning(problem)
    _pair(query)
    query = state.current()
    state.publish(query)
    with st.spinner("Scoring"):
        outcomes = found.outcomes(query)
    left, right = st.columns([4, 1], gap="small", vertical_alignment="center")
    with left:
        ui.section(*found.said(outcomes))
    sort = right.selectbox("Order of the cards", [*SORTS], key="cards-order", label_visibility="collapsed")
    few, warnings = found.apart(outcomes), found.warnings(outcomes)
    for text in warnings:
        st.warning(ui.literal(text), icon=":material/info:")
    cards([found.card(outcome, few, warnings) for outcome in sorted(outcomes, key=SORTS[sort])], key="cards")
    st.space("small")
    left, right = st.columns([1, 1.25], gap="small")
    with left:
        moves.draw(query.fields)
    with right:
        which.draw(query.fields)


def _case(query: state.Query) -> Example | None:
    return next((case for case in CASES.values() if case.fields == query.fields), None)


def _head(query: state.Query) -> None:
    st.title("Side by side", anchor=False)
    case = _case(query)
    st.session_state["case"] = case.name if case else None
    st.pills("Ready cases", [*CASES], key="case", on_change=_chosen, label_visibility="collapsed", wrap=True)
    st.caption(
        case.shows if case else "The same pair by every evaluator that takes it. Choose a case, or paste a pair."
    )


def _chosen() -> None:
    name = st.session_state["case"]
    if name:
        state.ask_for()
        state.put(replace(state.current(), fields=CASES[name].fields))


def _pair(query: state.Query) -> None:
    """The texts; they are those of Explore."""
    with st.container(border=True, gap="xsmall"):
        left, right = st.columns(2, gap="small")
        keys = [state.expected_key(i) for i in range(len(query.fields.expected))]
        _field(left, state.OUTPUT, "output", HINTS["output"])
        for i, key in enumerate(keys):
            _field(right, key, f"expected {i + 1}" if len(keys) > 1 else "expected", HINTS["expected"])
        with st.expander("Input and criteria, for judges"):
            left, right = st.columns(2, gap="small")
            _field(left, "input", "input", HINTS["input"])
            _field(right, "criteria", "criteria", HINTS["criteria"])
        with st.container(horizontal=True, vertical_alignment="center"):
            st.button("**Score**", key="score-pair", on_click=state.ask_for)
            st.caption("A text is scored when you leave its field.", width="content")


def _field(column: st.delta_generator.DeltaGenerator, key: str, label: str, hint: str) -> None:
    column.text_area(label, st.session_state[key], key=key, height=72, placeholder=hint)


main()
