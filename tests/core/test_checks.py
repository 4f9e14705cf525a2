"""The text checks against a table of sentence pairs, and their behaviour on any text."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jeval_core.checks import TextWarning, text_warnings

PAIRS: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[1] / "golden" / "number_pairs.json").read_text(encoding="utf-8")
)
CODES = ["number", "unit", "sign", "percent", "date", "negation"]

# Text that is dense in what the checks look for reaches more rules than random characters do.
PIECES = st.sampled_from(
    "a an one two hundred and half quarter of 5 50 -5 5% $ mg g kg / - – 1,000 .5 1e9 1e999999999 March 2024 Monday 10:30 am no not never "
    "without No. 5. , . ( ) [1] first third version v1.2 GPT-4 a1.2.3 1.2.3 ½ 1/0 10^6 to between × times twice daily per day 温度 度 公斤 万 年 月 "
    "99/99/9999 9999-99-99 below zero aged old ' \" ° °C \ud800 \0 \u0130 ſ K ² ٣".split()
    + [" ", "\n", " ", "\u00a0"]
)
TEXTS = st.one_of(st.text(), st.lists(PIECES, max_size=20).map("".join), st.lists(PIECES, max_size=20).map(" ".join))


def flat(warnings: tuple[TextWarning, ...], side: str) -> list[str]:
    return [token for warning in warnings for token in getattr(warning, side)]


@pytest.mark.parametrize("pair", PAIRS, ids=[pair["id"] for pair in PAIRS])
def test_pair(pair: dict[str, Any]) -> None:
    warnings = text_warnings(pair["output"], [pair["expected"]])
    assert [warning.code for warning in warnings] == pair["codes"]
    assert flat(warnings, "output") == pair["output_tokens"]
    assert flat(warnings, "expected") == pair["expected_tokens"]


@pytest.mark.parametrize("pair", PAIRS, ids=[pair["id"] for pair in PAIRS])
def test_pair_reversed_swaps_the_sides(pair: dict[str, Any]) -> None:
    warnings = text_warnings(pair["expected"], [pair["output"]])
    assert [warning.code for warning in warnings] == pair["codes"]
    assert flat(warnings, "output") == pair["expected_tokens"]
    assert flat(warnings, "expected") == pair["output_tokens"]


def test_the_table_is_large_and_covers_every_code() -> None:
    different = [pair for pair in PAIRS if pair["codes"]]
    assert len(different) >= 60
    assert len(PAIRS) - len(different) >= 50
    assert {code for pair in different for code in pair["codes"]} == set(CODES)
    assert len({pair["id"] for pair in PAIRS}) == len(PAIRS)


def test_message_names_the_tokens_and_to_dict_is_json_ready() -> None:
    (warning,) = text_warnings("administer 5mg", ["administer 50mg"])
    assert warning.message == "Number differs: the output has “5mg”, the expected text has “50mg”."
    assert json.loads(json.dumps(warning.to_dict())) == {
        "code": "number", "message": warning.message, "output": ["5mg"], "expected": ["50mg"],
    }  # fmt: skip


def test_message_of_a_difference_on_one_side() -> None:
    assert text_warnings("It has 7 parts.", ["It has parts."])[0].message == "Number only in the output: “7”."
    assert text_warnings("It has parts.", ["It has 7 parts."])[0].message == "Number only in the expected text: “7”."


def test_a_message_names_at_most_eight_tokens() -> None:
    (warning,) = text_warnings(", ".join(str(number) for number in range(100, 120)), ["nothing here"])[:1]
    assert len(warning.output) == 20
    assert "and 12 more" in warning.message


def test_no_reference_or_only_blank_ones_give_no_warning() -> None:
    assert text_warnings("5 mg", []) == ()
    assert text_warnings("5 mg", ["", " \n"]) == ()


def test_one_agreeing_reference_is_enough() -> None:
    assert text_warnings("5 mg", ["50 mg", "5 milligrams"]) == ()


def test_the_closest_reference_is_reported() -> None:
    (warning,) = text_warnings(
        "5 mg on Monday", ["50 g on Tuesday, not before 7", "", "6 mg on Monday", "7 mg on Monday"]
    )
    assert (warning.output, warning.expected) == (("5 mg",), ("6 mg",))


def test_warnings_come_in_a_fixed_order_without_duplicates() -> None:
    warnings = text_warnings("No, 5 mg, -3 and 4% on Monday, 9 and 9", ["5 g, 3 and 4 on Tuesday, 8 and 8"])
    assert [warning.code for warning in warnings] == CODES
    assert warnings[0].output == ("9",)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("9" * 100_000, "9" * 99_999 + "8"),
        ("1e999999999", "1e999999998"),
        ("1e" + "9" * 50_000, "1e" + "9" * 49_999),
        ("1e-999999999", "0"),
    ],
)
def test_enormous_numbers_are_compared_exactly(one: str, other: str) -> None:
    assert text_warnings(f"n is {one}", [f"n is  {one}"]) == ()
    assert [warning.code for warning in text_warnings(f"n is {one}", [f"n is {other}"])] == ["number"]


@pytest.mark.long
@pytest.mark.parametrize(
    "unit",
    [
        "5 mg, ",
        "a-",
        "1,111",
        "1-",
        "no more than ",
        "1. ",
        "isn't ",
        "March 5, ",
        "[1",
        "1e9",
        "\0",
        "\ud800",
        "$",
        "(1) ",
        "x1",
        "万",
        "half ",
    ],
)
def test_the_time_is_linear(unit: str) -> None:
    def seconds(length: int) -> float:
        text = (unit * length)[:length]
        start = time.perf_counter()
        text_warnings(text, ["0 " + text, "7 " * 500])
        return time.perf_counter() - start

    seconds(1000)
    assert seconds(32_000) < 40 * max(seconds(4_000), 0.005)


@given(TEXTS)
def test_a_text_agrees_with_itself(text: str) -> None:
    assert text_warnings(text, [text]) == ()
    assert text_warnings(text, [text + "\n"]) == ()


@settings(max_examples=300)
@given(TEXTS, TEXTS)
def test_any_two_texts_are_safe_and_the_difference_is_mutual(one: str, other: str) -> None:
    there, back = text_warnings(one, [other]), text_warnings(other, [one])
    if one.strip() and other.strip():
        assert bool(there) == bool(back)
    for warning in there:
        assert warning.code in CODES
        assert warning.output or warning.expected
        assert all(token in one for token in warning.output)
        assert all(token in other for token in warning.expected)
    assert there == text_warnings(one, [other])
