"""Tells the server when the reader switches between light and dark, so that charts are mounted anew."""

from __future__ import annotations

import streamlit as st

_mode = st.components.v2.component(
    "jeval_mode",
    html="<span hidden></span>",
    js="""export default function ({ data, parentElement, setStateValue }) {
  const mode = getComputedStyle(parentElement.host ?? parentElement).colorScheme;
  if ((mode === "light" || mode === "dark") && mode !== data.mode) setStateValue("mode", mode);
}""",
)


def follow() -> None:
    """Last element of every page."""
    mode = st.context.theme.type
    _mode(data={"mode": mode}, default={"mode": mode}, on_mode_change=lambda: None, key="mode")
