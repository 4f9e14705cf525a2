"""Jobs to test with: made, watched, and looked at beneath."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, update

from jeval_core.harness.jobs import LIVE, Job, Jobs
from jeval_core.harness.spec import Spec
from jeval_core.harness.store.schema import jobs as table
from jeval_core.runs import Run
from tests.harness.files import everything, many
from tests.harness.test_store import same

ROOT = Path(__file__).parents[2]
SLOW = {"rouge_n": {"stemmer": True}}
"""Scored row by row: slow enough to be seen at work."""


STARTER = """
import sys, time
from jeval_core.harness import jobs
from jeval_core.harness.store import Store
jobs.SMALL_BYTES = int(sys.argv[2])
jobs.Jobs(Store.open()).start(sys.argv[1])
time.sleep(3600)
"""
"""A program that starts a job, in a thread where the second argument is large, and stays."""


def spec_of(*paths: Path, **more: Any) -> Spec:
    """These files, by bleu if nothing else is said."""
    return Spec(tuple((str(p), p.name) for p in paths), **({"evaluators": ("bleu",)} | more))


def small(folder: Path) -> Spec:
    """Twenty rows."""
    return Spec(((str(everything(folder / "small.jsonl")), "small.jsonl"),), ("bleu",), group_by=("task_type",))


def slow(folder: Path, rows: int = 20_000) -> Spec:
    """Some seconds of work."""
    return Spec(((str(many(folder / "slow.csv", rows)), "slow.csv"),), ("rouge_n",), options=SLOW)


def until(jobs: Jobs, id: str, true: Callable[[Job], bool] = lambda job: job.state not in LIVE) -> Job:
    """The job once `true` holds, or once it has ended."""
    while True:
        job = jobs.get(id)
        if true(job) or job.state not in LIVE:
            return job
        time.sleep(0.01)


def at_work(job: Job) -> bool:
    """Some rows are done, others are left."""
    return 0 < job.done < job.rows


def started(jobs: Jobs, spec: Spec, gate: Gate | None = None) -> str:
    """A job at work; with a gate, once it stands there."""
    id = jobs.add(spec)
    jobs.start(id)
    if gate is not None:
        gate.begun.acquire()
    return id


def workers() -> list[threading.Thread]:
    """The threads of this process that work on jobs."""
    return [t for t in threading.enumerate() if t.name.startswith("jeval-job-")]


def settled() -> None:
    """Wait for them to end."""
    for thread in workers():
        thread.join()


def row_of(jobs: Jobs, id: str) -> Any:
    """The row of the table."""
    with jobs.store.reading() as c:
        return c.execute(select(table).where(table.c.id == id)).one()


def put(jobs: Jobs, id: str, **values: Any) -> None:
    """Write into the row of the table."""
    with jobs.store.writing() as c:
        c.execute(update(table).where(table.c.id == id).values(**values))


def python(code: str, *args: str, **more: Any) -> subprocess.Popen[str]:
    """Another process of this program."""
    command = [sys.executable, "-c", code, *args]
    return subprocess.Popen(command, cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)


def is_the_same(jobs: Jobs, job: Job, wanted: Run) -> None:
    """The job has kept this very run."""
    assert (job.state, job.error, job.run_id) == ("done", None, wanted.id)
    found = jobs.store.run(wanted.id)
    for evaluator, scored in wanted.scored.items():
        same(found.scored(evaluator), scored)
    assert [r.id for r in jobs.store.runs()] == [wanted.id]


class Gate:
    """Work that goes on when it is told to, or when it is to be cancelled. `entered` counts who began."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.entered = 0
        self.open = threading.Event()
        self.begun = threading.Semaphore(0)
        self.say: Callable[[int, int], None] = lambda done, rows: None
        self._lock, self._run = threading.Lock(), Spec.run
        patch.setattr(Spec, "run", lambda spec, *watch: self._wait(spec, *watch))

    def _wait(self, spec: Spec, progress: Any = None, cancelled: Any = None, *more: Any) -> Run:
        with self._lock:
            self.entered += 1
        self.say = progress
        self.begun.release()
        while not self.open.wait(0.005) and not cancelled():
            pass
        return self._run(spec, progress, cancelled, *more)
