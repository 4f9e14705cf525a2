"""Results of the Explore page, kept for the next rerun: typing elsewhere on the page must not score again."""

from __future__ import annotations

from typing import Any, NamedTuple

import streamlit as st

from console import judges
from console.fields import Fields
from console.state import Query
from jeval_core import Result, Study, Trace, evaluate, explain, get_evaluator, study
from jeval_core.evaluators.judged import Judged
from jeval_core.judge.settings import Choice
from jeval_core.service import inputs


class Key(NamedTuple):
    """What a result depends on, hashable; `judge` is None for evaluators in code."""

    evaluator: str
    fields: Fields
    threshold: float | None
    options: tuple[tuple[str, Any], ...]
    judge: Choice | None

    @property
    def query(self) -> Query:
        """The query without its judge."""
        return Query(self.evaluator, self.fields, dict(self.options), self.threshold)


class _Failed(Exception):
    """Carries what must not be kept: a judge that did not answer may answer the next time."""

    def __init__(self, found: Any) -> None:
        super().__init__()
        self.found = found


def key(query: Query, judge: Choice | None = None) -> Key:
    """The key of a query; `judge`: instead of the one that the page asks. Raises JevalError for a wrong text."""
    one = get_evaluator(query.evaluator, query.options)
    if not isinstance(one, Judged):
        judge = None
    elif judge is None:
        judge = judges.for_row(one, inputs(**query.fields.given(one.card)))
    return Key(query.evaluator, query.fields, query.threshold, tuple(sorted(query.options.items())), judge)


def studied(k: Key) -> tuple[Study, dict[str, Any]]:
    """All there is to see of a query, and its trace as plain data for the stage."""
    try:
        return _studied(k)
    except _Failed as failed:
        return failed.found  # type: ignore[no-any-return]


def scored(k: Key) -> Result:
    """The result alone."""
    try:
        return _scored(k)
    except _Failed as failed:
        return failed.found  # type: ignore[no-any-return]


def traced(k: Key) -> Trace:
    """Result and frames without the extra ones."""
    try:
        return _traced(k)
    except _Failed as failed:
        return failed.found  # type: ignore[no-any-return]


@st.cache_resource(max_entries=256, show_spinner=False)
def _traced(k: Key) -> Trace:
    found = explain(k.evaluator, judge=k.judge and judges.made(k.judge), extras=False, **k.query.arguments())
    if found.result.status == "failed":
        raise _Failed(found)
    return found


# Studies and results are never changed after they are made, so the same object may serve every session.
@st.cache_resource(max_entries=32, show_spinner=False)
def _studied(k: Key) -> tuple[Study, dict[str, Any]]:
    found = study(k.evaluator, judge=k.judge and judges.made(k.judge), **k.query.arguments())
    both = found, found.trace.to_dict()
    if found.trace.result.status == "failed":
        raise _Failed(both)
    return both


@st.cache_resource(max_entries=256, show_spinner=False)
def _scored(k: Key) -> Result:
    found = evaluate(k.evaluator, judge=k.judge and judges.made(k.judge), **k.query.arguments())
    if found.status == "failed":
        raise _Failed(found)
    return found
