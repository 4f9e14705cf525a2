"""The inputs card: the fields that an evaluator takes, one or several references, examples."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from console import judges, state
from console.components import whatif
from console.examples import examples, untouched
from console.fields import shown
from console.state import Query
from jeval_core.card import Card

MOST = 8
"""References that the page offers fields for."""
LEFT = ("input", "conversation", "output")
"""Fields that stand at the left; what the output is held against stands at the right."""
HINTS = {
    "output": "What the model wrote",
    "expected": "A reference answer",
    "input": "What the output replies to",
    "criteria": "What the judge holds the output against",
    "conversation": "user: …\nassistant: …",
}


def form(card: Card, query: Query) -> None:
    """Draw the card. A text is taken when its field is left: the score on screen is never that of an older one."""
    fields = shown(card)
    with st.container(border=True, gap="xsmall", height="stretch"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.markdown(f"**Inputs** :gray[needs {_listed(card.required)}]", width="content")
            st.space("stretch")
            whatif.pin(query)
            if "expected" in fields and len(query.fields.expected) < MOST:
                st.button("Add a reference", type="tertiary", on_click=_add)
            if "expected" in fields and len(query.fields.expected) > 1:
                st.button("Remove the last", type="tertiary", on_click=_remove)
            st.menu_button("Examples", [*examples(card.id)], key="example", on_click=_chosen, type="tertiary")
        left, right = st.columns(2, gap="small")
        beside = [name for name in fields if name not in LEFT] or ["output"]
        for name in fields:
            column = right if name in beside else left
            keys = [state.expected_key(i) for i in range(len(query.fields.expected))] if name == "expected" else [name]
            for i, key in enumerate(keys):
                label = f"expected {i + 1}" if len(keys) > 1 else name
                column.text_area(
                    label if name in card.required else f"{label} (optional)",
                    st.session_state[key],  # for a browser that draws the field when a later run has replaced it
                    key=key,
                    height=72,
                    placeholder=_hint_of(card, name),
                )
        with st.container(horizontal=True, vertical_alignment="center"):
            st.button("**Score**", key="score", on_click=state.ask_for)
            st.caption(_hint(), width="content")


def _listed(names: tuple[str, ...]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _hint_of(card: Card, name: str) -> str:
    return "The source text" if card.id == "translation" and name == "input" else HINTS[name]


def _hint() -> str:
    """What the example on show is about, else how texts are taken."""
    query = state.current()
    example = untouched(query.evaluator, query.fields)
    if query.card.kind == "judge" and judges.answering() not in (None, judges.EXAMPLES):
        example = None  # what it shows is in the illustrative answer
    return f"{example.name}: {example.shows}" if example else "A text is scored when you leave its field."


def _chosen() -> None:
    load_example(st.session_state.example)


def load_example(name: str | None = None) -> None:
    """Callback: put an example into the fields, the first one without a name."""
    query = state.current()
    found = examples(query.evaluator)
    whatif.unpin()
    state.ask_for()
    state.put(replace(query, fields=(found[name] if name else next(iter(found.values()))).fields))


def _add() -> None:
    n = st.session_state[state.REFERENCES]
    st.session_state[state.expected_key(n)] = ""
    st.session_state[state.REFERENCES] = n + 1


def _remove() -> None:
    st.session_state[state.REFERENCES] -= 1
