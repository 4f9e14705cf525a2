"""Equal rows found by hashes of their bytes, so that millions of texts are compared without a copy of one."""

from __future__ import annotations

import os
import secrets
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from jeval_core.batch.jit import entry
from jeval_core.data.arrow import edges, pa, text_bytes, without_null
from jeval_core.data.records import Lines

Hashes = NDArray[np.uint64]
FACTORS = np.array([0x9E3779B97F4A7C15, 0xD6E8FEB86659FD93], np.uint64)
SEEDS = np.array([secrets.randbits(64), secrets.randbits(64)], np.uint64)
"""Another one in each process, so that nobody can write texts that collide. No result depends on it."""


def first_equal(columns: Sequence[pa.ChunkedArray]) -> Lines:
    """For every row the first row that is equal to it in all columns (often itself), shape (rows,).

    A missing text is an empty one. Rows are equal when 128 bits of hash are: for a million different rows the chance
    of a mistake is 10⁻²⁷.
    """
    hashes = np.empty((2, len(columns[0])), np.uint64)
    hashes[:] = SEEDS[:, None]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for column in columns:
            at, jobs = 0, []
            for chunk in column.chunks:
                jobs.append(pool.submit(_hash_chunk, chunk, hashes[:, at : at + len(chunk)]))
                at += len(chunk)
            for job in jobs:
                job.result()
    first = np.empty(hashes.shape[1], np.int64)
    slots = np.full(1 << max(1, 2 * len(first)).bit_length(), -1, np.int64)
    _find(hashes[0], hashes[1], slots, first)
    return first


def distinct(first: Lines) -> Lines:
    """The rows that are not equal to an earlier one, in order."""
    rows: Lines = np.flatnonzero(first == np.arange(len(first)))
    return rows


def numbered(first: Lines) -> Lines:
    """0, 1, 2 … for each different row, in the order in which they first appear."""
    numbers: Lines = (np.cumsum(first == np.arange(len(first))) - 1)[first]
    return numbers


def _hash_chunk(chunk: pa.Array, hashes: Hashes) -> None:
    if len(chunk):
        chunk = without_null(chunk)
        _hash(np.frombuffer(text_bytes(chunk), np.uint8), edges(chunk), FACTORS, hashes)


@entry
def _hash(data: NDArray[np.uint8], ends: Lines, factors: Hashes, hashes: Hashes) -> None:
    """Mix the bytes of cell i, `data[ends[i]:ends[i + 1]]`, into column i of `hashes`."""
    base = np.uint64(ends[0])
    one, three, five, eight, half = np.uint64(1), np.uint64(29), np.uint64(5), np.uint64(8), np.uint64(32)
    for i in range(len(ends) - 1):
        a, b = hashes[0, i], hashes[1, i]
        at, stop = np.uint64(ends[i]) - base, np.uint64(ends[i + 1]) - base
        length = stop - at
        while at + eight <= stop:
            word = np.uint64(0)
            for k in range(8):
                word |= np.uint64(data[at + np.uint64(k)]) << np.uint64(8 * k)
            a = (a ^ word) * factors[0]
            a ^= a >> half
            b = (b ^ word) * factors[1]
            b ^= b >> three
            at += eight
        rest = one
        while at < stop:
            rest = rest << eight | np.uint64(data[at])
            at += one
        a = (a ^ rest) * factors[0] + length
        b = (b ^ rest) * factors[1] + (length << five)
        hashes[0, i] = (a ^ a >> half) * factors[1]
        hashes[1, i] = (b ^ b >> half) * factors[0]


@entry
def _find(a: Hashes, b: Hashes, slots: Lines, first: Lines) -> None:
    """Fill `first` with the help of a table of empty `slots` (-1), a power of two and more than the rows."""
    mask = np.uint64(len(slots) - 1)
    for i in range(len(a)):
        at = a[i] >> np.uint64(20) & mask
        while slots[at] >= 0 and (a[slots[at]] != a[i] or b[slots[at]] != b[i]):
            at = at + np.uint64(1) & mask
        if slots[at] < 0:
            slots[at] = i
        first[i] = slots[at]
