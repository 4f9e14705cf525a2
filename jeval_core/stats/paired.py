"""Two runs on the same rows: differences of means and of rates, with intervals and tests.

A difference is always b − a. Rows are paired: shape (n,) of both, nothing missing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from jeval_core.stats.intervals import CONFIDENCE, SEED, Interval, rate_interval
from jeval_core.stats.resample import swapped_sums

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Rows = NDArray[np.int64]
PERMUTATIONS = 10_000
ROUNDING = 1e-6
"""Sums under swaps are in single precision; a tie with the value found counts as one."""
POWERFUL = 2.8016
"""z₀.₉₇₅ + z₀.₈: standard errors of the smallest change that a test at 5% finds with 80% power (Cohen 1988)."""
LEAST_FLIPS = 6
"""Flips in one direction below which no exact test at 5% can find anything: 2 · 0.5⁵ is more than 0.05."""


@dataclass(frozen=True, slots=True)
class MeanChange:
    """`delta` of the means with Student's interval of the differences, None below two rows.

    `mde`: the smallest change that a test at 5% finds with 80% power, 2.80·sd(d)/√n (Cohen 1988); None below two rows.
    `p` is that of the paired t test, 1 below two rows.
    """

    n: int
    a: float
    b: float
    delta: float
    ci: Interval | None
    mde: float | None
    p: float


@dataclass(frozen=True, slots=True)
class RateChange:
    """`delta` of two paired rates. `lost` rows went from yes to no, `gained` from no to yes.

    `ci` is Agresti and Min's interval, `newcombe` that of Newcombe's method 10; `p` is McNemar's exact test.
    """

    n: int
    a: float
    b: float
    delta: float
    ci: Interval | None
    newcombe: Interval | None
    lost: int
    gained: int
    p: float


def mean_change(a: Floats, b: Floats, clusters: Rows | None = None) -> MeanChange:
    """The change of a mean. ValueError for no rows, or for columns of different length.

    `clusters`, a code for each row, are what was sampled where rows belong together (documents, cases with several
    answers): then the interval is the cluster-robust one, with as many degrees of freedom as clusters less one.
    """
    n = _rows(a, b)
    d = b - a
    delta = float(d.mean())
    sums = d - delta if clusters is None else np.bincount(clusters, d - delta)
    groups = n if clusters is None else len(np.unique(clusters))
    error = sqrt(groups / (groups - 1) * float((sums**2).sum())) / n if groups > 1 else None
    of_a, of_b = float(a.mean()), float(b.mean())
    if error is None:
        return MeanChange(n, of_a, of_b, delta, None, None, 1.0)
    from scipy.special import stdtr, stdtrit  # scipy.stats, which has them under other names, takes 44 MB of memory

    half = float(stdtrit(groups - 1, 0.5 + CONFIDENCE / 2)) * error
    p = 2 * float(stdtr(groups - 1, -abs(delta) / error)) if error else float(delta == 0)
    return MeanChange(n, of_a, of_b, delta, (delta - half, delta + half), POWERFUL * error, p)


def skewness(d: Floats) -> float:
    """Third standardised moment of values of shape (n,); 0 where all are the same."""
    centred = d - d.mean()
    spread = float((centred**2).mean())
    return float((centred**3).mean()) / spread**1.5 if spread > 0 else 0.0


def rate_change(a: Flags, b: Flags) -> RateChange:
    """The change of a rate. ValueError for no rows, or for columns of different length."""
    n = _rows(a, b)
    lost, gained = int((a & ~b).sum()), int((~a & b).sum())
    both = int((a & b).sum())
    k_a, k_b = both + lost, both + gained
    return RateChange(
        n,
        k_a / n,
        k_b / n,
        (gained - lost) / n,
        agresti_min(lost, gained, n),
        newcombe_paired(both, lost, gained, n - both - lost - gained),
        lost,
        gained,
        mcnemar(lost, gained),
    )


def agresti_min(lost: int, gained: int, n: int, confidence: float = CONFIDENCE) -> Interval:
    """Wald's interval of (gained − lost)/n after adding ½ to each of the four cells (Agresti and Min 2005)."""
    z, c, b, m = _z(0.5 + confidence / 2), gained + 0.5, lost + 0.5, n + 2
    middle = (c - b) / m
    half = z / m * sqrt(max(0.0, b + c - (c - b) ** 2 / m))
    return max(-1.0, middle - half), min(1.0, middle + half)


def newcombe_paired(both: int, lost: int, gained: int, neither: int, confidence: float = CONFIDENCE) -> Interval:
    """Method 10 of Newcombe (1998): Wilson's intervals of both rates, joined with their correlation φ."""
    n = both + lost + gained + neither
    p_a, p_b = (both + lost) / n, (both + gained) / n
    (low_a, high_a), (low_b, high_b) = (_wilson(k, n, confidence) for k in (both + lost, both + gained))
    product = float(both * neither - lost * gained)
    if product > 0:  # a continuity correction, which pulls φ towards 0
        product = max(0.0, product - n / 2)
    size = (both + lost) * (gained + neither) * (both + gained) * (lost + neither)
    phi = product / sqrt(size) if size else 0.0
    down, up = p_b - low_b, high_b - p_b
    down_a, up_a = p_a - low_a, high_a - p_a
    delta = p_b - p_a
    lower = sqrt(max(0.0, down**2 - 2 * phi * down * up_a + up_a**2))
    upper = sqrt(max(0.0, up**2 - 2 * phi * up * down_a + down_a**2))
    return max(-1.0, delta - lower), min(1.0, delta + upper)


def mcnemar(lost: int, gained: int) -> float:
    """The exact two-sided test of McNemar (1947): were flips as likely either way? 1 without any flip."""
    from scipy.special import bdtr

    n = lost + gained
    return min(1.0, 2 * float(bdtr(min(lost, gained), n, 0.5))) if n else 1.0


def randomisation(differences: Floats, permutations: int = PERMUTATIONS, seed: int = SEED) -> float:
    """Two-sided p of a mean difference by approximate randomisation: signs flipped at random. 1 without a row.

    The same seed gives the same bits.
    """
    d = differences[differences != 0]
    if not len(d):
        return 1.0
    whole = float(d.sum())
    return swap_p(whole, whole - 2 * swapped_sums([d], permutations, seed)[:, 0])


def swap_p(found: float, swapped: Floats) -> float:
    """(k + 1)/(permutations + 1), where k of the values under random swaps are at least as far from 0 as `found`."""
    k = int((np.abs(swapped) >= abs(found) * (1 - ROUNDING)).sum())
    return (k + 1) / (len(swapped) + 1)


def holm(p: Sequence[float]) -> list[float]:
    """p-values adjusted for being several (Holm 1979), in the order given."""
    order = np.argsort(p, kind="stable")
    out, highest = [0.0] * len(p), 0.0
    for rank, i in enumerate(order):
        highest = max(highest, min(1.0, (len(p) - rank) * p[i]))
        out[int(i)] = highest
    return out


def _wilson(k: int, n: int, confidence: float) -> Interval:
    found = rate_interval(k, n, confidence)
    assert found is not None
    return found


def _rows(a: NDArray[np.generic], b: NDArray[np.generic]) -> int:
    if a.shape != b.shape or not len(a):
        raise ValueError(f"Pairs are needed: {len(a)} rows against {len(b)}.")
    return len(a)


def _z(share: float) -> float:
    from scipy.special import ndtri

    return float(ndtri(share))
