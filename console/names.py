"""What things are called on a page."""

from __future__ import annotations

from jeval_core.errors import UnknownEvaluator
from jeval_core.registry import get_evaluator


def name_of(id: str) -> str:
    """Name of an evaluator, or its id when this version does not know it."""
    try:
        return get_evaluator(id).card.name
    except UnknownEvaluator:
        return id
