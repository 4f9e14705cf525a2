"""Faults that people reported of files, data sets and aggregates of such tools, each with the right value."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from jeval_core.batch.scored import FAILED, SCORED, Scored
from jeval_core.data import map_columns, read, to_csv
from jeval_core.runs import Run, run_file
from jeval_core.stats import summarise
from tests.data import FOLDER, golden
from tests.data_io.files import csv_text, jsonl, load, write

AREAS = {"csv", "aggregate", "export", "dataset"}
CASES = {c["id"]: c for c in golden("bugcases") if c["area"] in AREAS}
NEAR = pytest.approx
Check = Callable[[dict, dict, Path], None]


def scored_rows(folder: Path, rows: list, evaluator: str = "bleu") -> Run:
    """The rows of a case as a file, through one evaluator."""
    records = [r if isinstance(r, dict) else dict(zip(("output", "references"), r, strict=True)) for r in rows]
    return run_file(write(folder, "rows.jsonl", jsonl(records)), [evaluator])


def outcomes(scores: list[float | None], threshold: float) -> Scored:
    """Scores as an evaluator returns them; None is an error."""
    score = np.array([math.nan if s is None else s for s in scores])
    failed = np.isnan(score)
    status = np.where(failed, FAILED, SCORED).astype(np.uint8)
    return Scored("test", True, score, score >= threshold, status, failed.astype(np.uint8), ("", "the judge failed"))


def one_bad_row(given: dict, right: dict, folder: Path) -> None:
    run = scored_rows(folder, given["rows"])
    bleu = run.scored["bleu"]
    assert bleu.score[0] == right["row1"] and math.isnan(bleu.score[1])
    assert f"not scored: {bleu.reasons[bleu.reason[1]]}".startswith(right["row2"])
    assert run.account()["scored"] == run.summaries["bleu"].n == right["n_scored"]


def references_of_any_number(given: dict, right: dict, folder: Path) -> None:
    assert scored_rows(folder, given["rows"]).scored["bleu"].score.tolist() == right["scores"]


def an_empty_output_is_a_zero(given: dict, right: dict, folder: Path) -> None:
    found = scored_rows(folder, given["rows"]).summaries["bleu"]
    assert (found.mean, found.n, found.pass_rate) == (right["mean"], right["n"], right["pass_rate"])


def unmeasured_is_not_failing(given: dict, right: dict, folder: Path) -> None:
    scores = [None if s == "NaN" else s for s in given["scores"]]
    found = summarise(outcomes(scores, 0.75))
    assert (found.mean, found.n, found.n_failed) == (NEAR(right["mean"]), right["n_scored"], right["n_unscored"])
    assert found.pass_rate == right["pass_rate_at_0.75"]


def an_error_is_no_score(given: dict, right: dict, folder: Path) -> None:
    answers = [a.split() for a in given["judge"]]
    found = summarise(outcomes([float(a[1]) if a[0] == "ok" else None for a in answers], 0.75))
    assert (found.mean, found.n, found.n_failed) == (right["mean"], right["n_scored"], right["n_error"])


def mean_and_pass_rate_are_two(given: dict, right: dict, folder: Path) -> None:
    found = summarise(outcomes(given["scores"], given["threshold"])).to_dict()
    assert (found["mean"], found["pass_rate"]) == (NEAR(right["mean"]), right["pass_rate"])
    assert found["mean"] >= given["threshold"] and "passed" not in found  # no second verdict is made of the mean


def the_mean_is_that_of_the_rows(given: dict, right: dict, folder: Path) -> None:
    run = scored_rows(folder, [["a b c d", "a b c e"], ["a b c d", "a b c d"]][: given["rows"]])
    shown = run.to_dict()["aggregates"]["bleu"]["mean"]
    assert (shown is not None) == right["mean_shown"]
    assert shown == NEAR(np.mean(run.table().column("bleu.score").to_numpy()), abs=1e-15)


def reads(given: dict, right: dict, folder: Path) -> None:
    """Rows and columns of a file, where the case says them."""
    table = read(FOLDER / given["file"])
    assert len(table) == right.get("rows", len(table)) and table.rejected == 0
    if "columns" in right:
        assert table.names == right["columns"]
        assert len(map_columns(table).used) == len(right["columns"])


def no_word_is_a_missing_value(given: dict, right: dict, folder: Path) -> None:
    run = run_file(FOLDER / given["file"], ["bleu"])
    ids, bleu = run.rows.id.to_pylist(), run.scored["bleu"]
    found = {
        id: s if status == SCORED else "unscored" for id, s, status in zip(ids, bleu.score, bleu.status, strict=True)
    }
    assert found == {k: v for k, v in right.items() if k != "scored"}
    assert run.account()["scored"] == right["scored"]


def windows_text(given: dict, right: dict, folder: Path) -> None:
    run = run_file(FOLDER / given["file"], ["bleu"])
    assert len(run.rows) == right["rows"] and run.scored["bleu"].score.tolist() == right["scores"]
    assert run.source.encoding == "cp1252" and any("Windows-1252" in p.reason for p in run.rows.problems)


def thresholds_of_rows(given: dict, right: dict, folder: Path) -> None:
    run = run_file(write(folder, "t.csv", csv_text([given["columns"], *given["rows"]])), ["rouge_n"])
    rouge = run.scored["rouge_n"]
    assert rouge.score.tolist() == [right["rouge1"]] * 2 and rouge.passed.tolist() == right["passed"]
    to_csv(run.rows.table(), folder / "again.csv")
    assert load(folder / "again.csv").threshold.tolist() == NEAR(run.rows.threshold.tolist(), nan_ok=True)


CHECKS: dict[str, Check] = {
    "BC14": one_bad_row,
    "BC15": references_of_any_number,
    "BC31": an_empty_output_is_a_zero,
    "BC32": unmeasured_is_not_failing,
    "BC34": an_error_is_no_score,
    "BC45": mean_and_pass_rate_are_two,
    "BC50": reads,
    "BC51": reads,
    "BC52": reads,
    "BC53": reads,
    "BC55": no_word_is_a_missing_value,
    "BC56": windows_text,
    "BC58": thresholds_of_rows,
    "BC59": the_mean_is_that_of_the_rows,
}


def test_every_case_of_these_areas_is_checked() -> None:
    assert set(CHECKS) == set(CASES)


@pytest.mark.parametrize("id", CHECKS)
def test_case(tmp_path: Path, id: str) -> None:
    CHECKS[id](CASES[id]["input"], CASES[id]["right"], tmp_path)
