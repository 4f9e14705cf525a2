"""Rows by how far they moved; a row opens both outputs and both ways to the score."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from console import charts, compared
from console.components import ui
from console.components.compare.place import MOVES, Place, change, go
from console.components.controlled import controlled
from console.names import name_of
from jeval_core.compare import Comparison
from jeval_core.harness.results import Rows

PAGE = 25
CUT = 160


def draw(place: Place, found: Comparison) -> None:
    """Chart, list, pages."""
    id = place.metric or ""
    measured = compared.measured(found, id)
    d = measured.score[1] - measured.score[0]
    st.space("small")
    ui.section("Rows", f"How far {name_of(id)} moved on single rows. Pick one to see how both scores arise.")
    charts.show(charts.differences(d), key=f"differences-{id}", alt=charts.differences_alt(d))
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        controlled(st.pills, "Rows", MOVES, place.moves, lambda moves: change(moves=moves), key="moves", required=True)
        if place.group is not None:
            st.button(
                ui.literal(f"{place.by}: {place.group}"), icon=":material/close:", key="drop-group", on_click=change,
                kwargs={"group": None},
            )  # fmt: skip
    rows = listed(place, found)
    if not len(rows):
        st.caption("No row " + ("fell." if place.moves == MOVES[0] else "rose."))
        return
    page = min(place.page, (len(rows) - 1) // PAGE)
    part = rows[page * PAGE : (page + 1) * PAGE]
    # Selection is by position: the key names everything the positions depend on, so a pick is never another row.
    picked = st.dataframe(
        _frame(found, id, part),
        hide_index=True,
        row_height=34,
        height=34 * (min(len(part), 10) + 1) + 3,
        key=f"movers-{place.a}-{place.candidate}-{id}-{place.moves}-{place.by}-{place.group}-{page}",
        on_select="rerun",
        selection_mode="single-row",
        alt="Rows by change",
        column_config=_columns(),
    )
    _pages(place, page, len(rows), len(part))
    if picked.selection.rows:
        go(replace(place, page=page, pair=int(part[picked.selection.rows[0]])))
        st.rerun()


def listed(place: Place, found: Comparison) -> Rows:
    """Pairs in the order of the list."""
    drops, gains = compared.moved(found, place.metric or "")
    rows = drops if place.moves == MOVES[0] else gains
    if place.group is None or place.by not in found.pairs.columns:
        return rows
    inside = compared.members(found, place.by).get(place.group)
    return rows if inside is None else rows[np.isin(rows, inside)]


def _frame(found: Comparison, id: str, pairs: Rows) -> pd.DataFrame:
    own = found.pairs
    measured = compared.measured(found, id)
    at = np.searchsorted(measured.rows, pairs)
    a, b = (side[at] for side in measured.score)
    left, right = own.alignment.a[pairs], own.alignment.b[pairs]
    frame: dict[str, Any] = {"B − A": b - a, "A": a, "B": b}
    names = own.a.columns
    texts = own.a.take(left, [*names["id"], *names["output"], *names["references"][:1]])
    other = own.b.take(right, own.b.columns["output"])
    frame["id"] = texts.columns[0].to_pylist()
    frame["output of A"] = [_cut(text) for text in texts.columns[1].to_pylist()]
    frame["output of B"] = [_cut(text) for text in other.columns[0].to_pylist()]
    if names["references"]:
        frame["expected"] = [_cut(text) for text in texts.columns[2].to_pylist()]
    return pd.DataFrame(frame)


def _cut(text: str | None) -> str | None:
    return text if text is None or len(text) <= CUT else text[: CUT - 1] + "…"


def _columns() -> dict[str, Any]:
    score = st.column_config.ProgressColumn(format="%.3f", min_value=0, max_value=1, width=96, color="gray")
    text = st.column_config.TextColumn(width=260)
    return {
        "B − A": st.column_config.NumberColumn(format="%+.3f", width=72),
        "A": score,
        "B": score,
        "id": st.column_config.TextColumn(width=90),
        "output of A": text,
        "output of B": text,
        "expected": text,
    }


def _pages(place: Place, page: int, n: int, shown: int) -> None:
    last = (n - 1) // PAGE
    first = page * PAGE + 1
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(f"{first:,}–{first + shown - 1:,} of {n:,}, {place.moves} first.", width="content")
        if last:
            for label, to, off in (("Previous", page - 1, page == 0), ("Next", page + 1, page == last)):
                st.button(
                    label, key=f"page-{label}", type="tertiary", disabled=off, on_click=go,
                    args=(replace(place, page=max(0, min(last, to))),),
                )  # fmt: skip
