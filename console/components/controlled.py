"""Widgets whose value lives elsewhere, such as in the address: drawn with it, and telling when someone changes it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st


def controlled(
    widget: Callable[..., Any],
    label: str,
    options: Sequence[Any],
    now: Any,
    take: Callable[[Any], None],
    *,
    key: str,
    hidden: bool = True,
    **more: Any,
) -> None:
    """Draw a choice among `options` with `now` chosen; `take` gets another one when somebody picks it.

    The key stays the same whatever is chosen: a new key would make a new widget, which may report the old one's value.
    """
    if key not in st.session_state or st.session_state[key] != now:
        st.session_state[key] = now

    def changed() -> None:
        if st.session_state[key] != now:
            take(st.session_state[key])

    visibility = "collapsed" if hidden else "visible"
    widget(label, options, key=key, on_change=changed, label_visibility=visibility, **more)
