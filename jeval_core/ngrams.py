"""Counting, clipping and longest common subsequences: the readable reference.

The frames are made from it, and the batch kernel has to agree with it to the last integer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

Gram = tuple[str, ...]
Path = list[tuple[int, int]]

PATH_CELLS = 400_000_000
"""Above so many cells (tokens × tokens) the walk of an LCS is not traced: it takes an eighth of that in bytes."""


def ngrams(tokens: Sequence[str], n: int) -> Counter[Gram]:
    """How often each n-gram stands in `tokens`."""
    return Counter(zip(*(tokens[i:] for i in range(n)), strict=False))


def total(length: int, n: int) -> int:
    """Number of n-grams in a text of `length` tokens."""
    return max(0, length - n + 1)


def overlap(output: Counter[Gram], limit: Counter[Gram]) -> int:
    """Σ over n-grams of min(count in output, count in limit): the clipped matches (Papineni et al. 2002)."""
    if len(limit) < len(output):
        output, limit = limit, output
    return sum(min(count, limit[gram]) for gram, count in output.items() if gram in limit)


def most(references: Sequence[Counter[Gram]]) -> Counter[Gram]:
    """For each n-gram its largest count over the references."""
    out: Counter[Gram] = Counter()
    for counts in references:  # not `|=`, which walks through all that was merged before
        for gram, count in counts.items():
            if count > out[gram]:
                out[gram] = count
    return out


def closest_length(length: int, references: Sequence[int]) -> int:
    """The reference length nearest to `length`; of two equally near the shorter."""
    return min(references, key=lambda r: (abs(r - length), r))


def lcs_length(a: Sequence[str], b: Sequence[str]) -> int:
    """Length of the longest common subsequence (bit-parallel over one big integer, Hyyrö 2004)."""
    places: dict[str, int] = {}
    for i, token in enumerate(a):
        places[token] = places.get(token, 0) | 1 << i
    full = (1 << len(a)) - 1
    row = full
    for token in b:
        hit = row & places.get(token, 0)
        row = ((row + hit) | (row - hit)) & full
    return len(a) - row.bit_count()


def lcs_path(a: Sequence[str], b: Sequence[str]) -> Path:
    """One longest common subsequence as pairs (position in a, position in b), the earliest one.

    Walks from the start and takes every equal pair it meets; where a step to either side keeps the length, it
    moves on in `b`. ValueError above `PATH_CELLS` cells.
    """
    if len(a) * len(b) > PATH_CELLS:
        raise ValueError("texts are too long to trace their longest common subsequence")
    ids = {token: i for i, token in enumerate(dict.fromkeys([*a, *b]))}
    x, y = (np.array([ids[t] for t in side], dtype=np.int64) for side in (a, b))
    # drops[i]: bit j is set where dropping b[j] loses nothing, length(i, j + 1) == length(i, j)
    drops: list[np.ndarray[tuple[int, ...], np.dtype[np.uint8]]] = [np.empty(0, np.uint8)] * len(a)
    below = np.zeros(len(b) + 1, dtype=np.int64)
    for i in range(len(a) - 1, -1, -1):
        row = np.zeros_like(below)
        row[:-1] = np.where(y == x[i], below[1:] + 1, below[:-1])
        row = np.maximum.accumulate(row[::-1])[::-1]
        drops[i] = np.packbits(row[:-1] == row[1:])
        below = row
    path: Path = []
    i = j = 0
    while i < len(a) and j < len(b):
        if a[i] == b[j]:
            path.append((i, j))
            i, j = i + 1, j + 1
        elif drops[i][j >> 3] & (128 >> (j & 7)):
            j += 1
        else:
            i += 1
    return path
