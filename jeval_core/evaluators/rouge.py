"""What the ROUGE evaluators share: the best reference or the mean over them, F1, its bars."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from jeval_core.blocks import Bar
from jeval_core.card import Option
from jeval_core.evaluators.tokens import WORDS_AND_LIBRARIES
from jeval_core.types import Counts

T = TypeVar("T")

STEMMER = Option(
    "stemmer", "Cut words of more than three letters to their Porter stem (English).", {"jeval": (False, True)}
)
REFERENCES = Option(
    "references", "Several references: the best one for each type, or the mean over all.", {"jeval": ("max", "mean")}
)
TOKENS = Option(
    "tokens", "How texts become tokens. `rouge` gives rouge-score's numbers.", {"jeval": WORDS_AND_LIBRARIES}
)


def f1(match: NDArray[np.float64], output: NDArray[np.float64], reference: NDArray[np.float64]) -> NDArray[np.float64]:
    """Harmonic mean of match/output and match/reference, as one fraction; 0 without any token."""
    both = output + reference
    return np.divide(2 * match, both, out=np.zeros_like(match), where=both > 0)


def f1_one(match: float, output: float, reference: float) -> float:
    """The same for one row."""
    return float(f1(*(np.array([v], dtype=np.float64) for v in (match, output, reference)))[0])


def best(items: Sequence[T], score: Callable[[T], float]) -> int:
    """Position of the highest score, the first of equals."""
    return max(range(len(items)), key=lambda i: score(items[i]))


def ratio_bar(key: str, name: str, match: float, length: float) -> Bar:
    """Precision or recall as one bar; a text without words has none."""
    if not length:
        return Bar(key, name, skipped="the text has no words")
    return Bar(key, name, num=int(match), den=int(length), value=match / length, state="on")


def share(counts: Counts, match: str, length: str) -> float | None:
    """A fraction of two counts; None over nothing."""
    return counts[match] / counts[length] if counts[length] else None


def ratio(counts: Counts, match: str, length: str) -> tuple[str, float | str]:
    """A fraction as expression and value, for the arithmetic."""
    value = share(counts, match, length)
    return f"{counts[match]:.0f} / {counts[length]:.0f}", "not defined" if value is None else value
