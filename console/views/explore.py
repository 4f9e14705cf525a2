"""Explore: one pair, one evaluator, and how the score arises. The landing page."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

import streamlit as st

from console import cache, judges, state
from console.components import catalogue, inputs, judged, ui, whatif
from console.components.reading import reading
from console.components.share import share
from console.components.stage import stage
from console.state import Query
from jeval_core import JevalError, Trace
from jeval_core.card import Card
from jeval_core.registry import get_evaluator


def main() -> None:
    """Draw the page: who measures, inputs and reading, the stage, and what explains it."""
    problems = state.load()
    query = state.current()
    if state.presenting():
        _present(query)
        return
    card = get_evaluator(query.evaluator, query.options).card
    tools = catalogue.head(card, query)
    for problem in problems:
        st.warning(problem)
    left, right = st.columns([2.1, 1], gap="small")
    with left:
        inputs.form(card, query)
    query = state.current()
    state.publish(query)
    if judges.would_spend(query):
        with right, st.container(border=True, height="stretch"):
            ui.section("Not asked yet", "These texts came with a link. Asking the judge may cost money.")
            st.button("Ask the judge", key="ask", on_click=state.ask_for)
        catalogue.below(card, query, None)
        return
    try:
        with st.spinner("Asking the judge") if card.kind == "judge" else nullcontext():
            study, data = cache.studied(cache.key(query))
    except JevalError as error:
        with right:
            ui.failed(error)
        catalogue.below(card, query, None)
        return
    with right:
        _reading(card, query, study.trace)
    if study.trace.gauge is not None:
        with tools:
            share(study.trace, data)
        _stage(query, data)
    catalogue.below(card, query, study)


def _present(query: Query) -> None:
    if judges.would_spend(query):
        st.warning("These texts came with a link; open them on the page to have them judged.")
        return
    study, data = cache.studied(cache.key(query))
    if study.trace.gauge is None:
        st.warning("There is nothing to present: the pair is not scored.")
        return
    frame, order, view = state.stage_place()
    stage(data, key=state.STAGE, frame=frame, order=order, view=view, present=True, address=True, height="content")


def _reading(card: Card, query: Query, trace: Trace) -> None:
    if trace.gauge is None:
        with st.container(border=True, height="stretch"):
            _unscored(card, trace)
        return
    more = judged.who(trace.result)
    reading(trace.result, trace.gauge, key="reading", baseline=whatif.baseline(query), more=more)


def _unscored(card: Card, trace: Trace) -> None:
    """Why there is no score, and the way out."""
    if trace.result.status == "failed":
        code, _, why = trace.result.reason.partition(": ")
        title = "The judge gave no answer" if card.kind == "judge" else "The encoder cannot be used"
        ui.section(title, f"{why} ({code.replace('_', ' ')})")
        st.button("Ask again" if card.kind == "judge" else "Try again", key="again")
        return
    ui.section(
        "Not scored", f"{trace.result.reason.capitalize()}, and {card.name} needs one. Fill it, or take an example."
    )
    st.button("Fill it from the example", key="fill", on_click=inputs.load_example)


def _stage(query: Query, data: dict[str, Any]) -> None:
    frame, order, view = state.stage_place()
    stage(
        data,
        key=state.STAGE,
        frame=frame,
        order=order,
        view=view,
        whatif=True,
        address=True,
        on_edit=whatif.apply,
        height="content",
    )


main()
