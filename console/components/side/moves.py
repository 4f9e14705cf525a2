"""Sensitivity: how far each score moves when the output is changed in a known way, here and over a data set."""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st

from console import charts, stored
from console.components import ui
from console.fields import Fields
from console.names import name_of
from jeval_core import JevalError, list_evaluators
from jeval_core.embed import available
from jeval_core.harness.results import Results
from jeval_core.sensitivity import KINDS, Change, changed, sensitivity

ROWS = {"code": 500, "embedding": 50}
"""Rows of a data set over which changes are averaged, spread evenly; every change is another text to read."""
MOST = 20_000
"""Characters of a pair that is changed: it is scored again some forty times."""
RUNS = 20
PAIR = "this pair"


def draw(fields: Fields) -> None:
    """The card."""
    runs = _runs()
    with st.container(border=True, gap="small"):
        with st.container(horizontal=True, vertical_alignment="top", gap="small"):
            with st.container(width="stretch"):
                ui.section("What moves the scores?", "The output is changed in a known way and scored again.")
            over = st.selectbox(
                "Averaged over",
                [PAIR, *runs],
                format_func=lambda id: id if id == PAIR else runs[id],
                key="moves-over",
                width=280,
            )
        try:
            if over == PAIR:
                _pair(fields)
            else:
                _dataset(over)
        except JevalError as error:
            ui.failed(error)


def _pair(fields: Fields) -> None:
    if fields.size() > MOST:
        st.caption(f"The texts have {fields.size():,} characters; pairs of up to {MOST:,} are changed.")
        return
    found = _of_pair(fields.output, fields.expected, available())
    if not any(change.places for change in found):
        st.caption("There is nothing to change: the pair has no words, or no score.")
        return
    _chart(found, "pair")
    made = changed(fields.output)
    with st.expander("The changed texts"):
        for kind, texts in made.items():
            st.caption(f"{KINDS[kind]}, {ui.count(len(texts), 'place')}; the first:")
            st.text(texts[0][:400] or "(nothing left)")


def _dataset(run: str) -> None:
    found, rows = _of_run(run, available())
    if not any(change.places for change in found):
        st.caption("No row of this run has an output and an expected text.")
        return
    _chart(found, run)
    said = " and ".join(f"{rows[kind]} rows" + (" for the encoder" if kind == "embedding" else "") for kind in rows)
    st.caption(f"Mean over {said}, spread evenly over the file, by the usual settings; intervals are in the table.")
    with st.expander("As a table"):
        st.dataframe(
            [
                {
                    "Change": KINDS[c.kind],
                    "Evaluator": name_of(c.evaluator),
                    "Mean change": None if c.mean is None else round(c.mean, 4),
                    "95% from": None if c.ci is None else round(c.ci[0], 4),
                    "to": None if c.ci is None else round(c.ci[1], 4),
                    "Verdicts turned": None if c.flips is None else f"{c.flips:.1%}",
                    "Rows": c.rows,
                }
                for c in found
                if c.places
            ],
            hide_index=True,
            alt="Mean change of each score by kind of change",
        )


def _chart(found: list[Change], key: str) -> None:
    ids = [*dict.fromkeys(c.evaluator for c in found)]
    charts.show(
        charts.moves([name_of(id) for id in ids], ids, found), key=f"moves-{key}", alt=charts.moves_alt(found, name_of)
    )


def _kinds() -> dict[str, list[str]]:
    return {kind: [c.id for c in list_evaluators() if c.kind == kind] for kind in ROWS}


@st.cache_data(max_entries=64, show_spinner="Scoring every change")
def _of_pair(output: str, expected: tuple[str, ...], encoder: bool) -> list[Change]:
    return [change for ids in _kinds().values() for change in sensitivity([(output, expected)], ids)]


@st.cache_data(max_entries=16, show_spinner="Changing the rows and scoring them again")
def _of_run(run: str, encoder: bool) -> tuple[list[Change], dict[str, int]]:
    found = stored.results(run)
    out: list[Change] = []
    used: dict[str, int] = {}
    for kind, ids in _kinds().items():
        rows = _rows(found, ROWS[kind])
        if rows:
            out += sensitivity(rows, ids)
            used[kind] = len(rows)
    return out, used


def _rows(found: Results, most: int) -> list[tuple[str, tuple[str, ...]]]:
    """Outputs with their references, rows without either left out."""
    roles = found.columns
    if not roles["output"] or not roles["references"]:
        return []
    wanted = np.unique(np.linspace(0, found.n - 1, min(most, found.n)).astype(np.int64))
    table: Any = found.take(wanted, [roles["output"][0], *roles["references"]]).to_pylist()
    rows = []
    for row in table:
        output, *references = (_text(cell) for cell in row.values())
        given = tuple(text for text in references if text)
        if output and given and len(output) + sum(map(len, given)) <= MOST:
            rows.append((output, given))
    return rows


def _text(cell: Any) -> str:
    return cell.decode("utf-8", "replace") if isinstance(cell, bytes) else cell or ""


def _runs() -> dict[str, str]:
    """The newest runs by id, as they are called."""
    try:
        kept = stored.store().runs(None, RUNS)
    except JevalError:
        return {}
    return {run.id: f"{run.name[:32]}, {run.rows:,} rows ({run.id[:6]})" for run in kept}
