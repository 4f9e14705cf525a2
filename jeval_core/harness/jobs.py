"""Work that outlives a page: its state is in the database, so every process sees the same.

::

    queued → running → done | failed | cancelled
               ↓
           interrupted        its process is gone; nothing of it was kept
    failed, cancelled, interrupted → queued     by `resume`
"""

from __future__ import annotations

import json
import os
import secrets
import socket
import subprocess
import sys
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import psutil
from sqlalchemy import ColumnElement, delete, select, update

from jeval_core.errors import JevalError
from jeval_core.harness import uploads
from jeval_core.harness.errors import UnknownJob
from jeval_core.harness.spec import Spec
from jeval_core.harness.store import Store
from jeval_core.harness.store.database import URL
from jeval_core.harness.store.schema import jobs as table
from jeval_core.harness.store.schema import now, time_text
from jeval_core.home import HOME

SMALL_BYTES = 5_000_000
"""Files below this are scored in a thread; larger ones in a process, whose memory goes back when it ends."""
SILENT_SECONDS = 60.0
"""After so long without a sign a worker counts as gone, even where its process cannot be looked at or still lives."""
CLOCK_SECONDS = 2.0
"""Two processes may see the start of a third so far apart: systems keep the moment they booted in whole seconds."""
LIVE = ("queued", "running")
ENDED = ("failed", "cancelled", "interrupted")


@dataclass(frozen=True, slots=True)
class Job:
    """A job as it stands. `rate` is in rows a second, `rows` 0 until the files are read; times are UTC, ISO 8601."""

    id: str
    name: str
    state: str
    stage: str
    done: int
    rows: int
    rate: float
    seconds_left: float | None
    error: str | None
    run_id: str | None
    created: str


