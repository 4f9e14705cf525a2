"""Excel workbooks: one sheet, its cells as people see them."""

from __future__ import annotations

import datetime as dt
import io

import numpy as np

from jeval_core.data.arrow import text_column
from jeval_core.data.errors import LimitExceeded, UnreadableFile, listed
from jeval_core.data.raw import Raw, open_zip
from jeval_core.data.records import Limits, Problem, Source, Table
from jeval_core.data.shape import Body, blank_row, empty_file, finish, over_rows
from jeval_core.errors import BadOption, said


def read_workbook(raw: Raw, limits: Limits, *, sheet: str | None = None, header_row: int | None = None) -> Table:
    """Read one sheet, the first unless another is named; the others are listed as alternatives."""
    names, chosen, grid = _grid(raw, limits, sheet)
    filled = [i for i, row in enumerate(grid) if any(shown(v).strip() for v in row)]
    others = {"sheet": tuple(n for n in names if n != chosen)} if len(names) > 1 else {}
    if header_row is not None and not 1 <= header_row <= len(grid):
        raise BadOption(f"The sheet has no row {header_row}.", field="header_row", hint="Rows count from 1.")
    head = (header_row - 1) if header_row else filled[0] if filled else 0
    source = Source("xlsx", None, None, head + 1 if filled else None, others, raw.compressed, chosen)
    if not filled:
        return empty_file(source)
    width = len(grid[head])
    if width > limits.max_columns:
        raise LimitExceeded(
            f"The sheet has {width:,} columns; at most {limits.max_columns:,} are read.",
            field="max_columns",
            hint="Raise the limit `max_columns`.",
        )
    header = [shown(v) for v in grid[head]]
    if filled[-1] - head > limits.max_rows:
        raise over_rows(limits)
    return finish(source, header, _body(grid, head, filled[-1], limits))


def _body(grid: list[list[object]], head: int, last: int, limits: Limits) -> Body:
    """The rows below the header; lines are the sheet's row numbers."""
    body = Body([], np.empty(0, dtype=np.int64), rows_in_file=last - head)
    rows, lines = [], []
    for at in range(head + 1, last + 1):
        cells = [shown(v) for v in grid[at]]
        longest = max(map(len, cells))
        if not any(c and not c.isspace() for c in cells):
            body.blank += 1
            body.problems.append(blank_row(at + 1))
        elif longest > limits.max_cell:
            reason = f"A cell has {longest:,} characters; the limit is {limits.max_cell:,} (`max_cell`)."
            body.problems.append(Problem(at + 1, "cell_too_long", reason, rejected=True))
        else:
            rows.append(cells)
            lines.append(at + 1)
    body.columns = [text_column([r[i] for r in rows]) for i in range(len(grid[head]))]
    body.lines = np.asarray(lines, dtype=np.int64)
    return body


def _grid(raw: Raw, limits: Limits, sheet: str | None) -> tuple[list[str], str, list[list[object]]]:
    """Sheet names, the chosen one, and its cells from the top left corner."""
    from python_calamine import CalamineError, CalamineWorkbook

    open_zip(raw, limits).close()
    try:
        book = CalamineWorkbook.from_filelike(io.BytesIO(raw.data))
        names = list(book.sheet_names)
        if not names:
            raise UnreadableFile(f"`{said(raw.name)}` has no sheets.", hint="Save the table as CSV.")
        chosen = sheet or names[0]
        if chosen not in names:
            raise UnreadableFile(
                f"There is no sheet `{said(chosen)}`.", field="sheet", hint=f"Sheets: {listed(names)}."
            )
        cells: list[list[object]] = [list(r) for r in book.get_sheet_by_name(chosen).to_python(skip_empty_area=False)]
        return names, chosen, cells
    except (CalamineError, OSError, ValueError) as e:
        if isinstance(e, UnreadableFile):
            raise
        raise UnreadableFile(
            f"`{said(raw.name)}` is a damaged or protected workbook.", hint="Save the sheet as CSV."
        ) from None


def shown(value: object) -> str:
    """A cell as a spreadsheet shows it without further formatting: 3.0 is "3", a day has no time."""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else format(value, ".15g")
    if isinstance(value, dt.datetime):
        return value.date().isoformat() if value.time() == dt.time() else value.isoformat(" ")
    return "" if value is None else str(value).replace("\0", "")
