"""A figure over all runs of a data set."""

from __future__ import annotations

from collections.abc import Sequence
from os.path import commonprefix
from typing import Any

import streamlit as st

from console import charts, stored
from console.charts.history import Point
from console.components import ui
from console.names import name_of
from jeval_core.harness.store.records import StoredRun

FIGURES = {"mean": "mean", "pass_rate": "pass rate", "corpus": "corpus score"}
Found = tuple[StoredRun, str, str, dict[str, Any]]


def draw(runs: Sequence[StoredRun]) -> None:
    """The chart of some runs and what it is about."""
    ids = {run.id for run in runs}
    found = [one for one in stored.store().summaries() if one[0].id in ids]
    metrics = list(dict.fromkeys(metric for _, metric, _, _ in found))
    if not metrics:
        return
    st.space("small")
    with st.container(horizontal=True, vertical_alignment="top", gap="small"):
        with st.container(width="stretch"):
            ui.section(
                "Over time",
                f"{_about(runs)} with 95% intervals. The line breaks where cases or signature changed.",
            )
        metric = st.selectbox(
            "Metric", metrics, format_func=name_of, key="over-metric", width=180, label_visibility="collapsed"
        )
        mine = [one for one in found if one[1] == metric]
        figures = [name for name in FIGURES if any(_value(name, summary) is not None for _, _, _, summary in mine)]
        if not figures:
            st.caption("No run of it scored a row.")
            return
        figure = st.segmented_control(
            "Figure", figures, default=figures[0], format_func=lambda name: FIGURES[name], required=True,
            key=f"over-figure-{metric}", label_visibility="collapsed",
        )  # fmt: skip
    points = points_of(mine, figure)
    if len(points) < 2:
        st.caption("There is one run. Score the data set again, or another version of it, to see a line.")
        return
    charts.show(
        charts.history(points, rate=figure == "pass_rate"),
        key=f"history-{points[-1].name}-{metric}-{figure}-{len(points)}",
        alt=charts.history_alt(points),
    )


def _about(runs: Sequence[StoredRun]) -> str:
    names = {run.name for run in runs}
    versions = {run.dataset[:8] for run in runs}
    about = f"Runs of {next(iter(names))}" if len(names) == 1 else f"Runs of {len(names)} files"
    return about + (f", version {next(iter(versions))}," if len(versions) == 1 else "")


def points_of(found: list[Found], figure: str) -> list[Point]:
    """Runs that have the figure, oldest first, each with why it does not compare with the one before."""
    named = names_of([run for run, _, _, _ in found])
    out: list[Point] = []
    before: StoredRun | None = None
    for name, (run, metric, _, summary) in zip(named, found, strict=True):
        value = _value(figure, summary)
        if value is None:
            continue
        ci = None if figure == "corpus" else summary.get(f"{figure}_ci")
        form = "{:.1%}" if figure == "pass_rate" else "{:.3f}"
        said = form.format(value) + (f", 95% {form.format(ci[0])} to {form.format(ci[1])}" if ci else "")
        out.append(Point(name, value, tuple(ci) if ci else None, _apart(before, run, metric), said))
        before = run
    return out


def names_of(runs: Sequence[StoredRun]) -> list[str]:
    """What the runs are called: model version, else file where there are several, else when they were made.

    What all names begin with is left out, up to the last mark that parts words.
    """
    several = len({run.name for run in runs}) > 1
    names = [run.model_version or (run.name if several else run.created[5:16].replace("T", " ")) for run in runs]
    same = commonprefix(names) if len({*names}) > 1 else ""
    cut = max(same.rfind(mark) for mark in "-_ /.") + 1
    return [name[cut:] or name for name in names]


def _apart(before: StoredRun | None, run: StoredRun, metric: str) -> str | None:
    if before is None:
        return None
    if before.signatures.get(metric) != run.signatures.get(metric):
        return "other signature"
    return None if before.dataset == run.dataset else "other cases"


def _value(figure: str, summary: dict[str, Any]) -> float | None:
    return (summary.get("corpus") or {}).get("score") if figure == "corpus" else summary.get(figure)
