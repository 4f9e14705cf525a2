"""The smallest change that a new run of the same size would show."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

POWER = 0.80
CONFIDENCE = 0.95
CORRELATION = 0.5
"""Assumed between the scores that two versions get on the same row, where only one run is known."""


@dataclass(frozen=True, slots=True)
class Change:
    """Smallest detectable change in the unit of the figure (0..1), by how the two runs are compared.

    `paired`: both runs score the same rows and are compared row by row. `independent`: other rows.
    """

    paired: float
    independent: float


@dataclass(frozen=True, slots=True)
class Detectable:
    """For a mean and for a pass rate over `n` rows; None when it cannot be said (see `detectable_change`)."""

    n: int
    mean: Change | None
    pass_rate: Change | None
    correlation: float


def detectable_change(
    values: NDArray[np.float64], passed: NDArray[np.bool_] | None = None, *, correlation: float = CORRELATION
) -> Detectable:
    """Smallest change found with 80 % power by a two-sided test at 5 %, for a second run of the same size.

    With z = 1.960 + 0.842 = 2.80 (Cohen 1988, ch. 2; Julious 2004, eq. 3 and 8, normal approximation):

    - independent runs: z·sd·√(2/n), as both runs bring their own noise;
    - paired runs: z·sd(d)/√n, where d is the difference on a row. One run does not know sd(d), so it is taken as
      sd·√(2(1 − r)) with `correlation` r between the runs' scores. At the default r = 0.5 this is z·sd/√n. Once two
      runs are there, use the sd of their differences instead: versions that answer almost alike have a higher r, and
      then a smaller change shows.

    For a pass rate sd = √(p(1 − p)), with p at the centre of Wilson's interval so that 0 of n does not claim that
    every change would show; None where even a change from 0 to 1 is too small.

    `values` of shape (n,), nan where not scored; `passed` the same shape. The mean has None
    below two rows and when all scores are equal: such a sample says nothing about noise. ValueError unless
    −1 ≤ correlation < 1.
    """
    if not -1 <= correlation < 1:
        raise ValueError(f"correlation is {correlation:g}; it must be at least -1 and below 1.")
    kept = ~np.isnan(values)
    scores = values[kept]
    n = len(scores)
    mean = _change(float(scores.std(ddof=1)), n, correlation) if n > 1 and np.ptp(scores) > 0 else None
    if passed is None or n < 2:
        return Detectable(n, mean, None, correlation)
    k, z2 = int(passed[kept].sum()), _z(0.5 + CONFIDENCE / 2) ** 2
    p = (k + z2 / 2) / (n + z2)
    return Detectable(n, mean, _change(sqrt(p * (1 - p)), n, correlation), correlation)


def _change(sd: float, n: int, correlation: float) -> Change | None:
    z = _z(0.5 + CONFIDENCE / 2) + _z(POWER)
    paired = z * sd * sqrt(2 * (1 - correlation) / n)
    return Change(paired, z * sd * sqrt(2 / n)) if paired <= 1 else None


def _z(share: float) -> float:
    from scipy.special import ndtri

    return float(ndtri(share))
