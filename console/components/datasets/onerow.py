"""One row of a run: its texts, every score, what the texts warn of, and the frames of the score in the stage."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

import numpy as np
import pandas as pd
import streamlit as st

from console import stored
from console.components import ui
from console.components.controlled import controlled
from console.components.datasets import regression
from console.components.datasets.place import Place, go
from console.components.stage import stage
from console.names import caution
from console.rowtrace import MOST, query, told
from console.state import stage_place
from jeval_core.batch.scored import SCORED
from jeval_core.checks import text_warnings
from jeval_core.data.errors import JevalError
from jeval_core.harness.results import Results
from jeval_core.labels import format_score
from jeval_core.registry import get_evaluator

LONG = 1_500
"""Characters of a text that are shown at once."""


def draw(here: Place) -> None:
    """The whole view."""
    try:
        found = stored.results(here.run or "")
    except JevalError as error:
        ui.failed(error)
        return
    if here.row is None or here.row >= found.n:
        st.error(f"This run has {found.n:,} rows; there is none with this number.")
        st.button("Back to the run", on_click=go, args=(replace(here, row=None),))
        return
    here = stored.possible(here, found)
    row = found.row(here.row)
    _head(here, found, row)
    left, right = st.columns([1.5, 1], gap="large")
    with left:
        _texts(row)
    with right:
        _scores(here, found)
        _warnings(row)
        regression.offer(found, here.row)
    st.space("small")
    _frames(here, found, row)


def _head(here: Place, found: Results, row: dict[str, Any]) -> None:
    rows = stored.order(here)
    at = np.flatnonzero(rows == here.row)
    place = int(at[0]) if len(at) else None
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        with st.container(width="stretch", gap=None):
            ui.section(f"{stored.unit(found).capitalize()} {row['line']:,} of the file")
            where = (
                f"{place + 1:,} of {len(rows):,} rows, {here.sort}." if place is not None else "Outside the filters."
            )
            st.text(f"{row['id']}. {where}")
        for label, step in (("Previous", -1), ("Next", 1)):
            to = None if place is None else place + step
            there = to is not None and 0 <= to < len(rows)
            st.button(
                label,
                key=f"row-{label}",
                disabled=not there,
                on_click=go,
                args=(replace(here, row=int(rows[to]) if there and to is not None else here.row),),
            )
        st.button("Back to the run", key="back", on_click=go, args=(replace(here, row=None),))


def shown(name: str, text: str | None) -> None:
    """A text of a row under its name; a long one can be opened."""
    with st.container(gap=None):
        st.caption(ui.literal(name))
        st.text("(missing)" if text is None else text[:LONG] + ("…" if len(text) > LONG else "") or "(empty)")
        if text is not None and len(text) > LONG:
            with st.expander(f"All {len(text):,} characters"):
                st.text(text)


def _texts(row: dict[str, Any]) -> None:
    parts = [("input", row.get("input")), ("output", row.get("output"))]
    parts += [(name, text) for name, text in row["references"]]
    parts += [(name, row.get(name)) for name in ("criteria", "conversation")]
    for name, text in parts:
        if text is None and name != "output":
            continue
        shown(name, text)
    parts = {n: row.get(n) for n in ("model_version", "threshold")} | row["groups"] | row["tags"] | row["gold"]
    facts = {n: v for n, v in (parts | row["extra"]).items() if v is not None}
    if facts:
        with st.expander("Everything else in this row"):
            st.dataframe(
                pd.DataFrame({"column": [*facts], "value": [str(v) for v in facts.values()]}),
                hide_index=True,
                alt="Other columns of the row",
            )


def _scores(here: Place, found: Results) -> None:
    ui.section("Scores")
    lines = []
    for id in stored.evaluators(found):
        scored = stored.scored(found, id)
        done = scored.status[here.row] == SCORED
        card = get_evaluator(id).card
        score = format_score(float(scored.score[here.row])) if done else "–"
        verdict = ui.verdict(bool(scored.passed[here.row])) if done else ":gray[not scored]"
        lines.append((card.name, score, verdict))
    st.table(
        pd.DataFrame(lines, columns=["Evaluator", "Score", "Verdict"]),
        border="horizontal",
        hide_index=True,
        alt="Scores of the row",
    )


def _warnings(row: dict[str, Any]) -> None:
    if row.get("output") is None or _size(row) > MOST:
        return
    found = text_warnings(row["output"], [text for _, text in row["references"]])
    if not found:
        return
    ui.section("The texts differ in more than words", "Overlap scores do not see these.")
    for warning in found:
        st.text(warning.message)


def _frames(here: Place, found: Results, row: dict[str, Any]) -> None:
    id = here.metric or ""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        with st.container(width="stretch"):
            ui.section("Frames", "How this score arises, step by step.")
        controlled(
            st.pills,
            "Evaluator",
            stored.evaluators(found),
            here.metric,
            lambda id: go(replace(here, metric=id)),
            key="frames-of",
            required=True,
            format_func=lambda id: get_evaluator(id).card.name,
        )
        asked = query(id, found, row)
        # a link: switching pages would leave this page's address with the other's parameters
        if asked.fields.size() <= MOST:
            judged = get_evaluator(id).card.kind == "judge"
            label = "Ask again in Explore" if judged else "Open in Explore"
            st.link_button(label, f"./?{urlencode(asked.params(), doseq=True)}")
    warning = caution(stored.scored(found, id).signature)
    if warning:
        st.warning(warning, icon=":material/info:")
    data = told(id, found, here.row or 0, row)
    if isinstance(data, str):
        st.text(data)
        return
    frame, order, view = stage_place()
    stage(
        data,
        key=f"stage-{here.run}-{here.row}-{id}",
        frame=frame,
        order=order,
        view=view,
        address=True,
        height="content",
    )


def _size(row: dict[str, Any]) -> int:
    return len(row["output"] or "") + sum(len(text or "") for _, text in row["references"])
