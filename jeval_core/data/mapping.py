"""Which column is which field, decided by name; what could be several is asked, never guessed."""

from __future__ import annotations

import csv
import io
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from jeval_core.data.aliases import ALIASES, OPTIONAL, field_of, fold, stem
from jeval_core.data.arrow import pc
from jeval_core.data.cells import number
from jeval_core.data.errors import (
    AmbiguousMapping,
    MissingColumn,
    MissingExpected,
    MissingOutput,
    UnknownColumn,
    as_map,
    column_name,
    listed,
)
from jeval_core.data.records import Table
from jeval_core.errors import BadOption, nearest, said

FIELDS = ("output", "expected", *OPTIONAL, "gold")
_PEEK = 1_000


@dataclass(frozen=True, slots=True)
class ColumnMap:
    """Fields → columns. References keep the names of their columns; `gold` and `tags` are name → column."""

    output: str | None = None
    references: tuple[str, ...] = ()
    input: str | None = None
    criteria: str | None = None
    conversation: str | None = None
    id: str | None = None
    model_version: str | None = None
    task_type: str | None = None
    risk_tier: str | None = None
    threshold: str | None = None
    gold: Mapping[str, str] = field(default_factory=dict)
    tags: Mapping[str, str] = field(default_factory=dict)
    unmapped: tuple[str, ...] = ()

    @property
    def used(self) -> set[str]:
        """Every column that is some field."""
        single = {getattr(self, f) for f in ("output", *OPTIONAL)} - {None}
        return {*single, *self.references, *self.gold.values(), *self.tags.values()}

    def describe(self) -> list[tuple[str, str]]:
        """(field, column) pairs to show, in a fixed order."""
        pairs = [(f, getattr(self, f)) for f in ("output",)]
        pairs += [("expected", r) for r in self.references]
        pairs += [(f, getattr(self, f)) for f in OPTIONAL]
        pairs += [(f"gold.{n}", c) for n, c in self.gold.items()] + [(f"tag.{n}", c) for n, c in self.tags.items()]
        return [(f, c) for f, c in pairs if c is not None]

    def to_dict(self) -> dict[str, Any]:
        """Field → column as plain JSON data; `expected` is a list."""
        out = {f: c for f, c in self.describe() if f != "expected"}
        return out | ({"expected": [*self.references]} if self.references else {})


def map_columns(
    table: Table,
    given: Mapping[str, str] | None = None,
    tag_columns: Mapping[str, str] | None = None,
    *,
    require: Collection[str] = ("output",),
) -> ColumnMap:
    """Map the columns of a table to fields.

    Args:
        table: what was read.
        given: field → column, which beats every guess; an empty column means that the file does not have the field.
            `expected` takes several columns, as `listed_columns` writes them; `gold.NAME` names a gold column.
        tag_columns: tag → column that says yes or no.
        require: fields that must be there.

    Raises:
        AmbiguousMapping: two columns could be one field; the hint holds the `--map` to give.
        MissingColumn: a required field has none (MissingOutput, MissingExpected).
        UnknownColumn: `given` or `tag_columns` names a column that is not there.
    """
    names = table.names
    tags = {tag: _column(names, f"tag {tag}", column) for tag, column in (tag_columns or {}).items()}
    fixed = _given(names, given or {})
    fixed_columns = {c for columns in fixed.values() for c in columns} | {*tags.values()}
    free: dict[str, list[str]] = {}
    for name in names:
        kind = field_of(name)
        if kind and name not in fixed_columns:
            free.setdefault(kind, []).append(name)
    found = ColumnMap(tags=tags, gold=_gold(table, fixed, free.get("gold", [])))
    singles = {f: _single(f, fixed, free.get(f, [])) for f in ("output", *OPTIONAL)}
    references = tuple(fixed["expected"]) if "expected" in fixed else _references(free.get("references", []))
    found = replace(found, references=references, **singles)
    found = replace(found, unmapped=tuple(n for n in names if n not in found.used))
    if "output" in require and found.output is None:
        raise _no_output(table, found)
    if "expected" in require and not found.references:
        raise MissingExpected(
            f"No column holds expected texts; the columns are {listed(names)}.",
            field="expected",
            hint=_advice("expected", table, found.unmapped),
        )
    for name in OPTIONAL:
        if name in require and getattr(found, name) is None:
            raise MissingColumn(
                f"No column holds the {name}; the columns are {listed(names)}.",
                field=name,
                hint=_advice(name, table, found.unmapped),
            )
    return found


def listed_columns(columns: Sequence[str]) -> str:
    """Names of columns with commas between, those with a comma or a quote in them quoted as in a CSV file."""
    out = io.StringIO()
    csv.writer(out, lineterminator="").writerow(columns)
    return out.getvalue()


