"""Tables out: CSV that a spreadsheet cannot run, Parquet, JSON Lines.

Files appear whole or not at all: they are written under another name and then moved.
"""

from __future__ import annotations

import datetime as dt
import json
import math
import os
import tempfile
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any, BinaryIO

from jeval_core.data.arrow import pa, pacsv, parquet, text_column
from jeval_core.data.formula import guard

Target = str | Path | BinaryIO
"""A path, or anything open for writing bytes."""


def to_csv(table: pa.Table, target: Target) -> None:
    """Write UTF-8 CSV in which no text cell starts as a formula: such cells get an apostrophe in front.

    Numbers stay as they are. Where an apostrophe was added, the last column (`jeval.apostrophe_added`) says so, and
    `read` takes it off again.
    """
    safe = guard(_flat(table))
    options = pacsv.WriteOptions(include_header=False, quoting_style="needed")
    header = ",".join('"' + name.replace('"', '""') + '"' for name in safe.column_names) + "\n"

    def write(stream: BinaryIO) -> None:
        stream.write(header.encode())
        pacsv.write_csv(safe, stream, options)

    written(target, write)


def to_parquet(table: pa.Table, target: Target) -> None:
    """Write zstd Parquet."""
    written(target, lambda stream: parquet.write_table(table, stream, compression="zstd"))


def to_jsonl(table: pa.Table, target: Target) -> None:
    """Write one JSON object a line; what JSON has no number for (nan, infinity) becomes null."""

    def write(stream: BinaryIO) -> None:
        for batch in table.to_batches(max_chunksize=10_000):
            lines = (json.dumps(_plain(row), ensure_ascii=False, allow_nan=False) for row in batch.to_pylist())
            stream.write("".join(f"{line}\n" for line in lines).encode("utf-8", "backslashreplace"))

    written(target, write)


def written(target: Target, write: Callable[[BinaryIO], None]) -> None:
    """Run `write` on a stream; a path gets its content in one step, after it is safely on the disk."""
    if not isinstance(target, str | Path):
        write(target)
        return
    durable(Path(target), write, 0o666 & ~_umask())


def durable(path: Path, write: Callable[[BinaryIO], object], mode: int = 0o600) -> None:
    """Write under another name and move it when it is on the disk; without `mode` only its owner may read it."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    try:
        with os.fdopen(handle, "wb") as stream:
            write(stream)
            stream.flush()
            os.fsync(stream.fileno())
        os.chmod(temporary, mode)
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _flat(table: pa.Table) -> pa.Table:
    """Lists and nested values as JSON text, which is all that CSV can hold; nan becomes an empty cell."""
    columns = []
    for column in table.columns:
        if pa.types.is_dictionary(column.type):
            column = column.cast(column.type.value_type)
        if pa.types.is_nested(column.type):
            cells = [None if v is None else json.dumps(_plain(v), ensure_ascii=False) for v in column.to_pylist()]
            column = text_column(cells)
        elif pa.types.is_floating(column.type):
            column = pa.chunked_array([pa.array(column.to_pandas(), from_pandas=True, type=column.type)])
        columns.append(column)
    return pa.Table.from_arrays(columns, names=table.column_names)


def _plain(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dict):
        return {k: _plain(v) for k, v in value.items()}
    if isinstance(value, list):
        return [_plain(v) for v in value]
    if isinstance(value, Decimal | dt.date | dt.time | dt.timedelta):
        return str(value)
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value
