from __future__ import annotations

import math
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jevcompat.validate import choice_confidence, score_confidence

from jeval_core.judge.answers import Answer, Answers, Usage, answer, join
from jeval_core.judge.errors import BadDistribution, NoDistribution, NoLevel
from jeval_core.judge.questions import Question, choice_question, score_question, yes_no_question

FIVE = score_question("How good?", ["a", "b", "c", "d", "e"])
YES_NO = yes_no_question("Is it so?", "It is.", "It is not.")


@pytest.mark.parametrize(
    ("given_", "expected", "score", "sd", "confidence"),
    [
        ([0, 0, 0.05, 0.20, 0.75], 3.70, 0.925, math.sqrt(0.31), 0.75),
        ([0.05, 0.10, 0.15, 0.45, 0.25], 2.75, 0.6875, math.sqrt(1.1875), 0.375),
        ([0.5, 0, 0, 0, 0.5], 2.0, 0.5, 2.0, 0.0),
        ([1, 0, 0, 0, 0], 0.0, 0.0, 0.0, 1.0),
        ([0, 0, 1, 0, 0], 2.0, 0.5, 0.0, 1.0),
        ([0, 0, 0, 0, 1], 4.0, 1.0, 0.0, 1.0),
        ([0, 0, 0, 0.25, 0.75], 3.75, 0.9375, math.sqrt(0.1875), 1 - 0.25 / 1.2),
        ([0.2] * 5, 2.0, 0.5, math.sqrt(2), 0.0),
    ],
)
def test_known_distributions(given_: list[float], expected: float, score: float, sd: float, confidence: float) -> None:
    a = answer(FIVE, given_)
    assert a.expected == pytest.approx(expected, abs=1e-12) and a.score == pytest.approx(score, abs=1e-12)
    assert a.sd == pytest.approx(sd, abs=1e-12) and a.confidence == pytest.approx(confidence, abs=1e-12)
    assert not a.renormalised and a.provider_confidence is None


def test_a_sum_within_rounding_is_made_one_and_said_so() -> None:
    a = answer(FIVE, [0, 0, 0.05, 0.20, 0.74], provider_confidence=0.75)
    assert a.renormalised and math.fsum(a.probabilities) == pytest.approx(1, abs=1e-15)
    assert a.expected == pytest.approx((0.10 + 0.60 + 2.96) / 0.99, abs=1e-12)
    assert a.given == (0, 0, 0.05, 0.20, 0.74) and a.provider_confidence == 0.75


