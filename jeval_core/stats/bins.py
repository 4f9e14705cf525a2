"""Scores in equal bins, and the rows behind each bar."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from jeval_core.labels import EPSILON

BINS = 40


@dataclass(frozen=True, slots=True, eq=False)
class Histogram:
    """Counts of shape (bins,) between edges of shape (bins + 1,) that run from 0 to 1.

    Bin i holds the scores in [edges[i], edges[i + 1]), the last one also its upper edge. `passed` has the rows of each
    bin that passed, None when nobody said which did. `n` is the number of rows in all bins, `left_out` those without a
    score.
    """

    counts: NDArray[np.int64]
    edges: NDArray[np.float64]
    passed: NDArray[np.int64] | None = None
    left_out: int = 0

    @property
    def n(self) -> int:
        """Rows in all bins."""
        return int(self.counts.sum())

    def bounds(self, bin: int) -> tuple[float, float, bool]:
        """Lower edge, upper edge, and whether it is the last: what `bin_rows` takes."""
        return float(self.edges[bin]), float(self.edges[bin + 1]), bin == len(self.counts) - 1


def bin_edges(bins: int = BINS) -> NDArray[np.float64]:
    """Edges i / bins, each the float next to the decimal number that people read."""
    return np.arange(bins + 1) / bins


def histogram(scores: NDArray[np.float64], bins: int = BINS, passed: NDArray[np.bool_] | None = None) -> Histogram:
    """Count scores of shape (n,) between 0 and 1; nan is left out, `passed` of shape (n,) is counted along.

    A score that rounding has put up to 1e-9 outside belongs to the outer bin; one further out raises ValueError, since
    a count that silently lacks rows would be wrong.
    """
    kept = ~np.isnan(scores)
    values = _inside(scores[kept])
    edges = bin_edges(bins)
    at = np.searchsorted(edges[1:-1], values, side="right")
    hits = None if passed is None else np.bincount(at[passed[kept]], minlength=bins).astype(np.int64)
    counts = np.bincount(at, minlength=bins).astype(np.int64)
    return Histogram(counts, edges, hits, len(scores) - len(values))


def bin_rows(scores: NDArray[np.float64], lo: float, hi: float, last: bool) -> NDArray[np.int64]:
    """Positions, ascending, of the rows that `histogram` counts between `lo` and `hi`.

    `last` says that `hi` belongs to the bin. `bin_rows(scores, *found.bounds(i))` has `found.counts[i]` rows.
    """
    values = np.clip(scores, 0.0, 1.0)  # as in `histogram`; nan stays nan and is never inside
    return np.flatnonzero((values >= lo) & ((values <= hi) if last else (values < hi)))


def _inside(values: NDArray[np.float64]) -> NDArray[np.float64]:
    if len(values) and (values.min() < -EPSILON or values.max() > 1 + EPSILON):
        worst = float(values.min() if values.min() < -EPSILON else values.max())
        raise ValueError(f"A score is {worst:g}, outside 0 to 1. Only scores between 0 and 1 can be binned.")
    return np.clip(values, 0.0, 1.0)
