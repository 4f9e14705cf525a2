"""SIGKILL at any moment: no half of a run is listed, and the job resumed makes the run of an undisturbed one."""

from __future__ import annotations

import os
import random
import signal
import time
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from jeval_core import list_evaluators
from jeval_core.harness import jobs as module
from jeval_core.harness.errors import UnknownRun
from jeval_core.harness.jobs import Jobs
from jeval_core.harness.store import Store, files
from tests.harness.files import many
from tests.harness.working import STARTER, at_work, is_the_same, put, python, row_of, slow, small, spec_of, until

pytestmark = pytest.mark.slow

DYING = """
import os, signal, sys
from jeval_core.harness import work
from jeval_core.harness.spec import Spec
from jeval_core.harness.store import Store, files

def die(*_, **__):
    os.kill(os.getpid(), signal.SIGKILL)

def die_between(run, scores):
    texts = scores.with_name(scores.name.replace(".scores.", ".texts."))
    while not texts.exists():
        pass
    die()

def saves_and_dies(*args):
    save(*args)
    die()

save = Store.save_run
{patch}
work.work(Store.open(), sys.argv[1])
"""
# moment → how to die then, suffixes of what is left in the folder of runs, whether the run is listed
MOMENTS = {
    "before it reads": ("Spec.run = die", [], False),
    "while both files are written": ("files.parquet.write_table = die", None, False),
    "between the two": ("files._write_scores = die_between", [".parquet"], False),
    "in the transaction": ("Store._insert = die", [".parquet", ".parquet"], False),
    "before the job knows": ("Store.save_run = saves_and_dies", [".parquet", ".parquet"], True),
}


def left(home: Path) -> list[str]:
    folder = home / files.FOLDER
    return sorted(path.name for path in folder.iterdir()) if folder.exists() else []


def kinds(home: Path) -> list[str]:
    return sorted(Path(name).suffix for name in left(home))


@pytest.mark.parametrize(("patch", "suffixes", "listed"), MOMENTS.values(), ids=MOMENTS)
def test_at_every_step(
    tmp_path: Path, home: Path, jobs: Jobs, patch: str, suffixes: list[str] | None, listed: bool
) -> None:
    spec = small(tmp_path)
    wanted = spec.run()
    id = jobs.add(spec)
    worker = python(DYING.format(patch=patch), id)
    assert (*worker.communicate(), worker.returncode) == ("", "", -signal.SIGKILL)
    job = jobs.get(id)
    assert (job.state, job.run_id, job.error) == ("interrupted", None, None)
    assert kinds(home) == suffixes if suffixes is not None else set(kinds(home)) == {".part"}
    assert [r.id for r in jobs.store.runs()] == [wanted.id] * listed
    assert len(jobs.store.summaries()) == listed and len(jobs.store.datasets()) == listed
    if not listed:
        with pytest.raises(UnknownRun):
            jobs.store.run(wanted.id)
    jobs.resume(id)
    jobs.start(id)
    is_the_same(jobs, until(jobs, id), wanted)
    old = time.time() - 2 * files.STALE_SECONDS
    for path in (home / files.FOLDER).iterdir():
        os.utime(path, (old, old))
    Store.open()
    orphans = 2 if patch == "Store._insert = die" else 0  # a whole pair might be another database's
    assert kinds(home) == [".parquet"] * (2 + orphans)
    is_the_same(jobs, jobs.get(id), wanted)


