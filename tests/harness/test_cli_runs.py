"""`jeval run` keeps what it scored, `jeval runs` lists it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from console.cli import app
from jeval_core.errors import JevalError
from jeval_core.harness.spec import Spec
from jeval_core.harness.store import Store
from jeval_core.runs import run_file
from tests.harness.files import everything
from tests.harness.test_store import same


def call(*args: object, code: int = 0) -> Any:
    done = CliRunner().invoke(app, [*map(str, args)])
    assert done.exit_code == code, done.output
    return done


def score(*args: object, code: int = 0) -> dict[str, Any]:
    return json.loads(call("run", *args, "--evaluators", "bleu", "--json", code=code).stdout)


def system(folder: Path, name: str, outputs: list[str]) -> Path:
    """Answers of one system to the same cases."""
    path = folder / f"{name}.csv"
    path.write_text("id,output,expected\n" + "".join(f"{i},{o},a b c d\n" for i, o in enumerate(outputs)), "utf-8")
    return path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return everything(tmp_path / "a.jsonl")


def test_the_run_is_kept(path: Path) -> None:
    out = score(path, "--group-by", "task_type", "--tag-column", "bad=is_bad", "--submitter", "me")
    store = Store.open()
    (kept,) = store.runs()
    assert (kept.id, kept.name, kept.rows, kept.submitter) == (out["run_id"], "a.jsonl", 20, "me")
    found = store.run(kept.id)
    assert json.loads(json.dumps(found.record)) == out
    wanted = run_file(path, ["bleu"], tag_columns={"bad": "is_bad"}, group_by=["task_type"])
    assert wanted.id == kept.id
    same(found.scored("bleu"), wanted.scored["bleu"])


def test_it_can_be_made_again_from_anywhere(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is kept says how: absolute paths, options, thresholds."""
    monkeypatch.chdir(path.parent)
    settings = ["--option", "bleu.variant=sacrebleu", "--threshold", "bleu=0.3", "--gold-scale", "1-5"]
    out = score(path.name, *settings, "--model-version", "m1")
    monkeypatch.chdir("/")
    with Store.open().reading() as c:
        (spec,) = c.exec_driver_sql("SELECT spec FROM runs").one()
    made = Spec.from_dict(json.loads(spec)).run()
    assert made.id == out["run_id"] and json.loads(json.dumps(made.to_dict())) == out


@pytest.mark.parametrize("more", [[], ["--json"]])
def test_keeping_changes_nothing_that_is_printed(path: Path, more: list[str]) -> None:
    asked = ["run", path, "--evaluators", "bleu,gleu", *more]
    aside, kept = call(*asked, "--no-store"), call(*asked)
    assert [r.name for r in Store.open().runs()] == ["a.jsonl"]
    assert untimed(kept.stdout) == untimed(aside.stdout) and rest(kept.stderr) == rest(aside.stderr)


def untimed(said: str) -> list[str]:
    """All but what it took, which is never the same twice."""
    return [line for line in said.splitlines() if not line.startswith("time: ")]


def rest(text: str) -> list[str]:
    """The lines without the bar, whose times differ."""
    return [line for line in re.split(r"[\r\n]", text) if line and "rows," not in line]


def test_no_store(path: Path, home: Path) -> None:
    score(path, "--no-store")
    assert not [*home.iterdir()]


def test_the_same_file_twice_is_one_run(path: Path) -> None:
    first = score(path, "--submitter", "me")
    again = score(path)
    assert first == again
    (kept,) = Store.open().runs()
    assert kept.submitter == "me"


@pytest.mark.parametrize(
    ("home", "url"),
    [("/proc/none/home", ""), ("{file}", ""), ("{fine}", "nonsense://x"), ("{fine}", "sqlite:////proc/none/x.db")],
    ids=["no folder", "a file", "no such driver", "no such place"],
)
@pytest.mark.parametrize(("output", "code"), [("a b c d", 0), ("", 2)], ids=["scored", "nothing scored"])
def test_a_store_that_cannot_be_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, home: str, url: str, output: str, code: int
) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps({"output": output or None, "expected": "a b c d"}) + "\n", "utf-8")
    (tmp_path / "file").write_text("")
    asked = ["run", path, "--evaluators", "bleu", "--json"]
    plain = call(*asked, "--no-store", code=code)
    monkeypatch.setenv("JEVAL_HOME", home.format(file=tmp_path / "file", fine=tmp_path / "fine"))
    monkeypatch.setenv("JEVAL_DATABASE_URL", url)
    done = call(*asked, code=code)
    assert done.stdout == plain.stdout
    (said,) = set(rest(done.stderr)) - set(rest(plain.stderr))
    assert said.startswith("jeval: the run is not kept. ") and "JEVAL_" in said and "Traceback" not in done.output


def test_a_file_that_fails_is_not_kept(tmp_path: Path) -> None:
    (tmp_path / "bad.csv").write_text("a,b\n1,2\n")
    call("run", tmp_path / "bad.csv", "--evaluators", "bleu", code=2)
    call("run", tmp_path / "none.csv", "--evaluators", "bleu", code=3)
    assert not Store.open().runs()


