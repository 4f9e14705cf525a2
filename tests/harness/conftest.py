"""A store's jobs, a file, and a gate before the work."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from jeval_core.harness import work
from jeval_core.harness.jobs import Jobs
from jeval_core.harness.store import Store
from tests.harness.files import everything
from tests.harness.working import Gate, settled


@pytest.fixture
def jobs() -> Iterator[Jobs]:
    store = Store.open()
    yield Jobs(store)
    settled()
    store.close()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return everything(tmp_path / "a.jsonl")


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Iterator[Gate]:
    monkeypatch.setattr(work, "BEAT_SECONDS", 0.02)
    gate = Gate(monkeypatch)
    yield gate
    gate.open.set()
    settled()
