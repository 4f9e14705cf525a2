"""Regression sets: files of cases that grow by one row at a time, read like any other file."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jeval_core import data
from jeval_core.errors import BadInput
from jeval_core.home import home

NAME = re.compile(r"[\w][\w \-]{0,59}")
TEXTS = ("input", "criteria", "conversation")


@dataclass(frozen=True, slots=True)
class Added:
    """What became of a row: whether it is new in its set, and the set's cases and version now."""

    new: bool
    cases: int
    version: str


def names() -> list[str]:
    """The sets of this home, by name."""
    return sorted(p.stem for p in folder().glob("*.jsonl")) if folder().is_dir() else []


def folder() -> Path:
    """Where they are kept."""
    return home() / "sets"


def path(name: str) -> Path:
    """The file of a set, which need not be there yet. Raises BadInput for a name that is no name."""
    if not NAME.fullmatch(name.strip()):
        raise BadInput(
            "A set is called by letters, digits, spaces, - and _, at most 60 of them.", field="name", hint="Rename it."
        )
    return folder() / f"{name.strip()}.jsonl"


def append(name: str, row: Mapping[str, Any]) -> Added:
    """Add the case of a row with its output; a line that is there already is not added again.

    Args:
        name: of the set; it is made with its first row.
        row: as `Results.row` gives it.
    """
    target, line = path(name), _line(row)
    folder().mkdir(parents=True, exist_ok=True)
    new = not target.exists() or line not in target.read_text("utf-8").splitlines()
    if new:
        with target.open("ab") as stream:  # one short write at the end: other processes' lines stay whole
            stream.write(f"{line}\n".encode())
            stream.flush()
            os.fsync(stream.fileno())
    table = data.read(target)
    rows = data.rows(table, data.map_columns(table))
    return Added(new, len(set(rows.id.to_pylist())), data.dataset_version(rows))


def _line(row: Mapping[str, Any]) -> str:
    record: dict[str, Any] = {"id": row["id"], "model_version": row.get("model_version"), "output": row["output"]}
    record |= {name: row.get(name) for name in TEXTS}
    record |= dict(row["references"])
    return json.dumps({k: v for k, v in record.items() if v is not None}, ensure_ascii=False)
