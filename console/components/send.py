"""The current request as something to paste: curl, Python, a command line."""

from __future__ import annotations

import json
import shlex
from typing import Any

import streamlit as st

from console import cache, judges
from console.components import ui
from console.state import Query
from jeval_core import JevalError
from jeval_core.card import option_text
from jeval_core.judge.settings import Choice
from jeval_core.labels import number


def draw(query: Query) -> None:
    """The section with its choice of language."""
    ui.section("Send it", "Page, API and command line call the same function.")
    how = st.segmented_control(
        "Language",
        ["curl", "Python", "Command line"],
        default="curl",
        required=True,
        label_visibility="collapsed",
        key="language",
    )
    st.code(snippet(str(how), query), language=None, wrap_lines=True)
    judge = _asked(query)
    if judge is not None and (judge.model or judge.base_url):
        st.caption("Model and address of the Judge panel are this page's; elsewhere the environment names them.")


def snippet(how: str, query: Query) -> str:
    """The request in one of the three languages, with the judge that the page asks."""
    texts = {name: _one(value) for name, value in query.fields.given(query.card).items()}
    judge = _judge(query)
    if how == "Python":
        return _python(query, texts, judge)
    if how == "Command line":
        return _command(query, texts, judge)
    body: dict[str, Any] = {"evaluators": [query.evaluator], **texts}
    if "conversation" in texts:
        body["conversation"] = _turns(texts["conversation"])
    if query.threshold is not None:
        body["thresholds"] = {query.evaluator: query.threshold}
    if query.options:
        body["options"] = {query.evaluator: dict(query.options)}
    if judge:
        body["judge"] = judge
    port = st.get_option("server.port")
    sent = shlex.quote(json.dumps(body, ensure_ascii=False))
    return f"curl -s http://localhost:{port}/api/v1/evaluate -H 'content-type: application/json' -d {sent}"


def _one(value: Any) -> Any:
    """Several references are a list, one is a text."""
    if isinstance(value, tuple):
        return value[0] if len(value) == 1 else [*value]
    return value


def _asked(query: Query) -> Choice | None:
    try:
        return cache.key(query).judge
    except JevalError:
        return None


def _judge(query: Query) -> str | None:
    """The judge by name; None where nobody is asked, and for a recording, whose file is the server's."""
    found = _asked(query)
    return None if found is None or (found.file and found != judges.EXAMPLES) else str(found)


def _turns(text: str) -> Any:
    from jeval_core.conversation import turns

    try:
        return [{"role": t.role, "content": t.content} for t in turns(text)]
    except JevalError:
        return text


def _python(query: Query, texts: dict[str, Any], judge: str | None) -> str:
    more = {"threshold": query.threshold, "options": dict(query.options) or None, "judge": judge}
    given = {**texts, **{name: value for name, value in more.items() if value is not None}}
    call = ", ".join([repr(query.evaluator), *(f"{name}={value!r}" for name, value in given.items())])
    return f"from jeval_core import evaluate\n\nr = evaluate({call})\nr.score, r.passed, r.signature"


def _command(query: Query, texts: dict[str, Any], judge: str | None) -> str:
    parts = ["jeval", "evaluate", query.evaluator]
    for name, value in texts.items():
        for text in value if isinstance(value, list) else [value]:
            parts += [f"--{name}", text]
    for name, value in query.options.items():
        parts += ["--option", f"{name}={option_text(value)}"]
    parts += ["--threshold", number(query.threshold)] if query.threshold is not None else []
    return shlex.join([*parts, *(["--judge", judge] if judge else [])])
