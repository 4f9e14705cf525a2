"""`jeval data`: how a file is read, what its cases are, and what changed since another."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from console.cli import app
from jeval_core import data
from tests.data import FOLDER

MESSY = FOLDER / "messy"
ROWS = [
    "id,input,expected,expected_2,chat",
    "a,One?,1,I,",
    "b,one,1,I,",
    "c,two,two,,user: hi",
    "d,three,3,,",
    "e,three,3,,",
]


def run(*args: str | Path):
    return CliRunner().invoke(app, ["data", *map(str, args)])


def result(*args: str | Path) -> dict:
    done = run(*args, "--json")
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout, parse_constant=lambda c: pytest.fail(f"{c} in the output"))


@pytest.fixture
def old(tmp_path: Path) -> Path:
    path = tmp_path / "old.csv"
    path.write_text("\n".join(ROWS), "utf-8")
    return path


@pytest.fixture
def new(tmp_path: Path) -> Path:
    path = tmp_path / "new.csv"
    path.write_text("\n".join([ROWS[0], ROWS[2], ROWS[1], ROWS[3].replace("hi", "ho"), ROWS[4], "f,four,4,,"]), "utf-8")
    return path


def test_one_file(old: Path) -> None:
    done = run(old)
    assert done.exit_code == 0 and done.stderr == ""
    version = data.dataset_version(data.rows(t := data.read(old), data.map_columns(t, require=())))
    assert done.stdout.splitlines() == [
        f"old.csv: csv, utf-8, delimiter ',', header in line 1; dataset {version[:12]}",
        "mapped: expected = expected, expected = expected_2, input = input, conversation = chat, id = id",
        "5 rows in the file = 5 kept + 0 rejected + 0 blank",
        "5 cases, 5 with a reference, 60.0 % of them with a single one",
        "duplicates: 2 cases in 1 groups (the same content)",
        "  d = e",
        "near duplicates: 2 cases in 1 groups (equal after case folding, with every run of white space and punctuation as one space)",
        "  a = b",
        "references equal to the input: 1 cases, c",
    ]


def test_json_of_one_file(old: Path) -> None:
    out = result(old)
    assert set(out) == {"dataset", "source", "mapping", "unmapped", "rows", "problems", "quality"}
    assert out["mapping"]["expected"] == ["expected", "expected_2"] and out["mapping"]["conversation"] == "chat"
    assert out["rows"] == {"rows_in_file": 5, "kept": 5, "rejected": 0, "blank": 0}
    assert out["quality"]["duplicates"] == {"cases": 2, "groups": 1, "examples": [["d", "e"]]}
    assert out["quality"]["single_reference_share"] == 0.6


def test_two_files(old: Path, new: Path) -> None:
    done = run(old, new)
    assert done.exit_code == 0
    assert done.stdout.splitlines()[6:] == [
        "1 added: f",
        "1 removed: e",
        "1 changed",
        "  c: conversation",
        "3 the same, in another order",
    ]
    out = result(old, new)
    assert set(out) == {"old", "new", "diff"} and out["diff"]["changed"] == {"c": ["conversation"]}
    assert out["diff"]["old_version"] == out["old"]["dataset"]["version"] == result(old)["dataset"]["version"]
    assert "The two versions are the same data set." in run(old, old).stdout


def test_leak_is_said(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("output,expected\n" + "".join(f"{i},{i}\n" for i in range(6)), "utf-8")
    assert "possible leak: all 6 outputs of the file are their reference" in run(tmp_path / "t.csv").stdout


def test_long_lists_are_cut(tmp_path: Path) -> None:
    for name, text in (("old", "x"), ("new", "y")):
        rows = "".join(f"{i},{text}\n" for i in range(25)) + "".join(f"{name}{i},z\n" for i in range(12))
        (tmp_path / f"{name}.csv").write_text(f"id,input\n{rows}", "utf-8")
    shown = run(tmp_path / "old.csv", tmp_path / "new.csv").stdout
    assert "12 added: new0, new1" in shown and "new9 and 2 more" in shown and "  and 15 more; --json" in shown
    assert len(result(tmp_path / "old.csv", tmp_path / "new.csv")["diff"]["changed"]) == 25


def test_terminal_is_safe_from_ids(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("id,input\n\x1b[31ma,x\n\x1b[31mb,x\n", "utf-8")
    (tmp_path / "u.csv").write_text("id,input\nc,x\n", "utf-8")
    for args in ([tmp_path / "t.csv"], [tmp_path / "t.csv", tmp_path / "u.csv"]):
        done = run(*args)
        assert "31m" in done.stdout and "\x1b" not in done.output


ENDS = [
    (["01_bom_utf8.csv"], 0, ""),
    (["04_cp1252.csv"], 0, "Windows-1252"),
    (["07_ragged_rows.csv"], 0, "line 2: "),
    (["08_duplicate_headers.csv"], 2, "--map 'output=output #2'"),
    (["08_duplicate_headers.csv", "--map", "output=output #3"], 0, "2 and 3"),
    (["16_empty.csv"], 2, "16_empty.csv holds no case. The file is empty."),
    (["17_header_only.csv"], 2, "17_header_only.csv holds no case."),
    (["01_bom_utf8.csv", "17_header_only.csv"], 2, "17_header_only.csv holds no case."),
    (["01_bom_utf8.csv", "no-such-file.csv"], 3, "There is no file `no-such-file.csv`"),
    (["01_bom_utf8.csv", "--map", "input=inptu"], 3, "Did you mean `input`?"),
    (["01_bom_utf8.csv", "--map", "input"], 3, "--map takes name=column."),
]  # fmt: skip


@pytest.mark.parametrize(("args", "code", "says"), ENDS, ids=lambda v: " ".join(v) if isinstance(v, list) else "")
def test_exit_codes(args: list[str], code: int, says: str) -> None:
    done = run(*[MESSY / a if a.endswith(".csv") else a for a in args])
    assert done.exit_code == code, done.output
    assert says in done.stderr
    if code:
        assert len(done.stderr.splitlines()) == 1


def test_results_of_other_tools_have_cases_too(tmp_path: Path) -> None:
    chat = [{"role": "user", "content": "2+2?"}]
    (tmp_path / "t.jsonl").write_text(json.dumps({"messages": chat, "ideal": "4"}) + "\n", "utf-8")
    out = result(tmp_path / "t.jsonl")
    assert out["mapping"] == {"conversation": "messages", "expected": ["ideal"]}
