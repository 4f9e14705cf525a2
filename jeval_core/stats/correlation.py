"""How far two columns of numbers go together, with intervals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import atanh, sqrt, tanh
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jeval_core.stats.intervals import SEED, Interval

Values = NDArray[np.float64]
LARGE = 1e100
SAMPLE = 20_000
"""Pairs that are used at most; of more a random sample with a fixed seed."""


@dataclass(frozen=True, slots=True)
class Correlation:
    """Coefficients with their intervals; None when a column is constant or fewer than five pairs are left."""

    n: int
    pearson: tuple[float, Interval] | None
    spearman: tuple[float, Interval] | None
    kendall: tuple[float, Interval] | None
    sampled: int | None = None

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON data."""
        out: dict[str, Any] = {"n": self.n}
        for name in ("pearson", "spearman", "kendall"):
            found = getattr(self, name)
            out[name] = None if found is None else {"value": found[0], "ci": [*found[1]]}
        return out if self.sampled is None else {**out, "sampled": self.sampled}


def correlate(a: NDArray[np.float64], b: NDArray[np.float64]) -> Correlation:
    """Pearson, Spearman and Kendall τ-b of the pairs in which neither value is nan.

    Intervals by Fisher's z with the variances of Bonett and Wright (2000) for Spearman and of Fieller et al. (1957) for
    Kendall.
    """
    from scipy import stats

    kept = np.flatnonzero(~(np.isnan(a) | np.isnan(b)))
    n, sampled = len(kept), None
    if n > SAMPLE:
        kept, sampled = kept[np.random.default_rng(SEED).choice(n, SAMPLE, replace=False)], SAMPLE
    x, y = _small(a[kept]), _small(b[kept])
    if len(x) < 5 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return Correlation(n, None, None, None, sampled)
    values = {
        "pearson": float(stats.pearsonr(x, y).statistic),
        "spearman": float(stats.spearmanr(x, y).statistic),
        "kendall": float(stats.kendalltau(x, y).statistic),
    }
    found = {name: (r, _interval(name, r, len(x))) for name, r in values.items()}
    return Correlation(n, found["pearson"], found["spearman"], found["kendall"], sampled)


def _small(values: Values) -> Values:
    """The values, divided where their squares would be too large for a number; no coefficient depends on the scale."""
    most = np.abs(values).max(initial=0.0)
    return values / most if most > LARGE else values


def _interval(name: str, r: float, n: int) -> Interval:
    if abs(r) >= 1:
        return r, r
    variance, lost = {"pearson": (1.0, 3), "spearman": (1 + r * r / 2, 3), "kendall": (0.437, 4)}[name]
    half = 1.959963984540054 * sqrt(variance / (n - lost))
    return tanh(atanh(r) - half), tanh(atanh(r) + half)


def agreements(scores: Mapping[str, Values], gold: Mapping[str, Values]) -> dict[str, dict[str, dict[str, Any]]]:
    """`gold`: gold column → evaluator; `correlations`: evaluator → later evaluator; a key without content is left out.

    All arrays have the same shape (n,), nan where there is no number; the correlations are plain JSON data.
    """
    ids = [*scores]
    people = {name: {id: correlate(v, s).to_dict() for id, s in scores.items()} for name, v in gold.items()}
    pairs = {a: {b: correlate(scores[a], scores[b]).to_dict() for b in ids[i + 1 :]} for i, a in enumerate(ids[:-1])}
    return ({"gold": people} if people else {}) | ({"correlations": pairs} if pairs else {})
