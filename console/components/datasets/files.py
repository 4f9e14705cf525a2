"""The first step: bring a file, open an example set, or go back to an earlier run."""

from __future__ import annotations

import pandas as pd
import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.uploaded_file_manager import UploadedFile

from console import stored
from console.components import ui
from console.components.datasets.place import Place, go
from console.names import name_of
from console.sample_sets import SETS
from jeval_core.data.errors import JevalError
from jeval_core.harness import sets, uploads

ROUND = "uploads"
"""Session key: counts the uploads taken; the uploader gets a new key with each, which lets go of its files."""
FORMATS = (
    ("Tables", "CSV, TSV, semicolons, XLSX, Parquet, also gzipped"),
    ("Lines", "JSONL, JSON, TXT, parallel text files"),
    ("Results of other tools", "promptfoo, OpenAI evals, lm-eval, Inspect, DeepEval, HELM"),
)
RECENT = 20
UNFINISHED = {
    "queued": "Waits to be started.",
    "running": "Being scored.",
    "interrupted": "Interrupted. It can be resumed.",
}
TYPES = ["csv", "tsv", "txt", "json", "jsonl", "ndjson", "parquet", "xlsx", "gz", "eval"]


def draw() -> None:
    """The whole step."""
    stored.forget()
    left, right = st.columns([1.35, 1], gap="large")
    with left:
        _upload()
    with right:
        _samples()
    _unfinished()
    _runs()


def _upload() -> None:
    ui.section("Bring a file", "Several files are several systems on the same cases.")
    key = f"upload-{st.session_state.setdefault(ROUND, 0)}"
    limit = uploads.limit_mb()
    given = st.file_uploader(
        f"Data files, up to {limit:,} MB each",
        accept_multiple_files=True,
        type=TYPES,
        key=key,
        max_upload_size=limit,
    )
    if given:
        _take(given)
    st.caption(
        "Nothing is guessed silently: encoding, delimiter, header and mapping are shown before a row is scored. "
        "The file stays on this server. A larger one is scored by “jeval run FILE” and opened below."
    )
    st.table(
        pd.DataFrame(FORMATS, columns=["Reads", "Recognised by content, not by file name"]),
        border="horizontal",
        hide_index=True,
        alt="Formats",
    )


def _take(given: list[UploadedFile]) -> None:
    """Put the files on the disk and let go of the copies in memory."""
    try:
        ids = [uploads.save(file, file.name) for file in given]
    except (JevalError, OSError) as error:
        ui.failed(error if isinstance(error, JevalError) else f"The file cannot be kept: {error.strerror}.")
        return
    run = get_script_run_ctx()
    for file in given:
        if run is not None:
            run.uploaded_file_mgr.remove_file(run.session_id, file.file_id)
        file.close()
    st.session_state[ROUND] += 1
    go(Place(files=tuple(ids)))
    st.rerun()


def _samples() -> None:
    ui.section("Or open an example set", "Each one shows a different trap.")
    for sample in SETS:
        with st.container(horizontal=True, vertical_alignment="center", border=True):
            with st.container(width="stretch"):
                ui.section(sample.name, f"{sample.note} {sample.rows} rows.", level=3)
            st.button("Open", key=f"sample-{sample.key}", on_click=go, args=(Place(sample=sample.key),))
    for name in sets.names():
        with st.container(horizontal=True, vertical_alignment="center", border=True):
            with st.container(width="stretch"):
                ui.section(name, "A regression set of this server.", level=3)
            st.button("Open", key=f"set-{name}", on_click=_open_set, args=(name,))


def _open_set(name: str) -> None:
    try:
        with sets.path(name).open("rb") as stream:
            go(Place(files=(uploads.save(stream, f"{name}.jsonl"),)))
    except (JevalError, OSError) as error:
        ui.failed(error)


def _unfinished() -> None:
    """Jobs that still run, or that need someone."""
    found = [job for job in stored.jobs().recent(RECENT) if job.state in UNFINISHED]
    if not found:
        return
    st.space("small")
    ui.section("Unfinished")
    for job in found:
        with st.container(horizontal=True, vertical_alignment="center", border=True):
            with st.container(width="stretch"):
                ui.section(job.name, UNFINISHED[job.state], level=3)
            st.button("Open", key=f"job-{job.id}", on_click=go, args=(Place(job=job.id),))


def _runs() -> None:
    runs = stored.store().runs(limit=50)
    if not runs:
        return
    st.space("small")
    ui.section("Earlier runs", "A version is the hash of the cases: the same cases always have the same version.")
    frame = pd.DataFrame(
        {
            "Data set": [r.name for r in runs],
            "Version": [r.dataset[:8] for r in runs],
            "Rows": [r.rows for r in runs],
            "Evaluators": [", ".join(name_of(id) for id in r.evaluators) for r in runs],
            "Run": [r.id[:8] for r in runs],
            "Made (UTC)": [r.created[:16].replace("T", " ") for r in runs],
        }
    )
    picked = st.dataframe(
        frame,
        hide_index=True,
        row_height=34,
        key=f"runs-{runs[0].id}-{len(runs)}",
        on_select="rerun",
        selection_mode="single-row",
        alt="Earlier runs",
        column_config={"Rows": st.column_config.NumberColumn(format="localized")},
    )
    if picked.selection.rows:
        go(Place(run=runs[picked.selection.rows[0]].id))
        st.rerun()