@pytest.mark.parametrize(
    ("given_", "error", "words"),
    [
        ([0, 0, 0.05, 0.20, 0.50], BadDistribution, "add up to 0.75, not to 1"),
        ([0, 0, 0.05, 0.20, 0.80], BadDistribution, "add up to 1.05"),
        ([0, 0, 0, 0, 0], BadDistribution, "add up to 0,"),
        ([0.5, 0.5], BadDistribution, "2 probabilities for 5 options"),
        ([0, 0, -0.1, 0.1, 1], BadDistribution, "negative or no number"),
        ([0, 0, math.nan, 0, 1], BadDistribution, "negative or no number"),
        ([0, 0, math.inf, 0, 1], BadDistribution, "negative or no number"),
        ([0, 0, 0, 0, True], BadDistribution, "negative or no number"),
        ([0, 0, 0, 0, "1"], BadDistribution, "negative or no number"),
        ([0, 0, 0, 0, None], BadDistribution, "negative or no number"),
        ([], NoDistribution, "no distribution"),
    ],
)
def test_what_is_no_distribution_is_refused_by_name(given_: list[float], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        answer(FIVE, given_)


@pytest.mark.parametrize("edge", [0.02, 0.025])
def test_the_most_that_rounding_explains(edge: float) -> None:
    assert answer(FIVE, [0, 0, 0, 0, 1 - edge]).renormalised
    with pytest.raises(BadDistribution):
        answer(FIVE, [0, 0, 0, 0, 1 - 0.0251])


def test_two_options_stay_within_two_hundredths() -> None:
    assert answer(YES_NO, [0.5, 0.48]).renormalised
    with pytest.raises(BadDistribution):
        answer(YES_NO, [0.5, 0.479])


def test_yes_or_no() -> None:
    a = answer(YES_NO, [0.02, 0.98])
    assert a.score == a.expected == pytest.approx(0.98) and a.confidence == pytest.approx(0.96)
    assert YES_NO.names[a.top] == "yes"


def test_a_choice_has_the_confidence_of_its_likeliest_option() -> None:
    q = choice_question("Which?", {"x": None, "y": None, "z": None})
    assert answer(q, [0.1, 0.8, 0.1]).confidence == pytest.approx((0.8 - 1 / 3) / (2 / 3))
    assert answer(q, [1 / 3] * 3).confidence == pytest.approx(0, abs=1e-12)


weights = st.lists(st.floats(0, 1, allow_subnormal=False), min_size=2, max_size=10).filter(lambda w: sum(w) > 1e-3)


def _question(n: int, kind: str = "score") -> Question:
    if kind == "score":
        return score_question("Q", [f"level {i}" for i in range(n)])
    return choice_question("Q", {f"o{i}": None for i in range(n)})


def _shares(w: Sequence[float]) -> list[float]:
    return [x / math.fsum(w) for x in w]


@given(weights)
def test_invariants_of_every_distribution(w: list[float]) -> None:
    p = _shares(w)
    a = answer(_question(len(p)), p)
    assert 0 <= a.score <= 1 and 0 <= a.confidence <= 1 and 0 <= a.expected <= len(p) - 1 + 1e-12
    assert a.sd <= (len(p) - 1) / 2 + 1e-9
    assert p[a.top] == max(p) and a.top == p.index(max(p))
    assert math.fsum(a.probabilities) == pytest.approx(1, abs=1e-12)
    mirrored = answer(_question(len(p)), p[::-1])
    assert mirrored.expected == pytest.approx(len(p) - 1 - a.expected, abs=1e-9)
    assert mirrored.sd == pytest.approx(a.sd, abs=1e-6)


@given(weights)
def test_the_confidence_is_that_of_the_wire_format(w: list[float]) -> None:
    p = _shares(w)
    assert answer(_question(len(p)), p).confidence == pytest.approx(score_confidence(p), abs=1e-9)
    assert answer(_question(len(p), "choice"), p).confidence == pytest.approx(choice_confidence(p), abs=1e-9)


@given(weights)
def test_rounding_to_two_decimals_is_always_taken(w: list[float]) -> None:
    p = [round(x, 2) for x in _shares(w)]
    a = answer(_question(len(p)), p)
    assert a.expected == pytest.approx(sum(i * x for i, x in enumerate(p)) / sum(p), abs=1e-9)


@given(weights, st.floats(0.05, 0.9))
def test_a_lost_part_is_never_filled_up(w: list[float], kept: float) -> None:
    with pytest.raises(BadDistribution):
        answer(_question(len(w)), [x * kept for x in _shares(w)])


@given(st.integers(0, 10**6), st.integers(1, 20))
def test_shares_of_a_request_add_up_to_it(tokens: int, parts: int) -> None:
    shares = [Usage(tokens, None).share(i, parts) for i in range(parts)]
    total = shares[0]
    for share in shares[1:]:
        total = total + share
    assert total == Usage(tokens, None)


def test_answers_split_and_join() -> None:
    one, two = answer(FIVE, [0, 0, 0, 0, 1]), answer(YES_NO, [0.5, 0.5])
    whole = Answers({"a": one, "b": two}, "jev-latest", "jev-1.13.0", "model", True, Usage(11, 3), 0.25)
    parts = dict(whole.split())
    assert parts["a"].answers == {"a": one} and parts["a"].usage == Usage(5, 1) and parts["b"].usage == Usage(6, 2)
    again = join([*parts.values()], whole.answers)
    assert again.answers == whole.answers and again.usage == whole.usage and again.model == "jev-1.13.0"


def test_an_answer_that_failed_raises_its_own_error() -> None:
    answers = Answers({}, "m", "m", "model", False, failed={"q": NoLevel(0.3)})
    with pytest.raises(NoLevel, match=r"did not answer with a level \(mass 0.30\)"):
        answers["q"]
    with pytest.raises(KeyError):
        answers["other"]
    assert [*answers.split()] == []


def test_uniform_is_seen() -> None:
    assert answer(FIVE, [0.2] * 5).uniform and not answer(FIVE, [0.2, 0.2, 0.2, 0.21, 0.19]).uniform
    assert isinstance(answer(FIVE, (1, 0, 0, 0, 0)), Answer)
