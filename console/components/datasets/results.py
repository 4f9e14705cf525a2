"""The fourth step: what a run says as a whole. Every mark on it opens its rows."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

import numpy as np
import streamlit as st

from console import charts, stored
from console.components import ui
from console.components.controlled import controlled
from console.components.datasets import breakdown, export, judged, problems, rowlist
from console.components.datasets.place import Place, change, go
from console.names import name_of
from jeval_core import stats
from jeval_core.data.errors import JevalError
from jeval_core.harness.labels import says_bad
from jeval_core.harness.results import Results
from jeval_core.stats.intervals import BOOTSTRAP_BELOW, RESAMPLES, SEED

CHANGE = (
    "The smallest change of a second run on the same rows that a test at 5% finds with 80% power, if the verdicts of "
    "both runs correlate at 0.5."
)
NAME = 48
"""Characters of a data set's name that are shown."""


def draw(here: Place) -> None:
    """Everything about one run."""
    try:
        found = stored.results(here.run or "")
    except JevalError as error:
        ui.failed(error)
        st.button("Choose a file or a run", on_click=go, args=(Place(),))
        return
    if not stored.evaluators(found):
        ui.failed(f"This version does not know what scored this run: {', '.join(found.evaluators)}.")
        return
    here = stored.possible(here, found)
    metric = stored.metric(found, here.metric or "")
    _head(here, found)
    summary = found.record["aggregates"][metric.id]
    judged.strip(found, metric)
    _figures(found, metric, summary)
    if summary["n"]:
        left, right = st.columns([1.35, 1], gap="small")
        with left, st.container(border=True, height="stretch"):
            _histogram(here, found, metric, summary)
        with right, st.container(border=True, height="stretch"):
            _threshold(here, found, metric)
        left, right = st.columns([1.35, 1], gap="small")
        with left, st.container(border=True, height="stretch"):
            breakdown.groups(here, found, metric, summary)
        with right, st.container(border=True, height="stretch"):
            breakdown.agreement(found)
        judged.beside_people(found, metric)
    rowlist.draw(here, found, metric)
    _took(found)
    account = problems.account(found.record["rows"])
    problems.lines(found.record["problems"], account, key="results", unit=stored.unit(found))


def _head(here: Place, found: Results) -> None:
    data = found.record
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        controlled(
            st.pills,
            "Metric",
            stored.evaluators(found),
            here.metric,
            lambda id: change(metric=id, bar=None),
            key="metric",
            required=True,
            format_func=name_of,
        )
        name = data["dataset"]["name"]
        ui.chips(ui.literal(name if len(name) <= NAME else f"{name[: NAME - 1]}…"))
        ui.chips(f"version {data['dataset']['version'][:8]}", f"run {found.id[:8]}")
        st.space("stretch")
        # a link: switching pages would leave this page's address with the other's parameters
        st.link_button("Compare", f"./compare?{urlencode({'a': found.id})}")
        export.menu(found)


def _took(found: Results) -> None:
    """What each evaluator took."""
    spent = sorted(found.seconds.items(), key=lambda one: -one[1])
    if spent:
        each = ", ".join(f"{name_of(id)} {seconds:.2f} s" for id, seconds in spent)
        st.caption(ui.literal(f"Time, summed over processors: {each}."))


def _interval(ci: Any, form: str) -> str:
    return f"95% {ci[0]:{form}} to {ci[1]:{form}}" if ci else "one row has no interval"


