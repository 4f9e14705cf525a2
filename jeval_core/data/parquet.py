"""Parquet files: any column as text, a null stays missing."""

from __future__ import annotations

import numpy as np

from jeval_core.data.arrow import pa, parquet, pc, text_column
from jeval_core.data.errors import LimitExceeded, UnreadableFile
from jeval_core.data.jsonish import as_text
from jeval_core.data.raw import Raw, too_large
from jeval_core.data.records import Limits, Problem, Source, Table
from jeval_core.data.shape import named, no_rows, over_rows
from jeval_core.errors import said


def read_parquet(raw: Raw, limits: Limits) -> Table:
    """Read every column; lines count rows from 1."""
    source = Source("parquet", compressed=raw.compressed)
    try:
        with raw.open() as stream:
            file = parquet.ParquetFile(stream)
            _check(file.metadata, raw.name, limits)
            table = file.read()
        columns = [_text(c) for c in table.columns]
    except (pa.ArrowException, OSError, UnicodeDecodeError, OverflowError, NotImplementedError):
        raise UnreadableFile(
            f"`{said(raw.name)}` is a Parquet file that cannot be read: damaged, encrypted or of an unknown kind.",
            hint="Write it again, or give CSV or JSONL.",
        ) from None
    rows = table.num_rows
    lines = np.arange(1, rows + 1, dtype=np.int64)
    named_table, problems = named(table.column_names, columns, 0)
    keep, long = _short(named_table, limits)
    problems += long
    if not rows:
        problems.append(no_rows(0))
    kept = named_table if keep.all() else named_table.filter(pa.array(keep))
    return Table(source, kept, lines[keep], problems, rows)


def _check(metadata: object, name: str, limits: Limits) -> None:
    if metadata.num_rows > limits.max_rows:  # type: ignore[attr-defined]
        raise over_rows(limits)
    if metadata.num_columns > limits.max_columns:  # type: ignore[attr-defined]
        raise LimitExceeded(
            f"The file has {metadata.num_columns:,} columns; at most {limits.max_columns:,} are read.",  # type: ignore[attr-defined]
            field="max_columns",
            hint="Raise the limit `max_columns`.",
        )
    groups = range(metadata.num_row_groups)  # type: ignore[attr-defined]
    if sum(metadata.row_group(i).total_byte_size for i in groups) > limits.max_unpacked_bytes:  # type: ignore[attr-defined]
        raise too_large(name, limits.max_unpacked_bytes)


def _text(column: pa.ChunkedArray) -> pa.ChunkedArray:
    kind = column.type
    if pa.types.is_dictionary(kind):
        column = column.cast(kind.value_type)
        kind = column.type
    if pa.types.is_floating(kind) or pa.types.is_nested(kind):
        cells = [
            None if v != v else as_text(v) for v in column.to_pylist()
        ]  # nan is how pandas writes a missing number
        return text_column(cells)
    column = column.cast(pa.string())
    holds_nul = pc.any(pc.match_substring(column, "\0")).as_py()
    return pc.replace_substring(column, "\0", "") if holds_nul else column


def _short(table: pa.Table, limits: Limits) -> tuple[np.ndarray, list[Problem]]:
    """Which rows have no cell beyond the limit, and the problems of the others."""
    keep = np.ones(table.num_rows, dtype=bool)
    for column in table.columns:
        if (pc.max(pc.binary_length(column)).as_py() or 0) > limits.max_cell:
            length = pc.fill_null(pc.utf8_length(column), 0).to_numpy()
            keep &= length <= limits.max_cell
    reason = f"A cell is longer than {limits.max_cell:,} characters (`max_cell`)."
    return keep, [Problem(int(i) + 1, "cell_too_long", reason, rejected=True) for i in np.flatnonzero(~keep)]
