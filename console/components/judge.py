"""The judge panel: who is asked, what is set up, and whether it answers."""

from __future__ import annotations

import os
from typing import Any

import streamlit as st

from console import cache, judges
from console.components import ui
from console.components.controlled import controlled
from console.state import Query
from jeval_core import JevalError
from jeval_core.judge.settings import BASES, CHOSEN, HOSTS, KEYS, MODELS, Choice, probe
from jeval_core.judge.systemone import BASE_URL, MODEL

AUTO = "no judge"
ABOUT = {
    AUTO: "The examples have illustrative answers; your own texts get word overlap, which is no judge.",
    "heuristic": "Counts shared words. Needs nothing, and cannot tell true from false.",
    "systemone": "A decision model: answers with a probability for each level. Wants an address or a key.",
    "chat": "Any OpenAI-compatible host that gives token probabilities: vLLM, llama.cpp, Ollama, hosted.",
    "recorded": "Answers from the file that this server was set up with.",
}
LABELS = {
    AUTO: "None set up",
    "heuristic": "Word overlap",
    "systemone": "Jev",
    "chat": "Chat model",
    "recorded": "Recording",
}
USUAL = {"systemone": (MODEL, BASE_URL), "chat": ("name of the model", "not set")}
"""Model and address where the server's environment says nothing."""
SEEN = "judge.seen"
"""Session key: what the last test of the connection gave."""


def panel() -> None:
    """The control and the panel behind it."""
    with st.popover("Judge", key="judge-panel", on_change="rerun"):  # a label that changes would close it
        with st.container(width=380, gap="xsmall"):
            choose()


def active(query: Query | None = None) -> str:
    """Who is asked, by name: about a row, or about a file."""
    try:
        choice = judges.for_data() if query is None else cache.key(query).judge
    except JevalError:
        return "not set up"
    return judges.named(choice) if choice else "none"


def choose() -> None:
    """Who is asked, with its settings and a test."""
    ui.section("Who answers", "The score is only as good as the one who gives the answers.")
    try:
        chosen = judges.explicit()
    except JevalError as error:
        chosen = None
        ui.failed(error)
    options = [AUTO, "heuristic", "systemone", "chat"]
    if chosen is not None and chosen.backend == "recorded":
        options.append("recorded")
    if os.environ.get(CHOSEN):
        options.remove(AUTO)
    controlled(
        st.radio,
        "Judge",
        options,
        AUTO if chosen is None else chosen.backend,
        _take,
        key="judge-backend",
        format_func=LABELS.__getitem__,
        captions=[ABOUT[name] for name in options],
    )
    st.caption(f"Holds for this visit. {CHOSEN} on the server makes it permanent.")
    if chosen is not None and chosen.backend in KEYS:
        _host(chosen)
    if chosen is not None:
        _test(chosen)


def _take(backend: str) -> None:
    """Callback: another judge."""
    st.session_state.pop(SEEN, None)
    server = os.environ.get(CHOSEN, "")
    same = server.partition(":")[0] == backend  # with its file, where it has one
    judges.put(None if backend == AUTO or same else Choice(backend))


def _host(choice: Choice) -> None:
    """What the server's environment says, and what may be typed."""
    env, (model, address) = os.environ, USUAL[choice.backend]
    key = "is set" if env.get(KEYS[choice.backend], "").strip() else "is not set"
    st.caption(f"Key: {KEYS[choice.backend]} {key} on the server. Keys are never typed or shown here.")
    st.session_state["judge-model"], st.session_state["judge-url"] = choice.model or "", choice.base_url or ""
    st.text_input(
        "Model",
        key="judge-model",
        placeholder=env.get(MODELS[choice.backend]) or model,
        on_change=_settle,
        args=(choice,),
    )
    hosts = env.get(HOSTS)
    st.text_input(
        "Address",
        key="judge-url",
        placeholder=env.get(BASES[choice.backend]) or address,
        on_change=_settle,
        args=(choice,),
        disabled=not hosts,
        help=f"Allowed hosts: {hosts}." if hosts else f"The server asks only its own address. {HOSTS} allows others.",
    )


def _settle(choice: Choice) -> None:
    st.session_state.pop(SEEN, None)
    judges.put(judges.with_settings(choice, st.session_state["judge-model"], st.session_state["judge-url"]))


def _test(choice: Choice) -> None:
    """A button that asks one small question, and what came of it."""
    wrong = judges.problem(choice)
    if wrong:
        st.error(ui.literal(wrong.replace("`", "")))
        return
    if st.button("Test the connection", key="judge-test"):
        with st.spinner("Asking"):
            st.session_state[SEEN] = _probed(choice)
    seen = st.session_state.get(SEEN)
    if seen is None:
        return
    if seen["error"]:
        st.error(ui.literal(seen["error"].replace("`", "")))
        return
    st.table(seen["facts"], border="horizontal")


def _probed(choice: Choice) -> dict[str, Any]:
    try:
        judge = judges.made(choice)
        answers = probe(judge)
    except JevalError as error:
        return {"error": str(error), "facts": {}}
    price = "unknown" if judge.price is None else f"${judge.price:g} for a million input tokens"
    facts = {"Answered by": ui.literal(answers.model), "Took": f"{answers.latency:.2f} s", "Price": price}
    return {"error": None, "facts": facts}
