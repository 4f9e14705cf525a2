"""Jobs from queued to their end, and again."""

from __future__ import annotations

import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from jeval_core import list_evaluators
from jeval_core.harness import jobs as jobs_module
from jeval_core.harness import work as work_module
from jeval_core.harness.errors import UnknownJob
from jeval_core.harness.jobs import ENDED, Jobs
from jeval_core.harness.spec import Spec
from jeval_core.harness.store import Store
from jeval_core.runs import run_file
from tests.harness.files import everything
from tests.harness.working import (
    Gate,
    at_work,
    is_the_same,
    put,
    row_of,
    settled,
    slow,
    spec_of,
    started,
    until,
    workers,
)


def test_from_queued_to_done(jobs: Jobs, path: Path) -> None:
    evaluators = [card.id for card in list_evaluators() if card.kind == "code"]
    id = jobs.add(spec_of(path, evaluators=tuple(evaluators), group_by=("task_type",)), submitter="me")
    job = jobs.get(id)
    assert (job.state, job.stage, job.done, job.rows, job.seconds_left) == ("queued", "waiting", 0, 0, None)
    assert (job.name, job.error, job.run_id) == ("a.jsonl", None, None)
    jobs.start(id)
    job = until(jobs, id)
    assert (job.state, job.stage, job.done, job.rows) == ("done", "ended", 20, 20)
    wanted = run_file(path, evaluators, group_by=["task_type"])
    is_the_same(jobs, job, wanted)
    results = jobs.store.run(wanted.id)
    assert results.record == wanted.to_dict() and results.submitter == "me"


def test_running_is_seen_by_every_store(jobs: Jobs, path: Path, gate: Gate) -> None:
    id = started(jobs, spec_of(path), gate)
    job = Jobs(Store.open()).get(id)
    assert (job.state, job.stage) == ("running", "reading")
    gate.open.set()
    assert until(jobs, id).state == "done"


def test_several_files_are_one_job(jobs: Jobs, tmp_path: Path) -> None:
    paths = [everything(tmp_path / f"{n}.jsonl", seed=i) for i, n in enumerate("ab")]
    id = jobs.add(spec_of(*paths))
    jobs.start(id)
    job = until(jobs, id)
    assert (job.state, job.name, job.rows) == ("done", "a.jsonl, b.jsonl", 40)


def test_recent(jobs: Jobs, path: Path) -> None:
    ids = [jobs.add(spec_of(path)) for _ in range(5)]
    assert [job.id for job in jobs.recent()] == ids[::-1]
    assert [job.id for job in jobs.recent(2)] == ids[:2:-1]
    put(jobs, ids[4], heartbeat=None)
    assert [job.state for job in jobs.recent(2)] == ["interrupted", "queued"]


@pytest.mark.parametrize("id", ["", "0" * 16, "'; drop table jobs; --"])
@pytest.mark.parametrize("ask", ["get", "cancel", "resume", "start"])
def test_no_such_job(jobs: Jobs, ask: str, id: str) -> None:
    with pytest.raises(UnknownJob, match="There is no job .*Start it again from the file"):
        getattr(jobs, ask)(id)


@pytest.mark.parametrize("starters", [2, 8])
def test_of_several_starters_one_works(jobs: Jobs, path: Path, gate: Gate, starters: int) -> None:
    id = jobs.add(spec_of(path))
    others = [Jobs(Store.open()) for _ in range(starters)]
    with ThreadPoolExecutor(starters) as pool:
        [*pool.map(lambda one: one.start(id), others)]
    gate.begun.acquire()
    while len(workers()) > 1:  # the others find it taken
        time.sleep(0.005)
    gate.open.set()
    assert until(jobs, id).state == "done" and gate.entered == 1 and row_of(jobs, id).attempt == 1
    settled()
    jobs.start(id)
    assert not workers() and jobs.get(id).state == "done"


def test_cancel_before_it_begins(jobs: Jobs, path: Path) -> None:
    id = jobs.add(spec_of(path))
    jobs.cancel(id)
    assert jobs.get(id).state == "cancelled"
    jobs.start(id)
    work_module.work(jobs.store, id)
    assert jobs.get(id).state == "cancelled" and not jobs.store.runs()


