"""Why a score moved, over all rows and for one: parts of BLEU, n-grams, levels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd
import streamlit as st

from console import charts, compared
from console.components import ui
from console.names import name_of
from jeval_core.compare import Comparison
from jeval_core.compare.why import MOST_ROWS, Grams, corpus_split, level_shift
from jeval_core.stats.why_bleu import Split

MOST = 8
"""n-grams of either kind that are listed."""


def of_run(found: Comparison, id: str) -> None:
    """Everything known of an evaluator over all pairs."""
    measured = compared.measured(found, id)
    split, levels = corpus_split(measured), level_shift(measured, found.pairs)
    grams = compared.grams(found, id)
    if split is None and not levels and (grams is None or not (grams.lost or grams.gained)):
        return
    st.space("small")
    ui.section(f"Why {name_of(id)} moved", "Over all pairs together. Rows below open the same for one row.")
    cards = sum((split is not None, bool(levels), grams is not None))
    left, right = st.columns([1, 1.25], gap="small") if cards > 1 else (st.container(), st.container())
    if split is not None:
        with left, st.container(border=True, height="stretch"):
            parts(split, "corpus")
    if levels:
        with left, st.container(border=True, height="stretch"):
            shift(levels, id)
    if grams is not None:
        with right, st.container(border=True, height="stretch"):
            most = f" of the {MOST_ROWS:,} rows that moved furthest" if len(measured.rows) > MOST_ROWS else ""
            ngrams(grams, f"Shared with a reference by one run alone, summed over rows{most}.")


def parts(split: Split, key: str) -> None:
    """The change of ln BLEU, which its parts add up to."""
    said = f"ln BLEU changed by {charts.signed(split.delta)}; the bars add up to it."
    ui.section("Parts of the change", said, level=3)
    charts.show(charts.split_bars(split), key=f"split-{key}", alt=charts.split_alt(split))


def shift(levels: Mapping[str, tuple[float, float]], key: str) -> None:
    """Where the probability of a judge's answers went."""
    ui.section("Where the answers went", "Probability of each answer, the mean where there are several rows.", level=3)
    charts.show(charts.levels(levels), key=f"levels-{key}", alt=charts.levels_alt(levels))


def ngrams(grams: Grams, note: str) -> None:
    """Two short lists."""
    ui.section("n-grams won and lost", note, level=3)
    left, right = st.columns(2, gap="small")
    for column, title, found in ((left, "lost", grams.lost), (right, "gained", grams.gained)):
        with column:
            _list(title, found)


def _list(title: str, found: Sequence[tuple[tuple[str, ...], int]]) -> None:
    if not found:
        st.caption(f"None {title}.")
        return
    frame = pd.DataFrame({title: [" ".join(gram) for gram, _ in found[:MOST]], "times": [n for _, n in found[:MOST]]})
    st.dataframe(
        frame,
        hide_index=True,
        row_height=30,
        height=30 * (len(frame) + 1) + 3,
        column_config={"times": st.column_config.NumberColumn(width=56)},
        alt=f"n-grams {title}",
    )
    if len(found) > MOST:
        st.caption(f"and {len(found) - MOST:,} more")