def test_several_files_are_several_systems(tmp_path: Path) -> None:
    one = system(tmp_path, "one", ["a b c d", "a b", "x"])
    two = system(tmp_path, "two", ["a b c", "a b c d", "a b c d"])
    out = score(one, two, "--group-by", "model_version")
    alone = {path.stem: score(path, "--no-store")["aggregates"]["bleu"] for path in (one, two)}
    groups = out["groups"]["model_version"]
    assert {name: each["bleu"]["mean"] for name, each in groups.items()} == {n: a["mean"] for n, a in alone.items()}
    assert out["dataset"]["name"] == "one.csv, two.csv" and out["rows"]["in_file"] == 6
    store = Store.open()
    assert [r.id for r in store.runs()] == [out["run_id"]]
    assert sorted(store.systems(out["run_id"]).values()) == ["one", "two"]
    for each in out["runs"]:
        mean = store.run(each["run_id"]).scored("bleu").score.mean()
        assert mean == pytest.approx(alone[each["model_version"]]["mean"], abs=1e-15)


def test_a_fault_in_one_of_several_names_it(tmp_path: Path) -> None:
    one = system(tmp_path, "one", ["a"])
    done = call("run", one, tmp_path / "none.csv", "--evaluators", "bleu", code=3)
    assert "none.csv" in done.stderr and not Store.open().runs()


def test_runs_of_an_empty_store() -> None:
    assert call("runs").stdout == "No run is stored.\n"
    assert call("runs", "--dataset", "x").stdout == "No run of this data set is stored.\n"
    assert json.loads(call("runs", "--json").stdout) == []


def test_runs(tmp_path: Path) -> None:
    made = [score(system(tmp_path, name, [name, "a b"]), "--submitter", f"by {name}") for name in ("x", "y", "z")]
    ids = [out["run_id"] for out in made]
    lines = call("runs").stdout.splitlines()
    assert [line.split()[0] for line in lines] == ids[::-1]
    version = made[2]["dataset"]["version"]
    pattern = rf"{ids[2]}  \d{{4}}-\d\d-\d\d \d\d:\d\d  z\.csv \({version[:8]}\), 2 rows, bleu, by by z"
    assert re.fullmatch(pattern, lines[0])
    assert [line.split()[0] for line in call("runs", "--limit", 2).stdout.splitlines()] == [ids[2], ids[1]]
    assert [line.split()[0] for line in call("runs", "--dataset", "y.csv").stdout.splitlines()] == [ids[1]]
    assert [*call("runs", "--dataset", version[:8]).stdout.splitlines()] == lines  # the cases are the same in all three


def test_runs_as_json(tmp_path: Path) -> None:
    out = score(system(tmp_path, "x", ["a b"]), "--model-version", "m")
    (run,) = json.loads(call("runs", "--json").stdout)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00", run.pop("created"))
    assert run == {
        "run_id": out["run_id"],
        "dataset": out["dataset"],
        "model_version": "m",
        "evaluators": ["bleu"],
        "asked": ["bleu"],
        "signatures": out["signatures"],
        "rows": 1,
        "submitter": None,
    }


def test_names_cannot_drive_the_terminal(tmp_path: Path) -> None:
    score(system(tmp_path, "x\x1b[31m", ["a b"]), "--submitter", "me\x1b]0;title\x07\nanother line")
    done = call("runs").stdout
    assert "\x1b" not in done and "\x07" not in done and len(done.splitlines()) == 1


@pytest.mark.parametrize("args", [["--limit", "0"], ["--limit", "x"], ["--nonsense"]])
def test_wrong_calls(args: list[str]) -> None:
    call("runs", *args, code=3)


def test_a_database_that_is_none(path: Path, home: Path) -> None:
    (home / "jeval.sqlite").write_bytes(b"not a database" * 100)
    for done in (call("runs", code=3), call("run", path, "--evaluators", "bleu")):
        (said,) = [line for line in done.stderr.splitlines() if "file is not a database" in line]
        assert said.startswith("jeval: ") and str(home) in said and "JEVAL_HOME" in said
    assert (home / "jeval.sqlite").read_bytes() == b"not a database" * 100


def test_runs_without_a_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("JEVAL_HOME", str(tmp_path / "file"))
    done = call("runs", code=3)
    assert done.stdout == "" and len(done.stderr.splitlines()) == 1 and "JEVAL_HOME" in done.stderr


@pytest.mark.parametrize("out", ["a.jsonl", "b.csv.gz", "nowhere/b.csv"])
def test_a_target_that_cannot_be_is_refused_before_anything_is_done(path: Path, out: str) -> None:
    before = path.read_bytes()
    call("run", path, "--evaluators", "bleu", "--out", path.parent / out, code=3)
    assert path.read_bytes() == before and Store.open().runs() == []


def test_two_files_are_told_apart_without_being_asked(tmp_path: Path) -> None:
    files = [system(tmp_path, "may", ["a b c d", "x"]), system(tmp_path, "june", ["x", "x"])]
    out = score(*files)
    means = {name: each["bleu"]["mean"] for name, each in out["groups"]["model_version"].items()}
    assert means["may"] > means["june"]


def test_rows_that_were_cut_short_are_written_again(path: Path) -> None:
    id = score(path)["run_id"]
    store = Store.open()
    for file in (store.home / "runs").glob("*.parquet"):
        file.write_bytes(file.read_bytes()[:100])
    with pytest.raises(JevalError):
        store.run(id)
    assert score(path)["run_id"] == id
    assert store.run(id).n == 20


def test_a_field_is_mapped_once(path: Path) -> None:
    said = call("run", path, "--evaluators", "bleu", "--map", "output=output", "--map", "output=note", code=3)
    assert "twice" in said.stderr
