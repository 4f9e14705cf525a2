"""Files to rows: one file, the parts of one (parallel text, the halves of a HELM run), or a file for each system."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from typing import Any

from jeval_core import data
from jeval_core.batch.engine import Cancelled
from jeval_core.data.errors import column_name
from jeval_core.data.raw import load
from jeval_core.errors import BadInput, JevalError
from jeval_core.harness.joined import joined_rows, repeated_elsewhere, with_system

MOST_NAMED = 3
"""Files that the name of a run lists; the others are counted."""


@dataclass(frozen=True)
class Reading:
    """How files are read and mapped, all alike; None and empty stand for "as found".

    `require`: fields that must be there; `any_of`: sets of fields of which one must be.
    """

    encoding: str | None = None
    delimiter: str | None = None
    header_row: int | None = None
    sheet: str | None = None
    reference_delimiter: str | None = None
    columns: Mapping[str, str] | None = None
    tag_columns: Mapping[str, str] | None = None
    gold_scale: tuple[float, float] | None = None
    require: Collection[str] = ()
    any_of: Collection[Collection[str]] = ()

    def read(self, path: str | Path | Sequence[str | Path]) -> data.Table:
        """The table of a file, or of files that are one."""
        return data.read(
            path, encoding=self.encoding, delimiter=self.delimiter, header_row=self.header_row, sheet=self.sheet
        )

    def part(self, path: str | Path | Sequence[str | Path]) -> Part:
        """The rows of a file; the table is gone when this returns, its texts live in the rows."""
        table = self.read(path)
        mapping = data.map_columns(table, self.columns, self.tag_columns, require=self.require)
        fields = {field for field, _ in mapping.describe()}
        if self.any_of and not any({*needs} <= fields for needs in self.any_of):
            data.map_columns(table, self.columns, self.tag_columns, require=("output", "expected"))
        delimiter = self.reference_delimiter or None
        rows = data.rows(table, mapping, reference_delimiter=delimiter, gold_scale=self.gold_scale)
        return Part(table.source, mapping, rows)


@dataclass(frozen=True)
class Part:
    """What one reading gave. `notices` speak of several files at once."""

    source: data.Source
    mapping: data.ColumnMap
    rows: data.Rows
    notices: list[data.Problem] = field(default_factory=list)


def gather(
    paths: Sequence[str | Path],
    names: Sequence[str],
    reading: Reading,
    model_version: str | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> Part:
    """Read files; a file that does not name its system is the system of its own name, or `model_version`.

    Raises the errors of `jeval_core.data`, naming the file where there are several, and Cancelled.
    """
    if len(names) != len(paths) or not paths:
        raise BadInput("Every file needs a name, and at least one is needed.", field="files")
    if are_one(paths):
        return reading.part([*paths] if len(paths) > 1 else paths[0])
    parts = []
    for path, name in zip(paths, names, strict=True):
        if cancelled is not None and cancelled():
            raise Cancelled
        with _naming(name):
            parts.append(reading.part(path))
    systems, notices = _systems(parts, names, model_version)
    rows = joined_rows([with_system(part.rows, system) for part, system in zip(parts, systems, strict=True)], names)
    if repeated := repeated_elsewhere(rows, [len(part.rows) for part in parts]):
        reason = f"{repeated:,} rows answer a case that the same system answers in an earlier file too."
        notices.append(data.Problem(0, "duplicate_id", reason))
    rows.problems[:0] = notices
    return Part(parts[0].source, _merged([part.mapping for part in parts]), rows)


def shown(names: Sequence[str]) -> str:
    """The files of a run as its name."""
    rest = len(names) - MOST_NAMED
    return ", ".join(names[:MOST_NAMED]) + (f" and {rest} more" if rest > 0 else "")


def are_one(paths: Sequence[str | Path]) -> bool:
    """Whether these are one file, parallel text, or the answers and the metrics of one HELM run.

    Raises BadInput for several HELM runs with metrics, whose rows have the same ids in each run.
    """
    if len(paths) == 1:
        return True
    plain = [Path(p).name.lower().removesuffix(".gz") for p in paths]
    if all(n.endswith(".txt") for n in plain):
        return all(data.sniff(p).format == "txt" for p in paths)
    if not all(n.endswith(".json") for n in plain) or not all(data.sniff(p).format == "helm" for p in paths):
        return False
    metrics = sum(load(p, data.Limits()).head.lstrip(b"\xef\xbb\xbf \r\n\t").startswith(b"[") for p in paths)
    runs = len(paths) - metrics
    if metrics and runs > 1:
        raise BadInput(
            f"There are {runs} HELM runs and {metrics} files of metrics; nothing says which belong together.",
            field="files",
            hint="Give one run with its metrics, or several without.",
        )
    return metrics > 0 and runs == 1


def _systems(
    parts: Sequence[Part], names: Sequence[str], given: str | None
) -> tuple[list[str | None], list[data.Problem]]:
    """The system of each file that does not say one; equal names of files get a number."""
    found: list[str | None] = []
    notices: list[data.Problem] = []
    stems = {_stem(name) for name in names}
    for part, name in zip(parts, names, strict=True):
        if part.rows.model_version is not None or given is not None:
            found.append(given)
            continue
        system = stem = _stem(name)
        if stem in found:
            others = (f"{stem} #{i}" for i in count(2))
            system = next(other for other in others if other not in stems and other not in found)
            reason = f"Two files are called {column_name(stem)}; the system of the later one is {column_name(system)}."
            notices.append(data.Problem(0, "same_name", reason))
        found.append(system)
    return found, notices


def _stem(name: str) -> str:
    path = Path(name.removesuffix(".gz"))
    return path.stem or name


def _merged(mappings: Sequence[data.ColumnMap]) -> data.ColumnMap:
    """One mapping that says where each field stood in the first file that has it."""
    first = mappings[0]
    single = ("output", "input", "criteria", "conversation", "id", "model_version", "task_type", "risk_tier")
    values: dict[str, Any] = {
        f: next((v for m in mappings if (v := getattr(m, f)) is not None), None) for f in (*single, "threshold")
    }
    for name in ("references", "unmapped"):
        values[name] = tuple(dict.fromkeys(c for m in mappings for c in getattr(m, name)))
    for name in ("gold", "tags"):
        values[name] = {n: c for m in reversed(mappings) for n, c in getattr(m, name).items()}
    return replace(first, **values)


@contextmanager
def _naming(name: str) -> Iterator[None]:
    """Let an error say in which of several files it lies."""
    try:
        yield
    except JevalError as error:
        said = f"{column_name(name)}: {error.message}"
        error.message, error.args = said, (f"{said} {error.hint}" if error.hint else said,)
        raise
