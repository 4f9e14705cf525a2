"""Several files as one run: a file for each system, parallel text, the halves of a HELM run."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from jeval_core import data, evaluate
from jeval_core.batch.engine import Cancelled
from jeval_core.data import AmbiguousMapping, MissingExpected, MissingOutput, UnknownColumn, UnreadableFile
from jeval_core.errors import BadInput, JevalError
from jeval_core.harness.gather import Reading, gather, shown
from jeval_core.harness.joined import joined_rows, repeated_elsewhere, with_system
from jeval_core.runs import run_file, run_files
from tests.data_io.files import jsonl, load, write
from tests.harness.systems import alike, answers, plain

IDS = ["bleu", "rouge_n", "levenshtein"]


@pytest.fixture
def three(tmp_path: Path) -> list[Path]:
    """Three systems of 30, 20 and 25 answers to the same questions."""
    sizes = {"weak.csv": (30, 0.3), "middle.csv": (20, 0.6), "strong.csv": (25, 0.9)}
    return [answers(tmp_path, name, n, seed, share) for seed, (name, (n, share)) in enumerate(sizes.items())]


def test_each_file_keeps_its_numbers(three: list[Path]) -> None:
    run = run_files(three, IDS, group_by=["file", "model_version"])
    start = 0
    for path in three:
        alone = run_file(path, IDS)
        alike(run, alone, start)
        start += len(alone.rows)
        for id, summary in alone.summaries.items():
            for column, value in (("file", path.name), ("model_version", path.stem)):
                group = run.groups[column][value][id]
                for figure in ("n", "mean", "mean_ci", "pass_rate", "pass_rate_ci"):
                    assert getattr(group, figure) == pytest.approx(getattr(summary, figure), rel=1e-12)
    assert len(run.rows) == 75 == run.rows.rows_in_file and run.account() == {"in_file": 75, "scored": 75, "skipped": 0, "failed": 0, "rejected": 0}
    assert plain(run.rows.model_version) == ["weak"] * 30 + ["middle"] * 20 + ["strong"] * 25
    assert plain(run.rows.extra["file"]) == ["weak.csv"] * 30 + ["middle.csv"] * 20 + ["strong.csv"] * 25
    assert [s["model_version"] for s in run.systems()] == ["weak", "middle", "strong"] and run.name == "weak.csv, middle.csv, strong.csv"
    assert run.rows.problems == []


def test_the_same_questions_are_the_same_data_set(tmp_path: Path) -> None:
    one, two = answers(tmp_path, "a.csv", seed=1), answers(tmp_path, "b.csv", seed=2)
    run = run_files([one, two], ["bleu"])
    assert run.version == run_file(one, ["bleu"]).version == run_file(two, ["bleu"]).version
    assert run.id != run_files([two, one], ["bleu"]).id != run_file(one, ["bleu"]).id
    assert run.id == run_files([one, two], ["bleu"], workers=1).id


def test_columns_that_only_some_files_have(tmp_path: Path) -> None:
    first = write(tmp_path, "first.csv", "id,output,expected,gold,is_bad,note\n1,a b,a b,1,yes,x\n2,a c,a d,5,no,\n")
    second = write(tmp_path, "second.jsonl", jsonl([{"id": "1", "output": "a b", "expected": "c d", "expected_2": "a b", "input": "why", "threshold": 0.9, "human_score": 4}]))
    third = write(tmp_path, "third.csv", "id,output,expected,risk_tier,model_version\n3,a,a,high,M2\n4,b,a,,\n")
    run = run_files([first, second, third], ["rouge_n"])
    rows = run.rows
    assert plain(rows.model_version) == ["first", "first", "second", "M2", ""]
    assert plain(rows.input) == [None, None, "why", None, None] and plain(rows.groups["risk_tier"]) == [None, None, None, "high", ""]
    assert [(n, plain(c)) for n, c in rows.references] == [("expected", ["a b", "a d", "c d", "a", "a"]), ("expected_2", [None, None, "a b", None, None])]
    assert np.array_equal(rows.gold["gold"], [1, 5, np.nan, np.nan, np.nan], equal_nan=True)
    assert np.array_equal(rows.gold["human_score"], [np.nan, np.nan, 4, np.nan, np.nan], equal_nan=True)
    assert np.array_equal(rows.threshold, [np.nan, np.nan, 0.9, np.nan, np.nan], equal_nan=True)
    assert plain(rows.extra["note"]) == ["x", "", None, None, None] and rows.lines.tolist() == [2, 3, 1, 2, 3]
    assert rows.criteria is None and rows.conversation is None
    expected = [evaluate("rouge_n", output=o, expected=e).score for o, e in [("a b", ["a b"]), ("a c", ["a d"]), ("a b", ["c d", "a b"]), ("a", ["a"]), ("b", ["a"])]]
    assert run.scored["rouge_n"].score.tolist() == pytest.approx(expected, abs=1e-12)
    assert run.mapping.to_dict() == {
        "output": "output", "id": "id", "input": "input", "model_version": "model_version", "risk_tier": "risk_tier",
        "threshold": "threshold", "gold.gold": "gold", "gold.human_score": "human_score", "expected": ["expected", "expected_2"],
    }  # fmt: skip


def test_tags_of_some_files(tmp_path: Path) -> None:
    one = write(tmp_path, "one.csv", "id,output,expected,wrong\n1,a,a,yes\n2,b,b,no\n3,c,c,\n")
    two = write(tmp_path, "two.csv", "id,output,expected,wrong\n1,a,a,no\n2,b,b,yes\n")
    run = run_files([one, two], ["bleu"], tag_columns={"hallucination": "wrong"}, group_by=["hallucination"])
    assert plain(run.rows.tags["hallucination"]) == [True, False, None, False, True]
    assert {value: each["bleu"].n for value, each in run.groups["hallucination"].items()} == {"true": 2, "false": 2, "(none)": 1}
    bare = run_files([one], ["bleu"], tag_columns={"hallucination": "wrong"}).rows
    joined = joined_rows([bare, run_file(answers(Path(tmp_path), "no.csv", 2), ["bleu"]).rows], ["one.csv", "no.csv"])
    assert plain(joined.tags["hallucination"]) == [True, False, None, None, None]


SAME_NAMES: dict[str, tuple[list[str], list[str], list[str]]] = {
    "twice": (["x/a.csv", "y/a.csv"], ["a", "a #2"], ["a #2"]),
    "three times": (["x/a.csv", "y/a.csv", "z/a.csv"], ["a", "a #2", "a #3"], ["a #2", "a #3"]),
    "other endings": (["a.csv", "a.tsv.gz"], ["a", "a #2"], ["a #2"]),
    "a name that looks numbered, after": (["x/a.csv", "y/a.csv", "a #2.csv"], ["a", "a #3", "a #2"], ["a #3"]),
    "a name that looks numbered, before": (["a #2.csv", "x/a.csv", "y/a.csv"], ["a #2", "a", "a #3"], ["a #3"]),
    "dots": (["v1.0.csv", "v1.1.csv"], ["v1.0", "v1.1"], []),
}


@pytest.mark.parametrize("case", SAME_NAMES)
def test_equal_names_are_different_systems(tmp_path: Path, case: str) -> None:
    names, systems, renamed = SAME_NAMES[case]
    paths = []
    for i, name in enumerate(names):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        text = f"id{chr(9) if 'tsv' in name else ','}output{chr(9) if 'tsv' in name else ','}expected\n"
        text += "\t".join(("1", f"a {i}", "a b")) if "tsv" in name else f"1,a {i},a b"
        path.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
        paths.append(path)
    run = run_files(paths, ["rouge_n"])
    assert plain(run.rows.model_version) == systems == [s["model_version"] for s in run.systems()]
    said = [p for p in run.rows.problems if p.code == "same_name"]
    assert [p.reason.rsplit(" is ", 1)[1].rstrip(".") for p in said] == renamed and all(p.line == 0 for p in said)
    assert [p for p in run.rows.problems if p.code == "duplicate_id"] == []


def test_files_that_name_their_systems_may_have_equal_names(tmp_path: Path) -> None:
    paths = []
    for folder in "xy":
        (tmp_path / folder).mkdir()
        paths.append(answers(tmp_path / folder, "a.csv", 2, model_version=lambda i, f=folder: f"{f}{i}"))
    run = run_files(paths, ["bleu"])
    assert plain(run.rows.model_version) == ["x0", "x1", "y0", "y1"] and run.rows.problems == []


def test_the_names_given_count_not_those_on_the_disk(tmp_path: Path) -> None:
    paths = [answers(tmp_path, f"{i}.csv", 3, i) for i in range(5)]
    names = [f"model-{x}.csv" for x in "abcde"]
    run = run_files(paths, ["bleu"], names=names, group_by=["file"])
    assert [*run.groups["file"]] == names and [s["model_version"] for s in run.systems()] == [n[:-4] for n in names]
    assert run.name == "model-a.csv, model-b.csv, model-c.csv and 2 more" == shown(names)


def test_a_repeated_id_is_told_where_the_same_system_answers_twice(tmp_path: Path) -> None:
    one, two = answers(tmp_path, "one.csv", 10, 1), answers(tmp_path, "two.csv", 6, 2)
    assert run_files([one, two], ["bleu"]).rows.problems == []
    (problem,) = run_files([one, two], ["bleu"], model_version="m").rows.problems
    assert (problem.code, problem.line, problem.rejected) == ("duplicate_id", 0, False) and problem.reason.startswith("6 rows answer")
    three = answers(tmp_path, "three.csv", 4, 3, model_version=lambda i: "one" if i < 3 else "other")
    (problem,) = run_files([one, three], ["bleu"]).rows.problems
    assert problem.reason.startswith("3 rows answer")


def test_repeated_elsewhere_counts_later_files_only() -> None:
    def rows(ids: list[str], systems: list[str] | None) -> data.Rows:
        n, column = len(ids), lambda values: pa.chunked_array([pa.array(values, pa.large_string())])
        no = np.full(n, np.nan)
        texts = column([""] * n)
        return data.Rows(texts, [], column(ids), None, None, None, systems and column(systems), {}, no, {}, {}, pa.table({}), np.arange(n), [], n)

    assert repeated_elsewhere(rows(["1", "1", "2", "1", "3"], None), [3, 2]) == 1
    assert repeated_elsewhere(rows(["1", "1", "2", "1", "3"], ["a", "a", "a", "b", "b"]), [3, 2]) == 0
    assert repeated_elsewhere(rows(["1", "2", "2", "1"], ["a", "b", "b", "a"]), [1, 1, 2]) == 2


def test_own_column_file_stays(tmp_path: Path) -> None:
    own = write(tmp_path, "own.csv", "id,file,output,expected\n1,F,a,a\n2,G,b,b\n")
    run = run_files([answers(tmp_path, "a.csv", 2), own], ["bleu"], group_by=["file", "jeval.file"])
    assert {k: v["bleu"].n for k, v in run.groups["file"].items()} == {"(none)": 2, "F": 1, "G": 1}
    assert {k: v["bleu"].n for k, v in run.groups["jeval.file"].items()} == {"a.csv": 2, "own.csv": 2}
    with pytest.raises(BadInput, match="no column `fil`") as caught:
        run_files([own, answers(tmp_path, "b.csv", 2)], ["bleu"], group_by=["fil"])
    assert "file" in (caught.value.hint or "")


def test_with_system_leaves_a_system_that_is_there(tmp_path: Path) -> None:
    named = load(answers(tmp_path, "a.csv", 2, model_version=lambda i: f"m{i}"))
    bare = load(answers(tmp_path, "b.csv", 2))
    assert with_system(named, "x") is named and with_system(bare, None) is bare
    assert plain(with_system(bare, "x").model_version) == ["x", "x"]


def test_what_is_wrong_with_rows_names_their_file(tmp_path: Path) -> None:
    good = answers(tmp_path, "good.csv", 3)
    bad = write(tmp_path, "bad.csv", "id,output,expected\n1,a,b\n2,a\n,,\n3,c,c\n")
    run = run_files([good, bad], ["bleu"])
    alone = run_file(bad, ["bleu"])
    assert [(p.line, p.code, p.reason) for p in run.rows.problems] == [(p.line, p.code, f"bad.csv: {p.reason}") for p in alone.rows.problems]
    assert run.account() == {"in_file": 7, "scored": 5, "skipped": 1, "failed": 0, "rejected": 1}
    assert run.rows.blank == alone.rows.blank == 1


FAULTS: dict[str, tuple[str, type[JevalError], dict[str, Any], str]] = {
    "no expected text": ("id,output\n1,x\n", MissingExpected, {}, "--map expected="),
    "two expected": ("id,output,target,expected\n1,a,b,c\n", AmbiguousMapping, {}, "--map expected=target"),
    "no such column": ("id,output,expected\n1,a,b\n", UnknownColumn, {"columns": {"output": "answer"}}, "answer"),
    "empty": ("", MissingOutput, {}, "Choose another file"),
    "broken": ('{"a": [', UnreadableFile, {}, ""),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_an_error_names_its_file(tmp_path: Path, fault: str) -> None:
    text, kind, settings, hint = FAULTS[fault]
    path = write(tmp_path, "on_disk.json" if fault == "broken" else "on_disk.csv", text)
    first = write(tmp_path, "fine.csv", "id,answer,output,expected\n1,a,a,a\n")
    with pytest.raises(kind) as caught:
        run_files([first, path], ["bleu"], names=["fine.csv", "the second.csv"], **settings)
    assert caught.value.message.startswith("the second.csv: ") and hint in str(caught.value)
    assert str(caught.value).startswith("the second.csv: ") and caught.value.to_dict()["message"] == caught.value.message
    with pytest.raises(kind) as alone:
        run_files([path], ["bleu"], **settings)
    assert caught.value.message == f"the second.csv: {alone.value.message}" and caught.value.hint == alone.value.hint


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match=r"^gone.csv: There is no file `gone.csv`. Check the path.$"):
        run_files([answers(tmp_path, "a.csv"), tmp_path / "gone.csv"], ["bleu"])


@pytest.mark.parametrize(("files", "names"), [(0, None), (0, []), (2, ["one"]), (1, ["one", "two"])])
def test_every_file_has_a_name(tmp_path: Path, files: int, names: list[str] | None) -> None:
    with pytest.raises(BadInput, match="Every file needs a name"):
        run_files([answers(tmp_path, f"{i}.csv") for i in range(files)], ["bleu"], names=names)


def test_cancel_between_files(tmp_path: Path, three: list[Path]) -> None:
    asked: list[int] = []

    def after(files: int) -> Callable[[], bool]:
        asked.clear()
        return lambda: asked.append(1) or len(asked) > files

    for files in range(3):  # what comes next is not there: reading it would be another error
        paths = [*three[:files], tmp_path / "gone.csv", tmp_path / "gone too.csv"]
        with pytest.raises(Cancelled):
            gather(paths, [p.name for p in paths], Reading(), cancelled=after(files))
        assert len(asked) == files + 1
    with pytest.raises(Cancelled):
        run_files(three, ["bleu"], cancelled=after(3))
    assert len(gather(three, ["x"] * 3, Reading(), cancelled=after(3)).rows) == 75 and len(asked) == 3
