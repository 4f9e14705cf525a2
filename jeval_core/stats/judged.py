"""Judges' distributions beside gold labels: how far off they are, how often exact, and whether p means what it says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jeval_core.labels import EPSILON
from jeval_core.stats.intervals import Interval, mean_interval, rate_interval

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]
Flags = NDArray[np.bool_]
MOST_BINS = 10
FEWEST = 5
"""Rows of a bin of a reliability diagram at least, unless there are fewer altogether."""
SAME = 9
"""Decimals to which two probabilities are the same one."""


@dataclass(frozen=True, slots=True, eq=False)
class LevelAgreement:
    """Of the `n` rows with a distribution and a gold level; `n_scored` have the first, `n_gold` the second.

    `mae`: mean |E − gold| in levels. `exact`: share of rows whose likeliest level is the gold level. `confusion` of
    shape (levels, levels): rows by gold level (first axis) and likeliest level. What there is none of is None, and
    `reason` says why.
    """

    n: int
    n_scored: int
    n_gold: int
    mae: float | None
    mae_ci: Interval | None
    exact: float | None
    exact_ci: Interval | None
    confusion: Counts
    reason: str | None

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON data."""
        return _plain(self)


@dataclass(frozen=True, slots=True, eq=False)
class ChoiceAgreement:
    """As LevelAgreement, over named options; `n_unknown` rows name none of them as gold and do not count."""

    n: int
    n_scored: int
    n_gold: int
    n_unknown: int
    exact: float | None
    exact_ci: Interval | None
    confusion: Counts
    reason: str | None

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON data."""
        return _plain(self)


@dataclass(frozen=True, slots=True)
class ReliabilityBin:
    """`n` rows whose probabilities lie in [low, high]: their mean, and how many of them were yes, with Wilson's."""

    low: float
    high: float
    mean_p: float
    rate: float
    rate_ci: Interval
    n: int

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON data."""
        return _plain(self)


@dataclass(frozen=True, slots=True)
class YesNoAgreement:
    """Of the `n` rows with a probability and a truth: brier = reliability − resolution + uncertainty + within.

    0 is best for `brier`, 1 worst; who always said `base_rate`, the share of yes, would get `uncertainty`. What there
    is none of is None, and `reason` says why.
    """

    n: int
    n_scored: int
    n_gold: int
    brier: float | None
    brier_ci: Interval | None
    base_rate: float | None
    reliability: float | None
    resolution: float | None
    uncertainty: float | None
    within: float | None
    bins: tuple[ReliabilityBin, ...]
    reason: str | None

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON data."""
        return _plain(self)


def levels(gold: Floats, scale: Interval, n: int) -> Floats:
    """Level positions 0..n−1, as floats, of gold numbers of shape (rows,) on a scale from worst to best.

    nan stays nan, and what is outside the scale becomes nan. ValueError for a scale without extent or n below 2.
    """
    low, high = scale
    if not low < high or n < 2:
        raise ValueError(f"A scale runs up, over two levels or more: not from {low:g} to {high:g} over {n}.")
    inside = (gold >= low - EPSILON) & (gold <= high + EPSILON)  # False for nan
    share = (np.clip(np.where(inside, gold, low), low, high) - low) / (high - low)
    return np.where(inside, share * (n - 1), np.nan)


def guessed_scale(gold: Floats, n: int) -> tuple[Interval, bool] | None:
    """The scale of gold numbers of shape (rows,) for n levels, and whether another could be meant as well.

    The first of 0..1, 1..n and 0..n−1 that holds all finite values, None if none does or there is no value. The
    narrowest comes first, as values spread evenly over a scale are likeliest under the narrowest that holds them; of
    the two of one width, 1..n is how people number levels. A value that is no whole number rules out both as long as
    none is above 1.
    """
    values = gold[np.isfinite(gold)]
    if not len(values):
        return None
    low, high = float(values.min()), float(values.max())
    scales = [(0.0, 1.0)] if high <= 1 and (values % 1).any() else [(0.0, 1.0), (1.0, float(n)), (0.0, float(n - 1))]
    fitting = [*dict.fromkeys(s for s in scales if s[0] <= low and high <= s[1])]
    return (fitting[0], len(fitting) > 1) if fitting else None


