"""The inputs card: output, one or several references, examples."""

from __future__ import annotations

import streamlit as st

from console import state
from console.components import whatif
from console.examples import EXAMPLES
from console.state import Query
from jeval_core.card import Card

MOST = 8
"""References that the page offers fields for."""


def form(card: Card, query: Query) -> None:
    """Draw the card. A text is taken when its field is left: the score on screen is never that of an older one."""
    with st.container(border=True, gap="xsmall", height="stretch"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.markdown(f"**Inputs** :gray[needs {' and '.join(card.required)}]", width="content")
            st.space("stretch")
            whatif.pin(query)
            if len(query.expected) < MOST:
                st.button("Add a reference", type="tertiary", on_click=_add)
            if len(query.expected) > 1:
                st.button("Remove the last", type="tertiary", on_click=_remove)
            st.menu_button("Examples", [*EXAMPLES], key="example", on_click=_chosen, type="tertiary")
        left, right = st.columns(2, gap="small")
        left.text_area("output", key=state.OUTPUT, height=72, placeholder="What the model wrote")
        for i in range(len(query.expected)):
            label = "expected" if len(query.expected) == 1 else f"expected {i + 1}"
            right.text_area(label, key=state.expected_key(i), height=72, placeholder="A reference answer")
        with st.container(horizontal=True, vertical_alignment="center"):
            st.button("**Score**", key="score")
            st.caption(_hint(), width="content")


def _hint() -> str:
    """What the example on show is about, else how texts are taken."""
    query = state.current()
    for example in EXAMPLES.values():
        if (query.output, query.expected) == (example.output, example.expected):
            return f"{example.name}: {example.shows}"
    return "A text is scored when you leave its field."


def _chosen() -> None:
    load_example(st.session_state.example)


def load_example(name: str) -> None:
    """Callback: put an example into the fields."""
    example, query = EXAMPLES[name], state.current()
    whatif.unpin()
    state.put(Query(query.evaluator, example.output, example.expected, query.options, query.threshold))


def _add() -> None:
    n = st.session_state[state.REFERENCES]
    st.session_state[state.expected_key(n)] = ""
    st.session_state[state.REFERENCES] = n + 1


def _remove() -> None:
    st.session_state[state.REFERENCES] -= 1
