"""Workers: what becomes of a job whose work fails, is slow, or whose process is gone."""

from __future__ import annotations

import logging
import socket
import subprocess
import time
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest
from sqlalchemy import event, update

from jeval_core.errors import JevalError
from jeval_core.harness import jobs as jobs_module
from jeval_core.harness import work as work_module
from jeval_core.harness.errors import StoreUnavailable
from jeval_core.harness.jobs import SILENT_SECONDS, Jobs
from jeval_core.harness.spec import Spec
from jeval_core.harness.store import Store, files
from jeval_core.harness.store.schema import jobs as table
from tests.harness.working import Gate, is_the_same, put, row_of, settled, spec_of, started, until, workers

FAULTS = {
    "no such file": (None, {}),
    "empty": (b"", {}),
    "nothing to map": (b"a,b\n1,2\n", {}),
    "two outputs": (b"output,output,expected\na,b,c\n", {}),
    "not text": (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" * 40, {}),
    "broken JSON": (b'{"output": "a", "expected": }\n', {}),
    "unknown column": (b"output,expected\na,b\n", {"columns": {"output": "answer"}}),
    "unknown option": (b"output,expected\na,b\n", {"options": {"bleu": {"variants": "x"}}}),
    "unknown group": (b"output,expected\na,b\n", {"group_by": ("topic",)}),
}


@pytest.mark.parametrize(("content", "settings"), FAULTS.values(), ids=FAULTS)
def test_a_faulty_file_keeps_its_message(jobs: Jobs, tmp_path: Path, content: bytes | None, settings: dict) -> None:
    file = tmp_path / "file.csv"
    if content is not None:
        file.write_bytes(content)
    spec = spec_of(file, **settings)
    with pytest.raises(JevalError) as raised:
        spec.run()
    id = started(jobs, spec)
    job = until(jobs, id)
    assert (job.state, job.stage, job.error, job.run_id) == ("failed", "ended", str(raised.value), None)
    assert not jobs.store.runs()
    if not settings:
        file.write_bytes(b"output,expected\na,b\n")
        jobs.resume(id)
        jobs.start(id)
        is_the_same(jobs, until(jobs, id), spec.run())


def test_a_file_without_rows(jobs: Jobs, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(b"output,expected\n")
    job = until(jobs, started(jobs, spec_of(tmp_path / "a.csv")))
    assert (job.state, job.rows, job.seconds_left) == ("done", 0, None)
    assert jobs.store.run(str(job.run_id)).n == 0


OURS = "The program failed on these files; its log has the details."
DISK = "A file cannot be read or written: {}. Check the disk and resume."
FAILURES = [
    (ZeroDivisionError("a fault of ours"), OURS, True),
    (MemoryError(), "There is not enough memory for these files. Score them in parts.", False),
    (StoreUnavailable("It is full.", hint="Make room."), "It is full. Make room.", False),
    (OSError(5, "Input/output error", "/data/a.csv"), DISK.format("Input/output error"), True),
    (TimeoutError(), DISK.format("TimeoutError"), True),
]


@pytest.mark.parametrize(("error", "says", "logged"), FAILURES, ids=[type(f[0]).__name__ for f in FAILURES])
@pytest.mark.parametrize(("owner", "name"), [(Spec, "run"), (Store, "save_run")], ids=["run", "save"])
def test_a_failing_program_is_a_sentence(
    jobs: Jobs, path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture,
    owner: type, name: str, error: Exception, says: str, logged: bool,
) -> None:  # fmt: skip
    def fail(*_: object, **__: object) -> None:
        raise error

    with monkeypatch.context() as patch:
        patch.setattr(owner, name, fail)
        id = started(jobs, spec_of(path))
        job = until(jobs, id)
    assert (job.state, job.error) == ("failed", says) and not jobs.store.runs()
    told = [r for r in caplog.records if r.name == "jeval.jobs" and r.levelno == logging.ERROR]
    assert [(id in r.getMessage(), r.exc_info and r.exc_info[1]) for r in told] == [(True, error)] * logged
    jobs.resume(id)
    jobs.start(id)
    is_the_same(jobs, until(jobs, id), spec_of(path).run())


def test_a_full_disk(jobs: Jobs, path: Path, monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(files.parquet, "write_table", full)
    job = until(jobs, started(jobs, spec_of(path)))
    assert job.state == "failed" and "No space left on device. Make room" in str(job.error)
    assert not jobs.store.runs() and not [*(home / "runs").iterdir()]


def test_an_end_that_cannot_be_written_is_an_interruption(
    jobs: Jobs, path: Path, gate: Gate, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The process still lives, but nobody in it works on the job."""
    id = started(jobs, spec_of(path), gate)

    def broken(store: Store) -> None:
        raise StoreUnavailable("The database cannot be used: disk I/O error.")

    with monkeypatch.context() as patch:
        patch.setattr(Store, "writing", broken)
        gate.open.set()
        settled()
    assert jobs.get(id).state == "running" and "its state could not be written" in caplog.text
    with monkeypatch.context() as patch:
        patch.setattr(jobs_module, "SILENT_SECONDS", -1.0)
        assert jobs.get(id).state == "interrupted" and not jobs.store.runs()
    jobs.resume(id)
    jobs.start(id)
    is_the_same(jobs, until(jobs, id), spec_of(path).run())


def test_a_beat_that_cannot_be_written_costs_nothing(
    jobs: Jobs, path: Path, gate: Gate, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    id = started(jobs, spec_of(path), gate)

    def broken(*_: object) -> None:
        raise StoreUnavailable("The database cannot be used: database is locked.")

    with monkeypatch.context() as patch:
        patch.setattr(work_module._Pulse, "_tell", broken)
        while "progress could not be written" not in caplog.text:
            time.sleep(0.005)
    gate.open.set()
    is_the_same(jobs, until(jobs, id), spec_of(path).run())


DEAD = 2**22 + 1
"""No process has this number: the largest is 2**22."""
OWN = psutil.Process().create_time()
LATE = -SILENT_SECONDS - 1
NEW = {"state": "queued", "pid": None, "pid_started": None, "host": None}
SIGNS = {
    "here, alive": ({}, "running"),
    "here, the clock set meanwhile": ({"pid_started": OWN - 1}, "running"),
    "here, dead": ({"pid": DEAD}, "interrupted"),
    "here, another of the same number": ({"pid_started": OWN - 10}, "interrupted"),
    "here, alive but silent": ({"heartbeat": LATE}, "interrupted"),
    "elsewhere, heard of": ({"host": "elsewhere", "pid": DEAD, "heartbeat": LATE + 30}, "running"),
    "elsewhere, silent": ({"host": "elsewhere", "heartbeat": LATE}, "interrupted"),
    "just put down": (NEW, "queued"),
    "never claimed": (NEW | {"heartbeat": LATE}, "interrupted"),
    "without any sign": (NEW | {"heartbeat": None}, "interrupted"),
    "ended long ago": ({"state": "done", "pid": DEAD, "heartbeat": -1e6}, "done"),
}


@pytest.mark.parametrize(("values", "state"), SIGNS.values(), ids=SIGNS)
def test_signs_of_life(jobs: Jobs, path: Path, values: dict, state: str) -> None:
    here = {"host": socket.gethostname(), "pid": psutil.Process().pid, "pid_started": OWN}
    row = {"state": "running", "heartbeat": 0.0} | here | values
    row["heartbeat"] = None if row["heartbeat"] is None else time.time() + row["heartbeat"]
    one, other = jobs.add(spec_of(path)), jobs.add(spec_of(path))
    for id in (one, other):
        put(jobs, id, **row)
    assert jobs.get(one).state == state
    assert {job.id: job.state for job in jobs.recent()} == {one: state, other: state}
    assert (row_of(jobs, one).ended is not None) == (state == "interrupted")


def test_a_process_that_may_not_be_looked_at(
    jobs: Jobs, path: Path, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    id = started(jobs, spec_of(path), gate)

    def denied(pid: int) -> None:
        raise psutil.AccessDenied(pid)

    monkeypatch.setattr(psutil, "Process", denied)
    assert jobs.get(id).state == "running"
    monkeypatch.setattr(jobs_module, "SILENT_SECONDS", -1.0)
    assert jobs.get(id).state == "interrupted"


def test_a_worker_that_slept_takes_its_job_back(jobs: Jobs, path: Path, gate: Gate) -> None:
    id = started(jobs, spec_of(path), gate)
    put(jobs, id, state="interrupted", ended="2026")
    while jobs.get(id).state != "running" and workers():
        time.sleep(0.005)
    assert workers() and row_of(jobs, id).ended is None
    gate.open.set()
    is_the_same(jobs, until(jobs, id), spec_of(path).run())


def test_a_worker_given_up_does_not_disturb_the_next(jobs: Jobs, path: Path, gate: Gate) -> None:
    id = started(jobs, spec_of(path), gate)
    (first,) = workers()
    put(jobs, id, state="failed")
    jobs.resume(id)
    jobs.start(id)
    gate.begun.acquire()
    beats: set[float] = set()
    while first.is_alive() and len(beats) < 50:  # its pulse sees that the job is another's
        beats.add(row_of(jobs, id).heartbeat)
    assert not first.is_alive()
    assert jobs.get(id).state == "running" and len(workers()) == 1
    gate.open.set()
    is_the_same(jobs, until(jobs, id), spec_of(path).run())


def test_the_last_word_of_a_worker_given_up_does_not_count(
    jobs: Jobs, path: Path, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even where it never heard that the job is another's."""
    monkeypatch.setattr(work_module, "BEAT_SECONDS", 1e6)
    id = started(jobs, spec_of(path), gate)
    put(jobs, id, state="interrupted")
    jobs.resume(id)
    queued = row_of(jobs, id)
    gate.open.set()
    settled()
    assert row_of(jobs, id) == queued and queued.state == "queued"


def test_the_end_of_an_old_process_is_no_matter_of_the_next(jobs: Jobs, path: Path) -> None:
    id = jobs.add(spec_of(path))
    ended = SimpleNamespace(pid=DEAD, wait=lambda: -9)
    put(jobs, id, state="cancelled")
    jobs.resume(id)
    jobs._reap(ended, id, 0)
    assert jobs.get(id).state == "queued"
    jobs._reap(ended, id, row_of(jobs, id).attempt)
    assert jobs.get(id).state == "interrupted"


def test_a_spec_of_another_version(jobs: Jobs, path: Path) -> None:
    id = jobs.add(spec_of(path))
    put(jobs, id, spec='{"files": [["a.csv", "a.csv"]], "evaluators": ["bleu"], "colour": "red"}')
    with pytest.raises(JevalError, match="A run has no setting `colour`"):
        jobs.start(id)
    assert jobs.recent()[0].name == "a.csv"


@pytest.mark.slow
def test_a_process_that_cannot_begin(jobs: Jobs, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs_module, "SMALL_BYTES", 0)
    id, popen = jobs.add(spec_of(path)), subprocess.Popen
    with monkeypatch.context() as broken:
        broken.setattr(subprocess, "Popen", lambda command, **more: popen(["false"]))
        jobs.start(id)
        assert until(jobs, id).state == "interrupted"
    jobs.resume(id)
    jobs.start(id)
    is_the_same(jobs, until(jobs, id), spec_of(path).run())


@pytest.mark.parametrize("other", [{"state": "running", "attempt": 1}, {"state": "queued", "attempt": 2}], ids=str)
def test_a_claim_between_look_and_claim_wins(jobs: Jobs, path: Path, other: dict) -> None:
    """As a database does that lets two workers write at once."""
    id, once = jobs.add(spec_of(path)), iter([True])

    def taken(connection, cursor, statement, parameters, context, many) -> None:
        if statement.startswith("SELECT jobs.id") and next(once, False):
            connection.execute(update(table).where(table.c.id == id).values(host="other", **other))

    event.listen(jobs.store.engine, "after_cursor_execute", taken)
    work_module.work(jobs.store, id)
    row = row_of(jobs, id)
    assert (row.host, row.state, row.attempt, row.pid) == ("other", other["state"], other["attempt"], None)
    assert not jobs.store.runs()
