"""Resampling of sums over rows, for any number of rows: paired bootstrap and approximate randomisation.

Bootstrap: up to MULTINOMIAL rows each resample draws n rows with replacement (Efron 1979). Above, a row counts 0 or 2
times with equal chance: its weights have the mean and the variance of the multinomial ones, rows are independent of
each other, and a resample is a product of a matrix of bits with the columns.

Work is cut into parts, each with a generator of its own seeded by (seed, part), and what they give is put together in
order: the same seed gives the same bits whatever the number of workers.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jeval_core.stats.intervals import CONFIDENCE, RESAMPLES, SEED, Interval

Floats = NDArray[np.float64]
Columns = Sequence[NDArray[Any]]
MULTINOMIAL = 20_000
BLOCK = 8_192
"""Rows of a block; partitions of a data set are cut at its multiples."""
CHUNK = 64
"""Resamples that are worked on at a time within a block, so that their weights stay in the processor's cache."""
CELLS = 1_000_000


def resampled_sums(
    columns: Columns, resamples: int = RESAMPLES, seed: int = SEED, workers: int | None = None
) -> Floats:
    """Sums over resampled rows, shape (resamples, k + 1): of each of k columns of n numbers, and of the rows' weights.

    The same weights hold for every column, so that pairs stay pairs. ValueError without a row.
    """
    n = _rows(columns)
    if n <= MULTINOMIAL:
        ready, step = np.column_stack([*columns, np.ones(n)]).astype(np.float64), max(1, CELLS // n)
        parts = _in_order(
            lambda at: _drawn(ready, at, min(step, resamples - at), seed), range(0, resamples, step), workers
        )
        return np.concatenate([*parts])
    blocks = _in_order(lambda at: _block(columns, at, resamples, seed), range(0, n, BLOCK), workers)
    return 2 * _summed(blocks, (resamples, len(columns) + 1))


def swapped_sums(columns: Columns, permutations: int, seed: int = SEED, workers: int | None = None) -> Floats:
    """Sums over rows taken at random, each with chance ½, shape (permutations, k) for k columns of n numbers.

    With differences b − a as columns, a + sum and b − sum are the systems after the rows taken were swapped between
    them (approximate randomisation, Noreen 1989). ValueError without a row.
    """
    blocks = _in_order(lambda at: _block(columns, at, permutations, seed), range(0, _rows(columns), BLOCK), workers)
    return _summed(blocks, (permutations, len(columns) + 1))[:, :-1]


def percentile_interval(values: Floats, confidence: float = CONFIDENCE) -> Interval:
    """The middle share of resampled values, shape (resamples,)."""
    low, high = np.quantile(values, [0.5 - confidence / 2, 0.5 + confidence / 2])
    return float(low), float(high)


def _rows(columns: Columns) -> int:
    n = len(columns[0]) if len(columns) else 0
    if not n:
        raise ValueError("There is no row to resample.")
    return n


def _drawn(ready: Floats, at: int, size: int, seed: int) -> Floats:
    """`size` resamples of rows drawn with replacement; how often each row was drawn is counted, then weighs it."""
    n = len(ready)
    rows = np.random.default_rng([seed, at]).integers(0, n, (size, n))
    rows += (np.arange(size) * n)[:, None]
    return np.bincount(rows.ravel(), minlength=size * n).reshape(size, n) @ ready


def _block(columns: Columns, at: int, resamples: int, seed: int) -> Floats:
    """Sums over the rows of one block that are taken, and how many these are."""
    part = [column[at : at + BLOCK] for column in columns]
    n = len(part[0])
    rng = np.random.Generator(np.random.SFC64([seed, at // BLOCK]))
    ready = np.column_stack([*part, np.ones(n)]).astype(np.float32)
    weights, out = np.empty((CHUNK, n), np.float32), np.empty((resamples, len(part) + 1))
    for start in range(0, resamples, CHUNK):
        some = min(CHUNK, resamples - start)
        bits = np.frombuffer(rng.bytes((some * n + 7) // 8), np.uint8)
        weights[:some] = np.unpackbits(bits, count=some * n).reshape(some, n)
        out[start : start + some] = weights[:some] @ ready
    return out


def _summed(blocks: Iterator[Floats], shape: tuple[int, int]) -> Floats:
    out = np.zeros(shape)
    for block in blocks:
        out += block
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
