"""Equal texts as equal whole numbers, so that millions of rows are compared by arithmetic."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from jeval_core.data.arrow import pa, pc
from jeval_core.data.records import Lines


def codes(column: pa.ChunkedArray) -> Lines:
    """0, 1, 2 … in the order in which texts first appear; a missing text is an empty one."""
    return _dense(pc.fill_null(column, ""))


def row_codes(columns: Sequence[pa.ChunkedArray]) -> Lines:
    """The same for whole rows: equal numbers where every column is equal."""
    keys = codes(columns[0])
    for column in columns[1:]:
        more = codes(column)
        keys = _dense(pa.chunked_array([keys * (int(more.max(initial=0)) + 1) + more]))
    return keys


def first_rows(keys: Lines) -> Lines:
    """Where each number of `codes` or `row_codes` appears for the first time, in order."""
    before = np.maximum.accumulate(np.r_[-1, keys[:-1]]) if len(keys) else keys
    rows: Lines = np.flatnonzero(keys > before)
    return rows


def _dense(column: pa.ChunkedArray) -> Lines:
    """The chunks of an encoded column share one dictionary, so their indices go together."""
    parts = [chunk.indices.to_numpy() for chunk in column.dictionary_encode().chunks]
    return np.concatenate(parts).astype(np.int64) if parts else np.empty(0, dtype=np.int64)