def level_agreement(probabilities: Floats, gold: Floats) -> LevelAgreement:
    """Distributions over n levels, of shape (rows, n), beside gold levels 0..n−1 of shape (rows,), see `levels`.

    A row of nan was not scored; the others are divided by their sum. The level said is the likeliest, the lowest of
    equals; a gold level between two (of several people) is rounded for it, halves up. The interval of `mae` is
    Student's, cut at 0 and n−1, and None when all errors are equal, since such a sample says nothing about spread;
    that of `exact` is Wilson's. ValueError for a negative or infinite number, a row of zeros, or a gold level outside.
    """
    p, n = _normal(probabilities), probabilities.shape[1]
    outside = (gold < -EPSILON) | (gold > n - 1 + EPSILON)
    if outside.any():
        raise ValueError(f"A gold level is {gold[outside][0]:g}, outside 0 to {n - 1}.")
    scored, known = ~np.isnan(p[:, 0]), ~np.isnan(gold)
    both = scored & known
    p, truth = p[both], gold[both]
    errors = np.abs(p @ np.arange(n) - truth)
    nearest = np.clip(np.floor(truth + 0.5 + EPSILON), 0, n - 1).astype(np.int64)
    found = len(p), int(scored.sum()), int(known.sum()), *_mean(errors, n - 1), *_exact(p, nearest)
    return LevelAgreement(*found, _reason(errors, scored, known))


def choice_agreement(probabilities: Floats, gold: Sequence[str | None], names: Sequence[str]) -> ChoiceAgreement:
    """Distributions of shape (rows, options) beside the gold name of each row, None or "" where there is none.

    `names` are the options in the order of the columns. See `level_agreement` for the rest.
    """
    p, place = _normal(probabilities), {name: i for i, name in enumerate(names)}
    at = np.array([place.get(name, -1) if name else -2 for name in gold], np.int64)
    scored, known, unknown = ~np.isnan(p[:, 0]), at >= 0, int((at == -1).sum())
    both = scored & known
    reason = None if both.any() else _missing(scored, known)
    if unknown and not known.any():
        reason = "no gold label names an option"
    counted = int(both.sum()), int(scored.sum()), int(known.sum()), unknown
    return ChoiceAgreement(*counted, *_exact(p[both], at[both]), reason)


def yes_no_agreement(p_yes: Floats, truth: Floats | Flags) -> YesNoAgreement:
    """Probabilities of yes beside what was true (1, True or 0, False), both of shape (rows,), nan where there is none.

    The Brier score is the mean of (p − truth)², half of Brier's (1950) own, which sums over yes and no. Its interval is
    Student's, cut at 0 and 1, None as in `level_agreement`. With nₖ rows, mean p̄ₖ and rate ōₖ in bin k and rate ō
    overall (Murphy 1973), reliability = Σ nₖ(p̄ₖ − ōₖ)² / n (0 is best), resolution = Σ nₖ(ōₖ − ō)² / n and
    uncertainty = ō(1 − ō). `within` is what is left when a bin holds different probabilities (Stephenson, Coelho and
    Jolliffe 2008); it can be negative.

    Bins hold about as many rows each, since judges put most answers near 0 and 1: bins of equal width would be all but
    empty in the middle. There are 10 at most, and one for each probability where no more than 10 are different. Equal
    probabilities share a bin, and a bin under 5 rows joins its neighbour nearest in probability. ValueError for a
    probability outside 0..1 or another truth.
    """
    said = truth.astype(np.float64)
    scored, known = ~np.isnan(p_yes), ~np.isnan(said)
    if not np.isin(said[known], (0, 1)).all():
        raise ValueError("A truth is neither 1 for yes, nor 0 for no, nor nan for none.")
    if (np.abs(p_yes[scored] - 0.5) > 0.5 + EPSILON).any():
        raise ValueError("A probability is outside 0 to 1.")
    both = scored & known
    p, yes = np.clip(p_yes[both], 0.0, 1.0), said[both]
    counted = len(p), int(scored.sum()), int(known.sum())
    squares = (p - yes) ** 2
    brier, brier_ci = _mean(squares, 1)
    reason = _reason(squares, scored, known)
    if brier is None:
        return YesNoAgreement(*counted, None, None, None, None, None, None, None, (), reason)
    bins, base = _bins(p, yes), float(yes.mean())
    n, mean_p, rate = (np.array([getattr(b, name) for b in bins]) for name in ("n", "mean_p", "rate"))
    off, spread = float(n @ (mean_p - rate) ** 2 / len(p)), float(n @ (rate - base) ** 2 / len(p))
    sure = base * (1 - base)
    within = brier - off + spread - sure
    return YesNoAgreement(*counted, brier, brier_ci, base, off, spread, sure, within, bins, reason)


