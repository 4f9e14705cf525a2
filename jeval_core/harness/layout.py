"""How the rows of a run lie in columns: names, order, and a digest of all that they hold."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Collection, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import numpy as np

from jeval_core.data.arrow import edges, pa, text_bytes, without_null

if TYPE_CHECKING:
    from jeval_core.batch.scored import Scored
    from jeval_core.data.rows import Rows

LINE = "file:line"
FIELDS = ("id", "model_version", "input", "output", "criteria", "conversation", "threshold")
"""Columns called by the name of their field; all others are `role:name`."""
ROLES = {"references": "reference", "groups": "group", "tags": "tag", "gold": "gold", "extra": "extra", "line": "file"}
"""What holds several columns → how their names begin."""
PARTS = ("score", "passed", "status", "reason")
JUDGE = "judge"
"""A part that is read off the signature: who answered, in every export beside the score."""


def text_columns(rows: Rows) -> dict[str, pa.ChunkedArray | pa.Array]:
    """Everything about the rows but their scores, without a copy, in the order of `Rows.table`."""
    fields = {"id": rows.id, "model_version": rows.model_version, "input": rows.input, "output": rows.output}
    columns = {n: c for n, c in fields.items() if c is not None}
    columns |= {f"reference:{n}": c for n, c in rows.references}
    later = {"criteria": rows.criteria, "conversation": rows.conversation}
    columns |= {n: c for n, c in later.items() if c is not None}
    columns |= {f"group:{n}": c for n, c in rows.groups.items()} | {f"tag:{n}": c for n, c in rows.tags.items()}
    columns |= {f"gold:{n}": pa.array(c) for n, c in rows.gold.items()}
    if not np.isnan(rows.threshold).all():
        columns["threshold"] = pa.array(rows.threshold)
    return columns | {f"extra:{n}": rows.extra[n] for n in rows.extra.column_names} | {LINE: pa.array(rows.lines)}


def score_columns(scored: Mapping[str, Scored]) -> dict[str, pa.Array]:
    """The scores as they are: nan where there is none, codes for status and reason."""
    out: dict[str, pa.Array] = {}
    for id, s in scored.items():
        out |= {f"{id}.{part}": pa.array(getattr(s, part)) for part in PARTS}
        out |= {f"{id}.{name}": pa.array(values) for name, values in s.counts.items()}
    return out


def public_names(stored: Iterable[str], taken: Collection[str] = ()) -> dict[str, str]:
    """The name by which a column is asked for → the stored one.

    It is the plain name of the field or of the file's column; where that is `taken`, or by an earlier column, it is
    `role:name`. The line of a row (`line`) gives way to a column of the file with that name.
    """
    names: dict[str, str] = {}
    for column in stored:
        plain = column if column in FIELDS else column.split(":", 1)[1]
        names[column if plain in names or plain in taken else plain] = column
    return names


def digest(columns: Mapping[str, pa.ChunkedArray | pa.Array]) -> bytes:
    """sha256 over all columns, the same for the same cells in any order of columns and any chunks."""
    names = sorted(columns)
    with ThreadPoolExecutor(min(4, os.cpu_count() or 1)) as pool:
        parts = pool.map(_column_digest, [columns[n] for n in names])
        whole = hashlib.sha256()
        for name, part in zip(names, parts, strict=True):
            whole.update(hashlib.sha256(name.encode()).digest() + part)
    return whole.digest()


def _column_digest(column: pa.ChunkedArray | pa.Array) -> bytes:
    chunked = column if isinstance(column, pa.ChunkedArray) else pa.chunked_array([column])
    if pa.types.is_boolean(chunked.type):
        chunked = chunked.cast(pa.string())
    found, start, places = hashlib.sha256(), 0, []
    for chunk in chunked.chunks:
        if chunk.null_count:  # a missing text is not an empty one
            places.append(start + np.flatnonzero(chunk.is_null().to_numpy(zero_copy_only=False)))
        start += len(chunk)
    found.update(np.concatenate([np.empty(0, np.int64), *places]).astype("<i8").tobytes() + b"\0")
    if pa.types.is_floating(chunked.type) or pa.types.is_integer(chunked.type):
        for chunk in chunked.chunks:
            found.update(np.ascontiguousarray(chunk.to_numpy(zero_copy_only=False)).data)
        return found.digest()
    sizes = hashlib.sha256()
    for chunk in chunked.chunks:
        texts = without_null(chunk.cast(pa.string()) if pa.types.is_dictionary(chunk.type) else chunk)
        found.update(text_bytes(texts))
        sizes.update(np.diff(edges(texts)).astype("<i8", copy=False).data)
    return found.digest() + sizes.digest()
