"""The report of a run from its numbers: sections, charts, and how each figure was made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from console import charts
from console.names import name_of
from console.report import notes, summary
from console.report.cells import between, score
from console.report.markup import Markup, join
from console.report.page import Chart, Page
from console.report.summary import Measured
from jeval_core.errors import UnknownEvaluator
from jeval_core.labels import EPSILON, number
from jeval_core.registry import get_evaluator
from jeval_core.stats import bootstrap_mean, detectable_change, histogram, rate_interval, threshold_curve
from jeval_core.stats.intervals import BOOTSTRAP_BELOW

HEIGHT = 306
"""Pixels of both charts of an evaluator, which stand side by side."""
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Found = Mapping[str, Any]


def report_of(
    found: Found,
    scores: Mapping[str, Floats],
    thresholds: Mapping[str, float | None],
    rows: Sequence[Found] = (),
    *,
    passed: Mapping[str, Flags] | None = None,
    labels: Floats | None = None,
    good: str = "the label says so",
) -> str:
    """HTML of one run, the same bytes for the same run.

    `found` is `Run.to_dict()` or `Results.record`; `scores` and `passed` are the arrays of shape (rows,) of `Scored`,
    nan and False where not scored. Without `passed` a score at or above its threshold passes: wrong for thresholds by
    row, and unknown for a distance such as Levenshtein's. `labels` are 1 good, 0 bad or nan by row, `good` says in
    words which rows are good ones, such as "score ≥ 3". `rows` have the
    lowest scores of the first evaluator, the lowest first: `line`, `id`, `model_version`, `references` as (name, text),
    `scores` by evaluator as numbers or with `score` and `passed`; any other key is shown as a text of that name.
    """
    ids = [*found["aggregates"]]
    page = Page()
    measured: dict[str, Measured] = {}
    sections: list[Markup] = []
    for at, id in enumerate(ids):
        values, threshold = scores.get(id), thresholds.get(id)
        own = Measured(_passes(found, id, threshold), facts=_signatures(found, id))
        drawn: list[Chart] = []
        if values is not None and found["aggregates"][id]["n"]:
            verdicts = passed[id] if passed is not None else _reached(values, _on_scale(id, threshold))
            own = _measured(own, values, verdicts, labels)
            drawn = _charts(found, id, values, verdicts, _on_scale(id, threshold), labels)
        measured[id] = own
        sections.append(summary.evaluator(found, id, own, page.place(drawn), f"evaluator-{at}"))
    together = notes.agreement(found, page.place(_correlation(found, ids)))
    body = [
        summary.head(found, _contents(found, ids, bool(together), bool(rows))),
        summary.overview(found, measured),
        *sections,
        together or Markup(""),
        notes.judged(found) or Markup(""),
        notes.lowest(rows, ids[0], notes.unit(found)) if rows and ids else Markup(""),
        notes.lines(found),
        notes.method(found, measured, good if any(own.agrees for own in measured.values()) else None),
    ]
    return page.html(str(found["dataset"]["name"]), join(*body))


def _contents(found: Found, ids: Sequence[str], together: bool, rows: bool) -> dict[str, str]:
    """Anchor → title."""
    out = {"results": "Results"} | {f"evaluator-{at}": name_of(id) for at, id in enumerate(ids)}
    more = {"agreement": together, "lowest": rows, "lines": bool(found.get("problems")), "method": True}
    return out | {anchor: notes.TITLES[anchor] for anchor, there in more.items() if there}


def _reached(values: Floats, threshold: float | None) -> Flags | None:
    return None if threshold is None else values >= threshold - EPSILON


def _on_scale(id: str, threshold: float | None) -> float | None:
    """The threshold where it is one of the score; Levenshtein's is a distance."""
    if threshold is None:
        return None
    try:
        on_scale = get_evaluator(id).card.max_threshold == 1
    except UnknownEvaluator:
        on_scale = 0 <= threshold <= 1
    return threshold if on_scale else None


def _passes(found: Found, id: str, threshold: float | None) -> str | None:
    if threshold is None:
        return None
    limit = "score ≥" if _on_scale(id, threshold) is not None else "distance ≤"
    own = " unless it has a threshold of its own" if (found.get("mapping") or {}).get("threshold") else ""
    return f"{limit} {number(threshold)}{own}"


def _signatures(found: Found, id: str) -> list[tuple[str, str]]:
    corpus = found["aggregates"][id].get("corpus")
    out: list[tuple[str, str]] = [("Signature", notes.code(found["signatures"].get(id, "–")))]
    return [*out, ("Corpus", notes.code(corpus["signature"]))] if corpus else out


def _measured(own: Measured, values: Floats, passed: Flags | None, labels: Floats | None) -> Measured:
    kept = values[~np.isnan(values)]
    facts = [*own.facts]
    boot = bootstrap_mean(kept) if len(kept) < BOOTSTRAP_BELOW else None
    if boot:
        facts.append(("Mean by bootstrap", between(boot, score)))
    change = detectable_change(values, passed)
    said = []
    for name, one, write in (("mean", change.mean, score), ("pass rate", change.pass_rate, _points)):
        if one:
            said.append(f"{name} by {write(one.paired)}")
            kinds = f"{write(one.paired)} on the same rows, {write(one.independent)} on others"
            facts.append((f"Smallest change, {name}", kinds))
    note = f"A new run on the same rows stands out from chance once it moves the {' or the '.join(said)}."
    return Measured(own.passes, note if said else None, _agrees(values, passed, labels), facts)


def _points(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.1f} points"


def _agrees(
    values: Floats, passed: Flags | None, labels: Floats | None
) -> tuple[float, tuple[float, float] | None, int] | None:
    if labels is None or passed is None:
        return None
    known = ~np.isnan(labels) & ~np.isnan(values)
    n = int(known.sum())
    same = int((passed[known] == (labels[known] == 1)).sum())
    return (same / n, rate_interval(same, n), n) if n else None


def _charts(
    found: Found, id: str, values: Floats, passed: Flags | None, threshold: float | None, labels: Floats | None
) -> list[Chart]:
    share = found["aggregates"][id]["pass_rate"]
    bins = histogram(values, passed=passed)
    line = "the dashed line is the threshold" if threshold is not None else "the limit is not on this scale"
    note = f"Rows by score, in {len(bins.counts)} bins; {line}."
    alt = charts.histogram_alt(bins, threshold, share)
    out = [Chart("Scores", note, charts.histogram(bins, threshold, share), alt)]
    curve = threshold_curve(values, labels, also=[] if threshold is None else [threshold])
    if threshold is None or curve.pass_rate is None:
        return out
    people = f", and how far it agrees with {curve.n_labelled:,} human labels" if curve.n_labelled else ""
    figure = charts.explorer(curve, threshold).update_layout(height=HEIGHT)
    alt = charts.explorer_alt(curve, threshold)
    return [*out, Chart("If the threshold moved", f"Pass rate by threshold{people}.", figure, alt)]


def _correlation(found: Found, ids: Sequence[str]) -> list[Chart]:
    """A matrix; of two evaluators the table says it all."""
    if len(ids) < 3 or not found.get("correlations"):
        return []
    matrix, names = charts.cells(ids, found["correlations"]), [name_of(id) for id in ids]
    note, alt = "Darker is closer; point at a cell for its interval.", charts.correlation_alt(names, matrix)
    return [Chart("Spearman ρ", note, charts.correlation(names, matrix), alt)]
