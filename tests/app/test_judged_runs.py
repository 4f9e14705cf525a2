"""Runs with judges on the Datasets page: what is said before, what failed, what is asked again, how a row is told."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from console.components.datasets.place import Place
from jeval_core.harness.spec import Spec
from jeval_core.harness.store import Store
from tests.app.test_datasets import checked, home, open_at, parameter, score, upload
from tests.app.test_datasets import words as escaped
from tests.app.test_explore import component
from tests.judge.faults import FaultServer, Say, systemone_body
from tests.judge.test_files import file_of

__all__ = ["home"]


@pytest.fixture(autouse=True)
def nothing_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    st.cache_resource.clear()
    st.cache_data.clear()
    monkeypatch.delenv("JEVAL_JUDGE", raising=False)
    monkeypatch.setenv("JEVAL_JUDGE_PRICE", "1")


def words(app: AppTest) -> str:
    """All that can be read, chips included, without the escapes of markdown."""
    return (escaped(app) + str([e.proto for e in app.get("markdown")])).replace("\\", "")


def open_run(file: Path, **more: Any) -> AppTest:
    spec = Spec(((str(file), file.name),), ("g_eval",), **more)
    id = Store.open().save_run(spec.run(), spec)
    return open_at(Place(run=id, metric="g_eval"))


def test_failed_rows_are_asked_again_and_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    well = threading.Event()

    def act(n: int, path: str, body: Any) -> Any:
        bad = int(body["state"]["output"].split()[1]) < 3
        return Say({"error": {"message": "no"}}, 403) if bad and not well.is_set() else Say(systemone_body(body))

    with FaultServer(act) as server:
        monkeypatch.setenv("TYPESAFE_BASE_URL", server.url)
        monkeypatch.setenv("JEVAL_JUDGE_CONCURRENCY", "1")
        app = open_run(file_of(tmp_path, 12, gold=True), judge={"judge": "systemone"})
        assert "No answer to 3 requests: 3 forbidden." in words(app)
        asked = len(server.seen)
        well.set()
        app.button(key="ask-again").click()
        checked(app.run())
        while parameter(app, "run") is None:
            checked(app.run())
        assert len(server.seen) - asked == 3
        said = words(app)
        assert "9 from the cache" in said and "No answer" not in said and "Beside people" in said
        assert "spent" in said


def test_a_row_is_told_from_what_was_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with FaultServer(lambda n, path, body: Say(systemone_body(body))) as server:
        monkeypatch.setenv("TYPESAFE_BASE_URL", server.url)
        app = open_run(file_of(tmp_path, 3), judge={"judge": "systemone"})
        asked, run = len(server.seen), parameter(app, "run")
        row = open_at(Place(run=run, metric="g_eval", row=1))
        found = component(row, "jeval_stage")
        assert found is not None and len(server.seen) == asked
    result = found["trace"]["result"]
    assert (result["label"], result["judge"]["model"]) == ("3.7 / 4", "jev-1.13.0")
    assert [f["text"] for f in found["trace"]["frames"][0]["blocks"][0]["fields"]] == [
        "question 1",
        "answer 1",
        "It answers.",
    ]


def test_before_a_run_the_page_says_what_it_takes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with FaultServer(lambda n, path, body: Say(systemone_body(body))) as server:
        monkeypatch.setenv("TYPESAFE_BASE_URL", server.url)
        app = open_at(Place(files=(upload(file_of(tmp_path, 7)),)))
        pills = next(p for p in app.get("button_group") if p.key and p.key.startswith("evaluators-judge-"))
        pills.set_value(["g_eval", "closed_qa"])
        checked(app.run())
        said = words(app)
        assert "Word overlap will answer, not a judge" in said and "7 requests to word overlap, $0." in said
        app.radio(key="judge-backend").set_value("systemone")
        checked(app.run())
        assert "7 requests to jev-latest, about $0.00" in words(app) and not server.seen
        app = score(app)
        assert len(server.seen) == 7  # one request a row for both questions
    record = Store.open().run(parameter(app, "run") or "").record
    assert record["judge"]["requests"] == 7 and json.dumps(record["judge"]["failed"]) == "{}"
