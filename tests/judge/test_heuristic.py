from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jeval_core.judge.base import ask_one
from jeval_core.judge.heuristic import Heuristic, recall, spread
from jeval_core.judge.questions import choice_question, score_question, yes_no_question

FIVE = score_question("How good?", ["a", "b", "c", "d", "e"])
YES_NO = yes_no_question("Is it so?", "It is.", "It is not.")
CHOICE = choice_question("Which?", {"format": "The table is broken.", "tone": "It is rude."})


def level(criteria: str, output: str) -> float:
    return ask_one(Heuristic(), {"criteria": criteria, "output": output}, {"q": FIVE})["q"].expected


def test_it_says_what_it_is() -> None:
    answers = ask_one(Heuristic(), {"criteria": "Name the capital.", "output": "Paris"}, {"q": FIVE})
    assert answers.kind == "heuristic" and not answers.calibrated and answers.attempts == 0 and answers.latency == 0


def test_more_words_of_the_criteria_give_a_higher_level() -> None:
    criteria = "dosage interval warnings storage"
    said = ["nothing", "dosage", "dosage interval", "dosage interval warnings", "dosage, interval; warnings: storage"]
    levels = [level(criteria, output) for output in said]
    assert levels == sorted(levels) and len({*levels}) == 5 and levels[0] < 0.5 and levels[-1] > 3.5


@pytest.mark.parametrize(("overlap", "place"), [(0.0, 0), (0.1, 0), (0.3, 1), (0.5, 2), (0.7, 3), (0.9, 4), (1.0, 4)])
def test_the_stated_cut_points(overlap: float, place: int) -> None:
    weights = spread(overlap, 5)
    assert weights[place] == max(weights) == 1.5


def test_it_is_blind_to_facts() -> None:
    criteria = "Name the capital of France."
    assert level(criteria, "The capital of France is Berlin.") == level(criteria, "The capital of France is Paris.")


def test_other_scripts_have_words() -> None:
    assert recall("巴黎是法国的首都", "法国首都是巴黎") == pytest.approx(7 / 8)
    assert recall("Größe", "GRÖSSE") == 1.0
    assert recall("", "x") == 0 and recall("the of", "the of") == 0


def test_yes_no_and_choice() -> None:
    state = {"criteria": "table columns", "output": "The table is broken."}
    answers = ask_one(Heuristic(), state, {"n": YES_NO, "c": CHOICE})
    assert answers["n"].probabilities == (0.5, 0.5)
    assert CHOICE.names[answers["c"].top] == "format"


def test_an_encoder_counts_for_a_half() -> None:
    state = {"criteria": "table", "output": "chart"}
    judge = Heuristic(lambda a, b: 1.0, "minilm")
    assert ask_one(judge, state, {"n": YES_NO})["n"].score == 0.5 and judge.model == "word-overlap/1+minilm"
    assert ask_one(Heuristic(lambda a, b: -1.0), state, {"n": YES_NO})["n"].score == 0


@given(st.text(max_size=60), st.text(max_size=60), st.integers(2, 10))
def test_any_text_gets_the_same_distribution_twice(criteria: str, output: str, n: int) -> None:
    asked = {"q": score_question("Q", [f"l{i}" for i in range(n)]), "n": YES_NO, "c": CHOICE}
    state = {"criteria": criteria, "output": output, "turns": [{"text": criteria}]}
    assert repr(ask_one(Heuristic(), state, asked)) == repr(ask_one(Heuristic(), state, asked))


@given(st.floats(0, 1), st.floats(0, 1), st.integers(2, 10))
def test_a_higher_overlap_is_never_a_lower_level(a: float, b: float, n: int) -> None:
    low, high = (spread(x, n) for x in sorted((a, b)))
    mean = [sum(i * w for i, w in enumerate(p)) / sum(p) for p in (low, high)]
    assert mean[0] <= mean[1] + 1e-9
