"""What things are called on a page."""

from __future__ import annotations

from jeval_core.errors import UnknownEvaluator
from jeval_core.evaluators.judged import judge_in
from jeval_core.registry import get_evaluator

CAUTIONS = {
    "heuristic": "Word overlap answered, not a judge: it counts shared words and cannot tell true from false.",
    "illustrative": "These answers were made up to show how it works. They say nothing about your data.",
}


WILL = "Word overlap will answer, not a judge: it counts shared words and cannot tell true from false."
KINDS = {"code": "Run in code, $0", "embedding": "Embedding, on this machine", "judge": "Ask a judge"}
"""Kinds of evaluators, in the order of a catalogue."""
_ANSWERED = {"heuristic": "word overlap, not a judge", "illustrative": "made up to show how it works"}


def answered_words(kind: str | None) -> str:
    """What has to be said of answers of a kind; empty for those of a model."""
    return _ANSWERED.get(kind or "", "")


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
