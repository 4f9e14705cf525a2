"""Where the files of these tests are, and short ways to write some."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from jeval_core.data import Rows, Table, map_columns, read, rows

MESSY = Path(__file__).parents[1] / "golden" / "messy"
REAL = Path(os.environ.get("JEVAL_TEST_DATA", "/nonexistent"))
NO_REAL = f"needs JEVAL_TEST_DATA, the folder of real files (now {os.environ.get('JEVAL_TEST_DATA')!r})"


def messy_files() -> list[Path]:
    return sorted(p for p in MESSY.iterdir() if not p.name.startswith("INDEX"))


def real_files() -> list[Path]:
    return sorted(p for p in REAL.iterdir() if p.suffix != ".md") if REAL.is_dir() else []


def csv_text(table: Iterable[Sequence[str]], *, delimiter: str = ",", lineterminator: str = "\n") -> str:
    """What a spreadsheet writes. (csv.writer leaves a line break of another kind than its own unquoted.)"""

    def quoted(cell: str, alone: bool) -> str:
        needs = any(c in cell for c in f'"{delimiter}\r\n') or (alone and not cell)
        return '"' + cell.replace('"', '""') + '"' if needs else cell

    return "".join(delimiter.join(quoted(c, len(row) == 1) for c in row) + lineterminator for row in table)


def write(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def jsonl(records: Iterable[Any]) -> str:
    return "".join(json.dumps(r, ensure_ascii=False) + "\n" for r in records)


def cells(table: Table) -> list[dict[str, str | None]]:
    return table.columns.to_pylist()


def load(
    path: Path | list[Path],
    given: dict[str, str] | None = None,
    *,
    require: Sequence[str] = ("output",),
    **options: Any,
) -> Rows:
    table = read(path)
    return rows(table, map_columns(table, given, require=require), **options)


def references(data: Rows) -> list[list[str]]:
    columns = [c.to_pylist() for _, c in data.references]
    return [[t for t in row if t is not None] for row in zip(*columns, strict=True)] if columns else []
