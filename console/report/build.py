"""The report of a run from its numbers: charts, and how each figure was made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from console import charts
from console.report.page import Chart, html_report
from console.report.parts import name_of
from jeval_core.errors import UnknownEvaluator
from jeval_core.labels import EPSILON, number
from jeval_core.registry import get_evaluator
from jeval_core.stats import bootstrap_mean, detectable_change, histogram, threshold_curve
from jeval_core.stats.intervals import RESAMPLES, SEED

BOOTSTRAP_BELOW = 5_000
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


def report_of(
    found: Mapping[str, Any],
    scores: Mapping[str, Floats],
    thresholds: Mapping[str, float],
    rows: Sequence[Mapping[str, Any]] = (),
    *,
    passed: Mapping[str, Flags] | None = None,
    labels: NDArray[np.float64] | None = None,
) -> str:
    """HTML of one run.

    `found` is `Run.to_dict()`, `scores` and `passed` the arrays of shape (rows,) of `Run.scored`, nan and False where
    not scored. Without `passed` a score at or above its threshold passes, which is wrong for thresholds by row and for
    Levenshtein: give it. `labels` are 1, 0 or nan by row. `rows` are shown as they come, the worst first.
    """
    made: dict[str, list[Chart]] = {}
    details: dict[str, list[tuple[str, str]]] = {}
    for id in found["aggregates"]:
        if id in scores:
            verdicts = scores[id] >= thresholds[id] - EPSILON if passed is None else passed[id]
            made[id] = _charts(found, id, scores[id], verdicts, _on_scale(id, thresholds[id]), labels)
            details[id] = _details(scores[id], verdicts)
    ids = [*found["aggregates"]]
    overall = []
    if len(ids) > 1:
        matrix, names = charts.cells(ids, found.get("correlations") or {}), [name_of(id) for id in ids]
        alt = charts.correlation_alt(names, matrix)
        overall = [Chart("Spearman's ρ", "Point at a cell for its interval.", charts.correlation(names, matrix), alt)]
    passes = {id: _passes(id, t) for id, t in thresholds.items()}
    return html_report(found, made, overall=overall, thresholds=passes, details=details, rows=rows)


def _on_scale(id: str, threshold: float) -> float | None:
    """The threshold where it is one of the score; Levenshtein's is a distance."""
    try:
        on_scale = get_evaluator(id).card.max_threshold == 1
    except UnknownEvaluator:
        on_scale = 0 <= threshold <= 1
    return threshold if on_scale else None


def _passes(id: str, threshold: float) -> str:
    return f"score ≥ {number(threshold)}" if _on_scale(id, threshold) is not None else f"distance ≤ {number(threshold)}"


def _charts(
    found: Mapping[str, Any], id: str, scores: Floats, passed: Flags, threshold: float | None, labels: Floats | None
) -> list[Chart]:
    share = found["aggregates"][id]["pass_rate"]
    bins = histogram(scores, passed=passed)
    line = "The dashed line is the threshold." if threshold is not None else "The limit is not on this scale."
    out = [
        Chart(
            "Scores",
            f"{len(bins.counts)} bins. {line}",
            charts.histogram(bins, threshold, share),
            charts.histogram_alt(bins, threshold, share),
        )
    ]
    curve = threshold_curve(scores, labels)
    if threshold is None or curve.pass_rate is None:
        return out
    people = f", and agreement with {curve.n_labelled:,} human labels" if curve.n_labelled else ""
    alt = charts.explorer_alt(curve, threshold)
    note = f"Pass rate if the threshold were elsewhere{people}."
    return [*out, Chart("Where to put the threshold", note, charts.explorer(curve, threshold), alt)]


def _details(scores: Floats, passed: Flags) -> list[tuple[str, str]]:
    kept = scores[~np.isnan(scores)]
    out = []
    boot = bootstrap_mean(kept) if len(kept) < BOOTSTRAP_BELOW else None
    if boot:
        how = f"percentile, {RESAMPLES:,} resamples, seed {SEED}"
        out.append(("mean, bootstrap", f"95% {boot[0]:.3f} to {boot[1]:.3f}; {how}"))
    change = detectable_change(scores, passed)
    for name, one, unit, scale in (
        ("detectable change, mean", change.mean, "", 1),
        ("detectable change, pass rate", change.pass_rate, " points", 100),
    ):
        if one:
            digits = 1 if scale == 100 else 3
            pair, other = (f"{x * scale:.{digits}f}{unit}" for x in (one.paired, one.independent))
            how = "80% power, two-sided 5%, a new run of the same size"
            r = f"taking a correlation of {change.correlation:g} between the runs"
            out.append((name, f"{pair} row by row on the same rows, {r}; {other} on other rows; {how}"))
    return out