class Jobs:
    """The jobs of a store."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def add(self, spec: Spec, submitter: str | None = None) -> str:
        """Put a job down; `start` makes it run. Returns its id.

        Jobs that ended, or fell silent, more than 30 days ago are forgotten, and uploads go that are as old and that
        no unfinished job names.
        """
        id = secrets.token_hex(8)
        values = {"id": id, "spec": json.dumps(spec.to_dict()), "created": now(), "submitter": submitter, "attempt": 0}
        with self.store.writing() as c:
            c.execute(table.insert().values(**values, **_fresh()))
            c.execute(delete(table).where(_forgotten()))
            unfinished = select(table.c.spec).where(table.c.state.in_((*LIVE, *ENDED)))
            used = [Path(path) for spec in c.execute(unfinished).scalars() for path, _ in json.loads(spec)["files"]]
        uploads.prune(used)
        return id

    def get(self, id: str) -> Job:
        """A job. Raises UnknownJob."""
        return _job(self._checked(self._row(id)))

    def recent(self, limit: int = 20) -> list[Job]:
        """The newest jobs, newest first."""
        with self.store.reading() as c:
            rows = c.execute(select(table).order_by(table.c.created.desc()).limit(limit)).mappings().all()
        return [_job(self._checked(dict(row))) for row in rows]

    def cancel(self, id: str) -> None:
        """Ask a job to stop; one that has not begun stops at once, one that has ended stays as it is."""
        self._row(id)
        with self.store.writing() as c:
            values = {"state": "cancelled", "ended": now()}
            c.execute(update(table).where(table.c.id == id, table.c.state == "queued").values(**values))
            c.execute(update(table).where(table.c.id == id, table.c.state == "running").values(cancel=True))

    def resume(self, id: str) -> None:
        """Put a job that ended without a result down again; any other stays as it is."""
        self._checked(self._row(id))
        with self.store.writing() as c:
            values = {**_fresh(), "attempt": table.c.attempt + 1}  # what is left of the old worker is no part of it
            c.execute(update(table).where(table.c.id == id, table.c.state.in_(ENDED)).values(**values))

    def start(self, id: str) -> None:
        """Let it be worked on, by a thread or a process of its own; a job that is not queued is left alone."""
        from jeval_core.harness.work import work

        row = self._row(id)
        if row["state"] != "queued":
            return
        with self.store.writing() as c:
            c.execute(update(table).where(table.c.id == id, table.c.state == "queued").values(heartbeat=time.time()))
        if Spec.from_dict(json.loads(row["spec"])).size() < SMALL_BYTES:
            threading.Thread(target=work, args=(self.store, id), name=f"jeval-job-{id}", daemon=True).start()
            return
        env = {**os.environ, HOME: str(self.store.home)} | ({URL: self.store.url} if self.store.url else {})
        root = str(Path(__file__).parents[2])
        env["PYTHONPATH"] = os.pathsep.join(p for p in (root, os.environ.get("PYTHONPATH")) if p)
        command = [sys.executable, "-m", "jeval_core.harness.work", id]
        process = subprocess.Popen(command, env=env, stdin=subprocess.DEVNULL, start_new_session=True)
        wait = (process, id, row["attempt"])
        threading.Thread(target=self._reap, args=wait, name=f"jeval-wait-{id}", daemon=True).start()

    def _reap(self, process: subprocess.Popen[bytes], id: str, attempt: int) -> None:
        """Wait for the process, and say so when it ended before its job did; a later attempt is not its matter."""
        process.wait()
        waiting = (table.c.state == "queued") & (table.c.attempt == attempt)
        running = (table.c.state == "running") & (table.c.attempt == attempt + 1) & (table.c.pid == process.pid)
        gone = (table.c.id == id) & (waiting | running)
        with suppress(JevalError), self.store.writing() as c:  # `get` finds it too, by its process or its silence
            c.execute(update(table).where(gone).values(state="interrupted", ended=now()))

    def _row(self, id: str) -> dict[str, Any]:
        with self.store.reading() as c:
            row = c.execute(select(table).where(table.c.id == id)).mappings().first()
        if row is None:
            raise UnknownJob.of(id)
        return dict(row)

    def _checked(self, row: dict[str, Any]) -> dict[str, Any]:
        """The row, after a job whose worker is gone was marked as interrupted."""
        if row["state"] not in LIVE or not _gone(row):
            return row
        with self.store.writing() as c:
            same = (table.c.id == row["id"]) & (table.c.state == row["state"]) & (table.c.attempt == row["attempt"])
            c.execute(update(table).where(same).values(state="interrupted", ended=now()))
        return self._row(row["id"])


def _fresh() -> dict[str, Any]:
    gone = dict.fromkeys(("started", "ended", "host", "pid", "pid_started", "error", "run"))
    new = {"state": "queued", "stage": "waiting", "done": 0, "rows": 0, "rate": 0.0, "cancel": False}
    return new | gone | {"heartbeat": time.time()}


def _forgotten() -> ColumnElement[bool]:
    oldest = datetime.now(UTC) - timedelta(days=uploads.KEPT_DAYS)
    live = table.c.state.in_(LIVE)
    return (~live & (table.c.ended < time_text(oldest))) | (live & (table.c.heartbeat < oldest.timestamp()))


def _gone(row: dict[str, Any]) -> bool:
    """Whether nobody works on a queued or running job any more."""
    silent = row["heartbeat"] is None or time.time() - row["heartbeat"] > SILENT_SECONDS
    if silent or row["state"] == "queued" or row["host"] != socket.gethostname():
        return silent
    try:
        process = psutil.Process(row["pid"])
        same = abs(process.create_time() - row["pid_started"]) < CLOCK_SECONDS
        return not same or process.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True
    except psutil.AccessDenied:
        return False


def _job(row: dict[str, Any]) -> Job:
    from jeval_core.harness.gather import shown

    name = shown([name for _, name in json.loads(row["spec"])["files"]])
    left = (row["rows"] - row["done"]) / row["rate"] if row["rate"] > 0 and row["rows"] else None
    return Job(
        row["id"], name, row["state"], row["stage"], row["done"], row["rows"], row["rate"], left,
        row["error"], row["run"], row["created"],
    )  # fmt: skip
