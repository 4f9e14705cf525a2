"""Sensitivity: what is changed in a text, and how the changes of scores add up."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jeval_core import BadInput, evaluate
from jeval_core.sensitivity import KINDS, MOST, changed, sensitivity

TEXT = "Take 5 mg daily, not 10. Rest for 1,200 minutes."
TABLE = [
    (TEXT, "number", ["Take 50 mg daily, not 10. Rest for 1,200 minutes.", "Take 5 mg daily, not 100. Rest for 1,200 minutes.", "Take 5 mg daily, not 10. Rest for 12,000 minutes."]),
    (TEXT, "negation", ["Take 5 mg daily, 10. Rest for 1,200 minutes."]),
    (TEXT, "reordering", ["Rest for 1,200 minutes. Take 5 mg daily, not 10."]),
    ("It is safe.", "negation", ["It is not safe."]),
    ("It isn't safe.", "negation", ["It is safe."]),
    ("a b c d", "truncation", ["a b"]),
    ("a b c d", "reordering", ["c d a b"]),
    ("a b c", "swap", ["b a c", "a c b"]),
    ("a b c", "drop", [" b c", "a c", "a b "]),
    ("pay 0.75 now", "number", ["pay 7.5 now"]),
    ("pay 1.05 or 0,5", "number", ["pay 10.5 or 0,5", "pay 1.05 or 5"]),
    ("第一句。第二句。", "reordering", ["第二句。 第一句。"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "kind", "wanted"), TABLE)
def test_changes(text: str, kind: str, wanted: list[str]) -> None:
    assert changed(text)[kind] == wanted


@pytest.mark.parametrize(("text", "lacking"), [("hello", {*KINDS}), ("", {*KINDS}), ("good words here", {"number", "negation"}), ("x x", {"swap"})])
def test_what_does_not_apply(text: str, lacking: set[str]) -> None:
    assert lacking.isdisjoint(changed(text))


@given(st.text(max_size=200))
def test_every_change_changes_and_there_are_not_too_many(text: str) -> None:
    for kind, texts in changed(text).items():
        assert kind in KINDS and 0 < len(texts) <= MOST and text not in texts


def test_the_mean_is_that_of_evaluate() -> None:
    output, expected = "It is 5 mg a day, and no more.", "It is 5 mg a day."
    for change in sensitivity([(output, [expected])], ["bleu", "rouge_l", "levenshtein"]):
        base = evaluate(change.evaluator, output=output, expected=expected)
        texts = changed(output)[change.kind]
        results = [evaluate(change.evaluator, output=text, expected=expected) for text in texts]
        assert change.mean == pytest.approx(sum(r.score - base.score for r in results) / len(texts))
        assert change.flips == pytest.approx(sum(r.passed != base.passed for r in results) / len(texts))
        assert (change.rows, change.places, change.ci) == (1, len(texts), None)


def test_rows_weigh_the_same_and_have_an_interval() -> None:
    rows = [("a b c d", ["a b c d"]), ("a b c d e f g h", ["a b c d e f g h"]), ("hello", ["hello"]), ("x y", [" "])]
    drop = next(c for c in sensitivity(rows, ["rouge_n"]) if c.kind == "drop")
    one, two = (next(c for c in sensitivity([row], ["rouge_n"]) if c.kind == "drop") for row in rows[:2])
    assert drop.rows == 2 and drop.places == one.places + two.places
    assert drop.mean == pytest.approx((one.mean + two.mean) / 2)
    assert drop.ci is not None and drop.ci[0] < drop.mean < drop.ci[1]


def test_judges_are_not_asked_and_nothing_is_nothing() -> None:
    with pytest.raises(BadInput, match="ask no judge"):
        sensitivity([("a", ["b"])], ["bleu", "g_eval"])
    assert sensitivity([], ["bleu"]) == []
    assert all(c.mean is None for c in sensitivity([("", [" "])], ["bleu"]))
