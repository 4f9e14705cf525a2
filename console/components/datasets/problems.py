"""Lines that need a look: where, what, what to do, and what became of the row."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

import pandas as pd
import pyarrow as pa
import streamlit as st

from console.components import ui
from jeval_core import data

MOST = 200
"""Lines shown on the page; all of them are in the download."""
LEFT_OUT = ("blank_row",)


def outcome(problem: dict[str, Any]) -> str:
    """What became of the row, in a word."""
    if problem.get("rejected"):
        return "rejected"
    return "left out" if problem["code"] in LEFT_OUT else "kept"


def account(rows: dict[str, int]) -> str:
    """Where every row of the file went, as a sum."""
    parts = " + ".join(f"{rows[k]:,} {k}" for k in ("scored", "skipped", "failed", "rejected") if rows[k])
    return f"{rows['in_file']:,} in the file = {parts or '0 scored'}."


def lines(problems: Sequence[dict[str, Any]], note: str, *, key: str, unit: str = "line") -> None:
    """Draw the table; nothing at all where there is nothing to say but the sum."""
    st.space("small")
    with st.container(horizontal=True, vertical_alignment="top", gap="small"):
        with st.container(width="stretch"):
            ui.section("Lines that need a look" if problems else "No line needs a look", note)
        if problems:
            st.download_button(
                "Download these lines",
                data=lambda: _csv(problems),
                file_name="lines.csv",
                mime="text/csv",
                on_click="ignore",
                icon=":material/download:",
                key=f"{key}-download",
            )
    if not problems:
        return
    shown = pd.DataFrame(
        {
            unit.capitalize(): [f"{p['line']:,}" if p["line"] else "file" for p in problems[:MOST]],
            "What is wrong and what to do": [p["reason"] for p in problems[:MOST]],
            "Outcome": [[outcome(p)] for p in problems[:MOST]],
        }
    )
    words = ["rejected", "left out", "kept"]
    st.dataframe(
        shown,
        hide_index=True,
        row_height=34,
        height=min(34 * (len(shown) + 1) + 3, 360),
        key=f"{key}-lines",
        alt="Lines that need a look",
        column_config={
            unit.capitalize(): st.column_config.TextColumn(width=72),
            "What is wrong and what to do": st.column_config.TextColumn(width="large"),
            "Outcome": st.column_config.MultiselectColumn(options=words, color=["orange", "gray", "gray"], width=100),
        },
    )
    if len(problems) > MOST:
        st.caption(f"The first {MOST:,} of {len(problems):,}; the download holds them all.")


def _csv(problems: Sequence[dict[str, Any]]) -> bytes:
    table = pa.table(
        {
            "line": [p["line"] for p in problems],
            "code": [p["code"] for p in problems],
            "outcome": [outcome(p) for p in problems],
            "reason": [p["reason"] for p in problems],
        }
    )
    stream = io.BytesIO()
    data.to_csv(table, stream)
    return stream.getvalue()
