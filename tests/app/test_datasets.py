"""Every step of the Datasets page, without a browser."""

from __future__ import annotations

import csv
import html
import io
import json
import time
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from pyarrow import parquet
from streamlit.testing.v1 import AppTest
from typer.testing import CliRunner

import console
from console import stored
from console.cli import app as command
from console.components.datasets import export, problems
from console.components.datasets.place import Place
from console.sample_sets import SETS
from jeval_core.harness import sets, uploads
from jeval_core.harness.spec import Spec
from jeval_core.harness.store import Store
from tests.test_run import MESSY, OUTCOMES

APP = Path(console.__file__).with_name("app.py")
WAIT = 60


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JEVAL_HOME", str(tmp_path))


def open_at(place: Place) -> AppTest:
    app = AppTest.from_file(str(APP), default_timeout=60)
    app.switch_page("views/datasets.py")
    for name, value in place.params().items():
        app.query_params[name] = value
    return checked(app.run())


def checked(app: AppTest) -> AppTest:
    assert not app.exception, app.exception
    return app


def upload(path: Path, name: str | None = None) -> str:
    with path.open("rb") as stream:
        return uploads.save(stream, name or path.name)


def parameter(app: AppTest, name: str) -> str | None:
    value = app.query_params.get(name)
    return value[0] if isinstance(value, list) else value


def words(app: AppTest) -> str:
    """All that can be read: the product's headings, captions, texts, messages."""
    parts = [e.value for kind in (app.caption, app.text, app.markdown, app.error, app.warning) for e in kind]
    parts += [e.proto.body for e in app.get("html")]
    return "\n".join(str(p) for p in parts)


def score(app: AppTest) -> AppTest:
    """Press the button and wait for the results."""
    app.button(key="score-file").click()
    checked(app.run())
    end = time.monotonic() + WAIT
    while parameter(app, "run") is None and time.monotonic() < end:
        if "could not be made" in words(app):
            return app
        time.sleep(0.1)
        checked(app.run())
    return app


def command_line(path: Path, *more: str) -> tuple[int, dict | None, str]:
    done = CliRunner().invoke(command, ["run", str(path), "--json", "--no-store", *more])
    return done.exit_code, json.loads(done.stdout) if done.exit_code == 0 else None, done.stderr


def plain(text: str) -> str:
    return " ".join(text.replace("`", "").split())


@pytest.mark.parametrize("name", OUTCOMES)
def test_messy_files_end_as_on_the_command_line(name: str) -> None:
    path = MESSY / name
    code, out, error = command_line(path, "--evaluators", "bleu,gleu,rouge_n")
    app = open_at(Place())
    app.file_uploader[0].set_value((name, path.read_bytes(), "application/octet-stream"))
    app = checked(checked(app.run()).run())
    if code:
        said = error.strip().removeprefix("jeval: ").split(". ")[0].rstrip(".")
        assert plain(said) in plain(words(app)) or "There is no row to score" in words(app)
        button = [b for b in app.button if b.key == "score-file"]
        assert not button or button[0].disabled
        return
    pills = next(g for g in app.button_group if (g.key or "").startswith("evaluators-"))
    app = checked(pills.set_value(["bleu", "gleu", "rouge_n"]).run())
    app = score(app)
    found = Store.open().run(parameter(app, "run") or "")
    assert {k: v for k, v in found.record.items() if k not in ("dataset", "run_id", "groups", "runs")} == {
        k: v for k, v in out.items() if k not in ("dataset", "run_id", "groups", "runs")
    }
    assert found.record["dataset"]["version"] == out["dataset"]["version"]
    assert problems.account(out["rows"]) in words(app)
    if out["problems"]:
        table = next(d.value for d in app.dataframe if "Outcome" in d.value)
        assert [*table["What is wrong and what to do"]] == [p["reason"] for p in out["problems"]]


def test_an_ambiguous_file_is_one_question_with_one_click() -> None:
    app = open_at(Place(files=(upload(MESSY / "08_duplicate_headers.csv"),)))
    asked = [b for b in app.button if (b.key or "").startswith("ask-output")]
    assert len(asked) == 2 and not [b for b in app.button if b.key == "score-file"]
    asked[0].click()
    app = checked(app.run())
    assert not app.button(key="score-file").disabled
    assert parameter(score(app), "run")


