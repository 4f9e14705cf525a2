"""What is being set up before a run: files, how they are read, which column is which field.

It lives in the session under keys that carry the files' names, so another file starts afresh.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import streamlit as st

from console.components.datasets.place import Place
from console.sample_sets import SETS, SampleSet
from jeval_core import data
from jeval_core.data.errors import JevalError
from jeval_core.harness import uploads
from jeval_core.harness.gather import are_one


@dataclass(frozen=True)
class Draft:
    """`files` are (path, name as shown). `reading` are arguments of `data.read`, `columns` of `data.map_columns`."""

    token: str
    files: tuple[tuple[Path, str], ...]
    reading: Mapping[str, Any] = field(default_factory=dict)
    columns: Mapping[str, str] = field(default_factory=dict)
    tag_columns: Mapping[str, str] = field(default_factory=dict)
    sample: SampleSet | None = None
    one: bool = True
    """Whether the files are one (parallel text), not a system each."""

    @property
    def name(self) -> str:
        """What the set is called."""
        return self.sample.name if self.sample else ", ".join(name for _, name in self.files)


def of(place: Place) -> Draft:
    """The draft for the files in the address. Raises JevalError when one is not on this server."""
    token = place.sample or "+".join(place.files)
    sample = next((s for s in SETS if s.key == place.sample), None)
    if place.sample and sample is None:
        raise JevalError("There is no such example set.", hint="Choose one on the first step.")
    files = ((sample.path, sample.path.name),) if sample else tuple(_found(id) for id in place.files)
    try:
        one = are_one([path for path, _ in files])
    except OSError as error:
        raise JevalError(f"A file cannot be read: {error.strerror}.", hint="Upload it again.") from error
    kept, tags = of_session(token), sample.tag_columns if sample else {}
    return Draft(token, files, dict(kept["reading"]), dict(kept["columns"]), tags, sample, one)


def of_session(token: str) -> dict[str, dict[str, Any]]:
    """What was set up for these files so far: `reading`, `columns`, and `choices` by the key of their widget.

    Streamlit forgets the value of a widget that is not drawn; this stays.
    """
    return st.session_state.setdefault(f"draft-{token}", {"reading": {}, "columns": {}, "choices": {}})


def _found(id: str) -> tuple[Path, str]:
    found = uploads.find(id)
    if found is None:
        raise JevalError("A file of this address is not on this server.", hint="Upload it again.")
    return found


def set_reading(token: str, name: str, value: Any) -> None:
    """Callback: read the file otherwise."""
    of_session(token)["reading"][name] = value


def set_column(token: str, name: str, value: str) -> None:
    """Callback: this column is that field; "" says that the file has none."""
    of_session(token)["columns"][name] = value


@st.cache_resource(max_entries=4, show_spinner="Reading the file")
def _peek(path: str, stamp: tuple[float, int], reading: tuple[tuple[str, Any], ...]) -> tuple[data.Table, bool]:
    return data.peek(path, **dict(reading))


def table(draft: Draft) -> tuple[data.Table, bool]:
    """The first file's rows (the first of them, where it is long), and whether these are all. Errors of `read`."""
    path, _ = draft.files[0]
    if draft.one and len(draft.files) > 1:
        return data.read([p for p, _ in draft.files], **draft.reading), True
    stat = path.stat()
    return _peek(str(path), (stat.st_mtime, stat.st_size), tuple(sorted(draft.reading.items())))


def mapping(draft: Draft, found: data.Table) -> tuple[data.ColumnMap | None, JevalError | None]:
    """The mapping, or the question that is left."""
    try:
        return data.map_columns(found, draft.columns, draft.tag_columns), None
    except JevalError as error:
        return None, error


def without(draft: Draft, found: data.Table, field: str | None) -> data.ColumnMap | None:
    """The mapping of all fields but one that is still asked for, as far as it is clear."""
    try:
        return data.map_columns(
            found, {**draft.columns, **({field: ""} if field else {})}, draft.tag_columns, require=()
        )
    except JevalError:
        return None