def _figures(found: Results, metric: stored.Metric, summary: dict[str, Any]) -> None:
    """Headline numbers: value, and its interval or unit."""
    rows = found.record["rows"]
    left = [f"{rows[k]:,} {k}" for k in ("skipped", "failed", "rejected") if rows[k]]
    items = []
    if summary["n"]:
        items.append(("Mean", f"{summary['mean']:.3f}", _interval(summary["mean_ci"], ".3f")))
        if "corpus" in summary:
            items.append((f"Corpus {metric.card.name}", f"{summary['corpus']['score']:.3f}", "counts summed first"))
        items.append(("Pass rate", f"{summary['pass_rate']:.1%}", _interval(summary["pass_rate_ci"], ".1%")))
    else:
        items.append(("Mean", "–", "no row was scored"))
    items.append(("Rows scored", f"{summary['n']:,}", ", ".join(left) or "all rows of the file"))
    if summary["n"] > 1:
        scored = stored.scored(found, metric.id)
        least = stats.detectable_change(scored.score, scored.passed).pass_rate
        if least:
            items.append(("Detectable change", f"{100 * least.paired:.1f} pt", "in pass rate, 80% power"))
        else:
            items.append(("Detectable change", "–", "too few rows to tell any"))
    with st.grid(len(items), min_column_width=150, gap="small"):
        for label, value, note in items:
            more = CHANGE if label == "Detectable change" else None
            st.metric(label, value, delta_description=note, border=True, height="stretch", help=more)


def _histogram(here: Place, found: Results, metric: stored.Metric, summary: dict[str, Any]) -> None:
    counts = stored.histogram(found.id, metric.id)
    limit = None if found.columns["threshold"] else metric.threshold
    line = "" if limit is None else f" The dashed line is the threshold {limit:g}."
    line = " Rows have thresholds of their own." if found.columns["threshold"] else line
    ui.section("Scores", f"{metric.card.name} in {len(counts.counts)} bins.{line} Click a bar to see its rows.")
    figure = charts.histogram(counts, limit, summary["pass_rate"], selected=here.bar)
    event = charts.show(
        figure,
        key=f"histogram-{found.id}-{metric.id}-{here.bar}",
        alt=charts.histogram_alt(counts, limit, summary["pass_rate"]),
        on_select="rerun",
    )
    _two_intervals(found, metric.id, summary)
    picked = charts.picked_bin(event)
    if picked is not None and picked != here.bar:
        change(bar=picked)
        st.rerun()


def _two_intervals(found: Results, id: str, summary: dict[str, Any]) -> None:
    """The bootstrap beside the t interval: where they differ, the scores are too skewed for the latter."""
    if not 2 <= summary["n"] < BOOTSTRAP_BELOW:
        return
    again = stored.bootstrap(found.id, id)
    if again is None:
        return
    st.caption(
        f"95% of the mean by Student's t: {summary['mean_ci'][0]:.3f} to {summary['mean_ci'][1]:.3f}; "
        f"by bootstrap ({RESAMPLES:,} resamples, seed {SEED}): {again[0]:.3f} to {again[1]:.3f}."
    )


def _threshold(here: Place, found: Results, metric: stored.Metric) -> None:
    ui.section("Where to put the threshold", "Pass rate, and agreement with a human label, as the threshold moves.")
    if metric.threshold is None:
        st.caption(f"{metric.card.name} passes at a number of edits, not at a score.")
        return
    label, least = _label(found)
    at = st.slider(
        "Threshold",
        0.0,
        1.0,
        float(metric.threshold),
        0.01,
        key=f"threshold-{found.id}-{metric.id}",
        label_visibility="collapsed",
    )
    curve = stored.curve(found.id, metric.id, label, least, at)
    charts.show(charts.explorer(curve, at), key=f"explorer-{found.id}-{metric.id}", alt=charts.explorer_alt(curve, at))
    st.caption(charts.explorer_note(curve, at))


def _label(found: Results) -> tuple[str | None, float]:
    """Whose verdict the threshold is held against."""
    names = stored.label_names(found)
    if not names:
        return None, 0.0
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        label = st.selectbox("Human label", names, key=f"label-{found.id}", width=220)
        if label in found.columns["tags"]:
            st.caption(ui.literal(f"A row is good where {label} is no."))
            return label, 0.0
        key = f"least-{found.id}-{label}"
        if label in stored.yes_no_columns(found):
            usual = [0.0, 1.0] if says_bad(label) else [1.0, 0.0]
            good = st.selectbox("good is", usual, format_func=lambda x: "yes" if x else "no", key=key, width=120)
            return label, float(good)
        gold = found.numbers(label)
        low, high = (float(np.nanmin(gold)), float(np.nanmax(gold))) if not np.isnan(gold).all() else (0.0, 1.0)
        least = st.number_input("good from", low, high, value=(low + high) / 2, key=key, width=120)
    return label, least
