"""Where on a page someone is: all of it in the address, so that a link, Back and a refresh lead there again."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

GOING = "address.going"
"""Start of session keys: the address left and the one set, until the browser confirms it."""
Params = Mapping[str, str | list[str]]


def lead_to(page: str, params: Params) -> None:
    """Of a page: change the query parameters; Back leads to what they were."""
    new = {name: [value] if isinstance(value, str) else [*value] for name, value in params.items()}
    st.session_state[f"{GOING}.{page}"] = {"from": _address(), "to": new, "said": False}
    st.query_params.from_dict(new)


def settle(page: str) -> None:
    """Of a page: hold on to where `lead_to` led until the browser's address says so too.

    A message that the browser sent before it knew the new address carries the old one, and would lead back.
    """
    key = f"{GOING}.{page}"
    going = st.session_state.get(key)
    if going is None:
        return
    run, address = get_script_run_ctx(), _address()
    back = run is not None and run.is_history_navigation
    if address == going["from"] != going["to"] and not back:
        st.query_params.from_dict(going["to"])
    elif address != going["to"] or going["said"]:
        del st.session_state[key]
        return
    going["said"] = True  # from here on the browser says it, or something older


def number(text: str | None) -> int | None:
    """A parameter that counts; None for anything else."""
    return int(text) if text is not None and text.isascii() and text.isdigit() and len(text) < 10 else None


def _address() -> dict[str, list[str]]:
    return {name: st.query_params.get_all(name) for name in st.query_params}
