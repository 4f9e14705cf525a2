"""The protocol of every evaluator: measure → score → verdict → frames."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np

from jeval_core import signature
from jeval_core.card import Card
from jeval_core.labels import EPSILON, format_score, number
from jeval_core.text.tokenizers import TOKENIZERS, Span
from jeval_core.trace import Frame, Gauge, Storyboard
from jeval_core.types import Columns, Counts, Evidence, Inputs, NumberColumns, OptionValue, Scores, Verdict


class NotScored(Exception):
    """Raised by `measure` when there is nothing to compare; its text is the reason of a skipped row."""


class Evaluator(ABC):
    """One evaluator with its options settled.

    `measure` counts, `score` is one formula over the counts (one row or a million), `verdict` compares, `frames`
    tells the story from the evidence alone.
    """

    card: ClassVar[Card]
    revision: ClassVar[int] = 1
    """Raised whenever a number changes; part of the signature."""
    real_counts: ClassVar[tuple[str, ...]] = ()
    """Names of counts that are no whole numbers, beside those that start with "mean"."""

    def __init__(self, options: Mapping[str, OptionValue] | None = None) -> None:
        self.options = self.card.resolve(options or {})

    @property
    def variant(self) -> str:
        """Whose definition is used."""
        return str(self.options["variant"])

    def signature(self, references: int = 1) -> str:
        """Everything the score depends on; `references`: how many were given."""
        return signature.build(self.card.id, [("v", self.variant), *self.signature_parts(), ("rev", self.revision)])

    def signature_parts(self) -> list[tuple[str, object]]:
        """Parts between variant and revision: the options, in their order."""
        return [(k, v) for k, v in self.options.items() if k != "variant"]

    def prepared(self, rows: Sequence[Inputs]) -> Evaluator:
        """An evaluator that gives the same on these rows, and sooner, where it can work on many at once."""
        return self

    @abstractmethod
    def measure(self, x: Inputs, *, detail: bool = False) -> Evidence:
        """Count one row; NotScored when there is nothing to compare. `detail` is for `frames` alone."""

    @abstractmethod
    def score(self, counts: Columns) -> Scores:
        """Scores in 0..1 of shape (rows,) from counts of shape (rows,)."""

    def score_one(self, counts: Counts) -> float:
        """The same formula for one row."""
        return float(self.score(one_row(counts))[0])

    def verdict(self, counts: Counts, score: float, threshold: float) -> Verdict:
        """Pass when the score reaches the threshold."""
        passed = score >= threshold - EPSILON
        label = format_score(score, threshold)
        word = "is at least" if passed else "is less than"
        return Verdict(score, label, passed, threshold, f"Score {label} {word} the threshold {number(threshold)}.")

    def corpus(self, counts: NumberColumns, references: int | None) -> tuple[float, str] | None:
        """One score of all rows together, from counts of shape (rows,), numbers of any type, 0 for rows left out.

        `references`: how many each row has, None when it varies. Returned with its own signature; None: there is none.
        """
        return None

    def corpus_scores(self, sums: Columns) -> Scores | None:
        """The score of `corpus` from counts that are sums already, shape (k,) for k ways to sum; None for none."""
        return None

    def beside(self, counts: Counts) -> dict[str, float | None]:
        """Numbers that follow from the counts and are worth showing beside the score; None where one does not apply."""
        return {}

    def locate(self, text: str) -> list[Span]:
        """The units that a what-if edit of a text works on: its tokens."""
        return TOKENIZERS["words/1"].locate(text)

    def frames(self, e: Evidence, v: Verdict) -> Storyboard:
        """The story of one row. This default shows the counts and the score."""
        counts = tuple((name, "counted", value) for name, value in e.counts.items())
        return Storyboard(
            None,
            gauge(v),
            (
                Frame(
                    "counts", "what was counted", "The numbers that the score is made of.", "none", arithmetic=counts
                ),
                Frame(
                    "score",
                    "the score",
                    v.reason,
                    "none",
                    filled=True,
                    arithmetic=(("score", self.card.name, v.score),),
                ),
            ),
        )


def one_row(counts: Counts) -> Columns:
    """Counts of one row as columns of shape (1,)."""
    return {name: np.array([value], dtype=np.float64) for name, value in counts.items()}


def gauge(v: Verdict) -> Gauge:
    """A score from 0 to 1 with its threshold."""
    return Gauge(0, 1, v.score, v.threshold, v.passed, v.score, v.label)
