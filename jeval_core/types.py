"""What goes into an evaluator and what comes out of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from jeval_core.checks import TextWarning

if TYPE_CHECKING:
    from jeval_core.embed.band import Band
    from jeval_core.judge.answers import Answers

Kind = Literal["code", "embedding", "judge"]
Status = Literal["scored", "skipped", "failed", "needs_review"]
OptionValue = str | bool
Counts = Mapping[str, float]
"""What was measured on one row: a few named numbers, integers wherever something is counted."""
Columns = Mapping[str, NDArray[np.float64]]
NumberColumns = Mapping[str, NDArray[Any]]
"""The same for many rows: name → array of shape (rows,)."""
Scores = NDArray[np.float64]
"""Shape (rows,), in 0..1."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of a conversation; `role` is system, user, assistant or tool."""

    role: str
    content: str


@dataclass(frozen=True, slots=True)
class Inputs:
    """One row. `expected` holds every reference; a field that was not given is None (or the empty tuple).

    `answers`: what a judge said about this row, by the id of the evaluator that asked, each with its request's cost.
    `band`: what cosines are usual among the rows that this one belongs to; it is shown and changes no score.
    """

    output: str
    expected: tuple[str, ...] = ()
    input: str | None = None
    criteria: str | None = None
    conversation: tuple[Turn, ...] | None = None
    answers: Mapping[str, Answers] | None = None
    band: Band | None = None


@dataclass(frozen=True, slots=True)
class Evidence:
    """What an evaluator measured: `counts` carry the score, `detail` (only when asked for) carries the frames."""

    counts: Counts
    detail: Any = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """A score against its threshold, and the sentence that says so."""

    score: float
    label: str
    passed: bool
    threshold: float
    reason: str


@dataclass(frozen=True, slots=True)
class Result:
    """The outcome of one evaluator on one row.

    `score` is in 0..1 and never rounded; it is None, as are `passed` and `label`, unless `status` is "scored".
    `reason` says why a row passed, failed its threshold, or was not scored. Of a judge, `probabilities` are those of
    the options in order, `confidence` is in 0..1, and `judge` says who answered, how, and at what cost.
    """

    evaluator: str
    kind: Kind
    status: Status
    score: float | None
    label: str | None
    passed: bool | None
    threshold: float
    signature: str
    reason: str
    evidence: Mapping[str, float | None] = field(default_factory=dict)
    warnings: tuple[TextWarning, ...] = ()
    confidence: float | None = None
    probabilities: tuple[float, ...] | None = None
    judge: Mapping[str, Any] | None = None

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON data in the order in which the API documents it; `judge` only where one was asked."""
        out = {
            "evaluator": self.evaluator,
            "kind": self.kind,
            "status": self.status,
            "score": self.score,
            "label": self.label,
            "passed": self.passed,
            "threshold": self.threshold,
            "confidence": self.confidence,
            "probabilities": None if self.probabilities is None else [*self.probabilities],
            "signature": self.signature,
            "evidence": dict(self.evidence),
            "warnings": [w.to_dict() for w in self.warnings],
            "reason": self.reason,
        }
        return out if self.judge is None else {**out, "judge": dict(self.judge)}
