"""Paired bootstrap of ratios of sums, for any number of rows: the same weights on every column.

Up to MULTINOMIAL rows each resample draws n rows with replacement (Efron 1979). Above, a row counts 0 or 2 times with
equal chance: its weights have the mean and the variance of the multinomial ones, rows are independent of each other,
and a resample is a product of a matrix of bits with the columns. Rows are worked on in blocks, each with a generator
seeded by (seed, block), and block sums are added in the order of the blocks: the same seed gives the same bits whatever
the number of workers.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from jeval_core.stats.intervals import CONFIDENCE, RESAMPLES, SEED, Interval

Floats = NDArray[np.float64]
MULTINOMIAL = 20_000
BLOCK = 8_192
"""Rows of a block; partitions of a data set are cut at its multiples."""
CHUNK = 64
"""Resamples that are worked on at a time within a block, so that their weights stay in the processor's cache."""
CELLS = 2_000_000


def resampled_sums(columns: Floats, resamples: int = RESAMPLES, seed: int = SEED, workers: int | None = None) -> Floats:
    """Sums over resampled rows, shape (resamples, k + 1): of each of k columns, shape (n, k), and of the rows' weights.

    ValueError without a row.
    """
    n, k = columns.shape
    if not n:
        raise ValueError("There is no row to resample.")
    if n <= MULTINOMIAL:
        return _multinomial(columns, resamples, seed)
    out = np.zeros((resamples, k + 1))
    for sums in _in_order(lambda at: _block(columns, at, resamples, seed), range(0, n, BLOCK), workers):
        out += sums
    return out


def percentile_interval(values: Floats, confidence: float = CONFIDENCE) -> Interval:
    """The middle share of resampled values, shape (resamples,)."""
    low, high = np.quantile(values, [0.5 - confidence / 2, 0.5 + confidence / 2])
    return float(low), float(high)


def _multinomial(columns: Floats, resamples: int, seed: int) -> Floats:
    n = len(columns)
    rng, equal, step = np.random.default_rng(seed), np.full(n, 1 / n), max(1, CELLS // n)
    ready = np.column_stack([columns, np.ones(n)])
    sizes = [min(step, resamples - start) for start in range(0, resamples, step)]
    return np.concatenate([rng.multinomial(n, equal, size=size) @ ready for size in sizes])


def _block(columns: Floats, at: int, resamples: int, seed: int) -> Floats:
    """The sums of one block's rows."""
    rows = columns[at : at + BLOCK]
    n, k = rows.shape
    rng = np.random.Generator(np.random.SFC64([seed, at // BLOCK]))
    ready = np.column_stack([rows, np.ones(n)]).astype(np.float32) * np.float32(2)
    weights, out = np.empty((CHUNK, n), np.float32), np.empty((resamples, k + 1))
    for start in range(0, resamples, CHUNK):
        some = min(CHUNK, resamples - start)
        bits = np.frombuffer(rng.bytes((some * n + 7) // 8), np.uint8)
        weights[:some] = np.unpackbits(bits, count=some * n).reshape(some, n)
        out[start : start + some] = weights[:some] @ ready
    return out


def _in_order(work: Callable[[int], Floats], starts: range, workers: int | None) -> Iterator[Floats]:
    """What `work` makes of each start, in order; at most a few results wait."""
    count = max(1, workers or os.cpu_count() or 1)
    with ThreadPoolExecutor(count, "jeval-resample") as pool:
        left, waiting = iter(starts), list[Future[Floats]]()
        waiting += [pool.submit(work, start) for start in islice(left, count + 1)]
        while waiting:
            yield waiting.pop(0).result()
            waiting += [pool.submit(work, start) for start in islice(left, 1)]
