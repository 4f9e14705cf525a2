"""Two runs on the rows that they share: the columns that a comparison is made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from jeval_core.batch.scored import SCORED, Numbers, Scored
from jeval_core.compare.align import Alignment
from jeval_core.compare.errors import Incomparable
from jeval_core.errors import BadInput, UnknownEvaluator, nearest
from jeval_core.evaluators.base import Evaluator
from jeval_core.harness.labels import flags
from jeval_core.harness.layout import PARTS
from jeval_core.harness.results import Results
from jeval_core.registry import get_evaluator
from jeval_core.signature import compare

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Rows = NDArray[np.int64]
MOST_PARTS = 4
"""Differences of two signatures that are listed; of more the whole signatures are shown."""
IGNORED = {"nrefs"}
"""Parts of a signature that follow from the cases, which are the same."""


@dataclass(frozen=True)
class Measured:
    """An evaluator on the pairs that both runs scored: `rows` are these pairs, the columns have their shape.

    `passed` is None where the runs hold rows against different thresholds. `counts` are those of a corpus score, empty
    where there is none. `unscored`: pairs that a and b have no score of.
    """

    one: Evaluator
    rows: Rows
    score: tuple[Floats, Floats]
    passed: tuple[Flags, Flags] | None
    counts: tuple[Mapping[str, Numbers], Mapping[str, Numbers]]
    unscored: tuple[int, int]
    as_zero: float
    """The change of the mean if a row without a score counted as 0."""

    @property
    def id(self) -> str:
        """The evaluator's id."""
        return self.one.card.id


class Pairs:
    """Columns of shape (pairs,), read when they are asked for; the order is that of a's file."""

    def __init__(self, a: Results, b: Results, alignment: Alignment, cluster_by: str | None = None) -> None:
        self.a, self.b, self.alignment = a, b, alignment
        self.cluster_by = cluster_by

    def __len__(self) -> int:
        return len(self.alignment)

    @cached_property
    def cases(self) -> Rows | None:
        """What was sampled, as a code for each pair; None where every pair is on its own."""
        if self.cluster_by is not None:
            codes, values = self.codes(self.cluster_by)
            blank = np.flatnonzero(np.isin(codes, [i for i, v in enumerate(values) if v is None or not v.strip()]))
            codes[blank] = len(values) + np.arange(len(blank))  # without a value each is on its own
            return codes
        return self.alignment.case if self.alignment.repeated else None

    def codes(self, column: str) -> tuple[Rows, list[str | None]]:
        """For each pair which text of a column of a it has, and the texts; the last is None."""
        known = self.columns
        if column not in known:
            why = f"There is no column `{column}` in run {self.a.id}."
            raise BadInput(why, field="by", hint=nearest(column, known))
        codes, values = self.a.codes(column)
        return codes[self.alignment.a], values

    @property
    def columns(self) -> list[str]:
        """Columns of a by which pairs can be grouped."""
        roles = self.a.columns
        return [name for role in ("groups", "tags", "extra", "model_version") for name in roles[role]]

    def measured(self, id: str) -> Measured:
        """The scores of an evaluator in both runs."""
        sides = [_taken(run.scored(id), rows) for run, rows in self.sides]
        return measured(evaluator_of(self.a, id), sides[0], sides[1], same_limits=self.same_limits(id))

    def same_limits(self, id: str) -> bool:
        """Whether both runs hold every row against the same threshold."""
        left, right = (limits(run, id)[rows] for run, rows in self.sides)
        return bool(np.array_equal(left, right))

    def gold(self, name: str) -> tuple[Rows, Floats, Floats]:
        """A human score in both runs, of the pairs that have one in both: these pairs, a's and b's."""
        left, right = (run.numbers(name)[rows] for run, rows in self.sides)
        rows = np.flatnonzero(~np.isnan(left) & ~np.isnan(right))
        return rows, left[rows], right[rows]

    def flags(self, name: str) -> tuple[Rows, Flags, Flags]:
        """The same for a column of yes and no."""
        left, right = (flags(run, name)[rows] for run, rows in self.sides)
        rows = np.flatnonzero(~np.isnan(left) & ~np.isnan(right))
        return rows, left[rows] == 1, right[rows] == 1

    @property
    def sides(self) -> tuple[tuple[Results, Rows], tuple[Results, Rows]]:
        """Each run with its rows in the order of the pairs."""
        return (self.a, self.alignment.a), (self.b, self.alignment.b)