def test_cancel_while_it_runs(jobs: Jobs, path: Path, gate: Gate) -> None:
    id = started(jobs, spec_of(path), gate)
    Jobs(Store.open()).cancel(id)
    job = until(jobs, id)
    assert (job.state, job.error, job.run_id) == ("cancelled", None, None) and not jobs.store.runs()
    gate.open.set()
    jobs.resume(id)
    assert jobs.get(id).state == "queued"
    jobs.start(id)
    assert until(jobs, id).state == "done" and len(jobs.store.runs()) == 1


def test_cancel_before_it_is_stored(jobs: Jobs, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A wish that comes between two beats counts too."""
    monkeypatch.setattr(work_module, "BEAT_SECONDS", 1e6)
    real = Spec.run

    def run(spec, *watch):
        found = real(spec, *watch)
        jobs.cancel(id)
        return found

    monkeypatch.setattr(Spec, "run", run)
    id = jobs.add(spec_of(path))
    jobs.start(id)
    assert until(jobs, id).state == "cancelled" and not jobs.store.runs()


def test_what_has_ended_stays(jobs: Jobs, path: Path) -> None:
    id = started(jobs, spec_of(path))
    done = until(jobs, id)
    jobs.cancel(id)
    jobs.resume(id)
    assert jobs.get(id) == done and done.state == "done"


@pytest.mark.parametrize("state", ENDED)
def test_resume(jobs: Jobs, path: Path, state: str) -> None:
    id = jobs.add(spec_of(path))
    left = {"stage": "ended", "done": 7, "rows": 20, "rate": 3.0, "cancel": True, "error": "x", "attempt": 1}
    put(jobs, id, state=state, host="gone", pid=1, pid_started=0.0, started="2026", ended="2026", **left)
    jobs.resume(id)
    job = jobs.get(id)
    assert (job.state, job.stage, job.done, job.rows, job.rate) == ("queued", "waiting", 0, 0, 0.0)
    assert (job.error, job.run_id) == (None, None)
    jobs.start(id)
    job = until(jobs, id)
    assert (job.state, job.run_id) == ("done", run_file(path, ["bleu"]).id)


def test_files_that_are_gone_count_as_small(tmp_path: Path) -> None:
    spec = spec_of(tmp_path / "none.csv", everything(tmp_path / "a.jsonl"))
    assert spec.size() == (tmp_path / "a.jsonl").stat().st_size
    assert replace(spec, files=spec.files[:1]).size() == 0


def ended_processes() -> None:
    """Wait for the processes that this one has started."""
    for thread in threading.enumerate():
        if thread.name.startswith("jeval-wait-"):
            thread.join()


@pytest.mark.slow
@pytest.mark.parametrize(("more", "own"), [(1, True), (0, False)], ids=["smaller", "as large"])
def test_large_files_have_a_process(
    jobs: Jobs, path: Path, monkeypatch: pytest.MonkeyPatch, more: int, own: bool
) -> None:
    spec = spec_of(path)
    monkeypatch.setattr(jobs_module, "SMALL_BYTES", spec.size() + more)
    id = started(jobs, spec)
    is_the_same(jobs, until(jobs, id), spec.run())
    assert (row_of(jobs, id).pid == os.getpid()) == own
    ended_processes()
    assert jobs.get(id).state == "done"


@pytest.mark.slow
def test_of_two_processes_one_works(jobs: Jobs, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs_module, "SMALL_BYTES", 0)
    id = started(jobs, spec_of(path))
    Jobs(Store.open()).start(id)
    assert len([t for t in threading.enumerate() if t.name == f"jeval-wait-{id}"]) == 2
    ended_processes()
    is_the_same(jobs, jobs.get(id), spec_of(path).run())
    assert row_of(jobs, id).attempt == 1


@pytest.mark.slow
def test_cancel_of_a_process(jobs: Jobs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs_module, "SMALL_BYTES", 0)
    spec = slow(tmp_path)
    id = started(jobs, spec)
    assert at_work(until(jobs, id, at_work)) and row_of(jobs, id).pid != os.getpid()
    jobs.cancel(id)
    job = until(jobs, id)
    assert job.state == "cancelled" and 0 < job.done < job.rows and not jobs.store.runs()
    ended_processes()
    assert jobs.get(id) == job
