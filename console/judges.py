"""Which judge the pages ask: what was chosen in this session, else what the server was set up with, else nobody."""

from __future__ import annotations

import os
from dataclasses import replace

import streamlit as st

from console import state
from console.state import Query
from jeval_core import example_answers as example
from jeval_core.evaluators.judged import Judged
from jeval_core.judge.base import Judge
from jeval_core.judge.errors import JudgeError
from jeval_core.judge.recorded import EXAMPLE
from jeval_core.judge.settings import CHOSEN, KEYS, LIMITS, Choice, choose, make
from jeval_core.types import Inputs

JUDGE = "judge.choice"
"""Session key of the explicit choice."""
NAMES = {
    "heuristic": "word overlap",
    "recorded": "a recording",
    "systemone": "Jev",
    "chat": "a chat model",
}
RETRIES = f"{LIMITS}RETRIES"
WORD_OVERLAP = Choice("heuristic")
EXAMPLES = Choice("recorded", EXAMPLE)


def explicit() -> Choice | None:
    """What was chosen on a page, else by JEVAL_JUDGE; None for neither. Raises BadSetting for a wrong JEVAL_JUDGE."""
    chosen: Choice | None = st.session_state.get(JUDGE)
    return chosen or (choose(None) if os.environ.get(CHOSEN) else None)


def answering() -> Choice | None:
    """The explicit choice, None where there is none or a wrong one."""
    try:
        return explicit()
    except JudgeError:
        return None


def put(choice: Choice | None) -> None:
    """Choose for this session; None goes back to what the server was set up with."""
    if choice is None:
        st.session_state.pop(JUDGE, None)
    else:
        st.session_state[JUDGE] = choice


def for_row(one: Judged, x: Inputs) -> Choice:
    """Who is asked about a row of the Explore page: without any choice the shipped examples, else word overlap."""
    chosen = explicit()
    if chosen is not None:
        return chosen
    return EXAMPLES if example.covers(one, x) else WORD_OVERLAP


def would_spend(query: Query) -> bool:
    """Whether showing a query would ask a host about texts that nobody here typed."""
    choice = answering()
    return query.card.kind == "judge" and choice is not None and choice.backend in KEYS and state.linked(query)


def for_data() -> Choice:
    """Who is asked about rows of a file."""
    return explicit() or WORD_OVERLAP


def named(choice: Choice) -> str:
    """A judge as a control names it."""
    if choice == EXAMPLES:
        return "illustrative answer"
    name = NAMES[choice.backend]
    return f"{name}, {choice.model}" if choice.model else name


def made(choice: Choice) -> Judge:
    """The judge itself, for somebody who waits: it tries twice, not for minutes. Raises BadSetting, BadRecording."""
    return make(choice, {RETRIES: "1", **os.environ})


def problem(choice: Choice) -> str | None:
    """Why a judge cannot be asked as it is set up; None when it can."""
    try:
        made(choice)
    except JudgeError as error:
        return str(error)
    return None


def with_settings(choice: Choice, model: str, base_url: str) -> Choice:
    """The choice with model and address as typed; blank stands for those of the server."""
    return replace(choice, model=model.strip() or None, base_url=base_url.strip() or None)