def evaluator_of(found: Results, id: str) -> Evaluator:
    """An evaluator with the options that a run used. Raises UnknownEvaluator."""
    return get_evaluator(id, ((found.spec or {}).get("options") or {}).get(id))


def limits(found: Results, id: str) -> Floats:
    """What each row was held against, shape (n,)."""
    card = evaluator_of(found, id).card
    given = ((found.spec or {}).get("thresholds") or {}).get(id)
    usual = card.threshold if given is None else float(given)
    own = found.numbers("threshold") if card.max_threshold == 1 else np.full(found.n, np.nan)
    return np.where(np.isnan(own), usual, own)


def shared(a: Results, b: Results, asked: tuple[str, ...] = ()) -> tuple[list[str], list[str]]:
    """The evaluators that can be compared, and remarks on those left out. Raises Incomparable with the reason."""
    both = [id for id in a.evaluators if id in b.evaluators]
    for id in asked:
        if id not in both:
            hint = nearest(id, both or a.evaluators)
            raise Incomparable(f"`{id}` did not score both runs.", field="metrics", hint=hint)
    ids = [id for id in both if not asked or id in asked]
    remarks, known = [], []
    for id in ids:
        try:
            evaluator_of(a, id)
            known.append(id)
        except UnknownEvaluator:
            remarks.append(f"{id} is left out: this version does not know it.")
    alone = [id for id in dict.fromkeys([*a.evaluators, *b.evaluators]) if id not in both]
    if alone and not asked:
        remarks.append(f"Only one of the runs was scored by {', '.join(alone)}.")
    if not known:
        raise Incomparable(
            f"No evaluator scored both runs: {', '.join(a.evaluators)} against {', '.join(b.evaluators)}.",
            field="metrics",
            hint="Score one of the files again with the evaluators of the other.",
        )
    reasons = {id: reason for id in known if (reason := _differs(a, b, id))}
    if reasons:
        alike = [id for id in known if id not in reasons]
        hint = "Score both files with the same options and the same judge"
        hint += f", or compare only {', '.join(alike)}." if alike else "."
        error = Incomparable(" ".join(reasons.values()), field="metrics", hint=hint)
        error.alike = tuple(alike)
        raise error
    return known, remarks


def _differs(a: Results, b: Results, id: str) -> str | None:
    """In what two signatures differ."""
    left, right = (run.record["signatures"][id] for run in (a, b))
    parts = {name: pair for name, pair in compare(left, right).items() if name not in IGNORED}
    if not parts:
        return None
    if len(parts) > MOST_PARTS:
        return f"{id} was scored differently: `{left}` in A, `{right}` in B."
    said = "; ".join(f"{name} is {x or 'not there'} in A and {y or 'not there'} in B" for name, (x, y) in parts.items())
    how = "answered by different judges" if "judge" in parts else "scored differently"
    return f"{id} was {how}: {said}."


def measured(one: Evaluator, a: Scored, b: Scored, *, same_limits: bool) -> Measured:
    """An evaluator in two runs on the same pairs; `same_limits`: both held them against the same thresholds."""
    done = [side.status == SCORED for side in (a, b)]
    rows = np.flatnonzero(done[0] & done[1])
    whole = [np.where(d, side.score, 0.0) for side, d in zip((a, b), done, strict=True)]
    has_corpus = bool(a.counts) and one.corpus_scores({name: np.zeros(1) for name in a.counts}) is not None
    counts = tuple({n: c[rows] for n, c in side.counts.items()} if has_corpus else {} for side in (a, b))
    return Measured(
        one,
        rows,
        (a.score[rows], b.score[rows]),
        (a.passed[rows], b.passed[rows]) if same_limits else None,
        (counts[0], counts[1]),
        (int((~done[0]).sum()), int((~done[1]).sum())),
        float((whole[1] - whole[0]).mean()) if len(a) else 0.0,
    )


def _taken(found: Scored, rows: Rows) -> Scored:
    counts = {name: column[rows] for name, column in found.counts.items()}
    parts = {name: getattr(found, name)[rows] for name in PARTS}
    return replace(found, **parts, counts=counts)
