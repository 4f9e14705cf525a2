"""The third step: a job at work, cancelled, failed or cut off."""

from __future__ import annotations

import streamlit as st

from console import stored
from console.components import ui
from console.components.datasets.place import Place, go
from jeval_core.data.errors import JevalError
from jeval_core.harness.jobs import LIVE, Job
from jeval_core.harness.spec import Spec

STOPS = "datasets.stops"
"""Session key: the job that was asked to stop."""


def start(spec: Spec) -> None:
    """Callback: put a job down, let it begin, and go to it."""
    try:
        jobs = stored.jobs()
        id = jobs.add(spec)
        jobs.start(id)
    except (JevalError, OSError) as error:
        ui.failed(error)
        return
    go(Place(job=id))


def draw(place: Place) -> None:
    """Poll while it runs; go to the results when it is done."""
    try:
        job = stored.jobs().get(place.job or "")
    except JevalError as error:
        ui.failed(error)
        return
    if job.state == "done" and job.run_id:
        go(Place(run=job.run_id))
        st.rerun()
    if job.state in LIVE:
        st.fragment(_live, run_every=0.5)(place.job)
    else:
        _ended(job)


def _live(id: str) -> None:
    try:
        job = stored.jobs().get(id)
    except JevalError as error:
        ui.failed(error)
        return
    if job.state not in LIVE:
        st.rerun()
    with st.container(border=True, gap="small"):
        with st.container(horizontal=True, vertical_alignment="center"):
            stage, _, asked = job.stage.partition(": ")
            with st.container(width="stretch"):
                ui.section(f"Scoring {job.name}", f"Job {id}, {stage}.")
            stops = st.session_state.get(STOPS) == id
            st.button("Cancel", icon=":material/close:", key="cancel", on_click=_cancel, args=(id,), disabled=stops)
        share = job.done / job.rows if job.rows else 0.0
        st.progress(min(1.0, share))
        with st.container(horizontal=True, gap="large"):
            for big, small in (*_figures(job, share), *_asked(asked)):
                with st.container(gap=None, width="content"):
                    st.markdown(f"**{big}**")
                    st.caption(small)
    stays = "You can leave this page. The job keeps running and this address finds it again."
    st.caption("It stops as soon as the file is read or the block of rows is done." if stops else stays)


def _cancel(id: str) -> None:
    st.session_state[STOPS] = id
    stored.jobs().cancel(id)


def _figures(job: Job, share: float) -> list[tuple[str, str]]:
    rows = f"{job.done:,} of {job.rows:,} rows" if job.rows else "rows are being read"
    figures = [(f"{share:.1%}", rows)]
    figures += [(f"{job.rate:,.0f} rows/s", "in the last seconds")] if job.rate else []
    figures += [(f"{job.seconds_left:.0f} s", "left")] if job.seconds_left is not None and job.rate else []
    return figures


def _asked(said: str) -> list[tuple[str, str]]:
    """What a judge was asked so far: the number, and what it counts."""
    pairs = [part.partition(" ") for part in said.split(", ") if part]
    return [(number, what) for number, _, what in pairs]


def _ended(job: Job) -> None:
    words = {
        "failed": ("This run could not be made", None),
        "cancelled": ("Cancelled", "Nothing of it was kept. It can be started again with the same settings."),
        "interrupted": (
            "Interrupted",
            "The program that worked on it is gone. Nothing half-done was kept; it starts again from its first row.",
        ),
    }
    title, note = words.get(job.state, (job.state, None))
    with st.container(border=True, gap="small"):
        ui.section(title, note or f"{job.name}: nothing was scored.")
        if job.error:
            st.text(job.error)
        with st.container(horizontal=True, gap="small"):
            label = "**Resume**" if job.state == "interrupted" else "**Run again**"
            st.button(label, key="resume", on_click=_again, args=(job.id,))
            if job.state == "failed":
                st.button("Back to the mapping", key="back", on_click=_back)


def _again(id: str) -> None:
    st.session_state.pop(STOPS, None)
    stored.jobs().resume(id)
    stored.jobs().start(id)


def _back() -> None:
    from console.components.datasets.place import LAST

    go(st.session_state.get(LAST, {}).get("Mapping", Place()))
