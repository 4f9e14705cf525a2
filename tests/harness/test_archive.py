"""A run as a file: out of one store, into another, and whatever else is refused without a trace."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jeval_core.errors import BadInput
from jeval_core.harness.archive import export_run, import_run
from jeval_core.harness.errors import UnknownRun
from jeval_core.harness.spec import Spec
from jeval_core.harness.store import Store
from tests.harness.files import everything


@pytest.fixture
def archive(tmp_path: Path) -> bytes:
    path = everything(tmp_path / "a.jsonl")
    spec = Spec(((str(path), path.name),), ("bleu", "rouge_l"), tag_columns={"bad": "is_bad"})
    store, stream = Store.open(tmp_path / "here"), io.BytesIO()
    export_run(store, store.save_run(spec.run(), spec, "me"), stream)
    return stream.getvalue()


def parts(archive: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(archive)) as found:
        return {name: found.read(name) for name in found.namelist()}


def zipped(files: dict[str, bytes]) -> io.BytesIO:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return stream


def test_a_run_is_the_same_elsewhere(tmp_path: Path, archive: bytes) -> None:
    here, there = Store.open(tmp_path / "here"), Store.open(tmp_path / "there")
    id, new = import_run(there, io.BytesIO(archive))
    old, found = here.run(id), there.run(id)
    assert new and found.record == old.record and found.spec == old.spec and found.submitter == "me"
    rows = range(old.n)
    assert repr(found.take(rows).to_pydict()) == repr(old.take(rows).to_pydict())
    assert there.runs() == here.runs() and there.summaries() == here.summaries() and there.systems(id) == here.systems(id)
    for part in there.systems(id):
        assert there.run(part).n == 10
    again = io.BytesIO()
    export_run(there, id, again)
    assert parts(again.getvalue()) == parts(archive)


def test_what_is_here_already_stays(tmp_path: Path, archive: bytes) -> None:
    there = Store.open(tmp_path / "there")
    id, _ = import_run(there, io.BytesIO(archive))
    files = sorted((tmp_path / "there" / "runs").iterdir())
    assert import_run(there, io.BytesIO(archive)) == (id, False)
    assert sorted((tmp_path / "there" / "runs").iterdir()) == files and len(there.runs()) == 1
    there.delete_run(id)
    assert import_run(there, io.BytesIO(archive)) == (id, True)


def test_an_unknown_run_is_not_exported(tmp_path: Path) -> None:
    with pytest.raises(UnknownRun):
        export_run(Store.open(tmp_path / "here"), "0123456789abcdef", io.BytesIO())


def told(change: Callable[[dict[str, Any]], Any]) -> Callable[[dict[str, bytes]], dict[str, bytes]]:
    def changed(files: dict[str, bytes]) -> dict[str, bytes]:
        manifest = json.loads(files["run.json"])
        change(manifest)
        return files | {"run.json": json.dumps(manifest).encode()}

    return changed


def record(change: Callable[[dict[str, Any]], Any]) -> Callable[[dict[str, Any]], None]:
    def changed(manifest: dict[str, Any]) -> None:
        inside = json.loads(manifest["run"]["record"])
        change(inside)
        manifest["run"]["record"] = json.dumps(inside)

    return changed


BAD = {
    "a table cut off": (lambda f: f | {"texts.parquet": f["texts.parquet"][:-9]}, "was changed or cut off"),
    "a file more": (lambda f: f | {"../evil": b"x"}, "and nothing else"),
    "a file less": (lambda f: {k: v for k, v in f.items() if k != "scores.parquet"}, "and nothing else"),
    "no JSON": (lambda f: f | {"run.json": b"{"}, "is not JSON"),
    "a list": (lambda f: f | {"run.json": b"[]"}, "its format is not"),
    "another format": (told(lambda m: m.update(format="jeval run 9")), "its format is not"),
    "no run": (told(lambda m: m.pop("run")), "lacks a part"),
    "an id that is a path": (told(lambda m: m["run"].update(id="../../etc/passwd0")), "contradicts itself"),
    "rows as text": (told(lambda m: m["run"].update(rows="20")), "has the wrong type"),
    "other rows": (told(lambda m: m["run"].update(rows=21)), "lists 21 rows and holds 20"),
    "a field more": (told(lambda m: m["run"].update(more=1)), "other fields"),
    "another version": (told(lambda m: m["dataset"].update(version="0" * 64)), "contradicts itself"),
    "no aggregates": (told(record(lambda r: r.pop("aggregates"))), "is not whole"),
    "aggregates of another": (told(record(lambda r: r["aggregates"].pop("bleu"))), "is not whole"),
    "a spec of nothing": (told(lambda m: m["run"].update(spec="{}")), "cannot be read"),
    "a spec with a key more": (told(lambda m: m["run"].update(spec='{"x": 1}')), "cannot be read"),
    "other evaluators": (told(lambda m: m["run"].update(evaluators='["gleu"]')), "is not whole"),
    "tables turned round": (lambda f: f | {"texts.parquet": f["scores.parquet"]}, "was changed or cut off"),
}


@pytest.mark.parametrize("name", BAD)
def test_anything_else_is_refused_and_leaves_nothing(tmp_path: Path, archive: bytes, name: str) -> None:
    change, said = BAD[name]
    there = Store.open(tmp_path / "there")
    with pytest.raises(BadInput, match=said) as refused:
        import_run(there, zipped(change(parts(archive))))
    assert refused.value.message.startswith("This is not an exported run")
    assert not there.runs() and not [*(tmp_path / "there").glob("runs/*")]


@pytest.mark.parametrize("content", [b"", b"PK", b"id,output\n1,a\n"], ids=["empty", "two letters", "a CSV"])
def test_what_is_no_archive_is_refused(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(BadInput, match="no zip file"):
        import_run(Store.open(tmp_path), io.BytesIO(content))
