"""Progress of a job as others see it."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from sqlalchemy import event

from jeval_core.harness import work as work_module
from jeval_core.harness.jobs import Jobs
from tests.harness.working import Gate, row_of, spec_of, started, until


def test_progress(jobs: Jobs, path: Path, gate: Gate, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work_module, "RATE_SECONDS", 0.2)
    id = started(jobs, spec_of(path), gate)
    assert until(jobs, id, lambda job: job.stage == "reading").seconds_left is None
    gate.say(100, 1_000)
    job = until(jobs, id, lambda job: job.done == 100)
    assert (job.state, job.stage, job.rows) == ("running", "scoring", 1_000)
    gate.say(300, 1_000)
    job = until(jobs, id, lambda job: job.done == 300)
    assert job.rate > 0 and job.seconds_left == pytest.approx(700 / job.rate)
    job = until(jobs, id, lambda job: job.rate == 0)  # nothing moved for a while
    assert (job.done, job.seconds_left) == (300, None)
    beat = row_of(jobs, id).heartbeat
    assert until(jobs, id, lambda _: row_of(jobs, id).heartbeat > beat).state == "running"
    gate.open.set()
    assert until(jobs, id).done == 20


@pytest.mark.slow
def test_progress_is_written_a_few_times_a_second(
    jobs: Jobs, path: Path, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(work_module, "BEAT_SECONDS", 0.4)
    written: list[float] = []

    def count(connection: object, cursor: object, statement: str, *_: object) -> None:
        if statement.startswith("UPDATE jobs SET") and "rate=" in statement:
            written.append(time.monotonic())

    event.listen(jobs.store.engine, "before_cursor_execute", count)
    id = started(jobs, spec_of(path), gate)
    begun, done = time.monotonic(), 0
    while len(written) < 5 and jobs.get(id).state == "running":
        for _ in range(1_000):
            gate.say(done := done + 1, 10**9)
    assert len(written) == 5 and done > 1_000 and len(written) <= 4 * (time.monotonic() - begun) + 1
