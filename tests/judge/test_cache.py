from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from jeval_core.harness.errors import StoreUnavailable
from jeval_core.harness.store.database import writing
from jeval_core.judge.answers import Answers, Usage, answer
from jeval_core.judge.cache import FILE, Cache
from jeval_core.judge.client import Client
from jeval_core.judge.errors import NoLevel
from jeval_core.judge.questions import score_question, yes_no_question
from jeval_core.judge.systemone import SystemOne

STATE = {"output": "a secret text \ud800", "criteria": "c"}
FIVE = score_question("How good?", ["a", "b", "c", "d", "e"])
ASKED = {"q": FIVE, "n": yes_no_question("Is it so?", "It is.", "It is not.")}
JUDGE = SystemOne(Client("https://judge.example"), "jev-latest")
FOUND = Answers(
    {"q": answer(FIVE, [0, 0, 0.05, 0.2, 0.74], provider_confidence=0.7, notes=("odd",)), "n": answer(ASKED["n"], [0.1, 0.9])},
    "jev-latest", "jev-1.13.0", "model", True, Usage(100, 7), 0.25,
)  # fmt: skip


def test_what_was_kept_is_found_again(home: Path) -> None:
    cache = Cache()
    assert cache.find(JUDGE, STATE, ASKED) is None and len(cache) == 0
    cache.keep(JUDGE, STATE, ASKED, FOUND)
    found = Cache(home).find(JUDGE, STATE, ASKED)
    assert found == replace(FOUND, requests=0, attempts=0, cached=frozenset(ASKED), usd=0.0) and len(cache) == 2
    cache.clear()
    assert cache.find(JUDGE, STATE, ASKED) is None and len(cache) == 0


def test_ids_do_not_matter() -> None:
    cache = Cache()
    cache.keep(JUDGE, STATE, ASKED, FOUND)
    found = cache.find(JUDGE, {**STATE}, {"z": FIVE})
    assert found and found["z"] == FOUND["q"] and found.cached == {"z"}


@pytest.mark.parametrize(
    "other",
    [
        {"judge": SystemOne(Client("https://other.example"), "jev-latest")},
        {"judge": SystemOne(Client("https://judge.example"), "jev-1.13.0")},
        {"state": {**STATE, "output": "another"}},
        {"questions": {"q": score_question("How good?", ["a", "b", "c", "d", "f"])}},
        {"sample": 1},
    ],
    ids=lambda other: next(iter(other)),
)
def test_everything_that_the_answer_depends_on_counts(other: dict[str, Any]) -> None:
    cache = Cache()
    cache.keep(JUDGE, STATE, ASKED, FOUND)
    about: dict[str, Any] = {"judge": JUDGE, "state": STATE, "questions": {"q": FIVE}, "sample": 0}
    assert cache.find(**about) is not None and cache.find(**{**about, **other}) is None


def test_the_backend_counts() -> None:
    cache, other = Cache(), SystemOne(Client("https://judge.example"), "jev-latest")
    cache.keep(JUDGE, STATE, ASKED, FOUND)
    other.backend = "chat"
    assert cache.find(other, STATE, ASKED) is None


def test_a_part_is_found_and_failures_are_not_kept() -> None:
    cache = Cache()
    cache.keep(JUDGE, STATE, ASKED, replace(FOUND, answers={"q": FOUND["q"]}, failed={"n": NoLevel(0.1)}))
    found = cache.find(JUDGE, STATE, ASKED)
    assert found and [*found.answers] == ["q"] and found.cached == {"q"} and not found.failed


def test_a_newer_answer_replaces_an_older_one() -> None:
    cache = Cache()
    cache.keep(JUDGE, STATE, ASKED, FOUND)
    cache.keep(JUDGE, STATE, ASKED, replace(FOUND, answers={"q": answer(FIVE, [1, 0, 0, 0, 0])}, model="jev-2"))
    assert cache.find(JUDGE, STATE, ASKED) is None  # its two answers come from different models now
    found = cache.find(JUDGE, STATE, {"q": FIVE})
    assert found and found.model == "jev-2" and found["q"].expected == 0


def test_texts_are_not_on_the_disk(home: Path) -> None:
    cache = Cache()
    cache.keep(JUDGE, STATE, ASKED, FOUND)
    cache.close()
    for file in home.iterdir():
        assert b"secret text" not in file.read_bytes() and file.stat().st_mode & 0o077 == 0 or file.suffix == ".lock"


def test_damaged_lines_are_asked_again(home: Path) -> None:
    cache = Cache()
    cache.keep(JUDGE, STATE, ASKED, FOUND)
    with writing(cache._engine) as connection:
        connection.exec_driver_sql("UPDATE answers SET line = '[]'")
    assert cache.find(JUDGE, STATE, ASKED) is None


def test_a_folder_that_cannot_be_used(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(StoreUnavailable, match="cannot be kept"):
        Cache(tmp_path / "file")
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / FILE).write_bytes(b"no database" * 1000)
    with pytest.raises(StoreUnavailable, match="cannot be kept"):
        Cache(tmp_path / "home")


WRITER = """
import sys
from jeval_core.judge.cache import Cache
from tests.judge.test_cache import ASKED, FOUND, JUDGE
cache = Cache()
for i in range(50):
    state = {"output": f"{sys.argv[1]} {i}"}
    cache.keep(JUDGE, state, ASKED, FOUND)
    assert cache.find(JUDGE, state, ASKED)
"""


@pytest.mark.slow
def test_several_processes_write_at_once() -> None:
    running = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(i)], stderr=subprocess.PIPE, text=True, env={**os.environ})
        for i in range(4)
    ]
    for process in running:
        _, said = process.communicate()
        assert process.returncode == 0, said
    assert len(Cache()) == 4 * 50 * 2
