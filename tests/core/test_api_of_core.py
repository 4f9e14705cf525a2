"""Names, errors, labels, options: what a program that imports the core relies on."""

from __future__ import annotations

import pytest

import jeval_core
from jeval_core import (
    BadInput,
    BadOption,
    MissingField,
    UnknownEvaluator,
    UnknownOption,
    evaluate,
    get_evaluator,
    list_evaluators,
)
from jeval_core.labels import format_score
from jeval_core.registry import expand

PAIR = {"output": "a b c d", "expected": "a b c e"}


def test_all_names_exist() -> None:
    assert len(set(jeval_core.__all__)) == len(jeval_core.__all__)
    for name in jeval_core.__all__:
        assert getattr(jeval_core, name) is not None
    assert {"evaluate", "explain", "what_if", "variants", "list_evaluators", "get_evaluator"} <= set(jeval_core.__all__)


ERRORS = [
    (UnknownEvaluator, {"evaluator": "blue"}, "Did you mean `bleu`?"),
    (UnknownEvaluator, {"evaluator": ""}, "Known: bleu, gleu"),
    (UnknownOption, {"options": {"token": "13a"}}, "Did you mean `tokens`?"),
    (UnknownOption, {"options": {"lowercase": True}}, "It goes with: sacrebleu."),
    (BadOption, {"options": {"variant": "sacreblue"}}, "Did you mean `sacrebleu`?"),
    (BadOption, {"options": {"tokens": "words"}}, "Did you mean `words/1`?"),
    (MissingField, {"expected": None}, "bleu needs `expected`."),
    (MissingField, {"expected": []}, "`expected` is an empty list."),
    (BadInput, {"output": 5}, "`output` must be text, not int."),
    (BadInput, {"output": None}, "`output` must be text, not NoneType."),
    (BadInput, {"expected": ["a", 5]}, "must be text or a list of texts, not int"),
    (BadInput, {"threshold": 1.5}, "between 0 and 1"),
    (BadInput, {"threshold": -0.1}, "between 0 and 1"),
    (BadInput, {"threshold": float("nan")}, "between 0 and 1"),
    (BadInput, {"threshold": True}, "must be a number, not bool"),
    (BadInput, {"threshold": 10**400}, "between 0 and 1"),
    (BadInput, {"expected": 1}, "`expected` must be text or a list of texts, not int"),
    (BadInput, {"options": 1}, "`options` must be a mapping"),
    (BadInput, {"options": {1: "x"}}, "`options` must be a mapping"),
    (BadInput, {"evaluator": "levenshtein", "threshold": 1e308}, "a distance between 0 and"),
    (BadInput, {"evaluator": "levenshtein", "threshold": -1}, "a distance between 0 and"),
]


@pytest.mark.parametrize(("error", "given", "says"), ERRORS)
def test_errors_say_what_where_and_what_to_do(error: type, given: dict, says: str) -> None:
    with pytest.raises(error) as caught:
        evaluate(**{"evaluator": "bleu", **PAIR, **given})
    assert says in str(caught.value)
    assert isinstance(caught.value, ValueError) and caught.value.to_dict()["code"] == error.code


def test_no_error_repeats_a_text() -> None:
    secret = "my secret text"
    for given in ({"threshold": 7}, {"options": {"x": secret}}, {"options": {"tokens": secret}}):
        with pytest.raises(ValueError) as caught:
            evaluate("bleu", output=secret, expected=secret, **given)
        assert secret not in str(caught.value)


LABELS = [
    (0.609824, 0.5, "0.61"), (1.0, 0.5, "1.00"), (0.7966, 0.8, "0.797"), (0.8, 0.8, "0.80"), (0.125, None, "0.13"), (0.005, None, "0.01"),
    (0.4999, 0.5, "0.4999"), (0.79999999999, 0.8, "0.80"), (0.996, 1.0, "0.996"), (0.0, 0.0, "0.00"), (0.50001, 0.5, "0.50"),
]  # fmt: skip


@pytest.mark.parametrize(("score", "threshold", "label"), LABELS)
def test_labels_agree_with_the_verdict(score: float, threshold: float | None, label: str) -> None:
    assert format_score(score, threshold) == label


def test_options_may_come_as_text() -> None:
    assert get_evaluator("rouge_n", {"stemmer": "true"}).options == get_evaluator("rouge_n", {"stemmer": True}).options


def test_mean_over_references() -> None:
    best, mean = (
        evaluate("rouge_n", output="a b", expected=["a b", "c d"], options={"references": r}) for r in ("max", "mean")
    )
    assert (best.score, mean.score) == (1.0, 0.5)
    assert "references:mean" in mean.signature


def test_suites() -> None:
    assert [c.id for c in list_evaluators("harness")] == ["bleu", "rouge_n", "rouge_l", "semantic_similarity"]
    assert expand(["bleu", "suite:promptfoo", "bleu"]) == [
        ("bleu", False),
        ("gleu", True),
        ("rouge_n", True),
        ("levenshtein", True),
        ("semantic_similarity", True),
        ("g_eval", True),
        ("llm_judge", True),
        ("closed_qa", True),
        ("factuality", True),
    ]
    with pytest.raises(UnknownEvaluator, match="There is no suite"):
        expand(["suite:other"])


@pytest.mark.parametrize("card", list_evaluators(), ids=lambda c: c.id)
def test_catalogue_is_complete_and_true(card: jeval_core.Card) -> None:
    texts = card.texts
    assert all((texts.what, texts.use, texts.avoid, texts.watch, texts.questions, texts.shape, card.aggregates))
    known = {c.id for c in list_evaluators()}
    assert set(card.related) <= known and "everything" in card.suites and card.id not in card.related
    judge = card.kind == "judge"
    result = evaluate(card.id, **texts.example, judge="recorded:example")
    shown = f"Distance {result.evidence['distance']}" if card.id == "levenshtein" else result.label
    says = f"{shown}, {'pass' if result.passed else 'fail'}" + (", in the illustrative answer" if judge else ":")
    assert card.kind != "code" or card.presets
    assert texts.example_says.removeprefix("P(yes) ").startswith(says)
    for name in texts.shape.split("evidence: ")[1].rstrip(".").split(", "):
        if name.isidentifier():
            assert name in result.evidence
