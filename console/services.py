"""What the API, the command line and the pages ask of the core: several evaluators in one go."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from jeval_core import __version__, evaluate, explain, get_evaluator
from jeval_core.errors import MissingField
from jeval_core.registry import expand
from jeval_core.service import check_keys
from jeval_core.types import OptionValue, Result

FIELDS = ("output", "expected")
"""Fields that the registered evaluators read; others are accepted for evaluators to come."""


def answer(
    evaluators: Sequence[str],
    fields: Mapping[str, Any],
    thresholds: Mapping[str, float] | None = None,
    options: Mapping[str, Mapping[str, OptionValue]] | None = None,
    *,
    frames: bool = False,
) -> dict[str, Any]:
    """The API's response object.

    A named evaluator that lacks a field raises MissingField; one that only a suite brought in is "skipped".
    """
    thresholds, options = thresholds or {}, options or {}
    asked = expand([*evaluators])
    check_keys([id for id, _ in asked], thresholds, "thresholds")
    check_keys([id for id, _ in asked], options, "options")
    given = {name: fields[name] for name in FIELDS if fields.get(name) is not None}
    results = [_one(id, given, thresholds.get(id), options.get(id), suite=suite, frames=frames) for id, suite in asked]
    usage = {"judge_questions": 0, "usd": 0.0}  # evaluators in code ask nobody
    return {"results": results, "usage": usage, "version": __version__}


def _one(
    id: str,
    given: Mapping[str, Any],
    threshold: float | None,
    options: Mapping[str, OptionValue] | None,
    *,
    suite: bool,
    frames: bool,
) -> dict[str, Any]:
    try:
        if frames:
            trace = explain(id, **given, threshold=threshold, options=options)
            return {**trace.result.to_dict(), "trace": trace.to_dict()}
        return evaluate(id, **given, threshold=threshold, options=options).to_dict()
    except MissingField as error:
        if not suite or "output" not in given:
            raise
        one = get_evaluator(id, options)
        limit = one.card.threshold if threshold is None else threshold
        return Result(id, one.card.kind, "skipped", None, None, None, limit, one.signature(), error.message).to_dict()