def test_the_reading_can_be_corrected(tmp_path: Path) -> None:
    path = tmp_path / "odd.csv"
    path.write_text("output|expected\na, b|a, b\n", "utf-8")
    app = open_at(Place(files=(upload(path),)))
    choice = next(s for s in app.selectbox if s.label == "Delimiter")
    assert choice.value == "|"
    choice.select(",")
    app = checked(app.run())
    assert next(s for s in app.selectbox if s.label == "Delimiter").value == ","
    next(s for s in app.selectbox if s.label == "Delimiter").select("|")
    app = score(checked(app.run()))
    assert Store.open().run(parameter(app, "run")).record["aggregates"]["bleu"]["mean"] == 1.0


def stored_run(key: str = "qa", **more: object) -> str:
    sample = next(s for s in SETS if s.key == key)
    spec = Spec(
        ((str(sample.path), sample.path.name),),
        sample.evaluators,
        tag_columns=sample.tag_columns,
        group_by=sample.group_by,
        **more,
    )
    return Store.open().save_run(spec.run(), spec)


@pytest.mark.parametrize("sample", SETS, ids=lambda s: s.key)
def test_example_sets_and_their_numbers(sample) -> None:
    app = score(open_at(Place(sample=sample.key)))
    found = Store.open().run(parameter(app, "run") or "")
    tags = [f"--tag-column={tag}={column}" for tag, column in sample.tag_columns.items()]
    groups = [f"--group-by={name}" for name in sample.group_by]
    _, out, _ = command_line(sample.path, "--evaluators", ",".join(sample.evaluators), *tags, *groups)
    assert found.record["aggregates"] == out["aggregates"] and found.record["groups"] == out["groups"]
    assert found.id == out["run_id"]
    figures = {m.label: m for m in app.metric}
    first = out["aggregates"][sample.evaluators[0]]
    assert figures["Mean"].value == f"{first['mean']:.3f}"
    assert figures["Pass rate"].value == f"{first['pass_rate']:.1%}"
    assert figures["Rows scored"].value == f"{first['n']:,}"


def table_of(app: AppTest):
    return next(d.value for d in app.dataframe if "Verdict" in d.value)


def test_the_row_picked_is_the_row_shown() -> None:
    run = stored_run()
    found = Store.open().run(run)
    for place in (
        Place(run=run),
        Place(run=run, metric="rouge_l", sort="highest first"),
        Place(run=run, show="✗ fail", sort="file order", page=1),
        Place(run=run, by="model_version", group=found.codes("model_version")[1][0]),
        Place(run=run, bar=3),
    ):
        rows = stored.order(Place(**{**place.__dict__, "metric": place.metric or "bleu"}))
        if not len(rows):
            continue
        app = open_at(place)
        shown = table_of(app)
        part = rows[place.page * 25 : place.page * 25 + 25]
        assert [*shown["Line"]] == found.lines[part].tolist()
        last = len(part) - 1
        app = open_at(Place(**{**place.__dict__, "row": int(part[last])}))
        assert found.row(int(part[last]))["output"] in [t.value for t in app.text]


