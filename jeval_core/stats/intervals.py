"""Intervals of a mean and of a rate, 95 % unless asked otherwise."""

from __future__ import annotations

from math import sqrt

import numpy as np
from numpy.typing import NDArray

BLOCK_CELLS = 1_000_000
"""Weights of the bootstrap held at a time."""
Interval = tuple[float, float]
Values = NDArray[np.float64]
CONFIDENCE = 0.95
RESAMPLES = 2_000
BOOTSTRAP_BELOW = 5_000
"""Rows below which a bootstrap interval stands beside the t interval of a mean."""
SEED = 12345


def mean_interval(values: Values, confidence: float = CONFIDENCE) -> Interval | None:
    """Student's t interval of the mean of values of shape (n,); None below two values.

    With rare disasters it covers too little however it is computed: at 5 % destroyed rows .83 for n = 50.
    """
    n = len(values)
    if n < 2:
        return None
    from scipy.special import stdtrit  # scipy.stats, which has it under another name, takes 44 MB of memory

    mean, half = float(values.mean()), float(stdtrit(n - 1, 0.5 + confidence / 2)) * float(values.std(ddof=1)) / sqrt(n)
    return mean - half, mean + half


def bootstrap_mean(
    values: Values, confidence: float = CONFIDENCE, resamples: int = RESAMPLES, seed: int = SEED
) -> Interval | None:
    """Percentile bootstrap interval of the mean; None below two values. The same seed gives the same bits."""
    n = len(values)
    if n < 2:
        return None
    rng = np.random.default_rng(seed)
    equal, block = np.full(n, 1 / n), max(1, BLOCK_CELLS // n)
    sizes = [min(block, resamples - start) for start in range(0, resamples, block)]
    means = np.concatenate([rng.multinomial(n, equal, size=size) @ values / n for size in sizes])
    low, high = np.quantile(means, [0.5 - confidence / 2, 0.5 + confidence / 2])
    return float(low), float(high)


def rate_interval(k: int, n: int, confidence: float = CONFIDENCE) -> Interval | None:
    """Wilson's interval of k successes among n (Wilson 1927); None for n = 0. 0 of 25 gives [0, .133]."""
    if n == 0:
        return None
    from scipy.special import ndtri

    z = float(ndtri(0.5 + confidence / 2))
    middle = (k + z * z / 2) / (n + z * z)
    half = z / (n + z * z) * sqrt(k * (n - k) / n + z * z / 4)
    return 0.0 if k == 0 else max(0.0, middle - half), 1.0 if k == n else min(1.0, middle + half)
