"""The rows of a run under a filter, a page at a time: the browser never gets more than it shows."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from console import stored
from console.components import ui
from console.components.controlled import controlled
from console.components.datasets.place import SHOWS, SORTS, Place, change, go
from console.names import name_of
from jeval_core.batch.scored import SCORED
from jeval_core.harness.results import Results

PAGE = 25
CUT = 200
PASS, FAIL, NONE = "✓\u00a0pass", "✗\u00a0fail", "not scored"


def draw(here: Place, found: Results, metric: stored.Metric) -> None:
    """Filters, the table, and a way to the other pages."""
    rows = stored.order(here)
    st.space("small")
    ui.section("Rows", "Pick a row to see its texts and step through its frames.")
    options = [s for s in SHOWS if s != "Metrics disagree" or len(stored.evaluators(found)) > 1]
    controlled(
        st.pills,
        "Show",
        options,
        here.show if here.show in options else SHOWS[0],
        lambda show: change(show=show),
        key="show",
        required=True,
    )
    _filters(here, found, metric, len(rows))
    if not len(rows):
        st.caption(_none(here))
        return
    page = min(here.page, (len(rows) - 1) // PAGE)
    part = rows[page * PAGE : (page + 1) * PAGE]
    # Selection is by position: the key names everything the positions depend on, so a pick is never another row.
    picked = st.dataframe(
        _frame(found, metric, part),
        hide_index=True,
        row_height=34,
        height=34 * (min(len(part), 10) + 1) + 3,
        key=f"rows-{here.filter}-{page}",
        on_select="rerun",
        selection_mode="single-row",
        alt="Rows with their scores",
        column_config=_columns(found),
    )
    _pages(here, page, len(rows), len(part))
    if picked.selection.rows:
        go(replace(here, metric=metric.id, page=page, row=int(part[picked.selection.rows[0]])))
        st.rerun()


def _filters(here: Place, found: Results, metric: stored.Metric, n: int) -> None:
    """What is filtered, each with a way to drop it, and the order."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if here.bar is not None:
            edges = stored.histogram(found.id, metric.id).edges
            if here.bar + 1 < len(edges):
                label = f"{metric.card.name} {edges[here.bar]:.3f} to {edges[here.bar + 1]:.3f}"
                st.button(label, icon=":material/close:", key="drop-bar", on_click=change, kwargs={"bar": None})
        if here.group is not None:
            st.button(
                ui.literal(f"{here.by}: {here.group}"),
                icon=":material/close:",
                key="drop-group",
                on_click=change,
                kwargs={"group": None},
            )
        controlled(st.selectbox, "Order", SORTS, here.sort, lambda sort: change(sort=sort), key="sort", width=160)
        st.caption(f"{n:,} of {found.n:,} rows", width="content")


def _none(here: Place) -> str:
    if here.show == "Not scored":
        return "Every row was scored."
    if here.show == "✗ fail":
        return "No row fails."
    return "No row is left under these filters."


def _frame(found: Results, metric: stored.Metric, rows: stored.Rows) -> pd.DataFrame:
    columns = found.columns
    systems = columns["model_version"]
    texts = found.take(rows, [*systems, *columns["output"], *columns["references"][:1]])
    frame: dict[str, Any] = {stored.unit(found).capitalize(): found.lines[rows]}
    scored = stored.scored(found, metric.id)
    frame["Verdict"] = [
        [PASS if p else FAIL] if s == SCORED else [NONE]
        for s, p in zip(scored.status[rows], scored.passed[rows], strict=True)
    ]
    for id in [metric.id, *(other for other in stored.evaluators(found) if other != metric.id)]:
        score = stored.scored(found, id).score[rows]
        frame[name_of(id)] = [None if np.isnan(s) else float(s) for s in score]
    names = (*(["system"] if systems else []), "output", "expected")
    for name, column in zip(names, texts.columns, strict=False):
        frame[name] = [c if c is None or len(c) <= CUT else c[: CUT - 1] + "…" for c in column.to_pylist()]
    return pd.DataFrame(frame)


def _columns(found: Results) -> dict[str, Any]:
    config: dict[str, Any] = {
        stored.unit(found).capitalize(): st.column_config.NumberColumn(format="localized", width=72),
        "Verdict": st.column_config.MultiselectColumn(
            options=[PASS, FAIL, NONE], color=["blue", "orange", "gray"], width=84
        ),
        "system": st.column_config.TextColumn(width=110),
        "output": st.column_config.TextColumn(width=280),
        "expected": st.column_config.TextColumn(width=280),
    }
    for id in stored.evaluators(found):
        config[name_of(id)] = st.column_config.ProgressColumn(
            format="%.3f", min_value=0, max_value=1, width=112, color="gray"
        )
    return config


def _pages(here: Place, page: int, n: int, shown: int) -> None:
    last = (n - 1) // PAGE
    first = page * PAGE + 1
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(f"{first:,}–{first + shown - 1:,} of {n:,}, {here.sort}.", width="content")
        if last:
            for label, to, off in (("Previous", page - 1, page == 0), ("Next", page + 1, page == last)):
                st.button(
                    label,
                    key=f"page-{label}",
                    type="tertiary",
                    disabled=off,
                    on_click=go,
                    args=(replace(here, page=max(0, min(last, to))),),
                )
