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
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
from sqlalchemy import select, update

from jeval_core.harness import uploads
from jeval_core.harness.errors import UnknownJob
from jeval_core.harness.spec import Spec
from jeval_core.harness.store import Store
from jeval_core.harness.store.database import URL
from jeval_core.harness.store.schema import jobs as table
from jeval_core.harness.store.schema import now
from jeval_core.home import HOME

SMALL_BYTES = 5_000_000
"""Files below this are scored in a thread; larger ones in a process, whose memory goes back when it ends."""
SILENT_SECONDS = 60.0
"""A worker that cannot be looked at (another machine) counts as gone after so long without a sign."""
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
        """Put a job down; `start` makes it run. Returns its id."""
        id = secrets.token_hex(8)
        values = {"id": id, "spec": json.dumps(spec.to_dict()), "created": now(), "submitter": submitter, "attempt": 0}
        with self.store.writing() as c:
            c.execute(table.insert().values(**values, **_fresh()))
            used = [Path(path) for row in c.execute(select(table.c.spec)) for path, _ in json.loads(row.spec)["files"]]
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
            c.execute(update(table).where(table.c.id == id, table.c.state.in_(ENDED)).values(**_fresh()))

    def start(self, id: str) -> None:
        """Let it be worked on, by a thread or a process of its own; a job that is not queued is left alone."""
        from jeval_core.harness.work import work

        row = self._row(id)
        if row["state"] != "queued":
            return
        with self.store.writing() as c:
            c.execute(update(table).where(table.c.id == id).values(heartbeat=time.time()))
        if Spec.from_dict(json.loads(row["spec"])).size() < SMALL_BYTES:
            threading.Thread(target=work, args=(self.store, id), name=f"jeval-job-{id}", daemon=True).start()
            return
        env = {**os.environ, HOME: str(self.store.home)} | ({URL: self.store.url} if self.store.url else {})
        root = str(Path(__file__).parents[2])
        env["PYTHONPATH"] = os.pathsep.join(p for p in (root, os.environ.get("PYTHONPATH")) if p)
        command = [sys.executable, "-m", "jeval_core.harness.work", id]
        process = subprocess.Popen(command, env=env, stdin=subprocess.DEVNULL, start_new_session=True)
        threading.Thread(target=self._reap, args=(process, id), name=f"jeval-wait-{id}", daemon=True).start()

    def _reap(self, process: subprocess.Popen[bytes], id: str) -> None:
        """Wait for the process, and say so when it ended before its job did."""
        process.wait()
        with self.store.writing() as c:
            own = (table.c.id == id) & table.c.state.in_(LIVE) & ((table.c.pid == process.pid) | table.c.pid.is_(None))
            c.execute(update(table).where(own).values(state="interrupted", ended=now()))

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
    gone = dict.fromkeys(("started", "ended", "heartbeat", "host", "pid", "pid_started", "error", "run"))
    return {"state": "queued", "stage": "waiting", "done": 0, "rows": 0, "rate": 0.0, "cancel": False, **gone}


def _gone(row: dict[str, Any]) -> bool:
    """Whether nobody works on a queued or running job any more."""
    silent = row["heartbeat"] is not None and time.time() - row["heartbeat"] > SILENT_SECONDS
    if row["state"] == "queued" or row["host"] != socket.gethostname():
        return silent
    try:
        process = psutil.Process(row["pid"])
        same = abs(process.create_time() - row["pid_started"]) < 0.1
        return not same or process.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def _job(row: dict[str, Any]) -> Job:
    from jeval_core.harness.gather import shown

    name = shown([name for _, name in json.loads(row["spec"])["files"]])
    left = (row["rows"] - row["done"]) / row["rate"] if row["rate"] > 0 and row["rows"] else None
    return Job(
        row["id"], name, row["state"], row["stage"], row["done"], row["rows"], row["rate"], left,
        row["error"], row["run"], row["created"],
    )  # fmt: skip
