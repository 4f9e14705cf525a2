"""What goes into the store comes out as it was."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import numpy as np
import pytest

from jeval_core import list_evaluators
from jeval_core.batch.scored import Scored
from jeval_core.errors import JevalError
from jeval_core.harness.errors import StoreUnavailable, UnknownRun
from jeval_core.harness.store import Store
from jeval_core.runs import Run, run_file
from tests.harness.files import everything, many

ALL = [card.id for card in list_evaluators() if card.kind == "code"]


def made(path: Path, **more) -> Run:
    tags = {"bad": "is_bad"}
    return run_file(path, ALL, tag_columns=tags, columns={"gold.gold": "gold"}, group_by=["task_type"], **more)


def same(a: Scored, b: Scored) -> None:
    assert (a.signature, a.native, a.reasons) == (b.signature, b.native, b.reasons)
    assert [*a.counts] == [*b.counts]
    pairs = [(getattr(a, n), getattr(b, n)) for n in ("score", "passed", "status", "reason")]
    for x, y in pairs + [(a.counts[n], b.counts[n]) for n in a.counts]:
        assert x.dtype == y.dtype and x.tobytes() == y.tobytes()


@pytest.mark.parametrize("rows", [1, 2, 20, 8_193])
def test_round_trip_bit_for_bit(tmp_path: Path, rows: int) -> None:
    run = made(everything(tmp_path / "all.jsonl", rows))
    store = Store.open()
    id = store.save_run(run, submitter="me")
    results = Store.open().run(id)
    assert (results.n, results.id, results.submitter, results.name) == (rows, run.id, "me", "all.jsonl")
    assert json.dumps(results.record) == json.dumps(run.to_dict())
    for evaluator in ALL:
        same(results.scored(evaluator), run.scored[evaluator])
    assert results.lines.tolist() == run.rows.lines.tolist()
    assert results.numbers("gold").tobytes() == run.rows.gold["gold"].tobytes()
    assert results.numbers("threshold").tobytes() == np.ascontiguousarray(run.rows.threshold).tobytes()
    assert results.tags["bad"].to_pylist() == run.rows.tags["bad"].to_pylist()
    codes, values = results.codes("task_type")
    assert [values[c] for c in codes] == run.rows.groups["task_type"].to_pylist()


def test_columns_by_role(tmp_path: Path) -> None:
    store = Store.open()
    results = store.run(store.save_run(made(everything(tmp_path / "a.jsonl"))))
    assert results.columns == {
        "id": ["id"], "line": ["file:line"], "model_version": ["model_version"],
        "input": ["input"], "output": ["output"], "references": ["expected", "expected_2"], "criteria": ["criteria"],
        "conversation": ["conversation"], "groups": ["task_type", "risk_tier"], "tags": ["bad"], "gold": ["gold"],
        "threshold": ["threshold"], "extra": ["line", "note"],
    }  # fmt: skip


def test_take_is_the_runs_table(tmp_path: Path) -> None:
    run = made(everything(tmp_path / "a.jsonl", 20_000))
    store = Store.open()
    results = store.run(store.save_run(run))
    table = run.table()
    for rows in (
        [],
        [3],
        [19_999, 0, 8_192, 8_191, 0],
        [*range(8_000, 8_500)],
        np.random.default_rng(3).permutation(20_000),
    ):
        found, wanted = results.take(rows), table.take(np.asarray(rows, np.int64))
        assert found.column_names == wanted.column_names
        for name in wanted.column_names:
            if name.startswith("expected"):
                continue  # `Run.table` writes a text that looks like a list as a list of one
            if wanted[name].type == "double":
                assert found[name].to_numpy().tobytes() == wanted[name].to_numpy().tobytes(), name
            else:
                assert found[name].to_pylist() == wanted[name].to_pylist(), name
    assert results.take([5, 4], ["note", "bleu.score", "id"]).column_names == ["note", "bleu.score", "id"]


def test_row_has_everything(tmp_path: Path) -> None:
    run = made(everything(tmp_path / "a.jsonl"))
    store = Store.open()
    results = store.run(store.save_run(run))
    for i in range(20):
        row, case = results.row(i), run.rows.case(i)
        assert (row["id"], row["input"], tuple(row["references"]), row["criteria"], row["conversation"]) == (
            case.id, case.input, case.references, case.criteria, case.conversation,
        )  # fmt: skip
        assert row["line"] == i + 1 and row["extra"]["line"] == f"L{i}"
        assert row["threshold"] == (0.4 if i % 2 else None)
        assert row["gold"] == ({"gold": float(i % 5 + 1)} if i % 4 else {})
        assert row["tags"] == {"bad": [True, False, None][i % 3]}
        assert row["output"] == run.rows.output[i].as_py()
        assert row["scores"]["bleu"]["status"] == ("scored" if run.scored["bleu"].status[i] == 0 else "skipped")


WRONG = [
    (lambda r: r.take([20]), "rows 0 to 19"),
    (lambda r: r.take([-1]), "rows 0 to 19"),
    (lambda r: r.take([0], ["outptu"]), "Did you mean `output`?"),
    (lambda r: r.codes("task"), "task_type"),
    (lambda r: r.numbers("output"), "has no column `output`"),
    (lambda r: r.scored("blue"), "Did you mean `bleu`?"),
    (lambda r: r.export("doc", "x.doc"), "Known: csv"),
]


@pytest.mark.parametrize(("ask", "says"), WRONG, ids=[w[1] for w in WRONG])
def test_wrong_questions(tmp_path: Path, ask, says: str) -> None:
    store = Store.open()
    results = store.run(store.save_run(made(everything(tmp_path / "a.jsonl"))))
    with pytest.raises(JevalError, match=says.replace("?", r"\?")):
        ask(results)


def test_systems_are_runs_of_their_own(tmp_path: Path) -> None:
    run = made(everything(tmp_path / "a.jsonl"))
    store = Store.open()
    id = store.save_run(run)
    assert store.systems(id) == {s["run_id"]: s["model_version"] for s in run.systems()}
    for at, (system, name) in enumerate(store.systems(id).items()):
        own = store.run(system)
        assert (own.model_version, own.id, own.n, own.record["run_id"]) == (name, system, 10, system)
        assert own.scored("bleu").score.tobytes() == run.scored["bleu"].score[at::2].tobytes()
        assert own.row(3)["line"] == 7 + at and own.take([9])["id"].to_pylist() == ["c9"]


def test_same_content_is_kept_once(tmp_path: Path, home: Path) -> None:
    store, path = Store.open(), everything(tmp_path / "a.jsonl")
    first = store.save_run(made(path), submitter="me")
    before = {p: p.stat().st_mtime_ns for p in (home / "runs").iterdir()}
    again = run_file(path, ALL, tag_columns={"bad": "is_bad"}, columns={"gold.gold": "gold"}, group_by=["risk_tier"])
    assert store.save_run(again) == first
    assert {p: p.stat().st_mtime_ns for p in (home / "runs").iterdir()} == before and len(before) == 2
    (kept,) = store.runs()
    assert kept.submitter == "me"
    assert {*store.run(first).record["groups"]} == {"task_type", "risk_tier"}


@pytest.mark.parametrize("changed", range(0, 20, 5))
def test_a_changed_row_is_another_run(tmp_path: Path, changed: int) -> None:
    """Even where no score moves: the note of one row is another."""
    store = Store.open()
    one = store.save_run(made(everything(tmp_path / "a.jsonl")))
    other = store.save_run(made(everything(tmp_path / "a.jsonl", changed=changed)))
    assert one != other and len(store.runs()) == 2
    notes = [store.run(id).row(changed)["extra"]["note"] for id in (one, other)]
    assert notes[1] == "another note" != notes[0]


def test_ids_do_not_depend_on_chunks(tmp_path: Path) -> None:
    from dataclasses import replace

    import pyarrow as pa

    run = made(everything(tmp_path / "a.jsonl", 100))
    rows = run.rows
    split = pa.chunked_array([rows.output.slice(0, 33), rows.output.slice(33).combine_chunks()])
    assert replace(run, rows=replace(rows, output=split)).id == run.id
    empty = pa.chunked_array([rows.output.combine_chunks().fill_null("")])
    assert replace(run, rows=replace(rows, output=empty)).id != run.id


def test_lists(tmp_path: Path) -> None:
    store = Store.open()
    ids = [store.save_run(made(everything(tmp_path / name, rows))) for name, rows in (("a.jsonl", 10), ("b.jsonl", 12))]
    assert [r.id for r in store.runs()] == ids[::-1]
    assert [r.id for r in store.runs("a.jsonl")] == [ids[0]] and [r.id for r in store.runs(limit=1)] == [ids[1]]
    version = store.runs()[0].dataset
    assert [r.id for r in store.runs(version[:8])] == [ids[1]]
    assert [(d.name, d.cases, d.runs) for d in store.datasets()] == [("b.jsonl", 12, 1), ("a.jsonl", 10, 1)]
    found = store.summaries("b.jsonl", "bleu", "task_type")
    assert {value for _, _, value, _ in found} == {"qa", "mt", "(none)"}
    ((run, metric, value, summary),) = store.summaries("b.jsonl", "bleu")
    assert (run.id, metric, value) == (ids[1], "bleu", "") and summary == store.run(ids[1]).record["aggregates"]["bleu"]


def test_delete(tmp_path: Path, home: Path) -> None:
    store, run = Store.open(), made(everything(tmp_path / "a.jsonl"))
    id = store.save_run(run)
    store.delete_run(id)
    assert not store.runs() and not store.datasets() and not store.summaries() and not [*(home / "runs").iterdir()]
    for ask in (store.run, store.delete_run):
        with pytest.raises(UnknownRun, match="`jeval runs` lists"):
            ask(id)
    assert store.save_run(run) == id and store.run(id).n == 20


def test_saved_again_while_it_is_deleted(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The deleter comes after the saver found the files whole, and removes them after the saver is done."""
    from jeval_core.harness.store import files

    store, run = Store.open(), made(everything(tmp_path / "a.jsonl"))
    id = store.save_run(run)
    whole, remove, late = files.whole, files.remove_files, []

    def found(home: Path, name: str) -> bool:
        there = whole(home, name)
        monkeypatch.setattr(files, "whole", whole)
        monkeypatch.setattr(files, "remove_files", lambda *one: late.append(one))
        Store.open().delete_run(id)
        monkeypatch.setattr(files, "remove_files", remove)
        return there

    monkeypatch.setattr(files, "whole", found)
    assert store.save_run(run) == id
    ((_, old),) = late
    remove(home, old)
    assert [r.id for r in store.runs()] == [id] and store.run(id).row(3) and store.run(id).n == 20
    assert len([*(home / files.FOLDER).iterdir()]) == 2


