"""Ids of rows: as the file gives them, or made from what a case holds."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

import numpy as np

from jeval_core.data.arrow import pa, pc, text_column
from jeval_core.data.codes import distinct, first_equal, numbered
from jeval_core.data.findings import Findings
from jeval_core.data.records import Lines
from jeval_core.data.references import References

HASH_DIGITS = 16


def case_hash(parts: Iterable[tuple[str, str]]) -> str:
    """A case without an id is known by this: hex digits over (name, text) of all that it holds."""
    content = "".join(f"{len(name)}:{name}{len(text)}:{text}" for name, text in parts if text)
    return hashlib.sha256(content.encode()).hexdigest()[:HASH_DIGITS]


def complete_ids(
    written: pa.ChunkedArray | None,
    fields: dict[str, pa.ChunkedArray | None],
    references: References,
    systems: pa.ChunkedArray | None,
    lines: Lines,
    findings: Findings,
) -> pa.ChunkedArray:
    """The ids of a file, those that are blank or absent made from the content of the case.

    Args:
        written: the id column, or None.
        fields: input, criteria and conversation.
        references: with their names.
        systems: the system of each row; a case may come once for each of them.
        lines: where the rows are in the file.
        findings: where to say which ids were made up although there is a column of them.
    """
    if written is None:
        return _made(fields, references, systems, len(lines))
    absent = pc.fill_null(pc.equal(pc.utf8_trim_whitespace(written), ""), True)
    at = pc.indices_nonzero(absent).to_numpy()
    if not len(at):
        return written
    chosen = pa.array(at)

    def some(column: pa.ChunkedArray | None) -> pa.ChunkedArray | None:
        return None if column is None else column.take(chosen)

    few = [(n, c.take(chosen)) for n, c in references]
    made = _made({n: some(c) for n, c in fields.items()}, few, some(systems), len(at)).to_pylist()
    ids = written.to_pylist()
    for i, name in zip(at.tolist(), made, strict=True):
        ids[i] = name
        findings.note(int(lines[i]), "blank_id", f"The id is empty; the row is called {name} by its content.")
    return text_column(ids)


def _made(
    fields: dict[str, pa.ChunkedArray | None], references: References, systems: pa.ChunkedArray | None, rows: int
) -> pa.ChunkedArray:
    """Ids from content; a case that its system has had before gets a number: `…-2`."""
    named = [*fields.items(), *sorted((f"reference:{n.strip()}", c) for n, c in references)]
    columns = [(n, pc.fill_null(c, "")) for n, c in named if c is not None]
    equal = first_equal([c for _, c in columns]) if columns else np.zeros(rows, dtype=np.int64)
    keys, first = numbered(equal), pa.array(distinct(equal))
    texts = [c.cast(pa.large_string()).take(first).to_pylist() for _, c in columns]
    names = [n for n, _ in columns]
    hashes = [case_hash(zip(names, row, strict=True)) for row in zip(*texts, strict=True)]
    hashes = hashes or [case_hash(())] * len(first)
    ids = pa.array(hashes, pa.string()).take(pa.array(keys))
    again = times_before(keys if systems is None else _paired(keys, numbered(first_equal([systems]))))
    if not again.any():
        return pa.chunked_array([ids])
    return text_column(_numbered(ids.to_pylist(), again))


def _numbered(ids: Sequence[str], again: Lines) -> list[str]:
    return [f"{name}-{n + 1}" if n else name for name, n in zip(ids, again.tolist(), strict=True)]


def _paired(keys: Lines, more: Lines) -> Lines:
    return keys * (int(more.max(initial=0)) + 1) + more


def times_before(keys: Lines) -> Lines:
    """How often the number of each row stands in the rows before it."""
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    starts = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]]) if len(keys) else order
    before = np.empty(len(keys), dtype=np.int64)
    before[order] = np.arange(len(keys)) - np.repeat(starts, np.diff(np.r_[starts, len(keys)]))
    return before
