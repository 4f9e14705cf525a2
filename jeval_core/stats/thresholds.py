"""What a threshold does to the pass rate and to the agreement with people, at one place and at all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from jeval_core.labels import EPSILON
from jeval_core.stats.intervals import Interval, rate_interval

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Labels = NDArray[np.float64] | NDArray[np.bool_]
POINTS = 101


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """Columns of shape (points,) over thresholds `at` from 0 to 1.

    `pass_rate`: share of the `n` scored rows that pass, None when there are none. `agreement`: share of the
    `n_labelled` rows whose verdict is the human label, None without labels; `kappa`: the same beyond chance (Cohen
    1960), None when people gave one label only. `best`: the threshold where the agreement is highest, in the middle of
    the longest stretch of equals.
    """

    at: Floats
    pass_rate: Floats | None
    agreement: Floats | None
    kappa: Floats | None
    best: float | None
    n: int
    n_labelled: int


@dataclass(frozen=True, slots=True)
class Reading:
    """One threshold, exactly, with Wilson's intervals; None where there are no rows or no labels."""

    at: float
    n: int
    n_pass: int
    pass_rate: float | None
    pass_rate_ci: Interval | None
    n_labelled: int
    agreement: float | None
    agreement_ci: Interval | None
    kappa: float | None


def threshold_curve(
    scores: Floats, labels: Labels | None = None, points: int = POINTS, also: Sequence[float] = ()
) -> Curve:
    """Pass rate and agreement at `points` thresholds (two or more), for scores of shape (n,), nan where a row has none.

    `also` are thresholds in 0..1 that the curve has to hold exactly, wherever its grid lies.

    A row passes when its score ≥ threshold − 1e-9, the rule of every evaluator whose score grows with quality. `labels`
    of shape (n,) are yes (1, True) or no (0, False), nan where people said nothing; any other number raises
    ValueError. One sort, then a search for each threshold.
    """
    scores, yes, no = _split(scores, labels)
    at = np.union1d(np.arange(points) / (points - 1), [t for t in also if 0 <= t <= 1])
    n, labelled = len(scores), len(yes) + len(no)
    rate = _at_least(scores, at) / n if n else None
    if not labelled:
        return Curve(at, rate, None, None, None, n, 0)
    hits, false = _at_least(yes, at), _at_least(no, at)
    agreement = (hits + len(no) - false) / labelled
    return Curve(at, rate, agreement, _kappa(hits, false, len(yes), len(no)), _best(at, agreement), n, labelled)


def threshold_at(scores: Floats, at: float, labels: Labels | None = None) -> Reading:
    """The numbers of `threshold_curve` at one threshold, which need not lie on its grid."""
    kept = ~np.isnan(scores)
    passed = scores >= at - EPSILON  # False for nan
    n, n_pass = int(kept.sum()), int(passed.sum())
    yes, no = _said(labels, kept)
    hits, false = int((passed & yes).sum()), int((passed & no).sum())
    n_yes, n_no = int(yes.sum()), int(no.sum())
    labelled, agreed = n_yes + n_no, hits + n_no - false
    kappa = _kappa(np.array([hits]), np.array([false]), n_yes, n_no)
    return Reading(
        at,
        n,
        n_pass,
        n_pass / n if n else None,
        rate_interval(n_pass, n),
        labelled,
        agreed / labelled if labelled else None,
        rate_interval(agreed, labelled),
        None if kappa is None else float(kappa[0]),
    )


def _split(scores: Floats, labels: Labels | None) -> tuple[Floats, Floats, Floats]:
    """Scores in order: all, those that people called yes, those that they called no."""
    kept = ~np.isnan(scores)
    yes, no = _said(labels, kept)
    return np.sort(scores[kept]), np.sort(scores[yes]), np.sort(scores[no])


def _said(labels: Labels | None, kept: Flags) -> tuple[Flags, Flags]:
    """Which of the rows kept people called yes, and which no."""
    if labels is None:
        return np.zeros_like(kept), np.zeros_like(kept)
    said = labels.astype(np.float64)
    yes, no = said == 1, said == 0
    strange = ~(yes | no | np.isnan(said))
    if strange.any():
        raise ValueError(f"A label is {said[strange][0]:g}. Labels are 1 for yes, 0 for no, nan for none.")
    return yes & kept, no & kept


def _at_least(ordered: Floats, at: Floats) -> NDArray[np.int64]:
    """How many reach each threshold."""
    return np.asarray(len(ordered) - np.searchsorted(ordered, at - EPSILON, side="left"), np.int64)


def _kappa(hits: NDArray[np.int64], false: NDArray[np.int64], yes: int, no: int) -> Floats | None:
    """Cohen's kappa (p_o − p_e) / (1 − p_e) of verdict and label; with both labels present p_e < 1."""
    if not yes or not no:
        return None
    n = yes + no
    share = (hits + false) / n
    chance = share * yes / n + (1 - share) * no / n
    return np.asarray(((hits + no - false) / n - chance) / (1 - chance), np.float64)


def _best(at: Floats, agreement: Floats) -> float:
    """Middle of the longest run of thresholds with the highest agreement."""
    top = np.flatnonzero(agreement == agreement.max())
    runs = np.split(top, np.flatnonzero(np.diff(top) > 1) + 1)
    longest = max(runs, key=len)
    return float(at[longest[(len(longest) - 1) // 2]])
