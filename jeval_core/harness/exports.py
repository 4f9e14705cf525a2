"""Rows of a run as files for other programs, written a block at a time, so that a million rows need little memory."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, BinaryIO

import numpy as np

from jeval_core.data.arrow import pa, parquet, release
from jeval_core.data.export import Target, to_csv, to_jsonl, written
from jeval_core.data.formula import MARK, guard
from jeval_core.data.junit import to_junit
from jeval_core.data.references import as_cells
from jeval_core.errors import BadInput, nearest
from jeval_core.harness.layout import JUDGE, PARTS

if TYPE_CHECKING:
    from jeval_core.harness.results import Results, Rows

BLOCK = 32_768
"""Rows written at a time."""
KINDS = ("csv", "parquet", "jsonl", "junit")


def export(results: Results, kind: str, target: Target, rows: Sequence[int] | Rows | None = None) -> None:
    """Write all rows, or some in the order given, with the columns of `Run.table`.

    `kind` is `csv` (no cell runs as a formula), `parquet`, `jsonl` or `junit`; a path gets its file whole or not at
    all. JUnit holds one evaluator after the other and is made in memory, from ids and scores alone. Raises BadInput.
    """
    if kind not in KINDS:
        raise BadInput("There is no such kind of export.", field="kind", hint=nearest(kind, KINDS))
    if kind == "junit":
        to_junit(results.take(_all(results, rows), _junit_columns(results)), target, name=results.name)
        return
    writers: dict[str, Callable[[Results, Rows, BinaryIO], None]] = {"csv": _csv, "parquet": _parquet, "jsonl": _jsonl}
    chosen = _all(results, rows)
    written(target, lambda stream: writers[kind](results, chosen, stream))


def _all(results: Results, rows: Sequence[int] | Rows | None) -> Rows:
    return np.arange(results.n) if rows is None else np.asarray(rows, dtype=np.int64)


def _junit_columns(results: Results) -> list[str]:
    names = [*results.columns["id"], *results.columns["model_version"]]
    known = {*results.default_columns}
    wanted = (f"{id}.{part}" for id in results.evaluators for part in (*PARTS, JUDGE))
    return [*names, *(name for name in wanted if name in known)]


def _blocks(results: Results, rows: Rows, columns: Sequence[str] | None = None) -> Iterator[pa.Table]:
    """At least one block, with the same columns in each; references as a file can hold them."""
    for start in range(0, max(1, len(rows)), BLOCK):
        table = results.take(rows[start : start + BLOCK], columns)
        for name in results.columns["references"]:
            if name in table.column_names:
                ((_, cells),) = as_cells([(name, table[name])])
                table = table.set_column(table.column_names.index(name), name, cells)
        yield table
        del table
        release()


def _csv(results: Results, rows: Rows, stream: BinaryIO) -> None:
    texts = [n for n in results.default_columns if n not in _numeric(results)]
    marked = any(MARK in guard(block).column_names for block in _blocks(results, rows, texts))
    head = io.BytesIO()
    for i, block in enumerate(_blocks(results, rows)):
        if not i:
            to_csv(_with_mark(block.slice(0, 0), marked=marked), head)
        part = io.BytesIO()
        to_csv(_with_mark(block, marked=marked), part)
        stream.write(part.getbuffer()[head.tell() if i else 0 :])


def _with_mark(block: pa.Table, *, marked: bool) -> pa.Table:
    """Every block has the column that lists guarded cells, or none has it."""
    if not marked or MARK in guard(block).column_names:
        return block
    return block.append_column(MARK, pa.array([""] * len(block), pa.string()))


def _numeric(results: Results) -> set[str]:
    """Columns of numbers, which never run as formulas; reasons and states are ours."""
    return {n for n in results.default_columns if n not in results.names} | {
        *results.columns["gold"],
        *results.columns["threshold"],
    }


def _jsonl(results: Results, rows: Rows, stream: BinaryIO) -> None:
    for block in _blocks(results, rows):
        to_jsonl(block, stream)


def _parquet(results: Results, rows: Rows, stream: BinaryIO) -> None:
    blocks = _blocks(results, rows)
    first = next(blocks)
    with parquet.ParquetWriter(stream, first.schema, compression="zstd") as writer:
        writer.write_table(first)
        del first
        for block in blocks:
            writer.write_table(block.cast(writer.schema))


__all__ = ["BLOCK", "KINDS", "export"]
