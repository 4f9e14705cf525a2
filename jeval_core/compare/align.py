"""Which rows of two runs answer the same case: by id and by what the case holds, never more pairs than rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from jeval_core.data.arrow import pa, pc, plain
from jeval_core.data.codes import first_equal, numbered
from jeval_core.data.content import FIELDS
from jeval_core.data.ids import times_before
from jeval_core.harness.results import Results

Rows = NDArray[np.int64]


@dataclass(frozen=True)
class Alignment:
    """Pairs of rows that answer one unchanged case, and where every other row went.

    `a` and `b` are rows of either run, shape (pairs,), in the order of a's file; `case` numbers the case of each pair.
    Rows of one id are paired in the order of their files: the first with the first, the second with the second; where
    both runs hold several systems, each system with itself.
    `only_a`, `only_b`: rows whose id the other run does not have. `duplicates`: rows of either run whose id an earlier
    row of it has. `unpaired`: those of them for which the other run has no partner. `changed`: pairs that are left out
    because the case holds something else; `fields` counts them by what differs. `trimmed`: pairs that differ in
    surrounding white space only and are compared. The account of a is pairs + changed + only_a + unpaired[0].
    """

    a: Rows
    b: Rows
    case: Rows
    only_a: int
    only_b: int
    duplicates: int
    unpaired: tuple[int, int]
    changed: int
    fields: Mapping[str, int] = field(default_factory=dict)
    trimmed: int = 0

    def __len__(self) -> int:
        return len(self.a)

    @property
    def repeated(self) -> bool:
        """Whether a case has several pairs, which then are not independent of each other."""
        return bool(len(self.case)) and len(np.unique(self.case)) < len(self.case)

    def to_dict(self) -> dict[str, int]:
        """Plain JSON data."""
        return {
            "pairs": len(self),
            "only_a": self.only_a,
            "only_b": self.only_b,
            "duplicates": self.duplicates,
            "changed": self.changed,
        }


def align(a: Results, b: Results) -> Alignment:
    """Pair the rows of two runs."""
    split = a.n
    codes = numbered(first_equal([_stacked([_ids(a), _ids(b)])]))
    answers = _answers(a, b, codes)
    again = np.concatenate([times_before(answers[:split]), times_before(answers[split:])])
    keys = answers * (int(again.max(initial=0)) + 1) + again
    _, at_a, at_b = np.intersect1d(keys[:split], keys[split:], assume_unique=True, return_indices=True)
    order = np.argsort(at_a)
    at_a, at_b = at_a[order].astype(np.int64), at_b[order].astype(np.int64)
    alone = ~np.isin(codes[:split], codes[split:]), ~np.isin(codes[split:], codes[:split])
    only_a, only_b = (int(some.sum()) for some in alone)
    duplicates = int((again > 0).sum())
    unpaired = a.n - len(at_a) - only_a, b.n - len(at_b) - only_b
    same, fields, trimmed = np.ones(len(at_a), np.bool_), dict[str, int](), 0
    if duplicates or not _same_cases(a, b):
        same, fields, trimmed = _unchanged(a, b, at_a, at_b)
    kept = codes[at_a[same]]
    case = np.unique(kept, return_inverse=True)[1].astype(np.int64)
    changed = int((~same).sum())
    return Alignment(at_a[same], at_b[same], case, only_a, only_b, duplicates, unpaired, changed, fields, trimmed)


def _answers(a: Results, b: Results, codes: Rows) -> Rows:
    """What answers what: the case, of which each of several systems in both runs has an answer of its own."""
    sides = (
        []
        if a.is_part or b.is_part
        else [run.column("model_version") for run in (a, b) if run.columns["model_version"]]
    )
    if len(sides) < 2 or not all(len(side.unique()) > 1 for side in sides):
        return codes
    systems = numbered(first_equal([_stacked([plain(side) for side in sides])]))
    return codes * (int(systems.max(initial=0)) + 1) + systems


def _same_cases(a: Results, b: Results) -> bool:
    """Whether equal versions already say that equal ids have equal cases: only of whole runs, not of a part of one."""
    return a.dataset == b.dataset and not a.is_part and not b.is_part


def _ids(found: Results) -> pa.ChunkedArray:
    return plain(found.column("id"))


def _unchanged(a: Results, b: Results, at_a: Rows, at_b: Rows) -> tuple[NDArray[np.bool_], dict[str, int], int]:
    """Which pairs hold the same case; by field how many do not, and how many differ in white space only."""
    differ: dict[str, NDArray[np.bool_]] = {}
    trimmed = np.zeros(len(at_a), np.bool_)
    for name in dict.fromkeys([*_content(a), *_content(b)]):
        left, right = _texts(a, name, at_a), _texts(b, name, at_b)
        other = ~_equal(left, right)
        at = np.flatnonzero(other)
        if len(at):
            some = pa.array(at)
            other[at] = ~_equal(*(_trimmed(side.take(some)) for side in (left, right)))
            trimmed[at[~other[at]]] = True
            differ[name] = other
    changed = np.logical_or.reduce([*differ.values()]) if differ else np.zeros(len(at_a), np.bool_)
    fields = {name: int(other.sum()) for name, other in differ.items() if other.any()}
    return ~changed, fields, int((trimmed & ~changed).sum())


def _content(found: Results) -> dict[str, str]:
    """What a case holds → the column that holds it."""
    roles = found.columns
    fields = {name: roles[name][0] for name in FIELDS if roles[name]}
    return fields | {f"reference:{name.strip()}": name for name in roles["references"]}


def _texts(found: Results, name: str, rows: Rows) -> pa.ChunkedArray:
    column = _content(found).get(name)
    if column is None:
        return pa.chunked_array([pa.repeat("", len(rows))])
    texts = plain(found.column(column)).take(pa.array(rows))
    return pc.fill_null(texts, "") if texts.null_count else texts


def _equal(left: pa.ChunkedArray, right: pa.ChunkedArray) -> NDArray[np.bool_]:
    first, half = first_equal([_stacked([left, right])]), len(left)
    same: NDArray[np.bool_] = first[half:] == first[:half]
    return same


def _trimmed(column: pa.ChunkedArray) -> pa.ChunkedArray:
    return column if pa.types.is_binary(column.type) else pc.utf8_trim_whitespace(column)


def _stacked(columns: Sequence[pa.ChunkedArray]) -> pa.ChunkedArray:
    kind = pa.large_binary()
    return pa.chunked_array([chunk for c in columns for chunk in c.cast(kind).chunks], kind)
