"""References of a row: from several columns, from a list in a cell, or from a cell joined by a delimiter."""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from jeval_core.data.arrow import empty_as_null, pa, pc, text_column
from jeval_core.data.cells import texts
from jeval_core.data.errors import column_name
from jeval_core.data.findings import Findings
from jeval_core.data.records import Limits, Lines

References = list[tuple[str, pa.ChunkedArray]]


def unfold(
    columns: References,
    lines: Lines,
    findings: Findings,
    limits: Limits,
    *,
    delimiter: str | None = None,
    lists: bool = True,
) -> tuple[References, NDArray[np.bool_]]:
    """Give every reference a column of its own; null where a row has fewer. Also: which rows are good.

    The second text of a cell in column `ref` is called `ref_2`, so that a file written from this reads back the same.
    """
    good = np.ones(len(lines), dtype=bool)
    taken = {name for name, _ in columns}
    found: References = []
    for name, column in columns:
        column = empty_as_null(column)
        several = _several(column, delimiter, lists)
        if not several:
            found.append((name, column))
            continue
        cells: list[str | None] = column.to_pylist()
        rest = _split(name, cells, several, lines, findings, limits, good, delimiter)
        found.append((name, text_column(cells)))
        for number, more in enumerate(rest, 2):
            found.append((_numbered(name, number, taken), text_column(more)))
    return found, good


def as_cells(references: References) -> References:
    """The columns as a file can hold them: a text that would be read as a list of texts becomes a list of one."""
    return [(name, _as_cells(column)) for name, column in references]


def _as_cells(column: pa.ChunkedArray) -> pa.ChunkedArray:
    lists = [i for i in _several(column, None, True) if _is_list(column[i].as_py())]
    if not lists:
        return column
    cells = column.to_pylist()
    for i in lists:
        cells[i] = json.dumps([cells[i]], ensure_ascii=False)
    return text_column(cells)


def _is_list(cell: str) -> bool:
    try:
        return texts(cell) is not None
    except ValueError:
        return True


def _several(column: pa.ChunkedArray, delimiter: str | None, lists: bool) -> list[int]:
    """Rows whose cell may hold more than one text."""
    if delimiter:
        hits = pc.match_substring(column, delimiter)
    elif lists:
        hits = pc.match_substring_regex(column, r"^\s*\[")
    else:
        return []
    rows: list[int] = pc.indices_nonzero(pc.fill_null(hits, False)).to_pylist()
    return rows


def _split(
    name: str,
    cells: list[str | None],
    rows: Sequence[int],
    lines: Lines,
    findings: Findings,
    limits: Limits,
    good: NDArray[np.bool_],
    delimiter: str | None,
) -> list[list[str | None]]:
    """Leave the first text of each such cell in place; return columns for the second, third … ones."""
    rest: list[list[str | None]] = []
    for i in rows:
        cell = cells[i] or ""
        try:
            several = [t for t in (p.strip() for p in cell.split(delimiter)) if t] if delimiter else texts(cell)
        except ValueError as e:
            reason = f'`{column_name(name)}` holds {e}. Write it as JSON: ["first", "second"].'
            findings.reject(int(lines[i]), "broken_list", reason)
            good[i] = False
            continue
        if several is None:
            continue
        if len(several) > limits.max_references:
            reason = f"`{column_name(name)}` holds {len(several):,} texts; the limit is {limits.max_references}."
            findings.reject(int(lines[i]), "too_many_references", reason)
            good[i] = False
            continue
        several = [t for t in several if t]
        cells[i] = several[0] if several else None
        for at, text in enumerate(several[1:]):
            if at == len(rest):
                rest.append([None] * len(cells))
            rest[at][i] = text
    return rest


def _numbered(name: str, number: int, taken: set[str]) -> str:
    new = f"{name}_{number}"
    while new in taken:
        new = f"{name}_1_{number}" if new == f"{name}_{number}" else f"{new}_{number}"
    taken.add(new)
    return new
