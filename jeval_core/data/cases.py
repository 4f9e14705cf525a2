"""Cases make a data set, responses belong to a run; a data set is known by a hash of its cases."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from jeval_core.data.arrow import edges, pa, pc, text_bytes, without_null
from jeval_core.data.codes import distinct, first_equal

if TYPE_CHECKING:
    from jeval_core.data.records import Lines
    from jeval_core.data.rows import Rows

HASHED = ("id", "input", "criteria", "conversation")


@dataclass(frozen=True, slots=True)
class Case:
    """One item of a data set. `references` are (name of the reference set, text)."""

    id: str
    input: str | None = None
    references: tuple[tuple[str, str], ...] = ()
    criteria: str | None = None
    conversation: str | None = None
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
    """sha256 over the different cases of `rows` in order: id, input, named references, criteria, conversation.

    It does not depend on the file's format, column order, chunks or on any other column; a missing text and an empty
    one are the same.
    """
    columns = _columns(rows)
    first = distinct(first_equal([rows.id]))
    if len(first) < len(rows):
        first = distinct(first_equal(list(columns.values())))
    digest = hashlib.sha256(b"jeval dataset 1\n")
    for name, column in columns.items():
        if name != "id" and not (pc.sum(pc.binary_length(column)).as_py() or 0):
            continue  # a column without any text is as good as none
        digest.update(json.dumps(name).encode() + b"\n")
        sizes = []
        for chunk in _picked(column, first):  # several answers to one case are one case
            digest.update(text_bytes(chunk))
            sizes.append(np.diff(edges(chunk)).astype("<i8", copy=False))
        for some in sizes:
            digest.update(some.data)
    return digest.hexdigest()


def _picked(column: pa.ChunkedArray, first: Lines) -> Iterator[pa.Array]:
    """The rows of a column at ascending positions, chunk by chunk: a whole copy would double the memory."""
    mask = np.zeros(len(column), dtype=bool)
    mask[first] = True
    end = 0
    for chunk in column.chunks:
        keep = mask[end : end + len(chunk)]
        end += len(chunk)
        yield without_null(chunk if keep.all() else chunk.filter(pa.array(keep)))


def _columns(rows: Rows) -> dict[str, pa.ChunkedArray]:
    named = {f: getattr(rows, f) for f in HASHED} | {f"reference:{n.strip()}": c for n, c in sorted(rows.references)}
    return {n: c for n, c in named.items() if c is not None}
