"""Regression sets: files of cases that grow by one row at a time, read like any other file."""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import portalocker

from jeval_core import data
from jeval_core.data.arrow import text_column
from jeval_core.data.export import durable
from jeval_core.data.references import as_cells
from jeval_core.errors import BadInput
from jeval_core.harness.errors import StoreUnavailable
from jeval_core.harness.store.database import BUSY_SECONDS, make_private
from jeval_core.harness.store.files import sync_folder
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
    """The sets of this home, by name. Raises StoreUnavailable."""
    with _disk():
        return sorted(p.stem for p in folder().iterdir() if p.suffix == ".jsonl") if folder().is_dir() else []


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

    Its references are called `expected`, `expected_2` and so on, whatever the row's file called them. Processes that
    add at once wait for each other.

    Args:
        name: of the set; it is made with its first row.
        row: as `Results.row` gives it.

    Raises:
        JevalError: the set could not be read with that row in it. The set stays as it was.
        StoreUnavailable: the folder cannot be used.
    """
    target, line = path(name), _line(row)
    with _disk(), _alone():
        before = target.read_bytes() if target.exists() else b""
        lines = before.split(b"\n")
        new = line not in lines
        after = b"\n".join([*(each for each in lines if each), line, b""]) if new else before
        cases, version = _checked(after, target.name)
        if new:
            durable(target, lambda stream: stream.write(after))
            sync_folder(target.parent)
    return Added(new, cases, version)


def _checked(content: bytes, name: str) -> tuple[int, str]:
    """Cases and version of a set with that content, read as any file is."""
    with tempfile.TemporaryDirectory(dir=folder(), prefix=".") as place:
        draft = Path(place, name)
        draft.write_bytes(content)
        table = data.read(draft)
        rows = data.rows(table, data.map_columns(table))
        return len(set(rows.id.to_pylist())), data.dataset_version(rows)


def _line(row: Mapping[str, Any]) -> bytes:
    record: dict[str, Any] = {"id": row["id"], "model_version": row.get("model_version"), "output": row["output"] or ""}
    record |= {name: row.get(name) for name in TEXTS}
    texts = [(f"expected_{i}" if i > 1 else "expected", text) for i, (_, text) in enumerate(row["references"], 1)]
    record |= {n: column[0].as_py() for n, column in as_cells([(n, text_column([text])) for n, text in texts])}
    return json.dumps({k: v for k, v in record.items() if v is not None}, ensure_ascii=False).encode()


@contextmanager
def _alone() -> Iterator[None]:
    make_private(home())
    make_private(folder())
    with portalocker.Lock(str(folder() / ".lock"), "a", timeout=BUSY_SECONDS):
        yield


@contextmanager
def _disk() -> Iterator[None]:
    try:
        yield
    except portalocker.LockException as error:
        raise StoreUnavailable(
            f"Another process holds the sets in {folder()}.", hint="Wait for it to end and try again."
        ) from error
    except OSError as error:
        raise StoreUnavailable(
            f"The sets in {folder()} cannot be used: {error.strerror or error}.",
            hint="Make room there and check who may write, or name another folder by JEVAL_HOME.",
        ) from error
