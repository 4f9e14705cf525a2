"""What reading makes of every file in the folder JEVAL_TEST_DATA: `python -m tests.data_io.survey`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from jeval_core.data import AmbiguousMapping, MissingOutput, UnreadableFile, map_columns, read, rows
from tests.data_io.files import NO_REAL, REAL, real_files


@dataclass(frozen=True)
class Line:
    file: str
    format: str
    rows: int | None
    mapping: str
    explained: bool = False
    """Whether the file is refused for a reason that names the file to give instead."""


def survey(folder: Path) -> list[Line]:
    """One line for each file."""
    return [_line(path) for path in sorted(folder.iterdir()) if path.suffix != ".md"]


def _line(path: Path) -> Line:
    try:
        table = read(path)
    except UnreadableFile as e:
        return Line(path.name, "-", None, str(e), explained=e.hint is not None)
    try:
        columns = map_columns(table)
    except (MissingOutput, AmbiguousMapping) as e:
        return Line(
            path.name, table.source.format, len(table), e.hint or str(e), explained=table.source.format == "helm"
        )
    data = rows(table, columns)
    shown = ", ".join(f"{field}←{column}" for field, column in columns.describe())
    extra = f"; {len(data.references)} references" if len(data.references) > 1 else ""
    return Line(path.name, table.source.format, len(data), shown + extra)


if __name__ == "__main__":
    if not real_files():
        raise SystemExit(NO_REAL)
    print("| file | format | rows | mapping, or what to do |\n|---|---|---|---|")
    for line in survey(REAL):
        print(f"| {line.file} | {line.format} | {'-' if line.rows is None else line.rows} | {line.mapping} |")
