"""What must hold for every text."""

from __future__ import annotations

import itertools
import json
import random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from jeval_core import evaluate, explain, get_evaluator, list_evaluators, what_if
from jeval_core.text.words import words
from jeval_core.whatif import edited

NGRAM = ["bleu", "gleu", "rouge_n", "rouge_l"]
EVERY = [*NGRAM, "levenshtein"]


def every_setting() -> list[tuple[str, dict]]:
    """Every combination of options of every variant."""
    out = []
    for card in (c for c in list_evaluators() if c.kind == "code"):
        for variant in card.variants:
            named = [(o.name, o.values[variant]) for o in card.options if variant in o.values]
            for values in itertools.product(*(v for _, v in named)):
                out.append((card.id, {"variant": variant, **dict(zip((n for n, _ in named), values, strict=True))}))
    return out


OPTIONS = every_setting()

odd = st.sampled_from(
    [
        "\ud800",
        "\x00",
        "\u0301",
        "👨‍👩‍👧",
        "שלום",
        "مرحبا",
        "के",
        "漢字",
        "-5",
        "0.5",
        "’",
        "<b>",
        "|",
        "\ufeff",
        "Ⅷ",
        "a",
        "b",
        "the",
        "\n",
    ]
)
text = st.lists(odd | st.text(max_size=6), max_size=12).map(" ".join) | st.text(max_size=40)
references = st.lists(text, min_size=1, max_size=3)


@given(st.sampled_from(OPTIONS), text, references)
@example(("bleu", {"variant": "promptfoo-2025"}), "a b c d", ["a b c d e f g"])
def test_scores_are_between_0_and_1_and_explained(setting: tuple[str, dict], output: str, expected: list[str]) -> None:
    evaluator, options = setting
    result = evaluate(evaluator, output=output, expected=expected, options=options)
    trace = explain(evaluator, output=output, expected=expected, options=options, extras=False)
    assert trace.result == result
    json.dumps(trace.to_dict(), allow_nan=False)
    if result.status == "skipped":
        assert result.score is None and result.reason
    else:
        assert 0 <= result.score <= 1
        assert result.passed is not None and result.label


@given(st.sampled_from(EVERY), text)
def test_identical_texts_score_1(evaluator: str, same: str) -> None:
    if words(same):
        assert evaluate(evaluator, output=same, expected=same).score == 1.0


@given(st.sampled_from(NGRAM), st.text("abc ", max_size=20), st.text("xyz ", min_size=1, max_size=20))
def test_nothing_shared_scores_0(evaluator: str, output: str, expected: str) -> None:
    result = evaluate(evaluator, output=output, expected=expected)
    assert result.score == 0.0 or result.status == "skipped"


@given(st.sampled_from(OPTIONS), text, references, st.randoms())
def test_order_of_references_is_irrelevant(
    setting: tuple[str, dict], output: str, expected: list[str], rng: random.Random
) -> None:
    evaluator, options = setting
    mixed = rng.sample(expected, len(expected))
    one, two = (evaluate(evaluator, output=output, expected=e, options=options) for e in (expected, mixed))
    assert (one.score, one.passed) == (two.score, two.passed)


@given(st.sampled_from(EVERY), text, references)
def test_blank_references_are_ignored(evaluator: str, output: str, expected: list[str]) -> None:
    assert (
        evaluate(evaluator, output=output, expected=[*expected, " ", ""]).score
        == evaluate(evaluator, output=output, expected=expected).score
    )


@given(st.sampled_from(NGRAM), text, references)
def test_every_token_has_its_mark(evaluator: str, output: str, expected: list[str]) -> None:
    scene = explain(evaluator, output=output, expected=expected, extras=False).scene
    for order in scene.orders if scene else ():
        assert sum(g.clipped for g in order.grams) == order.matched <= order.total
        for row in scene.rows:
            if order.against in (None, row.id) or row.role == "output":
                starts = sorted(start for g in order.grams for start, _ in g.at.get(row.id, ()))
                assert starts == list(range(max(0, len(row.tokens) - order.n + 1)))


@given(st.sampled_from(EVERY), text, st.sampled_from(["the cat sat", "5 mg", "漢字"]))
def test_what_if_is_the_score_of_the_edited_text(evaluator: str, output: str, expected: str) -> None:
    one = get_evaluator(evaluator)
    base = evaluate(evaluator, output=output, expected=expected).score
    for change in what_if(evaluator, output=output, expected=expected):
        after = evaluate(evaluator, output=edited(one, output, change.edit), expected=expected)
        assert (change.score, change.passed, change.delta) == (after.score, after.passed, after.score - base)


@pytest.mark.parametrize("evaluator", EVERY)
@pytest.mark.parametrize("empty", ["", "   ", "…", "\x00"])
def test_output_without_tokens(evaluator: str, empty: str) -> None:
    result = evaluate(evaluator, output=empty, expected="some words")
    assert result.status == "scored"
    assert result.score == 0.0 or evaluator == "levenshtein"


@pytest.mark.parametrize("evaluator", EVERY)
@pytest.mark.parametrize("blank", ["", " \n", ["", " "]])
def test_blank_expected_is_skipped(evaluator: str, blank: str | list[str]) -> None:
    result = evaluate(evaluator, output="words", expected=blank)
    assert (result.status, result.score, result.passed, result.reason) == ("skipped", None, None, "no expected text")


@pytest.mark.slow
@pytest.mark.parametrize("evaluator", EVERY)
@pytest.mark.parametrize(
    ("unit", "mixed"),
    [
        ("word ", True),
        pytest.param("漢", True, marks=pytest.mark.long),
        ("\u0301", False),
        pytest.param("\u0301\u0323", True, marks=pytest.mark.long),
        pytest.param("-5,", True, marks=pytest.mark.long),
        pytest.param("\ud800", True, marks=pytest.mark.long),
        ("👨‍👩‍👧", True),
        ("a\n", False),
    ],
)
def test_300_000_characters(evaluator: str, unit: str, mixed: bool) -> None:
    rng = random.Random(1)
    long = "".join(unit if not mixed or rng.random() < 0.9 else "x " for _ in range(300_000 // len(unit)))
    other = "y " + "".join(unit if not mixed or rng.random() < 0.9 else "y " for _ in range(300_000 // len(unit)))
    result = evaluate(evaluator, output=long, expected=other)
    assert result.status == "scored" and 0 <= result.score <= 1


@pytest.mark.parametrize("evaluator", NGRAM)
@pytest.mark.parametrize("threshold", [0, 0.0, 1, 0.6])
def test_threshold(evaluator: str, threshold: float) -> None:
    result = evaluate(evaluator, output="yes", expected="no", threshold=threshold)
    assert (result.threshold, result.passed) == (threshold, threshold == 0)


def test_levenshtein_threshold_is_a_distance() -> None:
    assert evaluate("levenshtein", output="ab", expected="ab", threshold=0).passed
    assert not evaluate("levenshtein", output="ab", expected="ac", threshold=0).passed
    assert evaluate("levenshtein", output="a" * 60, expected="b" * 60, threshold=60).passed


@pytest.mark.parametrize(("evaluator", "options"), OPTIONS, ids=str)
def test_signature_survives_parsing(evaluator: str, options: dict) -> None:
    from jeval_core import signature

    text = get_evaluator(evaluator, options).signature()
    parts = signature.parse(text)
    assert signature.compare(text, text) == {} and len(parts) == text.count("|") + 1
    other = get_evaluator(evaluator, {}).signature()
    assert (signature.compare(text, other) == {}) == (text == other)
