"""The Runs page, without a browser."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from console.charts.history import Point, segments
from console.components.runs import listed, over_time
from jeval_core.harness.archive import export_run
from jeval_core.harness.store import Store
from tests.app.test_compare import APP, checked, words
from tests.compare.made import rows_of, stored


def open_runs() -> AppTest:
    app = AppTest.from_file(str(APP), default_timeout=60)
    app.switch_page("views/runs.py")
    return checked(app.run())


def table(app: AppTest) -> object:
    return next(d.value for d in app.dataframe if "Version" in d.value)


def test_without_runs_it_says_what_to_do() -> None:
    assert "No run yet" in words(open_runs())


def test_the_list_says_what_was_scored_how_and_by_whom(tmp_path: Path) -> None:
    a = stored(tmp_path, "a", rows_of(8, 0.6, 1), ("suite:promptfoo",), model_version="v1")
    b = stored(tmp_path, "b", rows_of(8, 0.6, 1), ("bleu", "gleu"), options={"bleu": {"variant": "sacrebleu"}})
    c = stored(tmp_path, "c", rows_of(8, 0.6, 1), ("factuality",))
    found = table(open_runs())
    assert [*found["Run"]] == [run.id[:8] for run in (c, b, a)]
    assert [*found["Version"]] == [a.dataset[:8]] * 3 and [*found["Model version"]] == ["", "", "v1"]
    assert [*found["Scored by"]] == ["Factuality", "BLEU (sacrebleu), GLEU", "suite promptfoo"]
    assert found["Judge"][0] and len({*found["Signatures"]}) == 3


def test_one_name_can_be_looked_at(tmp_path: Path) -> None:
    for name, seed in (("a", 1), ("a", 2), ("b", 3)):
        stored(tmp_path, name, rows_of(8, 0.6, seed))
    app = open_runs()
    assert len(table(app)) == 3 and "version" in app.selectbox(key="runs-of").options[-1]
    app.selectbox(key="runs-of").set_value("a.csv")
    assert {*table(checked(app.run()))["Data set"]} == {"a.csv"}


def test_deleting_asks_first(tmp_path: Path) -> None:
    keep, gone = (stored(tmp_path, name, rows_of(8, 0.6, seed)) for seed, name in enumerate(("keep", "gone")))
    listed._delete.__globals__["st"].session_state[listed.ROUND] = 0
    listed._delete([gone.id, gone.id])
    assert [run.id for run in Store.open().runs()] == [keep.id]


def test_an_exported_run_is_imported_once(tmp_path: Path) -> None:
    run = stored(tmp_path, "a", rows_of(8, 0.6, 1))
    stream = io.BytesIO()
    export_run(Store.open(), run.id, stream)
    Store.open().delete_run(run.id)
    app = open_runs()
    for said in ("is imported.", "was here already"):
        app.file_uploader[0].set_value(("run.zip", stream.getvalue(), "application/zip"))
        assert said in words(checked(app.run()))
    assert [one.id for one in Store.open().runs()] == [run.id]
    app.file_uploader[0].set_value(("run.zip", b"no zip", "application/zip"))
    assert "This is not an exported run" in words(checked(app.run()))


@pytest.mark.parametrize("figure", ["mean", "pass_rate", "corpus"])
def test_the_line_breaks_where_cases_or_signature_change(tmp_path: Path, figure: str) -> None:
    rows = rows_of(30, 0.6, 1)
    stored(tmp_path, "a", rows)
    stored(tmp_path, "a", rows_of(30, 0.7, 2))
    stored(tmp_path, "a", rows_of(30, 0.7, 3), options={"bleu": {"smoothing": "none"}})
    stored(tmp_path, "a", rows_of(29, 0.7, 3), options={"bleu": {"smoothing": "none"}})
    found = [one for one in Store.open().summaries(metric="bleu")]
    points = over_time.points_of(found, figure)
    assert [one.apart for one in points] == [None, None, "other signature", "other cases"]
    assert [[x for x, _ in part] for part in segments(points)] == [[0, 1], [2], [3]]
    assert [one.ci is None for one in points] == [figure == "corpus"] * 4


def test_names_leave_out_what_all_share(tmp_path: Path) -> None:
    for seed, name in enumerate(("release-2026-05", "release-2026-06")):
        stored(tmp_path, name, rows_of(5, 0.6, seed), model_version=name)
    assert over_time.names_of(Store.open().runs()) == ["06", "05"]
    one = Store.open().runs()[:1]
    assert over_time.names_of(one) == ["release-2026-06"] and over_time.names_of([]) == []


def test_a_segment_of_its_own_without_a_neighbour() -> None:
    assert segments([]) == [] and len(segments([Point("a", 1, None, None, "")])) == 1
