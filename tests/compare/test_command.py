"""`jeval compare`: stored runs, files, errors, the report."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from console.cli import app
from tests.compare.made import both, rows_of, stored
from tests.data_io.files import csv_text, write


def run(*args: str) -> tuple[int, str, str]:
    done = CliRunner().invoke(app, ["compare", *args])
    return done.exit_code, done.stdout, done.stderr


def test_stored_runs_by_the_start_of_their_ids(tmp_path: Path) -> None:
    a, b = both(tmp_path, 120)
    code, out, _ = run(a.id[:6], b.id, "--json", "--resamples", "500")
    found = json.loads(out)
    assert code == 0 and (found["a"]["run_id"], found["b"]["run_id"]) == (a.id, b.id)
    code, out, _ = run(a.id, b.id, "--resamples", "500")
    assert code == 0 and "120 pairs" in out and "against expected_2" in out
    first = found["metrics"][0]
    assert f"{first['a']:.3f}" in out and first["claim"] in out
    assert found["metrics"] == json.loads(run(a.id, b.id, "--json", "--resamples", "500")[1])["metrics"]


def test_files_are_scored_and_kept_first(tmp_path: Path) -> None:
    files = []
    for seed, name in enumerate(("may", "june")):
        rows = rows_of(30, 0.7, seed)
        files.append(str(write(tmp_path, f"{name}.csv", csv_text([[*rows[0]], *([*row.values()] for row in rows)]))))
    code, out, error = run(*files, "--evaluators", "bleu,rouge_l", "--option", "bleu.variant=sacrebleu", "--json")
    assert code == 0 and len(json.loads(out)["metrics"]) > 5 and "may.csv is run" in error
    listed = CliRunner().invoke(app, ["runs", "--json"])
    assert {one["dataset"]["name"] for one in json.loads(listed.stdout)} == {"may.csv", "june.csv"}


def test_three_runs_against_one(tmp_path: Path) -> None:
    a, b = both(tmp_path, 30)
    c = stored(tmp_path, "c", rows_of(30, 0.9, 7))
    code, out, _ = run(a.id, b.id, c.id, "--json", "--no-references", "--resamples", "200")
    each = json.loads(out)["comparisons"]
    assert code == 0 and [one["b"]["run_id"] for one in each] == [b.id, c.id] and "reference_sets" not in each[0]


def test_options_choose_what_is_compared(tmp_path: Path) -> None:
    a, b = both(tmp_path, 130, evaluators=("bleu", "gleu"))
    args = [a.id, b.id, "--json", "--resamples", "200", "--no-references"]
    found = json.loads(run(*args, "--metric", "gleu", "--group-by", "wrong", "--min-items", "131")[1])
    assert {one["id"].split(".")[0] for one in found["metrics"]} == {"gleu"}
    assert {one.get("by") for one in found["metrics"]} == {None, "wrong"}
    assert {one["claim"] for one in found["metrics"]} == {"too few"}
    assert json.loads(run(*args, "--cluster-by", "task_type")[1])["metrics"][0]["method"] == "clustered t"


def test_the_report_is_one_file(tmp_path: Path) -> None:
    a, b = both(tmp_path, 40)
    code, _, _ = run(a.id, b.id, "--html", str(tmp_path / "r.html"), "--resamples", "200")
    page = (tmp_path / "r.html").read_text("utf-8")
    assert code == 0 and "a.csv against b.csv" in page and "default-src &#x27;none&#x27;" in page


WRONG = {
    "one run": ((), "A comparison needs two runs", 3),
    "no such run": (("0123456789abcdef",), "There is no run", 3),
    "no such file": (("nothing.csv",), "There is no run", 3),
    "no such column": (("{b}", "--group-by", "task"), "There is no column `task`", 3),
    "no such cluster": (("{b}", "--cluster-by", "task"), "There is no column `task`", 3),
    "no such metric": (("{b}", "--metric", "gleu"), "did not score both", 3),
    "no folder for the report": (("{b}", "--html", "/nowhere/at/all/r.html"), "There is no folder", 3),
    "too few resamples": (("{b}", "--resamples", "3"), "", 3),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_said_in_a_line(tmp_path: Path, name: str) -> None:
    more, said, wanted = WRONG[name]
    a, b = both(tmp_path, 5)
    code, out, error = run(a.id, *(part.format(b=b.id) for part in more))
    assert code == wanted and not out and said in error and "Traceback" not in error


def test_a_file_needs_evaluators(tmp_path: Path) -> None:
    a, _ = both(tmp_path, 5)
    code, _, error = run(a.id, str(tmp_path / "b.csv"))
    assert code == 3 and "Nothing says how to score" in error
