"""The careful reader: one row at a time, so that every row that is wrong can be named and the others kept."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from jeval_core.data.arrow import pa
from jeval_core.data.dialect import Dialect, parse, physical_lines
from jeval_core.data.encoding import STRAY
from jeval_core.data.records import Limits, Problem
from jeval_core.data.shape import Body, blank_row, needed_cells, over_rows, wrong_width

CHUNK = 20_000
OPEN = 'A quote `"` opens here and is never closed. Close it, or double it inside a cell.'


def read_patient(text: str, dialect: Dialect, limits: Limits) -> Body:
    """Read every row of `text` below the header."""
    body = Body([], np.empty(0, dtype=np.int64))
    lines: list[int] = []
    chunks: list[list[pa.Array]] = [[] for _ in dialect.names]
    batch: list[list[str]] = []

    def flush() -> None:
        for chunk, cells in zip(chunks, zip(*batch, strict=True), strict=False):
            chunk.append(pa.array(cells, pa.string()))
        batch.clear()

    for line, cells in _good_rows(text, dialect, limits, body):
        lines.append(line)
        batch.append(cells)
        if len(batch) == CHUNK:
            flush()
    flush()
    body.columns = [pa.chunked_array(c, pa.string()) for c in chunks]
    body.lines = np.asarray(lines, dtype=np.int64)
    return body


def _good_rows(text: str, dialect: Dialect, limits: Limits, body: Body) -> Iterator[tuple[int, list[str]]]:
    """Rows of the right width; the others become problems of `body`."""
    width, needed = len(dialect.names), needed_cells(dialect.names)
    suspect = "\0" in text or STRAY.search(text) is not None
    lines = physical_lines(text)
    for line, cells in parse(lines, dialect.delimiter, quotes=dialect.quotes, first=dialect.first_row):
        if cells == []:
            continue  # a line without anything on it is no row
        body.rows_in_file += 1
        if body.rows_in_file > limits.max_rows:
            raise over_rows(limits)
        if cells is None:
            body.problems.append(Problem(line, "unclosed_quote", OPEN, rejected=True))
            continue
        if not any(c and not c.isspace() for c in cells):
            body.blank += 1
            body.problems.append(blank_row(line))
            continue
        wrong = wrong_width(cells, needed, width) or _wrong_cell(cells, limits, suspect)
        if wrong:
            body.problems.append(Problem(line, *wrong, rejected=True))
            continue
        if len(cells) != width:
            cells = cells[:width] + [""] * (width - len(cells))
        if suspect and any("\0" in c for c in cells):
            body.problems.append(
                Problem(line, "nul_byte", "A cell held NUL characters; they were taken out. Check the text.")
            )
            cells = [c.replace("\0", "") for c in cells]
        yield line, cells


def _wrong_cell(cells: list[str], limits: Limits, suspect: bool) -> tuple[str, str] | None:
    """The code and the reason for which a cell of the row cannot be kept."""
    longest = max(map(len, cells))
    if longest > limits.max_cell:
        return "cell_too_long", f"A cell has {longest:,} characters; the limit is {limits.max_cell:,} (`max_cell`)."
    if suspect and any(STRAY.search(c) for c in cells):
        return "bad_bytes", "A cell holds bytes that are not UTF-8, unlike the rest of the file. Correct or retype it."
    return None
