"""Explore: one pair, one evaluator, and how the score arises. The landing page."""

from __future__ import annotations

import streamlit as st

from console import cache, state
from console.components import catalogue, inputs, ui, whatif
from console.components.reading import reading
from console.components.stage import stage
from console.state import Query
from jeval_core import JevalError, Trace
from jeval_core.card import Card
from jeval_core.registry import get_evaluator


def main() -> None:
    """Draw the page: who measures, inputs and reading, the stage, and what explains it."""
    problems = state.load()
    query = state.current()
    card = get_evaluator(query.evaluator, query.options).card
    catalogue.head(card, query)
    for problem in problems:
        st.warning(problem)
    left, right = st.columns([2.1, 1], gap="small")
    with left:
        inputs.form(card, query)
    query = state.current()
    state.publish(query)
    try:
        trace, data = cache.traced(cache.key(query))
    except JevalError as error:
        right.error(str(error))
        return
    with right:
        _reading(card, query, trace)
    if trace.gauge is not None:
        _stage(query, data)
    catalogue.below(card, query, trace)


def _reading(card: Card, query: Query, trace: Trace) -> None:
    if trace.gauge is None:
        with st.container(border=True, height="stretch"):
            ui.section(
                "Not scored",
                f"{trace.result.reason.capitalize()}, and {card.name} needs one. Fill it, or take an example.",
            )
            st.button("Fill it from the example", key="fill", on_click=inputs.load_example, args=("Near copy",))
        return
    reading(trace.result, trace.gauge, key="reading", baseline=whatif.baseline(query))


def _stage(query: Query, data: dict[str, object]) -> None:
    params = st.query_params
    stage(
        data,
        key=state.STAGE,
        frame=_number(params.get("frame"), 0),
        order=_number(params.get("order"), 1),
        view="all" if params.get("view") == "all" else "step",
        whatif=True,
        address=True,
        on_edit=whatif.apply,
    )


def _number(text: str | None, default: int) -> int:
    return int(text) if text is not None and text.isascii() and text.isdigit() and len(text) < 4 else default


main()
