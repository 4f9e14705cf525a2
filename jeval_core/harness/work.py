"""Working on a job, in a thread or as a process: `python -m jeval_core.harness.work JOB`."""

from __future__ import annotations

import json
import logging
import os
import socket
import sys
import threading
import time
from collections import deque
from types import TracebackType
from typing import Any

import psutil
from sqlalchemy import select, update

from jeval_core.batch.engine import Cancelled
from jeval_core.errors import JevalError
from jeval_core.harness.spec import Spec
from jeval_core.harness.store import Store
from jeval_core.harness.store.schema import jobs, now
from jeval_core.judge.progress import Progress

BEAT_SECONDS = 0.4
RATE_SECONDS = 4.0
"""The rate is that of the last seconds."""
log = logging.getLogger("jeval.jobs")


def work(store: Store, id: str) -> None:
    """Do a queued job, if nobody else does; it always ends in a state that says what became of it.

    Where the database cannot take that state the job falls silent, which reads as `interrupted`.
    """
    try:
        claimed = _claim(store, id)
        if claimed is not None:
            _do(store, id, *claimed)
    except JevalError:
        log.exception("job %s: its state could not be written", id)


def _do(store: Store, id: str, attempt: int, spec: Spec, submitter: str | None) -> None:
    end: dict[str, Any]
    with _Pulse(store, id, attempt) as pulse:
        try:
            run = spec.run(pulse.progress, pulse.cancelled, pulse.asking)
            pulse.stage = "storing"
            pulse.beat()
            if pulse.cancelled():
                raise Cancelled
            end = {"state": "done", "run": store.save_run(run, spec, submitter), "done": len(run.rows)}
            end |= {"rows": len(run.rows)}
        except Cancelled:
            end = {"state": "cancelled"}
        except JevalError as error:
            end = {"state": "failed", "error": str(error)}
        except MemoryError:
            end = {"state": "failed", "error": "There is not enough memory for these files. Score them in parts."}
        except OSError as error:
            log.exception("job %s", id)
            reason = error.strerror or type(error).__name__
            said = f"A file cannot be read or written: {reason}. Check the disk and resume."
            end = {"state": "failed", "error": said}
        except Exception:
            log.exception("job %s", id)
            end = {"state": "failed", "error": "The program failed on these files; its log has the details."}
    with store.writing() as c:
        c.execute(update(jobs).where(*_own(id, attempt)).values(ended=now(), stage="ended", **end))


def _own(id: str, attempt: int) -> tuple[Any, ...]:
    """The job while it is this worker's: a resumed one belongs to another.

    One that was held for interrupted while the machine slept is still its own.
    """
    return jobs.c.id == id, jobs.c.attempt == attempt, jobs.c.state.in_(("running", "interrupted"))


def _claim(store: Store, id: str) -> tuple[int, Spec, str | None] | None:
    """Take a queued job; None where there is none, or where another worker was first."""
    with store.writing() as c:
        row = c.execute(select(jobs).where(jobs.c.id == id, jobs.c.state == "queued")).first()
        if row is None:
            return None
        process = psutil.Process()
        values = {
            "state": "running", "stage": "reading", "started": now(), "heartbeat": time.time(),
            "host": socket.gethostname(), "pid": os.getpid(), "pid_started": process.create_time(),
            "attempt": row.attempt + 1,
        }  # fmt: skip
        same = (jobs.c.id == id) & (jobs.c.state == "queued") & (jobs.c.attempt == row.attempt)
        if not c.execute(update(jobs).where(same).values(**values)).rowcount:
            return None
        return row.attempt + 1, Spec.from_dict(json.loads(row.spec)), row.submitter


class _Pulse:
    """Carries progress to the database and the wish to cancel back, beside the work and not in its way."""

    def __init__(self, store: Store, id: str, attempt: int) -> None:
        self.stage = "reading"
        self._store, self._id, self._attempt = store, id, attempt
        self._done, self._rows = 0, 0
        self._seen: deque[tuple[float, int]] = deque()
        self._over, self._cancel, self._turn = threading.Event(), threading.Event(), threading.Lock()
        self._thread = threading.Thread(target=self._go_on, name=f"jeval-pulse-{id}", daemon=True)

    def progress(self, done: int, rows: int) -> None:
        """Take (rows done, rows)."""
        self.stage, self._done, self._rows = "scoring", done, rows

    def asking(self, done: int, rows: int, so_far: Progress) -> None:
        """Take (rows done, rows, what a judge was asked so far)."""
        self.stage, self._done, self._rows = f"asking the judge: {so_far.said()}", done, rows

    def cancelled(self) -> bool:
        """Whether someone wants the job to stop."""
        return self._cancel.is_set()

    def __enter__(self) -> _Pulse:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._over.set()
        self._thread.join()

    def beat(self) -> None:
        """Tell and ask now."""
        try:
            with self._turn:
                self._tell()
        except Exception:  # a busy disk for a moment; the next beat tells more
            log.warning("job %s: progress could not be written", self._id, exc_info=True)

    def _go_on(self) -> None:
        while not self._over.wait(BEAT_SECONDS):
            self.beat()

    def _tell(self) -> None:
        moment = time.monotonic()
        self._seen.append((moment, self._done))
        while moment - self._seen[0][0] > RATE_SECONDS:
            self._seen.popleft()
        since, before = self._seen[0]
        rate = (self._done - before) / (moment - since) if moment > since else 0.0
        values = {"state": "running", "ended": None, "stage": self.stage, "heartbeat": time.time()}
        values |= {"done": self._done, "rows": self._rows, "rate": rate}
        with self._store.writing() as c:
            own = _own(self._id, self._attempt)
            c.execute(update(jobs).where(*own).values(**values))
            wanted = c.execute(select(jobs.c.cancel).where(*own)).scalar()
        if wanted or wanted is None:  # None: the job is not ours any more
            self._cancel.set()


if __name__ == "__main__":
    from jeval_core.data.arrow import save_memory

    save_memory()
    work(Store.open(), sys.argv[1])
