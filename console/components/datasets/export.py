"""A run as a file: for a spreadsheet, a program, a build server, or a person without this product."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import streamlit as st

from console import stored
from console.report import report_of
from jeval_core.batch.scored import SCORED
from jeval_core.harness.results import Results
from jeval_core.registry import get_evaluator

KINDS = {
    "csv": ("CSV, safe for spreadsheets", "text/csv"),
    "parquet": ("Parquet", "application/octet-stream"),
    "jsonl": ("JSONL", "application/x-ndjson"),
    "xml": ("JUnit XML", "application/xml"),
    "html": ("HTML report", "text/html"),
}
WORST = 20
"""Rows that the report lists: those with the lowest scores of the first evaluator."""


def menu(found: Results) -> None:
    """Every way out; the report has the human label chosen beside the threshold.

    A file is made when its kind is picked, not at the click that takes it: a file that is made then can be lost when
    another visitor's run ends in that moment.
    """
    menu = st.popover("Export", icon=":material/download:", key="export", on_change="rerun")
    if not menu.open:
        return
    label = st.session_state.get(f"label-{found.id}")
    least = st.session_state.get(f"least-{found.id}-{label}", 0.0)
    with menu, st.container(width=260, gap="small"):
        kind = st.radio("As", [*KINDS], index=None, format_func=lambda kind: KINDS[kind][0], key="export-kind")
        if kind is None:
            return
        with st.spinner("Making the file"):
            made = content(found, kind, label, least)
        name = f"run-{found.id[:8]}.{kind}"
        size = f"{len(made) / 1e6:,.1f} MB"
        st.download_button(f"**Download** ({size})", made, name, KINDS[kind][1], on_click="ignore", key="export-file")


def content(found: Results, kind: str, label: str | None = None, least: float = 0.0) -> bytes:
    """The file's bytes."""
    if kind == "html":
        return report(found, label, least).encode()
    stream = io.BytesIO()
    found.export({"xml": "junit"}.get(kind, kind), stream)
    return stream.getvalue()


def report(found: Results, label: str | None = None, least: float = 0.0) -> str:
    """The standalone report of a run; `label` is a column of human verdicts, see `stored.labels`."""
    each = {id: stored.scored(found, id) for id in found.evaluators}
    return report_of(
        found.record,
        {id: one.score for id, one in each.items()},
        {id: stored.limit(found, get_evaluator(id).card) for id in each},
        _worst(found),
        passed={id: one.passed for id, one in each.items()},
        labels=stored.labels(found.id, label, least),
        good=f"{label} is no" if label in found.tags else f"{label} ≥ {least:g}",
    )


def _worst(found: Results) -> list[dict[str, Any]]:
    first = stored.scored(found, found.evaluators[0])
    rows = np.flatnonzero(first.status == SCORED)
    rows = rows[np.argsort(first.score[rows], kind="stable")][:WORST]
    out = []
    for at in rows.tolist():
        row = found.row(at)
        scores = {id: {part: own[part] for part in ("score", "passed")} for id, own in row["scores"].items()}
        more = {k: row[k] for k in ("input", "conversation", "criteria") if row[k] is not None}
        texts = {k: row[k] for k in ("output", "references")}
        out.append({k: row[k] for k in ("line", "id", "model_version")} | more | texts | {"scores": scores})
    return out
