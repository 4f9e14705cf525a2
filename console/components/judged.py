"""What stands under the stage of a judge: its answer over that of another judge."""

from __future__ import annotations

from typing import Any

import streamlit as st

from console import cache, charts, judges
from console.components import ui
from console.names import answered_words
from console.state import Query
from jeval_core import JevalError, Result, Trace, get_evaluator
from jeval_core.evaluators.answer_kinds import Levels
from jeval_core.evaluators.judged import Judged
from jeval_core.example_answers import covers
from jeval_core.judge.settings import KEYS, Choice
from jeval_core.service import inputs


def who(result: Result) -> list[list[Any]]:
    """Lines of the result card: who answered, at what cost."""
    said = result.judge
    if not said:
        return []
    words = answered_words(said["kind"])
    if words:
        return [["answered by", words, False]]
    lines: list[list[Any]] = [["answered by", said["model"], False]]
    cost = "unknown" if said["usd"] is None else f"${said['usd']:.6f}" if said["usd"] else "$0"
    tokens = "" if said["input_tokens"] is None else f"{said['input_tokens']:,} tokens"
    if said["cached"]:
        lines.append(["cost", "none, from the cache", False])
    elif said["kind"] == "recording":
        lines.append(["cost", "none, replayed from a recording", False])
    else:
        took = ", ".join(part for part in (tokens, _seconds(said["latency"])) if part)
        lines.append(["cost", f"{cost} ({took})" if said["usd"] is not None else took, False])
    return lines


def _seconds(latency: float | None) -> str:
    return "" if latency is None else f"{latency:.2f} s"


def two(query: Query, trace: Trace) -> None:
    """The distribution of this answer and that of another judge, drawn over each other."""
    one = get_evaluator(query.evaluator, query.options)
    if not isinstance(one, Judged):
        return
    mine = cache.key(query).judge
    others = [c for c in _others(one, query) if c != mine]
    if not others:
        return
    st.space("small")
    with st.container(border=True, gap="small"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            with st.container(width="stretch"):
                ui.section("Two judges, one question", "The same state and the same question, answered by another.")
            other = st.selectbox(
                "Other judge",
                others,
                format_func=judges.named,
                key="other-judge",
                label_visibility="collapsed",
                width=220,
            )
        _drawn(one, query, trace, other)


def _others(one: Judged, query: Query) -> list[Choice]:
    """Judges that can answer this row as the server is set up: those without cost first."""
    hosts = [Choice(backend) for backend in KEYS if judges.problem(Choice(backend)) is None]
    shown = [judges.EXAMPLES] if covers(one, inputs(**query.fields.given(one.card))) else []
    return [judges.WORD_OVERLAP, *shown, *hosts]


def _drawn(one: Judged, query: Query, trace: Trace, other: Choice) -> None:
    try:
        with st.spinner("Asking"):
            theirs = cache.scored(cache.key(query, other))
    except JevalError as error:
        ui.failed(error)
        return
    mine = trace.result
    if theirs.status != "scored" or theirs.probabilities is None or mine.probabilities is None:
        st.caption(ui.literal(f"{judges.named(other).capitalize()} gave no answer: {theirs.reason}"))
        return
    ordered = isinstance(one, Levels)
    names = [name.replace("_", " ") for name in one.question.names]
    names = [f"level {name}" for name in names] if ordered else names
    top = len(names) - 1
    labels = (_label(mine), _label(theirs))
    drawn: dict[str, Any] = {
        "expected_a": (mine.score or 0.0) * top if ordered else None,
        "expected_b": (theirs.score or 0.0) * top if ordered else None,
        "threshold": mine.threshold if ordered else None,
    }
    figure = charts.overlay(mine.probabilities, theirs.probabilities, names, labels, **drawn)
    alt = charts.overlay_alt(mine.probabilities, theirs.probabilities, names, labels, **drawn)
    charts.show(figure, key=f"two-judges-{query.evaluator}", alt=alt)
    agree = mine.passed == theirs.passed
    both = "".join(
        f"{ui.literal(label[:1].upper() + label[1:])}: {result.label} {ui.verdict(bool(result.passed))}. "
        for label, result in zip(labels, (mine, theirs), strict=True)
    )
    st.markdown(both + ("They agree on the verdict." if agree else "They disagree on the verdict."))


def _label(result: Result) -> str:
    said = result.judge or {}
    kind = {"heuristic": "word overlap", "illustrative": "illustrative answer"}
    return kind.get(str(said.get("kind")), str(said.get("model", "judge")))
