"""Runs: what was scored on this server, how figures moved over time, and what leads on from a run."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from console import stored
from console.components import ui
from console.components.runs import listed, over_time
from jeval_core.data.errors import JevalError
from jeval_core.harness.store.records import StoredRun

MOST = 1_000  # runs that are listed, the newest
ALL = "All data sets"


def main() -> None:
    """The list, and the history of one data set."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.title("Runs", anchor=False, width="content")
        st.space("stretch")
        chooser = st.container(width="content")
    try:
        runs = stored.store().runs(limit=MOST)
        if not runs:
            _empty()
            return
        with chooser:
            chosen = st.selectbox(
                "Data set", [ALL, *_choices(runs)], key="runs-of", bind="query-params", label_visibility="collapsed",
                width=300,
            )  # fmt: skip
        shown = [run for run in runs if chosen in (ALL, run.name, _version(run))]
        ui.section(ui.count(len(shown), "run"), "A version is the hash of the cases: the same cases have the same one.")
        listed.draw(shown)
        family = [run for run in shown if run.name == shown[0].name or run.dataset == shown[0].dataset]
        over_time.draw(shown if chosen != ALL else family)
    except JevalError as error:
        ui.failed(error)


def _version(run: StoredRun) -> str:
    return f"version {run.dataset[:8]}"


def _choices(runs: Sequence[StoredRun]) -> list[str]:
    """Names of data sets, and versions that come under several names."""
    versions: dict[str, set[str]] = {}
    for run in runs:
        versions.setdefault(_version(run), set()).add(run.name)
    return [*dict.fromkeys(run.name for run in runs), *(v for v, names in versions.items() if len(names) > 1)]


def _empty() -> None:
    with st.container(border=True, gap="small"):
        ui.section("No run yet", "A run is a scored file, kept with its texts, scores and settings.")
        st.page_link("views/datasets.py", label="**Score a file on Datasets**", width="content")
    st.session_state.setdefault(listed.ROUND, 0)
    listed.import_one()


main()
