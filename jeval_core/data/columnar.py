"""The fast reader: clean UTF-8 tables, whole columns at a time.

It gives up (None) wherever the patient reader could see something else: stray carriage returns, NUL bytes,
blank lines between rows, a quote left open, cells beyond the limit, very many rows of another width.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from jeval_core.data.arrow import pa, pacsv, pc, release
from jeval_core.data.dialect import Dialect, parse, physical_lines
from jeval_core.data.raw import Raw
from jeval_core.data.records import Limits, Lines, Problem
from jeval_core.data.shape import Body, blank_row, drop_blank, needed_cells, over_rows, wrong_width
from jeval_core.data.tally import Tally

BLOCK = 1 << 20
MOST_ODD = 10_000
"""With more rows of another width than this, something is wrong with the layout and not with a few rows."""


def read_columnar(raw: Raw, dialect: Dialect, limits: Limits) -> Body | None:
    """The rows below the header, or None when patience is needed."""
    if b"\0" in raw.head or not dialect.delimiter.isascii():
        return None
    odd: list[Any] = []
    columns, tally = _parse(raw, dialect, odd, parallel=True)
    if columns is None and odd:
        odd.clear()
        columns, tally = _parse(raw, dialect, odd, parallel=False)
    release()
    if columns is None or tally.nul or not tally.plain_ends:
        return None
    total = len(columns[0]) + len(odd)
    if total > limits.max_rows:
        raise over_rows(limits)
    if any((pc.max(pc.binary_length(c)).as_py() or 0) > limits.max_cell for c in columns):
        return None  # bytes are never fewer than characters, so short cells in bytes are short cells
    last_odd = odd[-1] if odd and _place(odd[-1], dialect) == total else None
    if total and not _closed(raw, tally.end, columns[-1], dialect, last_odd):
        return None
    return _body(tally.inner_lines, dialect, columns, odd)


def _parse(
    raw: Raw, dialect: Dialect, odd: list[Any], *, parallel: bool
) -> tuple[list[pa.ChunkedArray] | None, Tally]:
    """Every column as text; rows of another width go to `odd`, and end a parallel parse."""
    names = [str(i) for i in range(len(dialect.names))]

    def odd_row(row: Any) -> str:
        odd.append(row)
        return "error" if parallel or len(odd) > MOST_ODD else "skip"

    tally = Tally(raw.open())
    try:
        table = pacsv.read_csv(
            pa.PythonFile(tally, "r"),
            read_options=pacsv.ReadOptions(
                column_names=names, skip_rows=dialect.first_row - 1, block_size=BLOCK, use_threads=parallel
            ),
            parse_options=pacsv.ParseOptions(
                delimiter=dialect.delimiter,
                quote_char='"' if dialect.quotes else False,
                newlines_in_values=dialect.quotes,
                invalid_row_handler=odd_row,
            ),
            convert_options=pacsv.ConvertOptions(
                column_types={n: pa.string() for n in names}, strings_can_be_null=False, check_utf8=True
            ),
        )
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        return None, tally
    finally:
        tally.close()
    return table.columns, tally


def _place(row: Any, dialect: Dialect) -> int:
    """Which row below the header an odd one is, from 1."""
    return int(row.number) - (dialect.first_row - 1)


def _closed(raw: Raw, end: int, last: pa.ChunkedArray, dialect: Dialect, odd: Any) -> bool:
    """The last cell, which ends at byte `end`, stands in the file as cells do: plain or quoted, after a delimiter."""
    if odd is not None:
        return '"' not in odd.text
    cell = last[-1].as_py().encode()
    written = cell
    if dialect.quotes and raw.part(end - 1, end) == b'"':
        written = b'"' + cell.replace(b'"', b'""') + b'"'
    elif b"\n" in cell:
        return False
    found = raw.part(end - len(written) - 1, end)
    return found[1:] == written and found[:1] in (dialect.delimiter.encode(), b"\n")


def _body(line_ends: int, dialect: Dialect, columns: list[pa.ChunkedArray], odd: list[Any]) -> Body | None:
    """Good rows with their lines, odd ones as problems; None where an odd row could be kept after all."""
    places = np.array([_place(row, dialect) - 1 for row in odd], dtype=np.int64)
    starts = _lines(line_ends, dialect, columns, odd, places)
    if starts is None:
        return None
    body = Body(columns, np.delete(starts, places), rows_in_file=len(starts))
    width, needed = len(dialect.names), needed_cells(dialect.names)
    for row, place in zip(odd, places.tolist(), strict=True):
        _, cells = next(parse(physical_lines(row.text), dialect.delimiter, quotes=dialect.quotes))
        cells = cells or []
        if not "".join(cells).strip():
            body.problems.append(blank_row(int(starts[place])))
            body.blank += 1
        elif (wrong := wrong_width(cells, needed, width)) and "\ufffd" not in row.text:
            body.problems.append(Problem(int(starts[place]), *wrong, rejected=True))
        else:
            return None
    drop_blank(body)
    body.problems.sort(key=lambda p: p.line)
    return body


def _lines(
    line_ends: int, dialect: Dialect, columns: list[pa.ChunkedArray], odd: list[Any], places: Lines
) -> Lines | None:
    """Count line ends instead of tracking them: what is left over must be line breaks inside cells."""
    rows = len(columns[0]) + len(odd)
    starts: Lines = np.arange(rows, dtype=np.int64) + dialect.first_row
    extra = line_ends + 1 - (dialect.first_row - 1) - rows
    if extra == 0 or rows == 0:
        return starts
    inside = np.zeros(rows, dtype=np.int64)
    good = np.delete(np.arange(rows), places)
    for column in columns:
        inside[good] += pc.count_substring(column, "\n").to_numpy()
    inside[places] = [row.text.count("\n") for row in odd]
    if int(inside.sum()) != extra:
        return None
    starts[1:] += np.cumsum(inside)[:-1]
    return starts
