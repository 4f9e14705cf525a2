"""What the API and the command line ask of the core: several evaluators in one go."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from jeval_core import __version__, explain, get_evaluator, scoring
from jeval_core.asked import Chosen, answered
from jeval_core.errors import MissingField
from jeval_core.evaluators.base import Evaluator
from jeval_core.judge.progress import Progress
from jeval_core.registry import expand, settled
from jeval_core.service import check_keys, inputs, trace_of
from jeval_core.types import Inputs, OptionValue, Result

FIELDS = ("output", "expected", "input", "criteria", "conversation")


def answer(
    evaluators: Sequence[str],
    fields: Mapping[str, Any],
    thresholds: Mapping[str, float] | None = None,
    options: Mapping[str, Mapping[str, OptionValue]] | None = None,
    *,
    judge: Chosen = None,
    frames: bool = False,
) -> dict[str, Any]:
    """The API's response object. All questions about the same state go to the judge in one request.

    A named evaluator that lacks a field raises MissingField; one that only a suite brought in is "skipped".
    """
    thresholds, options = thresholds or {}, options or {}
    asked = expand([*evaluators])
    check_keys([id for id, _ in asked], thresholds, "thresholds")
    check_keys([id for id, _ in asked], options, "options")
    options = settled(evaluators, options)
    given = {name: fields[name] for name in FIELDS if fields.get(name) is not None}
    if "output" not in given:
        raise MissingField("There is no output to score.", field="output", hint="Send `output`; it may be empty.")
    x = inputs(**given)
    ones = {id: get_evaluator(id, options.get(id)) for id, _ in asked}
    held = {id: one.card.check_threshold(thresholds.get(id)) for id, one in ones.items()}
    lacking = {id: why for id, suite in asked if (why := _lacks(ones[id], x, suite=suite))}
    row, took = answered([one for id, one in ones.items() if id not in lacking], x, judge)
    results = []
    for id, one in ones.items():
        if id in lacking:
            skipped = Result(
                id, one.card.kind, "skipped", None, None, None, held[id], one.signature(), str(lacking[id].message)
            )
            results.append(skipped.to_dict())
        elif frames:
            if one.card.kind != "judge":  # with its extra frames
                trace = explain(id, threshold=held[id], options=one.options, **given)
            else:
                trace = trace_of(one, row, held[id])
            results.append({**trace.result.to_dict(), "trace": trace.to_dict()})
        else:
            results.append(scoring.run(one, row, held[id])[0].to_dict())
    return {"results": results, "usage": usage(row, took), "version": __version__}


def _lacks(one: Evaluator, x: Inputs, *, suite: bool) -> MissingField | None:
    """Why a row has not what the evaluator needs; raised where nobody but the caller asked for it."""
    try:
        scoring.check_fields(one, x)
    except MissingField as error:
        if not suite:
            raise
        return error
    return None


def usage(row: Inputs, took: Progress | None) -> dict[str, Any]:
    """What was asked of a judge, and at what cost; `usd` None when its price is not known.

    `requests` are those that were made up, `cached` those of them that were answered before.
    """
    if took is None:  # evaluators in code ask nobody
        return {"judge_questions": 0, "requests": 0, "cached": 0, "input_tokens": 0, "usd": 0.0}
    return {
        "judge_questions": len(row.answers or ()),
        "requests": took.done,
        "cached": took.cached,
        "input_tokens": took.input_tokens,
        "usd": took.usd,
    }
