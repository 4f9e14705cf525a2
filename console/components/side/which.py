"""Which number did you see? The implementations that give a score from elsewhere."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from console.components import ui
from console.fields import Fields
from jeval_core import JevalError
from jeval_core.embed import available
from jeval_core.reconcile import METRICS, MOST, Match, reconcile

ANY = "any metric"
FITTING, NEAR = 12, 6
"""Lines shown of those that give the number, and of the nearest others."""


def draw(fields: Fields) -> None:
    """The question, and its answer as a table."""
    with st.container(border=True, gap="small"):
        ui.section("Which number did you see?", "Another tool scored this pair. Its number tells which rules it used.")
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            seen = st.text_input("Score you saw", key="seen", placeholder="0.377 or 37.7", width=180)
            metric = st.selectbox("Metric", [ANY, *METRICS], key="seen-metric", width=180)
        if not seen.strip():
            st.caption("Looked through: promptfoo, sacrebleu, nltk, rouge-score, Hugging Face evaluate, torchmetrics.")
            return
        try:
            found = _found(fields.output, fields.expected, seen, None if metric == ANY else metric, available())
        except JevalError as error:
            ui.failed(error)
            return
        _answer(found, seen.strip())


@st.cache_data(max_entries=128, show_spinner="Scoring by every rule")
def _found(output: str, expected: tuple[str, ...], seen: str, metric: str | None, encoder: bool) -> list[Match]:
    return reconcile(output=output, expected=expected, seen=seen, metric=metric)


def _answer(found: list[Match], seen: str) -> None:
    fitting = [match for match in found if match.fits]
    if fitting:
        more = f" {len(fitting) - FITTING} more do, the rarest settings last." if len(fitting) > FITTING else ""
        st.text(f"{ui.count(len(fitting), 'implementation')} would write {seen} for this pair.{more}")
        _table(fitting[:FITTING], "fits")
    elif not found:
        st.text("No implementation scores this pair.")
    else:
        st.text(
            f"None gives {seen} for this pair; look for another reference, casing or white space. The nearest:"
        )
        _table(found[:NEAR], "near")
    if fitting and len(fitting) < len(found):
        with st.expander("The nearest others"):
            _table(found[len(fitting) :][:NEAR], "others")
    st.caption(f"Quote a number with its signature: it says which rules made it. Pairs of up to {MOST:,} characters.")


def _table(found: list[Match], key: str) -> None:
    shown = pd.DataFrame(
        {
            "Score": [f"{match.value:.4f}" for match in found],
            "Metric": [match.metric for match in found],
            "Computed by": [match.library for match in found],
            "Tokens": [match.tokens for match in found],
            "Smoothing": [match.smoothing for match in found],
            "References": [match.references for match in found],
            "Signature": [match.signature for match in found],
        }
    )
    st.dataframe(
        shown,
        hide_index=True,
        key=f"which-{key}",
        column_config={
            "Signature": st.column_config.TextColumn(width="large"),
            "Score": st.column_config.TextColumn(width="small"),
        },
        alt=f"Implementations: {'; '.join(f'{m.library} {m.metric} {m.value:.4f}' for m in found)}",
    )
