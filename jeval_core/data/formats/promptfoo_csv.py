"""promptfoo's two CSV files: the results table, a group of columns for each system, and the table of tests."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from jeval_core.data.formats.assertions import expected_texts, fill, parse_written, rubric
from jeval_core.data.formats.promptfoo import case_input

SYSTEM = re.compile(r"\[[^\]]+\] .*", re.DOTALL)
VERDICT = re.compile(r"\[(PASS|FAIL|ERROR)\](?: \((\d+(?:\.\d+)?)\))? ?")
BESIDE = ("Status", "Score", "Named Scores", "Grader Reason", "Comment")


def is_results(names: Sequence[str], example: Sequence[str]) -> bool:
    """Whether a table holds results: a column `[provider] prompt` for each system, with verdicts in or beside it."""
    systems = [i for i, n in enumerate(names) if SYSTEM.fullmatch(n)]
    beside = {"Status", "Score"} <= {*names}
    return bool(systems) and (beside or any(VERDICT.match(example[i]) for i in systems if i < len(example)))


def result_records(names: Sequence[str], cells: Sequence[str]) -> list[dict[str, Any]]:
    """One row of the table → one record for each system."""
    first = next(i for i, n in enumerate(names) if SYSTEM.fullmatch(n.strip()))
    head = {n: c for n, c in zip(names[:first], cells[:first], strict=True)}
    description = head.pop("Description", "")
    variables = {k: v for k, v in head.items() if k.strip()}
    records: list[dict[str, Any]] = []
    for name, cell in zip(names[first:], cells[first:], strict=True):
        if SYSTEM.fullmatch(name.strip()):
            records.append(_record(description, name.strip(), cell, variables))
        elif name in BESIDE:
            _beside(records[-1], name, cell)
        else:
            records[-1][name or "column"] = cell
    return records


def _record(description: str, system: str, cell: str, variables: dict[str, str]) -> dict[str, Any]:
    output, passed, score, reason = cell, None, None, None
    if match := VERDICT.match(cell):
        output, passed, score = cell[match.end() :], match[1] == "PASS", match[2]
        if not passed and "\n---\n" in output:
            reason, output = output.split("\n---\n", 1)
    return {
        "id": description or None,
        "model_version": system,
        "input": case_input(variables),
        "output": output,
        **{f"vars.{k}": v for k, v in variables.items()},
        "promptfoo.prompt": fill(system.split("] ", 1)[1], variables),
        "promptfoo.score": score,
        "promptfoo.passed": passed,
        "promptfoo.reason": reason,
    }


def _beside(record: dict[str, Any], name: str, cell: str) -> None:
    if name == "Status" and cell:
        record["promptfoo.passed"] = cell == "PASS"
    elif name == "Score" and cell:
        record["promptfoo.score"] = cell
    elif name == "Grader Reason" and cell:
        record["promptfoo.reason"] = cell
    elif name == "Comment" and cell:
        record["promptfoo.comment"] = cell
    elif name == "Named Scores" and cell:
        try:
            scores = json.loads(cell)
        except (ValueError, RecursionError):
            return
        record.update({f"promptfoo.{k}": v for k, v in scores.items()} if isinstance(scores, dict) else {})


def test_record(names: Sequence[str], cells: Sequence[str]) -> dict[str, Any]:
    """One row of a table of tests → its case; the texts of `__expected` assertions become references."""
    row = dict(zip(names, cells, strict=True))
    special = {k: v for k, v in row.items() if k.startswith("__")}
    variables = {k: v for k, v in row.items() if k not in special and k.strip()}
    checks = [parse_written(v) for k, v in special.items() if re.fullmatch(r"__expected\d*", k) and v]
    expected = expected_texts(checks, variables)
    known = {
        "id": special.get("__description") or None,
        "expected": expected if len(expected) > 1 else next(iter(expected), None),
        "criteria": rubric(checks, variables),
        "threshold": special.get("__threshold") or None,
    }
    metadata = {f"metadata.{k[11:]}": v for k, v in special.items() if k.startswith("__metadata:")}
    return {k: v for k, v in known.items() if v is not None} | variables | metadata
