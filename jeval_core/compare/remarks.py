"""What has to be known before the figures of a comparison are read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from jeval_core.compare.align import Alignment
from jeval_core.compare.changes import Change
from jeval_core.compare.pairs import Measured, Pairs
from jeval_core.compare.references import disagreement
from jeval_core.evaluators.judged import no_model


def nothing_shared(found: Alignment) -> str:
    """Why there is no pair."""
    if found.changed:
        fields = ", ".join(f"`{name}`" for name in found.fields)
        return f"No case is the same in both runs: {found.changed:,} have the same id, but differ in {fields}."
    return (
        f"No case is in both runs: {found.only_a:,} are only in A and {found.only_b:,} only in B. "
        "Cases are known by their id, or by what they hold where the file has no ids."
    )


def warnings(
    found: Sequence[Measured],
    pairs: Pairs,
    metrics: Sequence[Change],
    human: Sequence[Change],
    sets: dict[str, list[Change]],
) -> Iterator[str]:
    """In words, the gravest first."""
    people = {one.claim for one in human if one.group is None} & {"improved", "regressed"}
    if split := disagreement(sets):
        yield split + (f" People say that B {next(iter(people))}." if len(people) == 1 else "")
    against = {"improved": "regressed", "regressed": "improved"}
    for one in metrics:
        if one.group is None and len(people) == 1 and against.get(one.claim) in people:
            yield f"{one.id} {one.claim}, people say that B {next(iter(people))}. Trust the people first."
    for each in found:
        if no_model(pairs.a.record["signatures"][each.id]):
            yield f"{each.id} was answered by no model: word overlap, or answers made up to show how it works."
    own = pairs.alignment
    if own.changed:
        fields = ", ".join(f"{name} ({n:,})" for name, n in own.fields.items())
        yield f"{_count(own.changed, 'case')} changed between the runs and left out, by what differs: {fields}."
    if own.only_a or own.only_b:
        yield f"{_count(own.only_a, 'row')} only in A and {own.only_b:,} only in B: the other run has no such case."
    if any(own.other):
        yield (
            f"{_count(own.other[0], 'row')} of A and {own.other[1]:,} of B are by systems that the other run does not "
            f"have and left out: {', '.join(own.systems[:6])}."
        )
    if own.duplicates:
        yield (
            f"{_count(own.duplicates, 'row')} with an id that came before, paired in the order of the files; "
            f"{sum(own.unpaired):,} left over. For the intervals a case counts once."
        )
    if own.trimmed:
        yield f"{_count(own.trimmed, 'case')} compared although surrounding white space differs."
    for each in found:
        if any(each.unscored):
            by = f"{each.as_zero:+.4f}".replace("-", "−")
            yield (
                f"{each.id}: {each.unscored[0]:,} of the pairs have no score in A and {each.unscored[1]:,} none in B. "
                f"They are left out; counted as 0 the mean would change by {by}."
            )
        if each.passed is None:
            yield f"{each.id}: rows are held against different thresholds in A and B, so pass rates are not compared."


def _count(n: int, what: str) -> str:
    return f"{n:,} {what}" if n == 1 else f"{n:,} {what}s"
