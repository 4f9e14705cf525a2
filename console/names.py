"""What things are called on a page."""

from __future__ import annotations

from jeval_core.errors import UnknownEvaluator
from jeval_core.evaluators.judged import judge_in
from jeval_core.registry import get_evaluator

CAUTIONS = {
    "heuristic": "Word overlap answered, not a judge: it counts shared words and cannot tell true from false.",
    "illustrative": "These answers were made up to show how it works. They say nothing about your data.",
}


def name_of(id: str) -> str:
    """Name of an evaluator, or its id when this version does not know it."""
    try:
        return get_evaluator(id).card.name
    except UnknownEvaluator:
        return id


def caution(signature: str) -> str | None:
    """What has to stand beside scores whose answers come from no model; None for all others."""
    judge = judge_in(signature) or ""
    return next((text for kind, text in CAUTIONS.items() if judge.endswith(f"({kind})")), None)
