"""Cases make a data set, responses belong to a run; a data set is known by a hash of its cases."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from jeval_core.data.arrow import pa, pc
from jeval_core.data.codes import codes, first_rows, row_codes

if TYPE_CHECKING:
    from jeval_core.data.records import Lines
    from jeval_core.data.rows import Rows

HASHED = ("id", "input", "criteria")


@dataclass(frozen=True, slots=True)
class Case:
    """One item of a data set. `references` are (name of the reference set, text)."""

    id: str
    input: str | None = None
    references: tuple[tuple[str, str], ...] = ()
    criteria: str | None = None
    task_type: str | None = None
    risk_tier: str | None = None


@dataclass(frozen=True, slots=True)
class Response:
    """What a system answered to a case. `sample` counts answers of one system to one case, from 0."""

    case_id: str
    output: str | None
    sample: int = 0
    model_version: str | None = None
    gold: Mapping[str, float] = field(default_factory=dict)
    tags: Mapping[str, bool] = field(default_factory=dict)
    threshold: float | None = None
    metadata: Mapping[str, str] = field(default_factory=dict)


def dataset_version(rows: Rows) -> str:
    """sha256 over the different cases of `rows` in order: id, input, references with their names, criteria.

    It does not depend on the file's format, column order, chunks or on any other column; a missing text and an empty
    one are the same.
    """
    columns = _columns(rows)
    first = first_rows(codes(rows.id))
    if len(first) < len(rows):
        first = first_rows(row_codes(list(columns.values())))
    several = len(first) < len(rows)  # several answers to one case are one case
    digest = hashlib.sha256(b"jeval dataset 1\n")
    for name, whole in columns.items():
        column = _picked(whole, first) if several else whole
        if name != "id" and not (pc.sum(pc.binary_length(column)).as_py() or 0):
            continue  # a column without any text is as good as none
        digest.update(json.dumps(name).encode() + b"\n")
        for chunk in column.chunks:
            digest.update(_bytes(chunk))
        for chunk in column.chunks:
            digest.update(pc.binary_length(chunk).to_numpy(zero_copy_only=False).astype("<i8").tobytes())
    return digest.hexdigest()


def _picked(column: pa.ChunkedArray, first: Lines) -> pa.ChunkedArray:
    """The rows of a column at ascending positions, chunk by chunk: a whole copy would double the memory."""
    mask = np.zeros(len(column), dtype=bool)
    mask[first] = True
    ends = np.cumsum([len(chunk) for chunk in column.chunks])
    picked = [c.filter(pa.array(mask[end - len(c) : end])) for c, end in zip(column.chunks, ends, strict=True)]
    return pa.chunked_array(picked, column.type)


def _columns(rows: Rows) -> dict[str, pa.ChunkedArray]:
    named = {f: getattr(rows, f) for f in HASHED} | {f"reference:{n.strip()}": c for n, c in sorted(rows.references)}
    return {n: pc.fill_null(c, "") for n, c in named.items() if c is not None}


def _bytes(chunk: pa.Array) -> memoryview:
    """The text bytes of a chunk without copying them."""
    offsets, data = chunk.buffers()[1:3]
    wide = "<i8" if pa.types.is_large_string(chunk.type) else "<i4"
    if data is None or not len(chunk):
        return memoryview(b"")
    ends = np.frombuffer(offsets, dtype=wide)
    start, stop = int(ends[chunk.offset]), int(ends[chunk.offset + len(chunk)])
    return memoryview(data)[start:stop]
