"""One evaluator on one row: measure, score, verdict, result."""

from __future__ import annotations

from dataclasses import dataclass

from jeval_core.checks import text_warnings
from jeval_core.errors import MissingField
from jeval_core.evaluators.base import Evaluator, NotScored
from jeval_core.types import Evidence, Inputs, Result, Verdict


@dataclass(frozen=True, slots=True)
class Scored:
    """A row with its evidence and verdict."""

    evidence: Evidence
    verdict: Verdict


def check_fields(one: Evaluator, x: Inputs) -> None:
    """MissingField when a field that the evaluator needs was not given; a blank one is given."""
    for name in one.card.required:
        if getattr(x, name) in (None, ()):
            needs = " and ".join(one.card.required)
            raise MissingField(f"{one.card.id} needs `{name}`.", field=name, hint=f"Send {needs}.")


def score(one: Evaluator, x: Inputs, threshold: float, *, detail: bool = False) -> Scored:
    """Evidence and verdict; NotScored when there is nothing to compare."""
    evidence = one.measure(x, detail=detail)
    return Scored(evidence, one.verdict(evidence.counts, one.score_one(evidence.counts), threshold))


def result_of(one: Evaluator, x: Inputs, threshold: float, scored: Scored | str, *, warn: bool) -> Result:
    """The public result of a scored row, or of one that was skipped for a reason."""
    card, signature = one.card, one.signature(sum(bool(text.strip()) for text in x.expected))
    if isinstance(scored, str):
        return Result(card.id, card.kind, "skipped", None, None, None, threshold, signature, scored)
    v, counts = scored.verdict, scored.evidence.counts
    warnings = text_warnings(x.output, x.expected) if warn and card.kind == "code" else ()
    shown = {**counts, **one.beside(counts)}
    return Result(
        card.id, card.kind, "scored", v.score, v.label, v.passed, threshold, signature, v.reason, shown, warnings
    )


def run(
    one: Evaluator, x: Inputs, threshold: float, *, detail: bool = False, warn: bool = True
) -> tuple[Result, Scored | None]:
    """The result, and what the frames are made of (None for a skipped row). MissingField as `check_fields`."""
    check_fields(one, x)
    try:
        scored = score(one, x, threshold, detail=detail)
    except NotScored as why:
        return result_of(one, x, threshold, str(why), warn=False), None
    return result_of(one, x, threshold, scored, warn=warn), scored
