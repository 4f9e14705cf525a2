"""The first rows of a file, so that its layout can be seen and corrected before all of it is read."""

from __future__ import annotations

from pathlib import Path

from jeval_core.data.raw import Raw, load
from jeval_core.data.reading import read, read_raw
from jeval_core.data.records import Limits, Table

WHOLE = 16 << 20
"""Bytes up to which a file is read in full."""


def peek(
    path: str | Path,
    *,
    encoding: str | None = None,
    delimiter: str | None = None,
    header_row: int | None = None,
    sheet: str | None = None,
    limits: Limits | None = None,
) -> tuple[Table, bool]:
    """The table of a file as `read` gives it, or of its first megabytes; and whether that is all of it.

    A long file of lines (CSV and the like, JSONL, text) is cut after a line; any other is read in full. Arguments and
    errors are those of `read`.
    """
    limits = limits or Limits()
    raw = load(path, limits)
    cut = raw.head.rfind(b"\n") + 1
    if raw.size <= WHOLE or raw.whole or not cut or raw.suffix in (".parquet", ".xlsx", ".json", ".eval"):
        options = {"encoding": encoding, "delimiter": delimiter, "sheet": sheet}
        return read(path, header_row=header_row, limits=limits, **options), True
    first = Raw.of(raw.name, raw.head[:cut])
    table = read_raw(first, limits, encoding=encoding, delimiter=delimiter, header_row=header_row, sheet=sheet)
    problems = [p for p in table.problems if p.code != "unclosed_quote"]  # the cut may be inside a cell
    return Table(table.source, table.columns, table.lines, problems, table.rows_in_file, table.blank), False
