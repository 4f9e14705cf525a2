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

KINDS = {
    "csv": ("CSV, safe for spreadsheets", "text/csv"),
    "parquet": ("Parquet", "application/octet-stream"),
    "jsonl": ("JSONL", "application/x-ndjson"),
    "xml": ("JUnit XML", "application/xml"),
    "html": ("HTML report", "text/html"),
}
WORST = 20
"""Rows with the lowest scores that the report lists for each evaluator."""


def menu(found: Results) -> None:
    """Every way out, made when it is asked for."""
    with st.popover("Export", icon=":material/download:"):
        for kind, (label, mime) in KINDS.items():
            st.download_button(
                label,
                data=lambda kind=kind: content(found, kind),
                file_name=f"run-{found.id[:8]}.{kind}",
                mime=mime,
                on_click="ignore",
                type="tertiary",
                key=f"export-{kind}",
            )


def content(found: Results, kind: str) -> bytes:
    """The file's bytes."""
    if kind == "html":
        return report(found).encode()
    stream = io.BytesIO()
    found.export({"xml": "junit"}.get(kind, kind), stream)
    return stream.getvalue()


def report(found: Results) -> str:
    """The standalone report of a run."""
    scores = {id: stored.scored(found, id).score for id in found.evaluators}
    thresholds = {id: stored.metric(found, id).threshold for id in found.evaluators}
    return report_of(found.record, scores, thresholds, _worst(found))


def _worst(found: Results) -> list[dict[str, Any]]:
    first = stored.scored(found, found.evaluators[0])
    rows = np.flatnonzero(first.status == SCORED)
    rows = rows[np.argsort(first.score[rows], kind="stable")][:WORST]
    out = []
    for at in rows.tolist():
        row = found.row(at)
        scores = {id: part["score"] for id, part in row["scores"].items()}
        out.append({k: row[k] for k in ("line", "id", "output", "references")} | {"scores": scores})
    return out
