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
from jeval_core.compare.references import reference_sets
from jeval_core.compare.remarks import nothing_shared, warnings
from jeval_core.harness.labels import yes_no_columns
from jeval_core.harness.results import Results
from jeval_core.stats.aggregates import MOST_GROUPS

MOST_AGAIN = 200_000
"""Pairs times reference sets up to which texts are scored again against each set without being asked."""
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
    asked, said = asked or Asked(), progress or (lambda share, text: None)
    ids, remarks = shared(a, b, asked.metrics)
    said(0.0, "Pairing rows")
    alignment = align(a, b)
    if not len(alignment):
        raise Incomparable(nothing_shared(alignment))
    pairs = Pairs(a, b, alignment, asked.cluster_by)
    by = _group_columns(pairs, asked.group_by)
    found: list[Measured] = []
    whole: list[Change] = []
    for i, id in enumerate(ids):
        said(0.1 + 0.6 * i / len(ids), f"Resampling {id}")
        found.append(pairs.measured(id))
        whole += lines(found[-1], pairs, asked.rules)
    said(0.7, "Comparing groups")
    metrics = adjusted(whole) + [one for column in by for one in adjusted(grid(found, pairs, column, asked.rules))]
    tags = _each(pairs, _flag_columns(a, b), flag_line, by, asked.rules)
    human = _each(pairs, [n for n in a.columns["gold"] if n in b.columns["gold"]], human_line, by, asked.rules)
    said(0.8, "Scoring against each reference set")
    again = len(pairs) * len(a.columns["references"]) <= MOST_AGAIN if asked.references is None else asked.references
    sets = reference_sets(pairs, ids, asked.rules, metrics) if again else {}
    said_first = [*warnings(found, pairs, metrics, human, sets), *remarks, *_too_many(pairs, by)]
    said(1.0, "Done")
    parts = tuple(metrics), tuple(tags), tuple(human), sets, tuple(said_first), tuple(ids)
    return Comparison(pairs, *parts, asked.rules)


def in_groups(found: Comparison, by: str) -> list[Change]:
    """Every figure of a comparison in every group of a column; empty where it has too many values to be groups."""
    pairs, rules = found.pairs, found.rules
    metrics = adjusted(grid([pairs.measured(id) for id in found.evaluators], pairs, by, rules))
    tags = _each(pairs, _flag_columns(pairs.a, pairs.b), flag_line, [by], rules)
    return [*metrics, *(one for one in tags if one.by is not None)]


def against(
    baseline: Results, others: Sequence[Results], asked: Asked | None = None, progress: Progress | None = None
) -> list[Comparison]:
    """Several runs against one: a comparison each, claims about all rows adjusted for all of them together."""
    made = []
    for i, other in enumerate(others):

        def step(share: float, text: str, at: int = i) -> None:
            if progress is not None:
                progress((at + share) / len(others), text)

        made.append(compare(baseline, other, asked, step))
    if len(made) == 1:
        return made
    together = iter(adjusted([one for each in made for one in each.whole]))
    return [
        replace(each, metrics=(*(next(together) for _ in each.whole), *each.metrics[len(each.whole) :]))
        for each in made
    ]


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


def _flag_columns(a: Results, b: Results) -> list[str]:
    tags = [name for name in a.columns["tags"] if name in b.columns["tags"]]
    other = yes_no_columns(b)
    return [*tags, *(name for name in yes_no_columns(a) if name in other)]


def _each(
    pairs: Pairs, names: Sequence[str], line: Callable[..., Change | None], by: Sequence[str], rules: Rules
) -> list[Change]:
    out = adjusted([one for name in names if (one := line(pairs, name, rules))])
    for column in by:
        each = groups(pairs, column) if column not in names else {}
        made = ((group, line(pairs, name, rules, within)) for name in names for group, within in each.items())
        out += adjusted([replace(one, by=column, group=group) for group, one in made if one])
    return out
