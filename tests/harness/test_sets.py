"""Regression sets: every line that gets in can be read, whoever adds it and whatever its columns were called."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

import portalocker
import pytest

from jeval_core import data
from jeval_core.errors import BadInput, JevalError
from jeval_core.harness import sets
from jeval_core.harness.errors import StoreUnavailable
from jeval_core.harness.store import Store
from jeval_core.runs import run_file
from tests.harness.files import everything
from tests.harness.working import python


def row(id: str = "1", output: str | None = "a b", **more: Any) -> dict[str, Any]:
    return {"id": id, "output": output, "references": [("expected", "a c")], **more}


def read(name: str) -> data.Rows:
    table = data.read(sets.path(name))
    return data.rows(table, data.map_columns(table))


def references(rows: data.Rows) -> list[tuple[str, list[str | None]]]:
    return [(name, column.to_pylist()) for name, column in rows.references]


def test_names_of_references_may_differ_from_row_to_row() -> None:
    named = [["expected"], ["ideal"], ["my answers", "Lösung #2"], ["expected_2", "ref"], []]
    for i, each in enumerate(named):
        given = [(name, f"text {i} of {name}") for name in each]
        added = sets.append("mixed", row(str(i), references=given))
        assert (added.new, added.cases) == (True, i + 1)
    rows = read("mixed")
    assert references(rows) == [
        ("expected", ["text 0 of expected", "text 1 of ideal", "text 2 of my answers", "text 3 of expected_2", None]),
        ("expected_2", [None, None, "text 2 of Lösung #2", "text 3 of ref", None]),
    ]
    assert rows.id.to_pylist() == [*"01234"] and data.dataset_version(rows) == added.version


def test_rows_of_a_run_come_back_as_they_were(tmp_path: Path) -> None:
    store = Store.open()
    found = store.run(store.save_run(run_file(everything(tmp_path / "a.jsonl"), ["bleu"])))
    for i in range(20):
        assert sets.append("all", found.row(i)).new
    assert not sets.append("all", found.row(7)).new
    rows = read("all")
    for i in range(20):
        wanted, case = found.row(i), rows.case(i)
        assert [text for _, text in case.references] == [text for _, text in wanted["references"]]
        assert (case.id, case.input, case.criteria) == (wanted["id"], wanted["input"], wanted["criteria"])
        assert (rows.output[i].as_py() or None) == wanted["output"]


HARD = ["a\u2028b\x85c", "a\nb\r\nc", '["x", "y"]', "[not a list", "  ", "né 🙂", '"', "=1+1"]


@pytest.mark.parametrize("text", HARD, ids=ascii)
def test_hard_texts_are_added_once(text: str) -> None:
    hard = row(output=text, input=text, references=[("expected", "a"), ("expected_2", text)])
    assert sets.append("hard", row("0", references=[("ref", "z")])).new
    assert sets.append("hard", hard).new
    again = sets.append("hard", hard)
    assert (again.new, again.cases) == (False, 2)
    case = read("hard").case(1)
    if text.strip():
        assert case.references == (("expected", "a"), ("expected_2", text)) and case.input == text
        assert read("hard").output[1].as_py() == text


def test_a_set_that_cannot_be_read_stays_as_it_was() -> None:
    sets.append("edited", row())
    spoiled = b'{"id": "1", "output": "a", "expected": "b"}\n{"id": "2", "output": "a", "ideal": "b"}'
    sets.path("edited").write_bytes(spoiled)
    with pytest.raises(data.AmbiguousMapping):
        sets.append("edited", row("3"))
    assert sets.path("edited").read_bytes() == spoiled
    assert [p.name for p in sets.folder().iterdir() if p.name != ".lock"] == ["edited.jsonl"]


def test_a_last_line_without_an_end_stays_a_line() -> None:
    sets.folder().mkdir()
    sets.path("edited").write_bytes(b'{"id": "1", "output": "a", "expected": "b"}')
    assert sets.append("edited", row("2")).cases == 2
    assert len([json.loads(line) for line in sets.path("edited").read_text("utf-8").splitlines()]) == 2


def test_only_the_owner_can_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JEVAL_HOME", str(tmp_path / "new" / "home"))
    sets.append("mine", row())
    assert sets.names() == ["mine"]
    for path in (tmp_path / "new" / "home", sets.folder(), sets.path("mine")):
        assert not path.stat().st_mode & 0o077, path


@pytest.mark.parametrize("name", ["", " ", "../x", "a/b", ".hidden", "a" * 61, "a\n b"])
def test_names_that_are_none(name: str) -> None:
    with pytest.raises(BadInput, match="letters, digits"):
        sets.append(name, row())


def test_what_the_disk_refuses(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    before = sets.append("a", row())
    with monkeypatch.context() as patch:
        patch.setattr(sets, "durable", full)
        with pytest.raises(StoreUnavailable, match="No space left on device.*Make room"):
            sets.append("a", row("2"))
    assert sets.append("a", row()).version == before.version
    monkeypatch.setattr(sets, "BUSY_SECONDS", 0)
    with portalocker.Lock(sets.folder() / ".lock", "a"), pytest.raises(StoreUnavailable, match="Another process.*Wait"):
        sets.append("a", row("2"))
    (home / "file").write_text("")
    monkeypatch.setenv("JEVAL_HOME", str(home / "file"))
    with pytest.raises(JevalError, match="JEVAL_HOME"):
        sets.append("a", row())


ADD = """
import sys
from jeval_core.harness import sets
for i in range(10):
    sets.append("common", {"id": f"{sys.argv[1]}-{i}", "output": "a", "references": [("ref", "b")]})
    sets.append("common", {"id": f"same-{i}", "output": "a", "references": [("ideal", "b")]})
"""


@pytest.mark.slow
def test_processes_and_threads_add_at_once() -> None:
    running = [python(ADD, str(me)) for me in range(3)]
    threads = [
        threading.Thread(target=lambda me=me: [sets.append("common", row(f"{me}-{i}")) for i in range(10)])
        for me in "ab"
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [(p.communicate()[1], p.returncode) for p in running] == [("", 0)] * 3
    ids = read("common").id.to_pylist()
    assert sorted(ids) == sorted(f"{me}-{i}" for me in ("0", "1", "2", "a", "b", "same") for i in range(10))
