"""Faults that people reported of such tools, each with the right value."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from jeval_core import Result, evaluate, list_evaluators
from jeval_core.labels import format_score
from tests.data import golden

AREAS = {"bleu", "gleu", "rouge", "tokenizer", "threshold"}
CASES = {c["id"]: c for c in golden("bugcases") if c["area"] in AREAS}
NEAR = pytest.approx


def score(evaluator: str, given: dict[str, Any], **options: Any) -> Result:
    return evaluate(
        evaluator, output=given["output"], expected=given.get("references") or given["expected"], options=options
    )


def simple(evaluator: str, **options: Any) -> Callable[[dict, dict], None]:
    """The score in `right`, within its tolerance, and the verdict where one is given."""

    def check(given: dict, right: dict) -> None:
        got = score(evaluator, given, **options)
        assert got.score == NEAR(right["score"], abs=right.get("tol", 1e-9))
        assert got.passed == right.get("passed", got.passed)

    return check


def both_orders(given: dict, right: dict) -> None:
    for references in given["references"]:
        assert evaluate("bleu", output=given["output"], expected=references).score == right["both_orders"]


def not_scored(given: dict, right: dict) -> None:
    got = score("bleu", given)
    assert (got.status, got.score, got.reason) == ("skipped", None, "no expected text")


def one_word(given: dict, right: dict) -> None:
    for evaluator in ("bleu", "gleu", "rouge_n"):
        assert score(evaluator, given).score == 1.0


def in_range(given: dict, right: dict) -> None:
    assert 0 <= (score("bleu", given).score or 0) <= 1


def clipped(given: dict, right: dict) -> None:
    got = score("bleu", given, variant="sacrebleu")
    assert got.score is not None and got.score <= right["score_max"] and got.label == right["shown"]


def empty_outputs(given: dict, right: dict) -> None:
    for output, references in zip(given["outputs"], given["references"], strict=True):
        got = evaluate("bleu", output=output, expected=references)
        assert (got.status, got.score) == ("scored", right["score"])


def whole_text(given: dict, right: dict) -> None:
    assert score("bleu", given).score == NEAR(right["score"], abs=right["tol"])
    assert score("bleu", given, variant="sacrebleu").score == NEAR(right["sacrebleu_full"] / 100, abs=0.0001)


def chinese(given: dict, right: dict) -> None:
    assert score("rouge_n", given).score == NEAR(right["char_level"], abs=1e-4)


def folded_case(given: dict, right: dict) -> None:
    for evaluator in ("rouge_n", "bleu", "gleu"):
        assert score(evaluator, given).score == 1.0


def best_per_type(given: dict, right: dict) -> None:
    for references in given["references"]:
        one = evaluate("rouge_n", output=given["output"], expected=references)
        long = evaluate("rouge_l", output=given["output"], expected=references)
        assert (one.score, one.evidence["rouge_2"], long.score) == (right["rouge1"], right["rouge2"], right["rougeL"])


def by_lines(given: dict, right: dict) -> None:
    whole, lines = score("rouge_l", given), score("rouge_l", given, split="lines")
    assert (whole.score, lines.score) == (right["rougeL"], right["rougeLsum"])
    assert "split:none" in whole.signature and "split:lines" in lines.signature


def recall_is_not_f1(given: dict, right: dict) -> None:
    got = score("rouge_n", given)
    assert (got.score, got.evidence["recall_1"]) == (NEAR(right["f1"], abs=1e-4), right["recall"])
    assert got.passed == right["passed_at_0.75"]


def defaults(given: dict, right: dict) -> None:
    have = {card.id: card.threshold for card in list_evaluators()}
    for evaluator, threshold in right["defaults"].items():
        if evaluator in have:  # judges come later
            assert have[evaluator] == threshold


def on_the_threshold(given: dict, right: dict) -> None:
    got = score("rouge_n", given)
    assert (got.score, got.threshold, got.passed) == (right["score"], given["threshold"], right["passed"])


def digits_agree(given: dict, right: dict) -> None:
    assert format_score(given["score"], given["threshold"]) == "0.797"


def reason_agrees(given: dict, right: dict) -> None:
    got = evaluate("rouge_n", output="a b c d", expected="a x y z", threshold=0.8)
    assert got.passed is right.get("passed", False) and right["reason_contains"] in got.reason


CHECKS: dict[str, Callable[[dict, dict], None]] = {
    "BC01": simple("bleu"),
    "BC02": both_orders,
    "BC04": not_scored,
    "BC06": simple("bleu"),
    "BC07": simple("bleu"),
    "BC08": one_word,
    "BC10": in_range,
    "BC12": clipped,
    "BC13": empty_outputs,
    "BC16": whole_text,
    "BC17": simple("rouge_n"),
    "BC20": chinese,
    "BC21": folded_case,
    "BC23": best_per_type,
    "BC24": by_lines,
    "BC25": by_lines,
    "BC26": recall_is_not_f1,
    "BC28": not_scored,
    "BC29": simple("gleu"),
    "BC41": defaults,
    "BC43": on_the_threshold,
    "BC44": digits_agree,
    "BC46": reason_agrees,
}


def test_every_case_of_these_areas_is_checked() -> None:
    assert set(CHECKS) == set(CASES)


@pytest.mark.parametrize("id", CHECKS)
def test_case(id: str) -> None:
    CHECKS[id](CASES[id]["input"], CASES[id]["right"])
