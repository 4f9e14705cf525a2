"""One pair: both outputs aligned, every score, why it moved, and both traces."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from console import compared
from console.components import ui
from console.components.aligned import aligned
from console.components.compare import movers, why, words
from console.components.compare.place import Place, go
from console.components.controlled import controlled
from console.components.datasets import onerow
from console.components.stage import stage
from console.names import caution, name_of
from console.rowtrace import MOST, told
from jeval_core.checks import text_warnings
from jeval_core.compare import Comparison
from jeval_core.compare.why import item_grams, item_levels, item_split
from jeval_core.labels import format_score

Row = dict[str, Any]


def draw(place: Place, found: Comparison) -> None:
    """The whole view."""
    pair = place.pair or 0
    if pair >= len(found.pairs):
        st.error(f"This comparison has {len(found.pairs):,} pairs; there is none with this number.")
        st.button("Back to the comparison", on_click=go, args=(replace(place, pair=None),))
        return
    at = int(found.alignment.a[pair]), int(found.alignment.b[pair])
    rows = found.pairs.a.row(at[0]), found.pairs.b.row(at[1])
    _head(place, found, rows)
    more = [(name, rows[0][name]) for name in ("criteria", "conversation")]
    for name, text in [("input", rows[0]["input"]), *rows[0]["references"], *more]:
        if text:
            onerow.shown(name, text)
    titles = tuple(f"{side} · {words.title(run)}" for side, run in (("A", found.pairs.a), ("B", found.pairs.b)))
    aligned(rows[0]["output"] or "", rows[1]["output"] or "", (titles[0], titles[1]), key="aligned")
    left, right = st.columns([1, 1.4], gap="large")
    with left:
        _scores(found, pair)
        _warnings(rows)
    with right:
        _why(place, found, pair, rows)
    _traces(place, found, at, rows)


def _head(place: Place, found: Comparison, rows: tuple[Row, Row]) -> None:
    order = movers.listed(place, found)
    where = np.flatnonzero(order == place.pair)
    spot = int(where[0]) if len(where) else None
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        with st.container(width="stretch", gap=None):
            ui.section(f"Case {rows[0]['id']}")
            said = f"{spot + 1:,} of {len(order):,} {place.moves}" if spot is not None else "outside the list"
            st.text(f"Line {rows[0]['line']:,} of A, line {rows[1]['line']:,} of B; {said}.")
        for label, step in (("Previous", -1), ("Next", 1)):
            to = None if spot is None else spot + step
            there = to is not None and 0 <= to < len(order)
            st.button(
                label, key=f"pair-{label}", disabled=not there, on_click=go,
                args=(replace(place, pair=int(order[to]) if there and to is not None else place.pair),),
            )  # fmt: skip
        st.button("Back to the comparison", key="back", on_click=go, args=(replace(place, pair=None),))


def _scores(found: Comparison, pair: int) -> None:
    ui.section("Scores")
    lines = []
    for id in found.evaluators:
        one = compared.measured(found, id)
        where = np.flatnonzero(one.rows == pair)
        if not len(where):
            lines.append((name_of(id), "–", "–", ":gray[not scored in both]"))
            continue
        a, b = (float(side[where[0]]) for side in one.score)
        moved = f"{b - a:+.2f}".replace("-", "−")
        lines.append((name_of(id), format_score(a), format_score(b), "0.00" if moved in ("+0.00", "−0.00") else moved))
    st.table(
        pd.DataFrame(lines, columns=["Evaluator", "A", "B", "B − A"]),
        border="horizontal",
        hide_index=True,
        alt="Scores of both outputs",
    )


def _warnings(rows: tuple[Row, Row]) -> None:
    """What n-grams do not see, of either output."""
    for side, row in zip("AB", rows, strict=True):
        size = len(row["output"] or "") + sum(len(text) for _, text in row["references"])
        if row["output"] is None or size > MOST:
            continue
        for warning in text_warnings(row["output"], [text for _, text in row["references"]]):
            st.text(f"{side}: {warning.message}")


def _why(place: Place, found: Comparison, pair: int, rows: tuple[Row, Row]) -> None:
    id = place.metric or ""
    one = compared.measured(found, id).one
    size = sum(len(row["output"] or "") for row in rows) + sum(len(text) for _, text in rows[0]["references"])
    if size > MOST:
        st.caption(f"These texts have {size:,} characters; why a score moved is shown up to {MOST:,}.")
        return
    counts = [_counts(row, id) for row in rows]
    split = item_split(one, *counts) if all(counts) else None
    grams = item_grams(one, *(row["output"] or "" for row in rows), [text for _, text in rows[0]["references"]])
    if split is not None:
        why.parts(split, f"pair-{pair}")
    if grams is not None:
        why.ngrams(grams, "Shared with a reference by one output alone, the longest.")
    levels = item_levels(one, *counts) if all(counts) else {}
    if levels:
        why.shift(levels, f"pair-{pair}")


def _counts(row: Row, id: str) -> dict[str, float]:
    kept = row["scores"].get(id, {})
    return {n: float(v) for n, v in kept.items() if isinstance(v, int | float) and n not in ("score", "passed")}


def _last(trace: dict[str, Any]) -> int:
    """The frame in which the score is shown."""
    return sum(not frame.get("extra") for frame in trace["frames"]) - 1


def _traces(place: Place, found: Comparison, at: tuple[int, int], rows: tuple[Row, Row]) -> None:
    st.space("small")
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        with st.container(width="stretch"):
            ui.section("Frames", "How both scores arise, step by step.")
        controlled(
            st.pills, "Evaluator", found.evaluators, place.metric, lambda id: go(replace(place, metric=id)),
            key="frames-of", required=True, format_func=name_of,
        )  # fmt: skip
    for side, run, row, number in zip("AB", (found.pairs.a, found.pairs.b), rows, at, strict=True):
        ui.section(f"{side} · {words.title(run)}", level=3)
        data = told(place.metric or "", run, number, row)
        if isinstance(data, str):
            st.text(data)
            continue
        warning = caution(data["result"]["signature"])
        if warning:
            st.caption(warning)
        stage(data, key=f"stage-{run.id}-{number}-{place.metric}", frame=_last(data), height="content")
