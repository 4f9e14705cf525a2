"""The three kinds of questions as evaluators: ordered levels, yes or no, named options."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from jeval_core.evaluators.judge_frames import level_frames, option_frames
from jeval_core.evaluators.judged import Judged
from jeval_core.judge.questions import NO, YES
from jeval_core.labels import EPSILON, format_score, number
from jeval_core.trace import Storyboard
from jeval_core.types import Columns, Counts, Evidence, Scores, Verdict


class Levels(Judged):
    """Ordered levels, worst first: E = Σ i·pᵢ, score = E / (n − 1), as in G-Eval (Liu et al. 2023) with exact weights.

    Counts: `p0` … as given by the judge; the score divides by their sum.
    """

    columns: ClassVar[tuple[str, ...]] = ("p0", "p1", "p2", "p3", "p4")

    def score(self, counts: Columns) -> Scores:
        mean = sum(i * counts[name] for i, name in enumerate(self.columns)) / total(counts, self.columns)
        return np.minimum(1.0, mean / (len(self.columns) - 1))

    def verdict(self, counts: Counts, score: float, threshold: float) -> Verdict:
        top = len(self.columns) - 1
        passed, limit = score >= threshold - EPSILON, round(threshold * top, 9)
        label = f"{format_score(score * top, limit, decimals=1)} / {top}"
        word = "is at least" if passed else "is less than"
        return Verdict(score, label, passed, threshold, f"Expected level {label} {word} {number(limit)}.")

    def beside(self, counts: Counts) -> dict[str, float | None]:
        answer = self.answer(counts)
        return {"expected_level": answer.expected, "sd": answer.sd}

    def frames(self, e: Evidence, v: Verdict) -> Storyboard:
        return level_frames(self.answer(e.counts, e.detail.notes), v, e.detail.state)


class Options(Judged):
    """Options of which some pass: the score is the sum of their probabilities.

    Counts: one for each option, as given by the judge.
    """

    def good(self) -> tuple[str, ...]:
        """Names of the options that pass."""
        raise NotImplementedError

    def score(self, counts: Columns) -> Scores:
        return np.minimum(1.0, total(counts, self.good()) / total(counts, self.columns))

    def passing(self) -> tuple[bool, ...]:
        """For each option whether it passes."""
        return tuple(name in self.good() for name in self.columns)

    def frames(self, e: Evidence, v: Verdict) -> Storyboard:
        return option_frames(self.answer(e.counts, e.detail.notes), v, e.detail.state, self.passing())


class YesNo(Options):
    """True or false: the score is P(yes)."""

    columns: ClassVar[tuple[str, ...]] = (NO, YES)

    def good(self) -> tuple[str, ...]:
        return (YES,)

    def verdict(self, counts: Counts, score: float, threshold: float) -> Verdict:
        passed = score >= threshold - EPSILON
        label = format_score(score, threshold)
        word = "is at least" if passed else "is less than"
        return Verdict(score, label, passed, threshold, f"P(yes) {label} {word} the threshold {number(threshold)}.")


class Choice(Options):
    """Named options."""

    def verdict(self, counts: Counts, score: float, threshold: float) -> Verdict:
        answer = self.answer(counts)
        passed = score >= threshold - EPSILON
        label = format_score(score, threshold)
        word = "at least" if passed else "less than"
        said = self.columns[answer.top].replace("_", " ")
        top = f"Likeliest is “{said}” ({format_score(answer.probabilities[answer.top])})"
        top = "All options are equally likely" if answer.uniform else top
        reason = f"{top}; those that pass have {label}, {word} {number(threshold)}."
        return Verdict(score, label, passed, threshold, reason)


def total(counts: Columns, names: Sequence[str]) -> Scores:
    """The sum of some columns, added in their order: the same for one row and for many."""
    out = counts[names[0]]
    for name in names[1:]:
        out = out + counts[name]
    return out
