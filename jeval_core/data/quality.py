"""What can be wrong with a data set as a whole: cases that repeat, references that give nothing, leaked answers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jeval_core.data.arrow import pa, pc
from jeval_core.data.codes import distinct, first_equal, numbered
from jeval_core.data.content import content
from jeval_core.data.loose import LOOSE, loose
from jeval_core.data.records import Lines
from jeval_core.data.rows import Rows

EXAMPLES = 10
"""How many groups, and how many ids of a group, are listed."""
LEAK_ROWS = 5
"""Fewer answered rows than this say nothing about a group."""
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Twins:
    """Cases that say the same: how many have a twin, in how many groups, and the ids of the first groups."""

    cases: int
    groups: int
    examples: tuple[tuple[str, ...], ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON data."""
        return {"cases": self.cases, "groups": self.groups, "examples": [[*ids] for ids in self.examples]}


@dataclass(frozen=True, slots=True)
class Leak:
    """A group of rows in which every output is one of its references. `column` is None for the whole file."""

    column: str | None
    value: str | None
    rows: int

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON data."""
        return {"column": self.column, "value": self.value, "rows": self.rows}


@dataclass(frozen=True, slots=True)
class Quality:
    """Counts of different cases. `duplicates` are equal to the letter, `near_duplicates` only when read loosely.

    `referenced` cases have a reference, `single_reference` exactly one; `echoes` have one that is their input.
    """

    cases: int
    duplicates: Twins
    near_duplicates: Twins
    echoes: int
    echo_examples: tuple[str, ...]
    leaks: tuple[Leak, ...]
    referenced: int
    single_reference: int

    @property
    def single_reference_share(self) -> float | None:
        """Of the cases with a reference; None when there is none."""
        return self.single_reference / self.referenced if self.referenced else None

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON data, no NaN; `method` says what near means."""
        return {
            "cases": self.cases,
            "duplicates": self.duplicates.to_dict(),
            "near_duplicates": {**self.near_duplicates.to_dict(), "method": LOOSE},
            "reference_is_input": {"cases": self.echoes, "examples": [*self.echo_examples]},
            "leaks": [leak.to_dict() for leak in self.leaks],
            "referenced": self.referenced,
            "single_reference": self.single_reference,
            "single_reference_share": self.single_reference_share,
        }


def quality(rows: Rows) -> Quality:
    """Look for the usual faults of a data set.

    Near duplicates are found by equality of the loosened texts alone (`loose.LOOSE` says how), so that a million rows
    take seconds; other words for the same are not found. A group leaks when each of its answered rows, at least
    `LEAK_ROWS` of them, has an output that is one of its references.
    """
    columns = content(rows)
    first = distinct(first_equal([rows.id, *columns.values()]))
    ids = rows.id
    if len(first) < len(rows):  # several answers to one case are one case
        chosen = np.zeros(len(rows), dtype=np.bool_)
        chosen[first] = True
        columns = {n: c.filter(pa.array(chosen)) for n, c in columns.items()}
        ids = ids.filter(pa.array(chosen))
    exact, near = _twins(columns, ids)
    references = {n: _trimmed(c) for n, c in columns.items() if n.startswith("reference:")}
    given = sum((_filled(c).astype(np.int64) for c in references.values()), np.zeros(len(first), np.int64))
    echoes = _echoes(columns, references, len(first))
    return Quality(
        len(first),
        exact,
        near,
        int(echoes.sum()),
        tuple(ids.take(pa.array(np.flatnonzero(echoes)[:EXAMPLES])).to_pylist()),
        tuple(_leaks(rows)),
        int((given > 0).sum()),
        int((given == 1).sum()),
    )


def _twins(columns: dict[str, pa.ChunkedArray], ids: pa.ChunkedArray) -> tuple[Twins, Twins]:
    """Groups of equal content, and groups that hold several contents which are equal when loosened."""
    if not columns:
        return Twins(0, 0, ()), Twins(0, 0, ())
    same = numbered(first_equal([*columns.values()]))
    loosened = [loose(c) for c in columns.values()]
    alike = numbered(first_equal(loosened))
    filled = np.logical_or.reduce([_filled(c) for c in loosened])
    pairs = np.unique(alike * len(same) + same)  # (group when loosened, content), each once
    contents = np.bincount(pairs // len(same), minlength=len(same)) if len(same) else same
    return _grouped(same, np.bincount(same) > 1, ids, filled), _grouped(alike, contents > 1, ids, filled)


def _grouped(groups: Lines, wanted: Flags, ids: pa.ChunkedArray, filled: Flags) -> Twins:
    """The wanted groups by first appearance, cases without any text left out."""
    members = np.flatnonzero(wanted[groups] & filled)
    order = members[np.argsort(groups[members], kind="stable")]
    starts = np.flatnonzero(np.diff(groups[order], prepend=-1))
    parts = [part[:EXAMPLES] for part in np.split(order, starts[1 : EXAMPLES + 1])[:EXAMPLES]] if len(order) else []
    return Twins(len(members), len(starts), tuple(tuple(ids.take(pa.array(p)).to_pylist()) for p in parts))


def _echoes(columns: dict[str, pa.ChunkedArray], references: dict[str, pa.ChunkedArray], rows: int) -> Flags:
    """Which cases have a reference that is their input."""
    found = np.zeros(rows, dtype=np.bool_)
    if "input" in columns:
        asked = _trimmed(columns["input"])
        for column in references.values():
            found |= _equal(column, asked)
    return found


def _leaks(rows: Rows) -> Iterator[Leak]:
    """The whole file when all of it leaks, else the groups that do."""
    output = _trimmed(rows.output)
    answered = np.zeros(len(rows), dtype=np.bool_)
    copied = answered.copy()
    for _, column in rows.references:
        reference = _trimmed(column)
        answered |= _filled(reference)
        copied |= _equal(reference, output)
    answered &= rows.output.is_valid().to_numpy()
    total = int(answered.sum())
    if total >= LEAK_ROWS and copied[answered].all():
        yield Leak(None, None, total)
        return
    systems = {} if rows.model_version is None else {"model_version": rows.model_version}
    for name, column in (rows.groups | systems).items():
        equal = first_equal([column])
        groups, first = numbered(equal), distinct(equal)
        asked = np.bincount(groups[answered], minlength=len(first))
        missed = np.bincount(groups[answered & ~copied], minlength=len(first))
        for at in np.flatnonzero((asked >= LEAK_ROWS) & (missed == 0)).tolist():
            yield Leak(name, column[int(first[at])].as_py() or "(none)", int(asked[at]))


def _trimmed(column: pa.ChunkedArray) -> pa.ChunkedArray:
    return pc.utf8_trim_whitespace(pc.fill_null(column, "").cast(pa.large_string()))


def _filled(column: pa.ChunkedArray) -> Flags:
    flags: Flags = pc.greater(pc.binary_length(column), 0).to_numpy()
    return flags


def _equal(one: pa.ChunkedArray, other: pa.ChunkedArray) -> Flags:
    """Where two columns hold the same text, and one at all."""
    flags: Flags = pc.equal(one, other).to_numpy()
    return flags & _filled(one)
