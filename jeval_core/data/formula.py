"""Cells that a spreadsheet would run as formulas: an apostrophe in front of them, and off again on reading.

A file that we wrote says in a column of its own which cells got an apostrophe, so reading it back is exact and
no apostrophe of anyone else's file is ever touched.
"""

from __future__ import annotations

import json
import re

from jeval_core.data.arrow import pa, pc

MARK = "jeval.apostrophe_added"
"""The column that lists, as JSON, the columns whose cell in this row got an apostrophe."""
STARTS = r"[\s\x00-\x20\x7f\u00a0\u200b-\u200f\u2060\ufeff]*[=+\-@\u2212\uff1d\uff0b\uff0d\uff20]|[\t\r\n]"
FORMULA = re.compile(STARTS)
NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
SUSPECT = r"^(?:[=+@\t\r\n\s-]|[^\x21-\x7e])"
"""A wider net in the dialect of pyarrow: every cell that `runs` has to look at."""


def runs(text: str) -> bool:
    """Whether a spreadsheet could take this cell for a formula; a plain number such as -3 or white space is none."""
    return FORMULA.match(text) is not None and NUMBER.fullmatch(text) is None and not text.isspace()


def guard(table: pa.Table) -> pa.Table:
    """Put an apostrophe before every text cell (and column name) that could run; add the mark where any did."""
    names = [f"'{n}" if runs(n.lstrip("'")) else n for n in table.column_names]
    marked: dict[int, list[str]] = {}
    columns = []
    for name, column in zip(table.column_names, table.columns, strict=True):
        if pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
            column = _guarded(name, column, marked)
        columns.append(column)
    if marked or names != table.column_names:
        names.append(MARK)
        columns.append(pa.array([json.dumps(marked[i]) if i in marked else "" for i in range(table.num_rows)]))
    return pa.Table.from_arrays(columns, names=names)


def _guarded(name: str, column: pa.ChunkedArray, marked: dict[int, list[str]]) -> pa.ChunkedArray:
    suspects = pc.indices_nonzero(pc.fill_null(pc.match_substring_regex(column, SUSPECT), False)).to_pylist()
    if not suspects:
        return column
    cells = column.to_pylist()
    for i in suspects:
        if runs(cells[i]):
            cells[i] = f"'{cells[i]}"
            marked.setdefault(i, []).append(name)
    return pa.chunked_array([pa.array(cells, column.type)])


def unguard(names: list[str], columns: list[pa.ChunkedArray]) -> tuple[list[str], list[pa.ChunkedArray]]:
    """Take the apostrophes off again where the mark says that they were added, and drop the mark."""
    if MARK not in names:
        return names, columns
    at = names.index(MARK)
    marks = columns[at].to_pylist()
    names = [n.removeprefix("'") if runs(n.lstrip("'")) else n for i, n in enumerate(names) if i != at]
    columns = [c for i, c in enumerate(columns) if i != at]
    rows: dict[str, list[int]] = {}
    for row, mark in enumerate(marks):
        for name in _listed(mark):
            rows.setdefault(name, []).append(row)
    return names, [_unguarded(c, rows.get(n, [])) for n, c in zip(names, columns, strict=True)]


def _listed(mark: str | None) -> list[str]:
    if not mark:
        return []
    try:
        names = json.loads(mark)
    except (ValueError, RecursionError):
        return []
    return [n for n in names if isinstance(n, str)] if isinstance(names, list) else []


def _unguarded(column: pa.ChunkedArray, rows: list[int]) -> pa.ChunkedArray:
    if not rows:
        return column
    cells = column.to_pylist()
    for i in rows:
        cells[i] = cells[i].removeprefix("'") if cells[i] else cells[i]
    return pa.chunked_array([pa.array(cells, column.type)])
