"""How well a score tells good rows from bad ones: the area under the ROC curve, with its interval."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from jeval_core.stats.intervals import CONFIDENCE, Interval

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Auc:
    """The chance that a good row scores higher than a bad one, ties counted half; `ci` is its 95% interval."""

    value: float
    ci: Interval
    good: int
    bad: int


def auc(scores: Floats, labels: Floats) -> Auc | None:
    """Of scores and labels (1 good, 0 bad), shape (n,); rows with nan in either are left out. None without both labels.

    The value is Mann and Whitney's U over the number of pairs; the interval is method 5 of Newcombe (2006), which stays
    within 0..1 and has a width where the labels are told apart without an error.
    """
    kept = ~(np.isnan(scores) | np.isnan(labels))
    values, good = scores[kept], labels[kept] == 1
    m, n = int(good.sum()), int((~good).sum())
    if not m or not n:
        return None
    _, place, sizes = np.unique(values, return_inverse=True, return_counts=True)
    ranks = np.cumsum(sizes) - (sizes - 1) / 2
    value = float((ranks[place][good].sum() - m * (m + 1) / 2) / (m * n))
    return Auc(value, _interval(value, m, n), m, n)


def _interval(value: float, m: int, n: int) -> Interval:
    """The areas A whose distance from the one found is as many standard errors as the confidence allows."""
    from scipy.special import ndtri

    z, half = float(ndtri(0.5 + CONFIDENCE / 2)), (m + n) / 2

    def far(a: float) -> float:
        spread = a * (1 - a) * (1 + (half - 1) * ((1 - a) / (2 - a) + a / (1 + a))) / (m * n)
        return abs(value - a) - z * sqrt(max(spread, 0.0))

    return (0.0 if value == 0 else _root(far, 0.0, value), 1.0 if value == 1 else _root(far, 1.0, value))


def _root(far: Callable[[float], float], end: float, value: float) -> float:
    """Between an end of the scale, which is too far, and the value itself, which is not."""
    for _ in range(60):
        middle = (end + value) / 2
        end, value = (middle, value) if far(middle) > 0 else (end, middle)
    return (end + value) / 2
