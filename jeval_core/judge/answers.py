"""What a judge answers: a distribution over the options of each question, and what it took to get it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from jeval_core.judge.errors import BadDistribution, JudgeError, NoDistribution
from jeval_core.judge.questions import Question

AnswerKind = Literal["model", "recording", "heuristic", "illustrative"]
KINDS: tuple[AnswerKind, ...] = ("model", "recording", "heuristic", "illustrative")
ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class Answer:
    """A distribution over the options of `question`, in their order.

    `given` is what the judge said, `provider_confidence` its own confidence in 0..1. Of judges that answer by tokens:
    `mass` is the share of probability that lay on options at all, `missing` the positions of options that were not
    among the likeliest tokens, and `bound` the most that one such token can have had.
    """

    question: Question
    given: tuple[float, ...]
    provider_confidence: float | None = None
    mass: float | None = None
    missing: tuple[int, ...] = ()
    bound: float | None = None
    notes: tuple[str, ...] = ()

    @property
    def probabilities(self) -> tuple[float, ...]:
        """The distribution, adding up to 1."""
        total = math.fsum(self.given)
        return tuple(p / total for p in self.given)

    @property
    def renormalised(self) -> bool:
        """Whether what the judge said did not add up to 1."""
        return abs(math.fsum(self.given) - 1) > ROUNDING

    @property
    def expected(self) -> float:
        """The expected position, 0..n−1. Of a yes/no question: the probability of yes."""
        return math.fsum(i * p for i, p in enumerate(self.probabilities))

    @property
    def sd(self) -> float:
        """The standard deviation of the position."""
        mean = self.expected
        return math.sqrt(math.fsum((i - mean) ** 2 * p for i, p in enumerate(self.probabilities)))

    @property
    def score(self) -> float:
        """The expected position as a share of the highest, 0..1."""
        return min(1.0, self.expected / (len(self.given) - 1))

    @property
    def top(self) -> int:
        """The position of the likeliest option, the first of several."""
        return max(range(len(self.given)), key=self.given.__getitem__)

    @property
    def confidence(self) -> float:
        """0..1: how far the answer is from knowing nothing.

        With ordered options, 1 − Σ pᵢ·|i − top| / U, where U is the mean distance of the positions from their middle,
        never below 0; of a choice, (p_top − 1/n) / (1 − 1/n).
        """
        p, top, n = self.probabilities, self.top, len(self.given)
        if self.question.type == "choice":
            return max(0.0, (p[top] - 1 / n) / (1 - 1 / n))
        spread = math.fsum(q * abs(i - top) for i, q in enumerate(p))
        return max(0.0, 1 - spread / (math.fsum(abs(i - (n - 1) / 2) for i in range(n)) / n))

    @property
    def uniform(self) -> bool:
        """Whether every option got the same."""
        return max(self.given) - min(self.given) <= ROUNDING


def answer(question: Question, given: Sequence[Any], **about: Any) -> Answer:
    """The answer that a judge's numbers make; `about`: the other fields of Answer.

    A sum within rounding of 1 (0.02, or 0.005 an option) is made 1. Raises NoDistribution for none at all and
    BadDistribution for a wrong length, a negative number, or a sum further off.
    """
    n = len(question.options)
    if not given:
        raise NoDistribution("The judge gave no distribution.", hint="It has to give `probabilities` for every option.")
    if len(given) != n:
        raise BadDistribution(f"The judge gave {len(given)} probabilities for {n} options.")
    for p in given:
        if isinstance(p, bool) or not isinstance(p, (int, float)) or not math.isfinite(p) or p < 0:
            raise BadDistribution("The judge gave a probability that is negative or no number.")
    total = math.fsum(given)
    if total <= 0 or abs(total - 1) > max(0.02, 0.005 * n) + ROUNDING:
        raise BadDistribution(
            f"The judge's probabilities add up to {total:.3g}, not to 1.",
            hint="Rounding explains a small difference only; is this host's answer whole?",
        )
    return Answer(question, tuple(float(p) for p in given), **about)


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of a request; None where the host did not say."""

    input_tokens: int | None = None
    output_tokens: int | None = None

    def share(self, part: int, parts: int) -> Usage:
        """The usage of one of several questions that shared a request; all of them add up to the whole."""
        return Usage(*(None if n is None else n * (part + 1) // parts - n * part // parts for n in self.pair))

    @property
    def pair(self) -> tuple[int | None, int | None]:
        """Input and output tokens."""
        return self.input_tokens, self.output_tokens

    def __add__(self, other: Usage) -> Usage:
        pairs = zip(self.pair, other.pair, strict=True)
        return Usage(*(a if b is None else b if a is None else a + b for a, b in pairs))


@dataclass(frozen=True, slots=True)
class Answers:
    """The answers to one request, by the id of the question; `failed` holds those that cannot be used.

    `usd` is what asking did cost, None when the price is not known. `latency` in seconds, without waiting for a turn;
    `requests` is how many were needed, `attempts` how many were sent, both 0 when none was; `cached` names the
    questions that an earlier request answered. `calibrated`: the judge's makers say that its probabilities can be taken
    as such.
    """

    answers: Mapping[str, Answer]
    requested_model: str
    model: str
    kind: AnswerKind
    calibrated: bool
    usage: Usage = Usage()
    latency: float = 0.0
    requests: int = 1
    attempts: int = 1
    failed: Mapping[str, JudgeError] = field(default_factory=dict)
    cached: frozenset[str] = frozenset()
    usd: float | None = None

    def __getitem__(self, id: str) -> Answer:
        """The answer to a question; its JudgeError when there is none that can be used, KeyError when not asked."""
        if id in self.failed:
            raise self.failed[id]
        return self.answers[id]

    def split(self) -> Iterator[tuple[str, Answers]]:
        """Each usable answer alone, with its share of the usage."""
        ids = [*self.answers, *self.failed]
        for i, id in enumerate(ids):
            if id in self.answers:
                only = self.cached & {id}
                share = self.usage.share(i, len(ids))
                yield id, replace(self, answers={id: self.answers[id]}, failed={}, usage=share, cached=only)


def join(parts: Sequence[Answers], ids: Iterable[str]) -> Answers:
    """Answers of the same judge to several questions as one, in the order of `ids`; ValueError for none at all."""
    if not parts:
        raise ValueError("nothing to join")
    usage = parts[0].usage
    for part in parts[1:]:
        usage = usage + part.usage
    answers = {id: answer for part in parts for id, answer in part.answers.items()}
    return replace(
        parts[0],
        answers={id: answers[id] for id in ids if id in answers},
        failed={id: error for part in parts for id, error in part.failed.items()},
        usage=usage,
        latency=max(part.latency for part in parts),
        requests=sum(part.requests for part in parts),
        attempts=sum(part.attempts for part in parts),
        cached=frozenset().union(*(part.cached for part in parts)),
        usd=None if None in (costs := [part.usd for part in parts]) else sum(cost or 0.0 for cost in costs),
    )
