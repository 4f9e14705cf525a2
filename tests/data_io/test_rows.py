"""References, numbers, tags, ids and duplicates of prepared rows."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from jeval_core.data import Case, Limits, Response, map_columns, read, rows
from jeval_core.data import findings as findings_module
from jeval_core.data.cells import number, texts, yes_or_no
from tests.data_io.files import csv_text, jsonl, load, references, write

NUMBERS = [
    ("5", 5), (" -3 ", -3), ("+.5", 0.5), ("1e3", 1000), ("\u22121.5", -1.5), ("0,75", 0.75), ("0,750", 0.75), ("3,5", 3.5),
    ("1,234", None), ("four", None), ("75%", None), ("nan", None), ("inf", None), ("1e999", None), ("1_000", None),
    ("٣", None), ("", None), ("1.234,5", None), ("0x10", None),
]  # fmt: skip


@pytest.mark.parametrize(("text", "value"), NUMBERS)
def test_numbers(text: str, value: float | None) -> None:
    assert number(text) == value


def test_a_decimal_comma_is_believed_where_semicolons_delimit() -> None:
    assert number("1,234", decimal_comma=True) == 1.234


LISTS = [
    ('["a", "b"]', ["a", "b"]),
    ("['a', \"b's\"]", ["a", "b's"]),
    (' ["a"] ', ["a"]),
    ('["a", null, 3]', ["a", "3"]),
    ("[]", []),
    ("plain", None),
    ("[laughs] hello", None),
    ("[1]", None),
    ("[1, 2, 3]", None),
    ("['tis the season", None),
    ('[{"a": 1}]', None),
    ("[" * 100_000 + "]", None),
]


@pytest.mark.parametrize(("cell", "value"), LISTS, ids=lambda v: str(v)[:20])
def test_lists_in_cells(cell: str, value: list[str] | None) -> None:
    assert texts(cell) == value


@pytest.mark.parametrize("cell", ['["broken json", "', '["a", b]', "['a', 'b' 'c,']x']"])
def test_broken_lists(cell: str) -> None:
    with pytest.raises(ValueError, match="list"):
        texts(cell)


def test_references_of_different_number(tmp_path: Path) -> None:
    data = load(
        write(
            tmp_path,
            "t.jsonl",
            jsonl(
                [
                    {"output": "hi there", "references": ["hi there", "hello"]},
                    {"output": "bye", "references": ["bye"]},
                    {"output": "x"},
                ]
            ),
        )
    )
    assert references(data) == [["hi there", "hello"], ["bye"], []]
    assert [n for n, _ in data.references] == ["references", "references_2"]


def test_references_joined_by_a_chosen_delimiter(tmp_path: Path) -> None:
    path = write(tmp_path, "t.csv", csv_text([["output", "expected"], ["x", "a ||| b|||"], ["y", "c"]]))
    assert references(load(path, reference_delimiter="|||")) == [["a", "b"], ["c"]]
    assert references(load(path)) == [["a ||| b|||"], ["c"]]


def test_lists_can_stay_text(tmp_path: Path) -> None:
    path = write(tmp_path, "t.csv", csv_text([["output", "expected"], ["x", '["a", "b"]']]))
    assert references(load(path, lists=False)) == [['["a", "b"]']]


def test_unfolded_names_avoid_columns_that_are_there(tmp_path: Path) -> None:
    path = write(tmp_path, "t.csv", csv_text([["output", "expected", "expected_2"], ["x", '["a", "b"]', "c"]]))
    data = load(path)
    assert [(n, c[0].as_py()) for n, c in data.references] == [
        ("expected", "a"),
        ("expected_1_2", "b"),
        ("expected_2", "c"),
    ]


def test_too_many_references_reject_the_row(tmp_path: Path) -> None:
    table = read(write(tmp_path, "t.csv", csv_text([["output", "expected"], ["x", '["a", "b", "c"]'], ["y", "d"]])))
    data = rows(table, map_columns(table), limits=Limits(max_references=2))
    assert [(p.line, p.code, p.rejected) for p in data.problems] == [(2, "too_many_references", True)]
    assert data.account() == {"rows_in_file": 2, "kept": 1, "rejected": 1, "blank": 0}


def test_threshold_of_each_row(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        "t.csv",
        csv_text(
            [
                ["output", "expected", "threshold"],
                ["a b", "a c", "0.4"],
                ["a b", "a c", ""],
                ["a", "a", "0"],
                ["a", "a", "40"],
            ]
        ),
    )
    data = load(path)
    assert data.threshold.tolist() == pytest.approx([0.4, math.nan, 0, math.nan], nan_ok=True)
    assert [(p.line, p.code) for p in data.problems if p.code != "duplicate_case"] == [(5, "out_of_range")]


def test_gold_scale(tmp_path: Path) -> None:
    path = write(tmp_path, "t.csv", csv_text([["output", "gold"], ["a", "0"], ["b", "4"], ["c", "5"]]))
    assert np.isnan(load(path, gold_scale=(0, 4)).gold["gold"]).tolist() == [False, False, True]
    assert load(path).gold["gold"].tolist() == [0, 4, 5]


def test_tags(tmp_path: Path) -> None:
    table = read(
        write(
            tmp_path, "t.csv", csv_text([["output", "is_bad"], ["a", "Yes"], ["b", "no"], ["c", ""], ["d", "perhaps"]])
        )
    )
    data = rows(table, map_columns(table, tag_columns={"bad": "is_bad"}))
    assert data.tags["bad"].to_pylist() == [True, False, None, None]
    assert [(p.line, p.code) for p in data.problems if p.code == "not_yes_or_no"] == [(5, "not_yes_or_no")]
    assert yes_or_no("maybe") is None


def test_ids_from_content(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        "t.csv",
        csv_text([["input", "output", "expected"], ["q", "a", "x"], ["q", "b", "x"], ["p", "c", "x"]]),
    )
    data = load(path)
    first, second, third = data.id.to_pylist()
    assert second == f"{first}-2" and third != first and len(first) == 16
    assert [(p.line, p.code) for p in data.problems] == [(3, "duplicate_case")]


def test_blank_ids_are_named_by_content(tmp_path: Path) -> None:
    data = load(write(tmp_path, "t.csv", csv_text([["id", "output"], ["a", "x"], [" ", "y"]])))
    assert data.id[0].as_py() == "a" and len(data.id[1].as_py()) == 16
    assert [(p.line, p.code) for p in data.problems] == [(3, "blank_id")]


def test_systems_do_not_clash(tmp_path: Path) -> None:
    table = [["id", "model_version", "output"], ["a", "m1", "x"], ["a", "m2", "y"], ["a", "m1", "z"]]
    data = load(write(tmp_path, "t.csv", csv_text(table)))
    assert [(p.line, p.code) for p in data.problems] == [(4, "duplicate_id")]
    assert [(r.case_id, r.model_version, r.sample) for r in data.responses()] == [
        ("a", "m1", 0),
        ("a", "m2", 0),
        ("a", "m1", 1),
    ]
    without = [["output", "system", "expected"], ["x", "m1", "e"], ["y", "m2", "e"]]
    ids = load(write(tmp_path, "u.csv", csv_text(without))).id.to_pylist()
    assert ids[0] == ids[1]


def test_notices_of_one_kind_are_counted_not_repeated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(findings_module, "MOST", 3)
    data = load(write(tmp_path, "t.csv", csv_text([["id", "output"], *(["k", str(i)] for i in range(10))])))
    assert [p.code for p in data.problems] == ["duplicate_id"] * 4
    assert data.problems[0].reason.startswith("6 more rows")


def test_records(tmp_path: Path) -> None:
    table = read(
        write(
            tmp_path,
            "t.csv",
            csv_text(
                [
                    [
                        "id",
                        "input",
                        "output",
                        "expected",
                        "expected_2",
                        "task_type",
                        "gold",
                        "threshold",
                        "bad",
                        "note",
                    ],
                    ["a", "q", "o", "e", "", "qa", "4", "0.5", "no", "n"],
                ]
            ),
        )
    )
    data = rows(table, map_columns(table, tag_columns={"bad": "bad"}))
    assert data.case(0) == Case("a", "q", (("expected", "e"),), task_type="qa")
    assert [*data.responses()] == [Response("a", "o", 0, None, {"gold": 4.0}, {"bad": False}, 0.5, {"note": "n"})]
