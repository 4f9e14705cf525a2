"""What if: edit the output and see the exact change against a pinned result."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from console import cache, state
from console.state import Query
from jeval_core import BadInput, Edit, JevalError, Result, get_evaluator
from jeval_core.whatif import edited


def pin(query: Query) -> None:
    """The control of the baseline: pin the current output, or go back to the pinned one."""
    pinned: Query | None = st.session_state.get(state.BASELINE)
    if pinned is None:
        st.button(
            "Pin as baseline", type="tertiary", on_click=_pin, help="Keep this output as the one to compare edits with."
        )
    elif pinned.fields.output != query.fields.output:
        st.button("Back to the pinned output", type="tertiary", on_click=_restore)
    if pinned is not None:
        st.button("Unpin", type="tertiary", on_click=unpin)


def baseline(query: Query) -> Result | None:
    """The pinned output's result under the current settings; None without one, or when nothing changed."""
    pinned: Query | None = st.session_state.get(state.BASELINE)
    if pinned is None or pinned.fields.output == query.fields.output:
        return None
    before = replace(query, fields=replace(query.fields, output=pinned.fields.output))
    try:
        return cache.scored(cache.key(before))
    except JevalError:
        return None


def apply() -> None:
    """Callback: an edit from the stage. Pins the output as it was, then writes the new one into the field."""
    query, change = state.current(), st.session_state[state.STAGE].get("edit") or {}
    try:
        edit = Edit(change["kind"], int(change["index"]), str(change.get("text", "")))
        output = edited(get_evaluator(query.evaluator, query.options), query.fields.output, edit)
    except (BadInput, KeyError, TypeError, ValueError):
        return  # the page changed under the reader's hand; the stage shows the new tokens already
    if st.session_state.get(state.BASELINE) is None:
        st.session_state[state.BASELINE] = query
    st.session_state[state.OUTPUT] = output


def _pin() -> None:
    st.session_state[state.BASELINE] = state.current()


def _restore() -> None:
    st.session_state[state.OUTPUT] = st.session_state[state.BASELINE].fields.output


def unpin() -> None:
    """Callback: forget the baseline."""
    st.session_state.pop(state.BASELINE, None)