def _bins(p: Floats, yes: Floats) -> tuple[ReliabilityBin, ...]:
    values, at, count = np.unique(np.round(p, SAME), return_inverse=True, return_counts=True)
    bin = np.arange(len(values))
    if len(values) > MOST_BINS:  # the place of a value's middle row says which tenth it belongs to
        most = min(MOST_BINS, max(1, len(p) // FEWEST))
        bin = ((np.cumsum(count) - count / 2) * most / len(p)).astype(np.int64)
    groups = [np.flatnonzero(bin[at] == k) for k in np.unique(bin)]
    while len(groups) > 1 and min(map(len, groups)) < FEWEST:
        means = [float(p[group].mean()) for group in groups]
        small = min(range(len(groups)), key=lambda i: len(groups[i]))
        sides = [i for i in (small - 1, small) if 0 <= i < len(groups) - 1]
        first = min(sides, key=lambda i: means[i + 1] - means[i])
        groups[first : first + 2] = [np.concatenate(groups[first : first + 2])]
    return tuple(_bin(p[group], yes[group]) for group in groups)


def pass_probability(probabilities: Floats, threshold: float) -> Floats:
    """Probability of a level at or above threshold·(n−1), of shape (rows,), from distributions of shape (rows, n).

    `threshold` is in 0..1; a row of nan stays nan. With `pass_truth` it makes a score question one of yes and no.
    """
    p = _normal(probabilities)
    n = p.shape[1]
    return np.where(np.isnan(p[:, 0]), np.nan, np.minimum(p @ _reaches(np.arange(n), threshold, n), 1.0))


def pass_truth(gold: Floats, threshold: float, n: int) -> Floats:
    """1 where a gold level of 0..n−1 is at or above threshold·(n−1), 0 where below, nan where there is none."""
    return np.where(np.isnan(gold), np.nan, _reaches(gold, threshold, n))


def _reaches(level: Floats | Counts, threshold: float, n: int) -> Floats:
    return np.asarray(level >= threshold * (n - 1) - EPSILON, np.float64)


def _normal(probabilities: Floats) -> Floats:
    """Each row divided by its sum; a row with a nan is nan throughout."""
    total = probabilities.sum(axis=1, keepdims=True)
    if (probabilities < 0).any() or np.isinf(probabilities).any() or (total == 0).any():
        raise ValueError("A distribution has a negative or an infinite number, or only zeros.")
    return np.asarray(probabilities / total, np.float64)


def _exact(p: Floats, gold: Counts) -> tuple[float | None, Interval | None, Counts]:
    """Share of rows whose likeliest option is the gold one, Wilson's interval, confusion of shape (n, n)."""
    n, top = p.shape[1], p.argmax(axis=1)
    confusion = np.bincount(gold * n + top, minlength=n * n).reshape(n, n).astype(np.int64)
    hits = int(np.trace(confusion))
    return hits / len(p) if len(p) else None, rate_interval(hits, len(p)), confusion


def _mean(values: Floats, most: float) -> tuple[float | None, Interval | None]:
    """Mean and Student's interval of values that lie in 0..most."""
    ci = mean_interval(values) if len(values) and np.ptp(values) > EPSILON else None
    cut = None if ci is None else (max(0.0, ci[0]), min(float(most), ci[1]))
    return float(values.mean()) if len(values) else None, cut


def _reason(values: Floats, scored: Flags, known: Flags) -> str | None:
    if not len(values):
        return _missing(scored, known)
    if len(values) == 1:
        return "one row has no interval"
    return "every row has the same error: no interval" if np.ptp(values) <= EPSILON else None


def _missing(scored: Flags, known: Flags) -> str:
    if not scored.any() or not known.any():
        return "no row has an answer" if known.any() else "no row has a gold label"
    return "no row has both an answer and a gold label"


def _bin(p: Floats, yes: Floats) -> ReliabilityBin:
    n, hits = len(p), int(yes.sum())
    ci = rate_interval(hits, n) or (0.0, 1.0)
    return ReliabilityBin(float(p.min()), float(p.max()), float(p.mean()), hits / n, ci, n)


def _plain(found: Any) -> dict[str, Any]:
    """The fields as plain JSON data, `reason` only where there is one."""
    out: dict[str, Any] = {}
    for field in fields(found):
        value = getattr(found, field.name)
        if isinstance(value, tuple):
            value = [each.to_dict() if isinstance(each, ReliabilityBin) else each for each in value]
        out[field.name] = value.tolist() if isinstance(value, np.ndarray) else value
    return {name: value for name, value in out.items() if name != "reason" or value is not None}