def _given(names: list[str], given: Mapping[str, str]) -> dict[str, list[str]]:
    """The columns that were named, by field; `gold.NAME` stays a key of its own."""
    fixed: dict[str, list[str]] = {}
    for key, column in given.items():
        plain = {"references": "expected", "reference": "expected"}.get(fold(key), fold(key))
        known = plain in FIELDS or plain.startswith("gold.")
        if not known:
            raise BadOption(f"There is no field `{said(key)}` to map to.", field="map", hint=nearest(plain, FIELDS))
        if not column.strip():
            fixed[plain] = []
        elif plain == "expected" and not _known(names, column):
            fixed[plain] = [_column(names, plain, c) for c in _several(column)]
        else:
            fixed[key if plain.startswith("gold.") else plain] = [_column(names, plain, column)]
    return fixed


def _several(columns: str) -> list[str]:
    """The opposite of `listed_columns`."""
    try:
        return next(csv.reader([columns], skipinitialspace=True))
    except csv.Error:
        return [columns]


def _known(names: list[str], column: str) -> str | None:
    same = [n for n in names if n == column] or [n for n in names if n.strip() == column.strip()]
    same = same or [n for n in names if fold(n) == fold(column)]
    return same[0] if len(same) == 1 or (same and same[0] == column) else None


def _column(names: list[str], use: str, column: str) -> str:
    found = _known(names, column)
    if found is None:
        raise UnknownColumn(
            f"There is no column `{column_name(column)}` for {said(use)}.", field="map", hint=nearest(column, names)
        )
    return found


def _single(wanted: str, fixed: Mapping[str, list[str]], columns: list[str]) -> Any:
    """The one column of a field. A field that need not be there prefers the column with its own name."""
    if wanted in fixed:
        return fixed[wanted][0] if fixed[wanted] else None
    if len(columns) > 1 and wanted in OPTIONAL:
        own = [c for c in columns if fold(c) == wanted]
        columns = own if len(own) == 1 else columns
    if len(columns) > 1:
        raise _ambiguous(wanted, columns)
    return columns[0] if columns else None


def _references(columns: list[str]) -> tuple[str, ...]:
    """Reference columns of one stem (`expected`, `expected_2`); columns of two stems are a question."""
    stems = {stem(c) for c in columns}
    if len(stems) > 1:
        raise _ambiguous("expected", columns)
    return tuple(columns)


def _gold(table: Table, fixed: Mapping[str, list[str]], columns: list[str]) -> dict[str, str]:
    """Gold columns by name: those given, else those called so that mostly hold numbers."""
    named = {k.split(".", 1)[1] if "." in k else c[0]: c[0] for k, c in fixed.items() if k.startswith("gold") and c}
    if named or "gold" in fixed:
        return named
    return {c.strip(): c for c in columns if _holds_numbers(table, c)}


def _holds_numbers(table: Table, column: str) -> bool:
    cells = pc.drop_null(table.columns[column].slice(0, _PEEK)).to_pylist()
    filled = [c for c in cells if c.strip()]
    return 2 * sum(number(c) is not None for c in filled) >= len(filled)


def _ambiguous(wanted: str, columns: list[str]) -> AmbiguousMapping:
    options = " or ".join(as_map(wanted, c) for c in columns[:4])
    return AmbiguousMapping(
        f"{len(columns)} columns could be the {wanted}: {listed(columns)}.",
        field=wanted,
        candidates=columns,
        hint=f"Say which: {options}",
    )


def _no_output(table: Table, found: ColumnMap) -> MissingOutput:
    if empty := next((p for p in table.problems if p.code == "empty_file"), None):
        return MissingOutput(empty.reason, field="output")
    if table.source.format == "helm":
        hint = "Give `scenario_state.json` of the run; it holds the completions."
        return MissingOutput("These are HELM's metrics without the outputs.", field="output", hint=hint)
    hint = _advice("output", table, found.unmapped)
    if found.references:
        hint = f"It has expected texts, so it can be a data set of cases. {hint}"
    return MissingOutput(
        f"No column holds the outputs; the columns are {listed(table.names)}.", field="output", hint=hint
    )


def _advice(wanted: str, table: Table, unmapped: tuple[str, ...]) -> str:
    """The `--map` to give: columns whose name speaks of the field, else columns of running text."""
    words = ALIASES["references" if wanted == "expected" else wanted]
    likely = [c for c in unmapped if any(w in fold(c).split("_") for w in words)]
    likely = likely or [c for c in unmapped if _running_text(table, c)]
    if likely:
        return f"If one of them does, say so: {' or '.join(as_map(wanted, c) for c in likely[:4])}"
    return f"No other column holds text. To name one anyway: {as_map(wanted, 'COLUMN')}"


def _running_text(table: Table, column: str) -> bool:
    cells = pc.drop_null(table.columns[column].slice(0, _PEEK)).to_pylist()
    return bool(cells) and sum(" " in c.strip() for c in cells) >= 0.5 * len(cells)
