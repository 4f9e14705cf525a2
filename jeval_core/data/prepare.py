"""From a table and its mapping to `Rows`."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from jeval_core.data.aliases import fold
from jeval_core.data.arrow import coded, pa
from jeval_core.data.cells import number
from jeval_core.data.duplicates import note_duplicates
from jeval_core.data.findings import Findings
from jeval_core.data.ids import complete_ids
from jeval_core.data.mapping import ColumnMap
from jeval_core.data.numeric import Numbers, answers, numbers
from jeval_core.data.records import Limits, Lines, Table
from jeval_core.data.references import References, unfold
from jeval_core.data.rows import Rows

LEVELS, FROM_ZERO = (1.0, 5.0), (0.0, 4.0)
"""The scales of columns that are called a level, unless another is given: from 0 where a 0 is there and no 5."""


def rows(
    table: Table,
    column_map: ColumnMap,
    *,
    reference_delimiter: str | None = None,
    lists: bool = True,
    gold_scale: tuple[float, float] | None = None,
    limits: Limits | None = None,
) -> Rows:
    """Make columns ready for scoring.

    Args:
        table: what was read.
        column_map: which column is which field.
        reference_delimiter: what joins several references in one cell, such as `|||`.
        lists: whether a cell that holds a JSON or Python list of texts is several references.
        gold_scale: lowest and highest gold value; without it, columns called a level run from 1 to 5.
        limits: how many references a cell may hold.
    """
    findings = Findings()
    columns = [(name, table.columns[name]) for name in column_map.references]
    references, good = unfold(
        columns, table.lines, findings, limits or Limits(), delimiter=reference_delimiter, lists=lists
    )
    data, lines = table.columns, table.lines
    if not good.all():
        keep = pa.array(good)
        references = [(n, c.filter(keep)) for n, c in references]
        data, lines = data.filter(keep), lines[good]
    made = _texts(replace(table, columns=data, lines=lines), column_map, references, findings)
    comma = table.source.delimiter == ";"
    for name, column in column_map.gold.items():
        bounds = gold_scale or (_levels(data[column], comma) if fold(column).endswith("level") else None)
        made.gold[name] = numbers(column, data[column], lines, findings, bounds=bounds, decimal_comma=comma)
    made.tags.update({tag: answers(c, data[c], lines, findings) for tag, c in column_map.tags.items()})
    threshold = _threshold(column_map.threshold, data, lines, findings, comma)
    note_duplicates(made, findings, named=column_map.id is not None)
    problems = sorted([*table.problems, *findings.all()], key=lambda p: p.line)
    return replace(made, threshold=threshold, problems=problems)


def _levels(column: pa.ChunkedArray, comma: bool) -> tuple[float, float]:
    found = {number(cell, decimal_comma=comma) for cell in column.unique().to_pylist() if cell and cell.strip()}
    values = [value for value in found if value is not None]
    return FROM_ZERO if 0.0 in values and max(values) <= FROM_ZERO[1] else LEVELS


def _texts(table: Table, column_map: ColumnMap, references: References, findings: Findings) -> Rows:
    """The columns that stay text; those of numbers follow."""
    data, lines = table.columns, table.lines

    def column(name: str | None) -> pa.ChunkedArray | None:
        return None if name is None else data[name]

    return Rows(
        output=_output(table, column_map.output, findings),
        references=references,
        id=complete_ids(
            column(column_map.id),
            {f: column(getattr(column_map, f)) for f in ("input", "criteria", "conversation")},
            references,
            column(column_map.model_version),
            lines,
            findings,
        ),
        input=column(column_map.input),
        criteria=column(column_map.criteria),
        conversation=column(column_map.conversation),
        model_version=None if column_map.model_version is None else coded(data[column_map.model_version]),
        gold={},
        threshold=np.broadcast_to(np.nan, len(lines)),
        groups={f: coded(data[c]) for f in ("task_type", "risk_tier") if (c := getattr(column_map, f)) is not None},
        tags={},
        extra=data.select([n for n in data.column_names if n in column_map.unmapped]),
        lines=lines,
        problems=[],
        rows_in_file=table.rows_in_file,
        blank=table.blank,
    )


def _output(table: Table, name: str | None, findings: Findings) -> pa.ChunkedArray:
    """The outputs; a data set of cases has none yet."""
    if name is None:
        return pa.chunked_array([pa.nulls(len(table.lines), pa.string())])
    column = table.columns[name]
    if column.null_count:
        for line in table.lines[column.is_null().to_numpy()]:
            findings.note(int(line), "no_output", "The output is missing (null), so this row cannot be scored.")
    return column


def _threshold(name: str | None, data: pa.Table, lines: Lines, findings: Findings, comma: bool) -> Numbers:
    """The threshold of each row in 0..1; nan where the evaluator's own applies."""
    if name is None:
        return np.broadcast_to(np.nan, len(lines))  # takes no memory
    return numbers(name, data[name], lines, findings, bounds=(0.0, 1.0), decimal_comma=comma, missing=False)
