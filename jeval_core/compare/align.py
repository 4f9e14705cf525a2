"""Which rows of two runs answer the same case: by id and by what the case holds, never more pairs than rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from jeval_core.compare.errors import Incomparable
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
    a run holds several systems, each system with itself.
    `only_a`, `only_b`: rows whose id the other run does not have. `duplicates`: rows of either run whose id an earlier
    row of it has. `unpaired`: those of them for which the other run has no partner. `changed`: pairs that are left out
    because the case holds something else; `fields` counts them by what differs. `trimmed`: pairs that differ in
    surrounding white space only and are compared. `other`: rows of systems that the other run does not have, which
    `systems` names. The account of a is pairs + changed + only_a + unpaired[0] + other[0].
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
    other: tuple[int, int] = (0, 0)
    systems: tuple[str, ...] = ()

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
    """Pair the rows of two runs. Raises Incomparable where one holds several systems and the other none of them."""
    split = a.n
    codes = numbered(first_equal([_stacked([_ids(a), _ids(b)])]))
    answers, left_out = _answers(a, b, codes)
    mine = answers[:split] >= 0, answers[split:] >= 0
    again = np.concatenate([times_before(answers[:split]), times_before(answers[split:])])
    again[answers < 0] = 0
    keys = answers * (int(again.max(initial=0)) + 1) + again
    rows_a, rows_b = (np.flatnonzero(some) for some in mine)
    _, in_a, in_b = np.intersect1d(keys[:split][rows_a], keys[split:][rows_b], assume_unique=True, return_indices=True)
    order = np.argsort(in_a)
    at_a, at_b = rows_a[in_a[order]].astype(np.int64), rows_b[in_b[order]].astype(np.int64)
    cases_a, cases_b = codes[:split][rows_a], codes[split:][rows_b]
    only_a, only_b = int((~np.isin(cases_a, cases_b)).sum()), int((~np.isin(cases_b, cases_a)).sum())
    duplicates = int((again > 0).sum())
    unpaired = len(rows_a) - len(at_a) - only_a, len(rows_b) - len(at_b) - only_b
    same, fields, trimmed = np.ones(len(at_a), np.bool_), dict[str, int](), 0
    if duplicates or not _same_cases(a, b):
        same, fields, trimmed = _unchanged(a, b, at_a, at_b)
    case = _cases(a, codes, at_a[same])
    counts = only_a, only_b, duplicates, unpaired, int((~same).sum()), fields, trimmed
    other = a.n - len(rows_a), b.n - len(rows_b)
    return Alignment(at_a[same], at_b[same], case, *counts, other, left_out)


def _cases(a: Results, codes: Rows, rows: Rows) -> Rows:
    """The case of some rows of a, numbered: by id, or by what it holds where ids were made, which number repeats."""
    if a.record["mapping"].get("id") is None and len(rows):
        columns = [_texts(a, name, rows) for name in _content(a)]
        return numbered(first_equal([_stacked([column]) for column in columns])) if columns else np.arange(len(rows))
    return np.unique(codes[rows], return_inverse=True)[1].astype(np.int64)


def _answers(a: Results, b: Results, codes: Rows) -> tuple[Rows, tuple[str, ...]]:
    """What answers what, and the systems that only one run has: of several systems each has answers of its own.

    Rows of a system that the other run does not have are -1.
    """
    columns = [_systems(run) for run in (a, b)]
    names = [dict.fromkeys(column.unique().to_pylist()) for column in columns]
    if max(map(len, names)) < 2:
        return codes, ()
    shared = [name for name in names[0] if name in names[1]]
    if not shared:
        said = " and ".join(
            f"{run}: {', '.join(n or '(none)' for n in of)}" for run, of in zip("AB", names, strict=True)
        )
        why = f"The runs hold answers of several systems and share none of them ({said})."
        raise Incomparable(why, hint="Compare single systems; each is a run of its own in the lists.")
    systems = numbered(first_equal([_stacked(columns)]))
    both = np.concatenate([pc.is_in(column, pa.array(shared)).to_numpy() for column in columns])
    answers = np.where(both, codes * (int(systems.max(initial=0)) + 1) + systems, -1)
    return answers, tuple(n or "(none)" for n in dict.fromkeys([*names[0], *names[1]]) if n not in shared)


def _systems(found: Results) -> pa.ChunkedArray:
    """The system of each row, empty where none is named."""
    if not found.columns["model_version"]:
        return pa.chunked_array([pa.repeat("", found.n)])
    return pc.fill_null(plain(found.column("model_version")).cast(pa.string()), "")


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
