"""From columns in file order to a `Table`: names made unique, empty unnamed columns left out, blank rows dropped."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from jeval_core.data.arrow import pa, pc
from jeval_core.data.errors import LimitExceeded, column_name, listed
from jeval_core.data.formula import unguard
from jeval_core.data.records import Limits, Lines, Problem, Source, Table


@dataclass(slots=True)
class Body:
    """What a reader found below a header: columns in file order, the line of each row, and what was wrong."""

    columns: list[pa.ChunkedArray]
    lines: Lines
    problems: list[Problem] = field(default_factory=list)
    rows_in_file: int = 0
    blank: int = 0


def blank_row(line: int) -> Problem:
    """The notice that a row has cells, but nothing in any of them."""
    return Problem(line, "blank_row", "Every cell of the row is empty; the row is left out.")


def over_rows(limits: Limits) -> LimitExceeded:
    """The refusal of a file with too many rows."""
    return LimitExceeded(
        f"The file has more than {limits.max_rows:,} rows.",
        field="max_rows",
        hint="Split the file, or raise the limit `max_rows`.",
    )


def drop_blank(body: Body) -> None:
    """Leave out the rows in which every cell is empty or white space, and list them."""
    blank = np.ones(len(body.lines), dtype=bool)
    for column in body.columns:
        empty = pc.or_(pc.equal(pc.binary_length(column), 0), pc.utf8_is_space(column))
        blank &= empty.to_numpy()
        if not blank.any():
            return
    keep = pa.array(~blank)
    body.problems += [blank_row(int(n)) for n in body.lines[blank]]
    body.columns, body.lines = [c.filter(keep) for c in body.columns], body.lines[~blank]
    body.blank += int(blank.sum())


def needed_cells(names: Sequence[str]) -> int:
    """How many cells a row must have: up to the last column with a name."""
    return max((i + 1 for i, name in enumerate(names) if name.strip()), default=len(names))


def wrong_width(cells: Sequence[str], needed: int, width: int) -> tuple[str, str] | None:
    """The code and the reason for which a row of this many cells cannot be kept; empty cells too many do no harm."""
    if len(cells) < needed:
        return (
            "too_few_cells",
            f"{len(cells)} cells, but the header has {needed}. Add the missing ones; empty cells need a delimiter.",
        )
    if len(cells) > width and any(c.strip() for c in cells[width:]):
        return (
            "too_many_cells",
            f"{len(cells)} cells, but the header has {width}. Put quotes around a cell that holds the delimiter.",
        )
    return None


def named(names: Sequence[str], columns: list[pa.ChunkedArray], line: int) -> tuple[pa.Table, list[Problem]]:
    """Give every column a name of its own; say so where two had the same."""
    count = Counter(n.strip() for n in names)
    taken: set[str] = set(names)
    final, kept, problems = [], [], []
    for position, (name, column) in enumerate(zip(names, columns, strict=True), 1):
        if not name.strip():
            if _empty(column):
                continue
            name = _free(f"column {position}", taken)
        elif count[name.strip()] > 1:
            name = _free(f"{name.strip()} #{position}", taken)
        final.append(name)
        kept.append(column)
    for name in [n for n, c in count.items() if c > 1 and n]:
        places = [i for i, n in enumerate(names, 1) if n.strip() == name]
        problems.append(
            Problem(
                line,
                "duplicate_header",
                f"Columns {' and '.join(map(str, places))} have the same name `{column_name(name)}`; "
                f"here they are {listed(f'{name} #{p}' for p in places)}.",
            )
        )
    return pa.Table.from_arrays(kept, names=final), problems


def _free(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "'"
    taken.add(name)
    return name


def _empty(column: pa.ChunkedArray) -> bool:
    return not (pc.max(pc.binary_length(column)).as_py() or 0)


def finish(source: Source, names: Sequence[str], body: Body) -> Table:
    """The table of a text file or sheet, from raw columns and names."""
    plain, columns = unguard(list(names), body.columns)
    table, renamed = named(plain, columns, source.header_row or 1)
    problems = [*renamed, *body.problems]
    if not len(body.lines) and not any(p.rejected for p in problems):
        problems.append(no_rows(source.header_row or 0))
    return Table(source, table, body.lines, problems, body.rows_in_file, body.blank)


def no_rows(line: int) -> Problem:
    """The notice that there is a header and nothing below it."""
    return Problem(line, "no_rows", "The file has no rows below its header. Add rows, or choose another file.")


def empty_file(source: Source) -> Table:
    """A file of zero bytes, or of nothing but white space."""
    problem = Problem(0, "empty_file", "The file is empty. Choose another file.")
    return Table(source, pa.table({}), np.empty(0, dtype=np.int64), [problem], 0)
