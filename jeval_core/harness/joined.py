"""The rows of several files as one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from jeval_core import data
from jeval_core.data.arrow import coded, pa, plain
from jeval_core.data.codes import first_equal
from jeval_core.data.errors import column_name

FILE = "file"
"""The extra column that says which file a row comes from."""


def with_system(rows: data.Rows, system: str | None) -> data.Rows:
    """The rows as answers of `system`, where they do not name one."""
    if rows.model_version is not None or system is None:
        return rows
    return replace(rows, model_version=_repeated([system], [len(rows)]))


def joined_rows(parts: Sequence[data.Rows], names: Sequence[str]) -> data.Rows:
    """One part under the other; a column that a part lacks is missing there, a gold value nan.

    `names` are the files', for problems and for an extra column `file`.
    """
    sizes = [len(part) for part in parts]

    def text(of: Callable[[data.Rows], pa.ChunkedArray | None]) -> pa.ChunkedArray | None:
        return _stacked([of(part) for part in parts], sizes)

    def named(of: Callable[[data.Rows], dict[str, pa.ChunkedArray]]) -> dict[str, pa.ChunkedArray]:
        keys = dict.fromkeys(n for part in parts for n in of(part))
        return {n: _stacked([of(part).get(n) for part in parts], sizes) for n in keys}

    tags = named(lambda part: part.tags)
    gold = dict.fromkeys(n for part in parts for n in part.gold)
    problems = [
        replace(p, reason=f"{column_name(name)}: {p.reason}")
        for part, name in zip(parts, names, strict=True)
        for p in part.problems
    ]
    return data.Rows(
        output=_stacked([part.output for part in parts], sizes),
        references=[*named(lambda part: dict(part.references)).items()],
        id=_stacked([part.id for part in parts], sizes),
        input=text(lambda part: part.input),
        criteria=text(lambda part: part.criteria),
        conversation=text(lambda part: part.conversation),
        model_version=text(lambda part: part.model_version),
        gold={n: np.concatenate([p.gold.get(n, np.full(len(p), np.nan)) for p in parts]) for n in gold},
        threshold=np.concatenate([part.threshold for part in parts]),
        groups=named(lambda part: part.groups),
        tags={n: column.combine_chunks() for n, column in tags.items()},
        extra=_extra(parts, names, sizes),
        lines=np.concatenate([part.lines for part in parts]),
        problems=problems,
        rows_in_file=sum(part.rows_in_file for part in parts),
        blank=sum(part.blank for part in parts),
    )


def repeated_elsewhere(rows: data.Rows, sizes: Sequence[int]) -> int:
    """How many rows have the id and the system of a row in an earlier file; `sizes` are the rows of each file."""
    columns = [rows.id] if rows.model_version is None else [rows.id, plain(rows.model_version)]
    files = np.repeat(np.arange(len(sizes)), sizes)
    return int((files[first_equal(columns)] != files).sum())


def _extra(parts: Sequence[data.Rows], names: Sequence[str], sizes: Sequence[int]) -> pa.Table:
    keys = dict.fromkeys(n for part in parts for n in part.extra.column_names)
    columns = {n: _stacked([p.extra[n] if n in p.extra.column_names else None for p in parts], sizes) for n in keys}
    own = FILE if FILE not in keys else f"jeval.{FILE}"
    return pa.table(columns | {own: _repeated(names, sizes)})


def _stacked(columns: Sequence[pa.ChunkedArray | pa.Array | None], sizes: Sequence[int]) -> pa.ChunkedArray | None:
    """One column under the other without a copy, null where there is none; None where no part has one."""
    given = [c for c in columns if c is not None]
    if not given:
        return None
    codes = any(pa.types.is_dictionary(c.type) for c in given)
    kinds = {(c.type.value_type if pa.types.is_dictionary(c.type) else c.type) for c in given}
    kind = kinds.pop() if len(kinds) == 1 else pa.large_string()
    chunks: list[pa.Array] = []
    for column, size in zip(columns, sizes, strict=True):
        whole = pa.chunked_array([pa.nulls(size, kind)]) if column is None else column
        whole = whole if isinstance(whole, pa.ChunkedArray) else pa.chunked_array([whole])
        chunks += (whole if whole.type == kind else whole.cast(kind)).chunks
    stacked = pa.chunked_array(chunks, kind)
    return coded(stacked) if codes else stacked


def _repeated(names: Sequence[str], sizes: Sequence[int]) -> pa.ChunkedArray:
    """Each name as often as it has rows."""
    different = [*dict.fromkeys(names)]
    codes = np.repeat(np.array([different.index(name) for name in names], np.int32), sizes)
    return pa.chunked_array([pa.DictionaryArray.from_arrays(pa.array(codes), pa.array(different, pa.string()))])