def test_a_worker_in_the_middle(tmp_path: Path, home: Path, jobs: Jobs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SMALL_BYTES", 0)
    spec = slow(tmp_path)
    id = jobs.add(spec)
    for _ in range(2):
        jobs.start(id)
        assert at_work(until(jobs, id, at_work))
        pid = row_of(jobs, id).pid
        assert pid != os.getpid()
        os.kill(pid, signal.SIGKILL)
        job = until(jobs, id)
        assert job.state == "interrupted" and 0 < job.done < job.rows and job.run_id is None
        assert not jobs.store.runs() and left(home) == []
        jobs.resume(id)
    jobs.start(id)
    is_the_same(jobs, until(jobs, id), spec.run())


def test_a_server_with_a_job_in_a_thread(tmp_path: Path, jobs: Jobs) -> None:
    spec = slow(tmp_path)
    id = jobs.add(spec)
    server = python(STARTER, id, str(10**9))
    assert at_work(until(jobs, id, at_work)) and row_of(jobs, id).pid == server.pid
    server.kill()
    while psutil.Process(server.pid).status() != psutil.STATUS_ZOMBIE:
        time.sleep(0.001)
    assert jobs.get(id).state == "interrupted"  # dead but not yet waited for
    server.communicate()
    assert [(j.id, j.state) for j in jobs.recent()] == [(id, "interrupted")] and not jobs.store.runs()
    jobs.resume(id)
    jobs.start(id)
    is_the_same(jobs, until(jobs, id), spec.run())


def test_a_server_whose_job_has_a_process(tmp_path: Path, jobs: Jobs) -> None:
    """The job goes on, even where all of the server's own group is killed; the next server sees it end."""
    spec = slow(tmp_path)
    id = jobs.add(spec)
    server = python(STARTER, id, "0", start_new_session=True)
    assert at_work(until(jobs, id, at_work)) and row_of(jobs, id).pid != server.pid
    os.killpg(server.pid, signal.SIGKILL)
    server.wait()
    assert jobs.get(id).state == "running"
    is_the_same(jobs, until(jobs, id), spec.run())
    assert row_of(jobs, id).pid != server.pid
    server.stdout.close()
    server.stderr.close()


def test_a_server_killed_before_its_worker_began(tmp_path: Path, jobs: Jobs) -> None:
    """Nobody has claimed the job: it is given up once nothing was heard of it for a while."""
    spec = small(tmp_path)
    id = jobs.add(spec)
    put(jobs, id, heartbeat=time.time() - module.SILENT_SECONDS - 1)
    assert jobs.get(id).state == "interrupted"
    jobs.resume(id)
    jobs.start(id)
    is_the_same(jobs, until(jobs, id), spec.run())


@pytest.mark.long
def test_a_million_rows_at_any_moment(tmp_path: Path, home: Path, jobs: Jobs) -> None:
    """Ten times: half of them while the files of the run are written, the others anywhere."""
    spec = spec_of(many(tmp_path / "m.csv", 1_000_000), evaluators=tuple(card.id for card in list_evaluators() if card.kind == "code"))
    begun = time.monotonic()
    wanted = spec.run()
    scoring = time.monotonic() - begun
    begun = time.monotonic()
    Store.open(tmp_path / "other").save_run(wanted)
    storing = time.monotonic() - begun
    rng = random.Random(1)
    stages: list[str] = []
    id = jobs.add(spec)
    while len(stages) < 10:
        before = {*left(home)}
        jobs.start(id)
        if len(stages) % 2:
            until(jobs, id, lambda _, before=before: {*left(home)} > before)
            time.sleep(storing * rng.random())
        else:
            until(jobs, id, lambda job: job.state == "running")
            time.sleep(scoring * rng.random())
        row = row_of(jobs, id)
        if row.state == "running":
            os.kill(row.pid, signal.SIGKILL)
            stages.append(row.stage)
        if until(jobs, id).state == "done":
            jobs.store.delete_run(wanted.id)  # this moment came too late
            id = jobs.add(spec)
            continue
        if jobs.store.runs():  # stored by then, and whole
            is_the_same(jobs, replace(jobs.get(id), state="done", run_id=wanted.id), wanted)
            jobs.store.delete_run(wanted.id)
        assert not jobs.store.summaries() and not jobs.store.datasets()
        with pytest.raises(UnknownRun):
            jobs.store.run(wanted.id)
        jobs.resume(id)
    assert "storing" in stages and {*stages} & {"reading", "scoring"}, stages
    jobs.start(id)
    is_the_same(jobs, until(jobs, id), wanted)