def test_nothing_is_left_of_a_failed_write(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from jeval_core.harness.store import files

    store, run = Store.open(), made(everything(tmp_path / "a.jsonl"))

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(files.parquet, "write_table", full)
    with pytest.raises(StoreUnavailable, match="No space left on device.*Make room"):
        store.save_run(run)
    assert not store.runs() and not [*(home / "runs").iterdir()]


def test_a_folder_that_cannot_be_used(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreUnavailable, match="JEVAL_HOME"):
        Store.open(tmp_path / "file")
    with pytest.raises(StoreUnavailable, match="JEVAL_DATABASE_URL"):
        Store.open(tmp_path / "home", "nonsense://x")


def test_only_the_owner_can_read(tmp_path: Path) -> None:
    store = Store.open(tmp_path / "new" / "home")
    store.save_run(made(everything(tmp_path / "a.jsonl")))
    for path in (store.home, *store.home.rglob("*")):
        assert path.name == "store.lock" or not path.stat().st_mode & 0o077, path


def test_large_groups_of_rows(tmp_path: Path) -> None:
    run = run_file(many(tmp_path / "m.csv", 70_000), ["bleu"])
    store = Store.open()
    results = store.run(store.save_run(run))
    same(results.scored("bleu"), run.scored["bleu"])
    rows = np.array([69_999, 65_536, 65_535, 1])
    assert (
        results.take(rows, ["bleu.score"])["bleu.score"].to_numpy().tolist() == run.scored["bleu"].score[rows].tolist()
    )


def test_what_dead_writers_left_is_swept(tmp_path: Path, home: Path) -> None:
    """Parts, and one file of two, once they are a day old; whole pairs and all that is young stay."""
    from jeval_core.harness.store import files

    store = Store.open()
    id = store.save_run(made(everything(tmp_path / "a.jsonl")))
    folder = home / files.FOLDER
    listed = {*folder.iterdir()}
    pair = {folder / f"aa-00.{kind}.parquet" for kind in ("texts", "scores")}
    half = {folder / "bb-00.texts.parquet", folder / "cc-00.scores.parquet"}
    parts = {folder / ".dd-00.texts.parquet.x1.part", folder / ".dd-00.scores.parquet.x2.part"}
    foreign = {folder / "notes.txt"}
    for path in pair | half | parts | foreign:
        path.write_bytes(b"x")
    Store.open()
    assert {*folder.iterdir()} == listed | pair | half | parts | foreign
    old = time.time() - files.STALE_SECONDS - 60
    for path in folder.iterdir():
        os.utime(path, (old, old))
    young = folder / ".ee-00.texts.parquet.x3.part"
    young.write_bytes(b"x")
    assert Store.open().run(id).n == 20
    assert {*folder.iterdir()} == listed | pair | foreign | {young}
