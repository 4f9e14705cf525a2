"""Two versions of a data set side by side: cases added, removed and changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jeval_core.data.arrow import pa
from jeval_core.data.cases import dataset_version
from jeval_core.data.codes import distinct, first_equal, numbered
from jeval_core.data.content import content
from jeval_core.data.records import Lines
from jeval_core.data.rows import Rows

Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Diff:
    """Case ids in the order of their file; `changed` maps an id to the fields that differ.

    A field is `input`, `criteria`, `conversation` or `reference:` with the name of its set. `same` counts the ids
    whose content is equal, `reordered` says that the cases which both have come in another order.
    """

    old_version: str
    new_version: str
    added: tuple[str, ...]
    removed: tuple[str, ...]
    changed: dict[str, tuple[str, ...]]
    same: int
    reordered: bool

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON data."""
        return {
            "old_version": self.old_version,
            "new_version": self.new_version,
            "added": [*self.added],
            "removed": [*self.removed],
            "changed": {id: [*fields] for id, fields in self.changed.items()},
            "same": self.same,
            "reordered": self.reordered,
        }


def diff(old: Rows, new: Rows) -> Diff:
    """Compare two versions by case id.

    Several rows of one id (samples, systems) are one case. An id that stands for several contents is changed when
    any of them is on one side only. Without an id column ids come from the content, so a case with another text is
    one removed and one added.
    """
    split = len(old)
    id, columns = _stacked([old.id, new.id]), _both(old, new)
    same_id, same_case = first_equal([id]), first_equal([id, *columns.values()])
    ids, cases = numbered(same_id), numbered(same_case)
    first, count = distinct(same_id), int(ids.max(initial=-1)) + 1
    in_old, in_new = _among(ids[:split], count), _among(ids[split:], count)
    shared = in_old & in_new
    one_sided = np.setxor1d(cases[:split], cases[split:])
    changed = _among(ids[distinct(same_case)[one_sided]], count) & shared

    def named(which: Flags) -> tuple[str, ...]:
        return tuple(id.take(pa.array(first[which])).to_pylist())

    return Diff(
        dataset_version(old),
        dataset_version(new),
        named(in_new & ~in_old),
        named(in_old & ~in_new),
        dict(zip(named(changed), _fields(columns, ids, changed, split), strict=True)),
        int((shared & ~changed).sum()),
        _reordered(cases, split),
    )


def _both(old: Rows, new: Rows) -> dict[str, pa.ChunkedArray]:
    """The columns of both, old rows first; what one side does not have is empty there."""
    before, after = content(old), content(new)

    def side(columns: dict[str, pa.ChunkedArray], name: str, rows: int) -> pa.ChunkedArray:
        return columns[name] if name in columns else pa.chunked_array([pa.repeat("", rows)])

    names = dict.fromkeys([*before, *after])
    return {n: _stacked([side(before, n, len(old)), side(after, n, len(new))]) for n in names}


def _stacked(columns: Sequence[pa.ChunkedArray]) -> pa.ChunkedArray:
    """One column under the other, without a copy where their types are the same."""
    wide = pa.large_string()
    if len({c.type for c in columns}) > 1 or sum(c.nbytes for c in columns) >= 1 << 31:
        columns = [c.cast(wide) for c in columns]
    return pa.chunked_array([chunk for c in columns for chunk in c.chunks], columns[0].type)


def _among(keys: Lines, count: int) -> Flags:
    """Shape (count,): which numbers occur."""
    found = np.zeros(count, dtype=np.bool_)
    found[keys] = True
    return found


def _fields(columns: dict[str, pa.ChunkedArray], ids: Lines, changed: Flags, split: int) -> list[tuple[str, ...]]:
    """For each changed id, ascending, the columns whose texts differ; only the rows of those ids are looked at."""
    rows = changed[ids]
    kept, place, old_rows = pa.array(rows), np.cumsum(changed) - 1, int(rows[:split].sum())
    some = place[ids[rows]]
    found: list[list[str]] = [[] for _ in range(int(changed.sum()))]
    for name, column in columns.items() if found else ():
        values = numbered(first_equal([column.filter(kept)]))
        pairs = some * len(values) + values
        one_sided = np.setxor1d(pairs[:old_rows], pairs[old_rows:])
        for at in np.unique(one_sided // len(values)).tolist():
            found[at].append(name)
    return [tuple(fields) for fields in found]


def _reordered(cases: Lines, split: int) -> bool:
    """Whether the cases that both sides have come first in another order; numbers ascend as they come in the old."""
    known = int(cases[:split].max(initial=-1))
    shared = cases[split:][cases[split:] <= known]
    _, first = np.unique(shared, return_index=True)
    return bool((np.diff(first) < 0).any())
