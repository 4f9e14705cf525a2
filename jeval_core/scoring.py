"""One evaluator on one row: measure, score, verdict, result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from jeval_core.checks import TextWarning, text_warnings
from jeval_core.embed.errors import EncoderError
from jeval_core.errors import MissingField
from jeval_core.evaluators.base import Evaluator, NotScored
from jeval_core.evaluators.judged import NO_ANSWER, Judged, answered_by
from jeval_core.judge.errors import JudgeError
from jeval_core.judge.remarks import remarks
from jeval_core.judge.suspect import addresses_judge
from jeval_core.types import Counts, Evidence, Inputs, Result, Verdict


@dataclass(frozen=True, slots=True)
class Scored:
    """A row with its evidence and verdict."""

    evidence: Evidence
    verdict: Verdict


def check_fields(one: Evaluator, x: Inputs) -> None:
    """MissingField when a field that the evaluator needs was not given; a blank one is given."""
    for name in one.card.required:
        value = getattr(x, name)
        if value is None or (name == "expected" and not value):
            needs = " and ".join(one.card.required)
            raise MissingField(f"{one.card.id} needs `{name}`.", field=name, hint=f"Send {needs}.")


def score(one: Evaluator, x: Inputs, threshold: float, *, detail: bool = False) -> Scored:
    """Evidence and verdict; NotScored when there is nothing to compare, JudgeError when a judge did not answer."""
    evidence = one.measure(x, detail=detail)
    return Scored(evidence, one.verdict(evidence.counts, one.score_one(evidence.counts), threshold))


def result_of(one: Evaluator, x: Inputs, threshold: float, scored: Scored | str, *, warn: bool) -> Result:
    """The public result of a scored row, or of one that was skipped for a reason."""
    card = one.card
    if isinstance(scored, str):
        return Result(card.id, card.kind, "skipped", None, None, None, threshold, _signature(one, x), scored)
    v, counts = scored.verdict, scored.evidence.counts
    result = Result(
        card.id,
        card.kind,
        "scored",
        v.score,
        v.label,
        v.passed,
        threshold,
        _signature(one, x),
        v.reason,
        {**counts, **one.beside(counts)},
    )
    if isinstance(one, Judged):
        return _with_judge(one, x, result, counts)
    return replace(result, warnings=text_warnings(x.output, x.expected)) if warn else result


def _signature(one: Evaluator, x: Inputs) -> str:
    if isinstance(one, Judged):
        said = (x.answers or {}).get(one.card.id)
        if said is None:
            return one.signature()
        return one.signature(judge=answered_by(said) if one.card.id in said.answers else NO_ANSWER)
    return one.signature(sum(bool(text.strip()) for text in x.expected))


def _with_judge(one: Judged, x: Inputs, result: Result, counts: Counts) -> Result:
    answer = one.answer(counts)
    assert result.score is not None
    found = [r for r in remarks(answer, result.score, result.threshold) if r.serious]
    warnings = [TextWarning(r.code, r.text, (), ()) for r in found]
    said = addresses_judge(x.output)
    if said is not None:
        text = "The output speaks to its judge, which may have moved the score."
        warnings.insert(0, TextWarning("addresses_judge", text, (said,), ()))
    return replace(
        result,
        warnings=tuple(warnings),
        confidence=answer.confidence,
        probabilities=answer.probabilities,
        judge=_who(x, one.card.id),
    )


def _who(x: Inputs, id: str) -> Mapping[str, Any] | None:
    """Who answered and at what cost; tokens are those of the request, of which several questions may have a part."""
    a = (x.answers or {}).get(id)
    if a is None:
        return None
    said = a.answers.get(id)
    return {
        "model": a.model,
        "requested_model": a.requested_model,
        "kind": a.kind if said else None,
        "calibrated": a.calibrated if said else None,
        "provider_confidence": said.provider_confidence if said else None,
        "latency": a.latency or None,  # nobody measured it where no host was asked
        "input_tokens": a.usage.input_tokens,
        "output_tokens": a.usage.output_tokens,
        "usd": a.usd,
        "cached": id in a.cached,
    }


def run(
    one: Evaluator, x: Inputs, threshold: float, *, detail: bool = False, warn: bool = True
) -> tuple[Result, Scored | None]:
    """The result, and what the frames are made of (None for a row without a score). MissingField as `check_fields`."""
    check_fields(one, x)
    try:
        scored = score(one, x, threshold, detail=detail)
    except NotScored as why:
        return result_of(one, x, threshold, str(why), warn=False), None
    except (JudgeError, EncoderError) as error:
        skipped = result_of(one, x, threshold, f"{error.code}: {error}", warn=False)
        return replace(skipped, status="failed", judge=_who(x, one.card.id)), None
    return result_of(one, x, threshold, scored, warn=warn), scored
