"""The HTML report of runs at the edge: nothing scored, one row, too many groups, bad lines, unknown evaluators."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from console.report import report_of
from jeval_core.runs import Run, run_file
from tests.reports import around, data_of, made, parsed, table, translations, values


@pytest.fixture
def run() -> Run:
    return translations()


def test_long_texts_say_what_is_left(run: Run) -> None:
    said = (
        parsed(report_of(run.to_dict(), {}, {}, [{"line": 1, "output": "é" * 1601, "note": None}]))
        .section("Lowest scores")
        .text()
    )
    assert "é" * 600 + "… (1,001 more characters)" in said and "é" * 601 not in said and "note–" in said


def test_bad_lines_are_listed_and_every_row_accounted_for(tmp_path: Path) -> None:
    path = tmp_path / "bad.csv"
    path.write_text("output,expected\na b,a b\n,\nc d,c e\nbroken,one,too many\n", "utf-8")
    found = run_file(path, ["rouge_n"])
    page = parsed(made(found))
    lines = page.section("Lines that need a look")
    assert lines.rows() == [
        [
            f"{p.line}" if p.line else "file",
            p.reason,
            "rejected" if p.rejected else "left out" if p.code == "blank_row" else "kept",
        ]
        for p in found.rows.problems
    ]
    assert {row[2] for row in lines.rows()} >= {"rejected", "left out"}
    rows = found.account()
    assert (
        f"{rows['in_file']} rows in the file = {rows['scored']} scored + {rows['skipped']} skipped + {rows['failed']} failed + {rows['rejected']} rejected."
        in page.text()
    )
    many = found.to_dict() | {
        "problems": [{"line": i, "code": "x", "reason": f"reason {i}", "rejected": False} for i in range(1, 1302)]
    }
    lines = parsed(report_of(many, {}, {})).section("Lines that need a look")
    assert len(lines.rows()) == 200 and "The first 200 of 1,301 notes." in lines.text()


def test_thresholds_of_rows_are_said_and_drawn(tmp_path: Path) -> None:
    rows = [
        {"output": "a b c d", "expected": f"a b c {'d' if i % 2 else 'x'}", "threshold": (0.9, 0.1)[i // 10]}
        for i in range(20)
    ]
    found = run_file(table(tmp_path / "own.csv", rows), ["rouge_n"])
    page = parsed(made(found))
    assert "score ≥ 0.75 unless it has a threshold of its own" in page.section("Results").text()
    fail, good = data_of(page)["figures"][0]["data"]
    assert (
        (sum(values(fail["y"])), sum(values(good["y"])))
        == (5, 15)
        == (20 - found.scored["rouge_n"].passed.sum(), found.scored["rouge_n"].passed.sum())
    )
    assert "75.0%" in page.section("Results").rows()[0][2]


EDGES: dict[str, tuple[list[dict[str, Any]], list[str], list[str], int]] = {
    "nothing scored": ([{"output": "a", "expected": " "}] * 3, ["bleu"], ["no row was scored", "3 skipped", "3 rows in the file = 0 scored + 3 skipped"], 0),
    "one row": ([{"output": "a b", "expected": "a c"}], ["bleu", "rouge_n"], ["one row has no interval", "1 row in the file = 1 scored"], 4),
    "all equal": ([{"output": "a b", "expected": "a b"}] * 9, ["rouge_l"], ["1.000 to 1.000", "100.0%"], 2),
    "one evaluator": ([{"output": "a b c", "expected": f"a b {i}"} for i in range(30)], ["bleu"], ["Scored by BLEU."], 2),
}  # fmt: skip


@pytest.mark.parametrize("edge", EDGES)
@pytest.mark.parametrize("known", [True, False], ids=["thresholds", "no thresholds"])
def test_edges(tmp_path: Path, edge: str, known: bool) -> None:
    rows, ids, needed, drawn = EDGES[edge]
    found = run_file(table(tmp_path / "edge.csv", rows), ids)
    scores = {id: s.score for id, s in found.scored.items()}
    html = made(found) if known else report_of(found.to_dict(), scores, {})
    page = parsed(html)
    assert [part for part in needed if part not in page.text()] == []
    figures = data_of(page)["figures"]
    assert len(figures) == (drawn if known else drawn // 2)
    drawn_values = [v for f in figures for t in f["data"] for axis in "xy" for v in values(t[axis])]
    assert np.isfinite(np.array(drawn_values, float)).all()
    assert ("score ≥" in page.text()) == known
    assert not re.search(r"\bNaN\b|Infinity|\bnan\b|\bNone\b", around(html))
    if len(ids) < 2:
        assert "Between evaluators" not in page.text()


def test_a_system_alone_and_an_evaluator_nobody_knows(run: Run) -> None:
    whole = run.to_dict()
    kept = {k: whole[k] for k in ("dataset", "source", "mapping", "problems")}
    one = {
        "run_id": "5812dc1f2403a69d",
        "model_version": "fluent",
        **kept,
        "groups": {},
        "signatures": {"gone": "gone|rev:1"},
        "aggregates": {"gone": whole["aggregates"]["bleu"]},
    }
    page = parsed(report_of(one, {"gone": run.scored["bleu"].score}, {"gone": 0.5}))
    assert (
        "the answers of fluent only" in page.text()
        and "gone|rev:1" in page.text()
        and "does not know the evaluator" in page.text()
    )
    assert page.section("Results").rows()[0][0] == "gone | score ≥ 0.5 | 96 rows"


def test_a_distance_without_verdicts_is_drawn_in_one_colour(run: Run) -> None:
    one = report_of(run.to_dict(), {"levenshtein": run.scored["levenshtein"].score}, {"levenshtein": 5})
    bars = data_of(parsed(one))["figures"][0]["data"]
    assert len(bars) == 1 and sum(values(bars[0]["y"])) == 96


@pytest.mark.parametrize(
    ("groups", "shown", "note"),
    [(40, 40, "the dashed line is all rows."), (45, 40, "The 40 largest of 45 groups."), (201, 0, "The column has too many values to be a table.")],
)  # fmt: skip
def test_many_groups(tmp_path: Path, groups: int, shown: int, note: str) -> None:
    rows = [
        {"output": "a b", "expected": "a b", "where": f"place {i}"} for i in range(groups) for _ in range(1 + (i < 40))
    ]
    found = run_file(table(tmp_path / "groups.csv", rows), ["rouge_n"], group_by=["where"])
    section = parsed(made(found)).section("By where")
    assert note in section.text()
    names = [row[0] for row in section.rows()] if shown else []
    assert names == [f"place {i} | 2 rows" for i in range(shown)]


def test_a_long_name_of_a_group_is_cut(tmp_path: Path) -> None:
    rows = [{"output": "a b", "expected": "a b", "where": "x" * 1060}] * 3
    found = run_file(table(tmp_path / "groups.csv", rows), ["rouge_n"], group_by=["where"])
    assert parsed(made(found)).section("By where").rows()[0][0] == "x" * 60 + "… (1,000 more characters) | 3 rows"
