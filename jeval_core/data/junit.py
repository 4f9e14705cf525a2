"""Scores as JUnit XML, so that a build server shows rows below their threshold as failed tests."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO
from xml.sax.saxutils import quoteattr

from jeval_core.data.arrow import pa
from jeval_core.data.export import Target, written

SYSTEM = "model_version"
UNSAFE = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 cannot hold, not even escaped."""


def to_junit(table: pa.Table, target: Target, *, name: str = "jeval", id_column: str = "id") -> None:
    """Write a test suite for each evaluator of a scored table and a test case for each row.

    Args:
        table: has `<evaluator>.status` for each evaluator, and may have `.score`, `.passed`, `.reason` and `.judge` (a
            property of the suite); a column `model_version` becomes part of the class, so that two answers to one case
            stay two tests.
        target: where to write.
        name: the name of the whole.
        id_column: the column that names the rows; without it rows are numbered.
    """
    columns = {c: table[c].to_pylist() for c in table.column_names}
    evaluators = [c.removesuffix(".status") for c in columns if c.endswith(".status")]
    ids = columns.get(id_column) or [f"row {i + 1}" for i in range(table.num_rows)]
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f"<testsuites name={_attribute(name)}>"]
    for evaluator in evaluators:
        lines += _suite(evaluator, ids, columns)
    text = "\n".join([*lines, "</testsuites>"]) + "\n"

    def write(stream: BinaryIO) -> None:
        stream.write(text.encode())

    written(target, write)


def _suite(evaluator: str, ids: list[Any], columns: Mapping[str, list[Any]]) -> Iterator[str]:
    def column(part: str) -> list[Any]:
        return columns.get(f"{evaluator}.{part}") or [None] * len(ids)

    rows = list(zip(ids, column("status"), column("passed"), column("score"), column("reason"), strict=True))
    failed = sum(status == "scored" and passed is False for _, status, passed, _, _ in rows)
    errors = sum(status == "failed" for _, status, *_ in rows)
    skipped = sum(status not in ("scored", "failed") for _, status, *_ in rows)
    yield (
        f'  <testsuite name={_attribute(evaluator)} tests="{len(rows)}" failures="{failed}" '
        f'errors="{errors}" skipped="{skipped}">'
    )
    judge = next((j for j in column("judge") if j), None)
    if judge is not None:
        yield f'    <properties><property name="judge" value={_attribute(judge)}/></properties>'
    systems = columns.get(SYSTEM) or [None] * len(ids)
    for system, (row_id, status, passed, score, reason) in zip(systems, rows, strict=True):
        group = f"{evaluator}.{system}" if system else evaluator
        case = f"    <testcase classname={_attribute(group)} name={_attribute(row_id)}"
        message = _attribute(reason or (f"score {score}" if score is not None else status or ""))
        outcome = _outcome(status, passed)
        yield f"{case}><{outcome} message={message}/></testcase>" if outcome else f"{case}/>"
    yield "  </testsuite>"


def _outcome(status: Any, passed: Any) -> str | None:
    if status == "scored":
        return "failure" if passed is False else None
    return "error" if status == "failed" else "skipped"


def _attribute(value: Any) -> str:
    """A quoted attribute; characters that XML forbids show as U+FFFD."""
    entities = {"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}
    return quoteattr(UNSAFE.sub("\ufffd", str(value)), entities)
