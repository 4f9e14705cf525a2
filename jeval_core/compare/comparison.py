"""Two stored runs compared: what changed, how sure that is, and what could not be compared."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from jeval_core.compare.align import Alignment, align
from jeval_core.compare.changes import Change, Rules, adjusted
from jeval_core.compare.errors import Incomparable
from jeval_core.compare.lines import flag_line, grid, groups, human_line, lines
from jeval_core.compare.pairs import Measured, Pairs, shared
from jeval_core.compare.references import ALL, reference_sets
from jeval_core.compare.remarks import nothing_shared, warnings
from jeval_core.harness.labels import yes_no_columns
from jeval_core.harness.results import Results
from jeval_core.stats.aggregates import MOST_GROUPS

MOST_AGAIN = 200_000
"""Pairs times reference sets up to which texts are scored again against each set without being asked."""
SKIPPED = "Reference sets were not scored on their own, as there are so many rows: ask for them to see if they agree."
Progress = Callable[[float, str], None]


@dataclass(frozen=True)
class Asked:
    """What to compare. `metrics`: evaluators, empty for all that both runs have. `group_by`: None for task and risk.

    `cluster_by`: a column whose values were sampled as a whole, such as documents. `references`: whether to score each
    reference set on its own, None where that is quick.
    """

    metrics: tuple[str, ...] = ()
    group_by: tuple[str, ...] | None = None
    cluster_by: str | None = None
    references: bool | None = None
    rules: Rules = field(default_factory=Rules)


@dataclass(frozen=True)
class Comparison:
    """`metrics`, `tags` and `human` are lines of all rows, followed by those of groups. `reference_sets`: by column."""

    pairs: Pairs
    metrics: tuple[Change, ...]
    tags: tuple[Change, ...]
    human: tuple[Change, ...]
    reference_sets: dict[str, list[Change]]
    warnings: tuple[str, ...]
    evaluators: tuple[str, ...]
    rules: Rules

    @property
    def alignment(self) -> Alignment:
        """Which rows were compared."""
        return self.pairs.alignment

    @property
    def whole(self) -> tuple[Change, ...]:
        """The lines of `metrics` that speak of all rows."""
        return tuple(one for one in self.metrics if one.by is None)

    def to_dict(self) -> dict[str, Any]:
        """The object that `jeval compare --json` prints."""
        out: dict[str, Any] = {"a": _run(self.pairs.a), "b": _run(self.pairs.b), "alignment": self.alignment.to_dict()}
        out["metrics"] = [one.to_dict() for one in self.metrics]
        if self.reference_sets:
            out["reference_sets"] = [
                {"name": name, "metrics": [one.to_dict() for one in each]} for name, each in self.reference_sets.items()
            ]
        out |= {"tags": [one.to_dict() for one in self.tags]} if self.tags else {}
        out |= {"human": [one.to_dict() for one in self.human]} if self.human else {}
        return out | {"warnings": [*self.warnings]}


def compare(a: Results, b: Results, asked: Asked | None = None, progress: Progress | None = None) -> Comparison:
    """Compare run b with run a.

    `progress` is called with the share done and what comes next. Raises Incomparable where metrics or judges differ or
    no case is the same in both, BadInput for a column that is not there.
    """
    return against(a, [b], asked, progress)[0]


def against(
    baseline: Results, others: Sequence[Results], asked: Asked | None = None, progress: Progress | None = None
) -> list[Comparison]:
    """Several runs against one: a comparison each, claims about all rows adjusted for all of them together."""
    asked, drafts = asked or Asked(), []
    for i, other in enumerate(others):

        def said(share: float, text: str, at: int = i) -> None:
            if progress is not None:
                progress((at + share) / len(others), text)

        drafts.append(_Draft.of(baseline, other, asked, said))
    whole = iter(adjusted([one for draft in drafts for one in draft.whole]))
    human = iter(adjusted([one for draft in drafts for one in draft.human]))
    return [
        draft.finished([next(whole) for _ in draft.whole], [next(human) for _ in draft.human], asked)
        for draft in drafts
    ]


def in_groups(found: Comparison, by: str) -> list[Change]:
    """Every figure of a comparison in every group of a column; empty where it has too many values to be groups."""
    known = [one for one in (*found.metrics, *found.tags) if one.by == by]
    measured = [] if known else [found.pairs.measured(id) for id in found.evaluators]
    return known or _grid(measured, found.pairs, by, found.rules)


@dataclass(frozen=True)
class _Draft:
    """A comparison before claims of all rows are adjusted. `whole` are figures and tags, `groups` theirs by group."""

    pairs: Pairs
    found: list[Measured]
    whole: list[Change]
    human: list[Change]
    groups: list[Change]
    human_groups: list[Change]
    sets: dict[str, list[Change]]
    remarks: list[str]

    @classmethod
    def of(cls, a: Results, b: Results, asked: Asked, said: Progress) -> _Draft:
        ids, remarks = shared(a, b, asked.metrics)
        said(0.0, "Pairing rows")
        alignment = align(a, b)
        if not len(alignment):
            raise Incomparable(nothing_shared(alignment))
        pairs, rules = Pairs(a, b, alignment, asked.cluster_by), asked.rules
        by = _group_columns(pairs, asked.group_by)
        found: list[Measured] = []
        whole: list[Change] = []
        for i, id in enumerate(ids):
            said(0.1 + 0.5 * i / len(ids), f"Resampling {id}")
            found.append(pairs.measured(id))
            whole += lines(found[-1], pairs, rules)
        whole += [one for name in _flag_columns(pairs) if (one := flag_line(pairs, name, rules))]
        gold = [name for name in a.columns["gold"] if name in b.columns["gold"]]
        human = [one for name in gold if (one := human_line(pairs, name, rules))]
        groups: list[Change] = []
        human_groups: list[Change] = []
        for i, column in enumerate(by):
            said(0.6 + 0.2 * i / len(by), f"Comparing by {column}")
            groups += _grid(found, pairs, column, rules)
            human_groups += adjusted(_by(pairs, column, gold, human_line, rules))
        said(0.8, "Scoring against each reference set")
        sets, skipped = _sets(pairs, ids, asked)
        said(1.0, "Done")
        remarks = [*remarks, *_too_many(pairs, by), *skipped]
        return cls(pairs, found, whole, human, groups, human_groups, sets, remarks)

    def finished(self, whole: list[Change], human: list[Change], asked: Asked) -> Comparison:
        """The comparison, once it is known what may be claimed of all rows."""
        ids = [one.id for one in self.found]
        lines_, tags = _parted([*whole, *self.groups], ids)
        sets = dict(self.sets)
        if sets:
            named = {one.id for each in sets.values() for one in each}
            sets[ALL] = [one for one in lines_ if one.by is None and one.id in named]
        said_first = [*warnings(self.found, self.pairs, lines_, human, sets), *self.remarks]
        people = (*human, *self.human_groups)
        parts = tuple(lines_), tuple(tags), people, sets, tuple(said_first), tuple(ids)
        return Comparison(self.pairs, *parts, asked.rules)


def _grid(found: Sequence[Measured], pairs: Pairs, by: str, rules: Rules) -> list[Change]:
    """Figures and tags in every group of a column, adjusted together."""
    return adjusted([*grid(found, pairs, by, rules), *_by(pairs, by, _flag_columns(pairs), flag_line, rules)])


def _by(pairs: Pairs, by: str, names: Sequence[str], line: Callable[..., Change | None], rules: Rules) -> list[Change]:
    """The lines of some columns of labels in every group of another one."""
    each = groups(pairs, by)
    made = ((group, line(pairs, name, rules, rows)) for name in names if name != by for group, rows in each.items())
    return [replace(one, by=by, group=group) for group, one in made if one]


def _parted(found: Sequence[Change], ids: Sequence[str]) -> tuple[list[Change], list[Change]]:
    """Lines of evaluators, and those of tags."""
    mine = [one.id.rpartition(".")[0] in ids for one in found]
    return [one for one, own in zip(found, mine, strict=True) if own], [
        one for one, own in zip(found, mine, strict=True) if not own
    ]


def _sets(pairs: Pairs, ids: Sequence[str], asked: Asked) -> tuple[dict[str, list[Change]], list[str]]:
    """Each reference set on its own, and a remark where that was left out."""
    names = pairs.a.columns["references"]
    wanted = len(pairs) * len(names) <= MOST_AGAIN if asked.references is None else asked.references
    if wanted:
        return reference_sets(pairs, ids, asked.rules), []
    return {}, [SKIPPED] if len(names) > 1 and asked.references is None else []


def _run(found: Results) -> dict[str, Any]:
    return {
        "run_id": found.id,
        "name": found.name,
        "model_version": found.model_version,
        "dataset": found.dataset,
        "rows": found.n,
    }


def _group_columns(pairs: Pairs, asked: Sequence[str] | None) -> list[str]:
    """Columns to group by; checked, so that a wrong name is an error and not an empty table."""
    chosen = [*(pairs.a.columns["groups"] if asked is None else asked)]
    for name in chosen:
        pairs.codes(name)
    return chosen


def _too_many(pairs: Pairs, by: Sequence[str]) -> list[str]:
    named = [name for name in by if len(pairs) and not groups(pairs, name)]
    return [f"{name} has more than {MOST_GROUPS} values: it names rows, not groups." for name in named]


def _flag_columns(pairs: Pairs) -> list[str]:
    a, b = pairs.a, pairs.b
    tags = [name for name in a.columns["tags"] if name in b.columns["tags"]]
    other = yes_no_columns(b)
    return [*tags, *(name for name in yes_no_columns(a) if name in other)]
