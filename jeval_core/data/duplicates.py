"""Rows that answer the same case twice: said, and never joined twice over."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from jeval_core.data.arrow import pc
from jeval_core.data.codes import first_equal
from jeval_core.data.errors import column_name
from jeval_core.data.findings import Findings

if TYPE_CHECKING:
    from jeval_core.data.rows import Rows


def note_duplicates(rows: Rows, findings: Findings, *, named: bool) -> None:
    """List every row whose id its system has had before, and those that repeat a row completely.

    Args:
        rows: the rows; ids of several `model_version` values do not clash.
        findings: where to list them.
        named: whether the file gave the ids; ids made from the content are numbered where they repeat.
    """
    if not named:
        for i in pc.indices_nonzero(pc.match_substring_regex(rows.id, r"^[0-9a-f]{16}-\d+$")).to_pylist():
            reason = f"The same case again; without an id column it is called {rows.id[i].as_py()}."
            findings.note(int(rows.lines[i]), "duplicate_case", reason)
        return
    first = first_equal([rows.id] if rows.model_version is None else [rows.id, rows.model_version])
    repeats = np.flatnonzero(first != np.arange(len(first)))
    seen: dict[int, list[tuple[object, ...]]] = {}
    for i in repeats.tolist():
        root = int(first[i])
        contents = seen.setdefault(root, [_content(rows, root)])
        content = _content(rows, i)
        code, same = ("duplicate_row", "the whole row") if content in contents else ("duplicate_id", "the id")
        contents.append(content)
        name, where = column_name(rows.id[i].as_py()), int(rows.lines[root])
        findings.note(
            int(rows.lines[i]), code, f"`{name}` was there before (line {where}): {same} repeats. Make the ids unique."
        )


def _content(rows: Rows, i: int) -> tuple[object, ...]:
    given = (rows.output, rows.input, rows.criteria, rows.conversation, *(c for _, c in rows.references))
    return tuple(None if c is None else c[i].as_py() for c in given)
