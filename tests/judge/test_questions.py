from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jeval_core.errors import BadInput
from jeval_core.judge.questions import (
    canonical,
    check_state,
    choice_question,
    digest,
    question_of,
    score_question,
    yes_no_question,
)

LEVELS = ["useless", "poor", "fair", "good", "perfect"]
QUESTIONS = [
    score_question("How good?", LEVELS),
    yes_no_question("Is it so?", "It is.", "It is not."),
    choice_question("Which fault?", {"format": "The format is wrong.", "none": None}),
]


def test_names_stand_in_the_order_of_the_distribution() -> None:
    assert [q.names for q in QUESTIONS] == [("0", "1", "2", "3", "4"), ("no", "yes"), ("format", "none")]


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda q: q.type)
def test_a_question_survives_json(question: Any) -> None:
    again = question_of(json.loads(json.dumps(question.to_dict())))
    assert again == question and again.sha256 == question.sha256 and len(question.sha256) == 64


def test_every_part_changes_the_hash() -> None:
    hashes = {q.sha256 for q in QUESTIONS}
    hashes |= {
        score_question("How  good?", LEVELS).sha256,
        score_question("How good?", LEVELS[::-1]).sha256,
        score_question("How good?", LEVELS[:4]).sha256,
        yes_no_question("Is it so?", "It is not.", "It is.").sha256,
        choice_question("Which fault?", {"none": None, "format": "The format is wrong."}).sha256,
    }
    assert len(hashes) == 8


def test_the_hash_is_the_same_in_another_process() -> None:
    code = "from tests.judge.test_questions import QUESTIONS; print([q.sha256 for q in QUESTIONS])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == str([q.sha256 for q in QUESTIONS])


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: score_question("Q", ["only"]), "2 to 10 levels"),
        (lambda: score_question("Q", ["x"] * 11), "2 to 10 levels"),
        (lambda: score_question("Q", "ab"), "2 to 10 levels"),
        (lambda: score_question("Q", ["a", " "]), "Option 2 has no text"),
        (lambda: score_question(" ", LEVELS), "has instructions"),
        (lambda: yes_no_question("Q", "", "no"), "Option 2 has no text"),
        (lambda: choice_question("Q", {"a": None}), "2 to 255"),
        (lambda: choice_question("Q", {str(i): None for i in range(256)}), "2 to 255"),
        (lambda: choice_question("Q", {"": None, "b": None}), "has a name"),
        (lambda: question_of({"type": "score"}), "is an object"),
        (lambda: question_of({"type": "noul", "instructions": "Q", "options": []}), "`type` is"),
        (lambda: question_of({"type": "score", "instructions": "Q", "options": [["1", "a"], ["0", "b"]]}), "do not go"),
        (lambda: question_of({"type": "choice", "instructions": "Q", "options": [["a", None], ["a", None]]}), "`type`"),
        (lambda: check_state({}), "A state is"),
        (lambda: check_state({"a": float("nan")}), "A state holds"),
        (lambda: check_state({"a": object()}), "A state holds"),
        (lambda: check_state({1: "a"}), "A state is"),  # type: ignore[dict-item]
    ],
)
def test_what_is_no_question_is_refused(make: Any, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        make()


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(st.text(), json_values, min_size=2, max_size=5))
def test_the_order_of_fields_does_not_matter(state: dict[str, Any]) -> None:
    turned = dict(reversed([*state.items()]))
    assert canonical(state) == canonical(turned) and digest(state) == digest(turned)
    assert json.loads(canonical(state)) == state


@given(st.text(alphabet=st.characters(), min_size=1))
def test_any_text_can_be_a_state(text: str) -> None:
    check_state({"output": text})
    assert len(digest({"output": text})) == 64


def test_a_lone_surrogate_has_a_hash() -> None:
    assert digest({"output": "\ud800"}) != digest({"output": "\ud801"})