def numbers(found, id: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    outcome = found.scored(id)
    return outcome.score, outcome.passed, outcome.status == 0


WANTED = {
    "All": lambda found: np.full(found.n, True),
    "✗ fail": lambda found: numbers(found, "bleu")[2] & ~numbers(found, "bleu")[1],
    "Near the threshold": lambda found: np.abs(numbers(found, "bleu")[0] - 0.5) <= 0.03,
    "Metrics disagree": lambda found: (
        np.array([numbers(found, id)[1] for id in found.evaluators]).any(axis=0)
        & np.array([~numbers(found, id)[1] & numbers(found, id)[2] for id in found.evaluators]).any(axis=0)
    ),
    "Not scored": lambda found: ~numbers(found, "bleu")[2],
}


@pytest.mark.parametrize("show", WANTED)
def test_what_a_filter_leaves(show: str, tmp_path: Path) -> None:
    sample = next(s for s in SETS if s.key == "translation")
    path = tmp_path / "some blank.csv"
    lines = sample.path.read_text("utf-8").splitlines()
    path.write_text(
        "\n".join([*lines, *(",".join("" for _ in lines[0].split(",")[:-1]) + ",left" for _ in range(2))]), "utf-8"
    )
    spec = Spec(((str(path), path.name),), sample.evaluators)
    found = Store.open().run(Store.open().save_run(spec.run(), spec))
    wanted = np.flatnonzero(WANTED[show](found))
    assert 0 < len(wanted)
    score = numbers(found, "bleu")[0]
    place = Place(run=found.id, metric="bleu", show=show)
    for sort, order in (("file order", wanted), ("lowest first", wanted[np.argsort(score[wanted], kind="stable")]),
                        ("highest first", wanted[np.argsort(-score[wanted], kind="stable")])):  # fmt: skip
        assert stored.order(replace(place, sort=sort)).tolist() == order.tolist()


def test_a_group_column_without_a_group_filters_nothing() -> None:
    run = stored_run("translation")
    found = Store.open().run(run)
    assert len(stored.order(Place(run=run, metric="bleu", by="model_version"))) == found.n
    own = [i for i, v in enumerate(found.take(range(found.n), ["model_version"])[0].to_pylist()) if v == "fluent"]
    rows = stored.order(Place(run=run, metric="bleu", sort="file order", by="model_version", group="fluent"))
    assert rows.tolist() == own


def test_runs_that_differ_only_in_the_threshold_are_two() -> None:
    low, high = (stored_run("translation", thresholds={"bleu": t}) for t in (0.505, 0.5051))
    assert low != high
    near = [len(stored.order(Place(run=r, metric="bleu", show="Near the threshold"))) for r in (low, high)]
    assert all(near) and Store.open().run(low).spec["thresholds"] == {"bleu": 0.505}


def test_thresholds_by_row_count_for_what_is_near(tmp_path: Path) -> None:
    path = tmp_path / "own.csv"
    path.write_text("output,expected,threshold\na b c d,a b c d,1.0\na b c d,a b c d,0.2\n", "utf-8")
    spec = Spec(((str(path), path.name),), ("bleu",))
    run = Store.open().save_run(spec.run(), spec)
    assert stored.order(Place(run=run, metric="bleu", show="Near the threshold")).tolist() == [0]
    assert any("thresholds of their own" in e.proto.body for e in open_at(Place(run=run)).get("html"))


def test_settings_stay_when_the_mapping_is_left() -> None:
    app = open_at(Place(sample="translation"))
    threshold = next(n for n in app.number_input if n.key.endswith("bleu-threshold"))
    app = checked(threshold.set_value(0.2).run())
    pills = next(g for g in app.button_group if (g.key or "").startswith("evaluators-"))
    app = score(checked(pills.set_value(["bleu", "levenshtein"]).run()))
    assert Store.open().run(parameter(app, "run")).spec["thresholds"] == {"bleu": 0.2}
    app.button(key="step-Mapping").click()
    app = checked(app.run())
    assert next(n for n in app.number_input if n.key.endswith("bleu-threshold")).value == 0.2
    assert {n.key.rsplit("-", 2)[1] for n in app.number_input if n.key.endswith("-threshold")} == {
        "bleu",
        "levenshtein",
    }


def test_parallel_text_is_one_data_set(tmp_path: Path) -> None:
    for name, text in (("hyp.txt", "the cat sat\na dog ran\n"), ("ref.txt", "the cat sat\nthe dog ran\n")):
        (tmp_path / name).write_text(text, "utf-8")
    app = open_at(Place(files=(upload(tmp_path / "hyp.txt"), upload(tmp_path / "ref.txt"))))
    assert "a system each" not in words(app)
    app = score(app)
    assert Store.open().run(parameter(app, "run")).record["rows"]["scored"] == 2


def test_previous_and_next_follow_the_list() -> None:
    run = stored_run()
    rows = stored.order(Place(run=run, metric="bleu"))
    app = open_at(Place(run=run, metric="bleu", row=int(rows[0])))
    assert app.button(key="row-Previous").disabled
    app.button(key="row-Next").click()
    app = checked(app.run())
    assert parameter(app, "row") == str(rows[1])


def test_every_row_shows_the_frames_of_its_score() -> None:
    run = stored_run("translation")
    found = Store.open().run(run)
    for row in (0, 7, 50):
        for id in found.evaluators:
            app = open_at(Place(run=run, metric=id, row=row))
            stage = next(e.proto for e in app.get("bidi_component") if e.proto.component_name.endswith("jeval_stage"))
            trace = json.loads(stage.json or stage.mixed.json)["trace"]
            assert trace["result"]["score"] == float(found.scored(id).score[row])


@pytest.mark.parametrize(
    ("place", "says"),
    [
        (Place(run="0" * 16), "run"),
        (Place(job="nothing"), "job"),
        (Place(files=("nothing",)), "Upload it again"),
        (Place(sample="nothing"), "example set"),
    ],
    ids=["run", "job", "file", "sample"],
)
def test_addresses_that_lead_nowhere(place: Place, says: str) -> None:
    app = open_at(place)
    assert says in " ".join(e.value for e in app.error)


@pytest.mark.parametrize(
    "wrong",
    [{"metric": "nope"}, {"bar": 4_000}, {"by": "nope", "group": "x"}, {"page": 9_999}, {"by": "output", "group": "x"}],
    ids=str,
)
def test_what_a_run_does_not_have_counts_as_not_given(wrong: dict) -> None:
    app = open_at(Place(run=stored_run(), **wrong))
    assert not app.error and len(table_of(app))


def test_a_row_that_is_not_there() -> None:
    assert "there is none" in open_at(Place(run=stored_run(), row=99_999)).error[0].value


def test_one_system_of_a_run_is_a_run_of_its_own() -> None:
    systems = Store.open().systems(stored_run("translation"))
    assert sorted(systems.values()) == ["fluent", "steady"]
    for id in systems:
        app = open_at(Place(run=id))
        assert next(m.value for m in app.metric if m.label == "Rows scored") == "48"
        checked(open_at(Place(run=id, row=3)))


@pytest.mark.parametrize("kind", export.KINDS)
def test_exports(kind: str, home: None) -> None:
    found = Store.open().run(stored_run("translation"))
    content = export.content(found, kind)
    if kind == "csv":
        rows = [*csv.DictReader(io.StringIO(content.decode("utf-8-sig")))]
        assert [r["output"] for r in rows] == found.take(range(found.n), ["output"])["output"].to_pylist()
    elif kind == "jsonl":
        assert len([json.loads(line) for line in content.splitlines()]) == found.n
    elif kind == "parquet":
        table = parquet.read_table(io.BytesIO(content))
        assert table["bleu.score"].to_pylist() == found.take(range(found.n), ["bleu.score"])["bleu.score"].to_pylist()
    elif kind == "xml":
        suites = {s.get("name"): s for s in ElementTree.fromstring(content)}
        failed = int((~found.scored("bleu").passed).sum())
        assert (suites["bleu"].get("tests"), suites["bleu"].get("failures")) == (str(found.n), str(failed))
        assert len({(c.get("classname"), c.get("name")) for c in suites["bleu"]}) == found.n
    else:
        worst = found.row(int(np.nanargmin(found.scored("bleu").score)))
        assert worst["output"] in html.unescape(content.decode())


def test_the_report_names_whom_it_agrees_with() -> None:
    found = Store.open().run(stored_run("translation"))
    text = html.unescape(export.content(found, "html", "human_score", 3.0).decode())
    good = found.numbers("human_score") >= 3
    share = (found.scored("bleu").passed == good).mean()
    assert "a row is good where human_score ≥ 3" in text and f"{share:.1%}" in text
    assert "Agrees with people" not in export.content(found, "html").decode()


def test_a_regression_set_grows_by_a_row_and_is_a_data_set() -> None:
    found = Store.open().run(stored_run("translation"))
    one, same, two = (sets.append("hard ones", found.row(i)) for i in (0, 0, 2))
    assert (one.new, same.new, two.new) == (True, False, True)
    assert one.version == same.version != two.version
    app = open_at(Place(files=(upload(sets.path("hard ones")),)))
    assert parameter(score(app), "run")


def test_hostile_texts_are_texts(tmp_path: Path) -> None:
    evil = "<img src=x onerror=alert(1)> **b** $x$ :red[y] [l](javascript:alert(1))"
    path = tmp_path / "evil.csv"
    with path.open("w", newline="", encoding="utf-8") as stream:
        out = csv.writer(stream)
        out.writerows([["output", "expected", evil], *[[evil, evil, evil] for _ in range(3)]])
    app = score(open_at(Place(files=(upload(path, f"{evil[:20]}.csv"),))))
    run = parameter(app, "run")
    for place in (Place(run=run, metric="bleu"), Place(run=run, metric="bleu", row=0)):
        app = open_at(place)
        assert not any(evil in m.value for m in app.markdown)
        assert not any("<img" in e.proto.body for e in app.get("html"))
    assert evil in [t.value for t in app.text]


def test_a_changed_row_is_another_run(tmp_path: Path) -> None:
    rows = [[f"answer number {i}", f"answer number {i}"] for i in range(60_000)]
    lowest = []
    for changed in (None, 31_234):
        if changed is not None:
            rows[changed][0] = "something else"
        path = tmp_path / "same name.csv"
        with path.open("w", newline="", encoding="utf-8") as stream:
            csv.writer(stream).writerows([["output", "expected"], *rows])
        app = score(open_at(Place(files=(upload(path),))))
        lowest.append(table_of(app).iloc[0][["Line", "output", "BLEU"]].tolist())
    assert lowest == [[2, "answer number 0", 1.0], [31_236, "something else", 0.0]]
    runs = Store.open().runs()
    assert len({r.id for r in runs}) == 2 and len({r.dataset for r in runs}) == 1
