"""What holds for every test: no writing to the user's own folder, browsers last."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A fresh JEVAL_HOME, which processes started by the test inherit."""
    folder = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("JEVAL_HOME", str(folder))
    monkeypatch.delenv("JEVAL_DATABASE_URL", raising=False)
    return folder


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Browser tests go last: Playwright leaves an event loop running, in which others could not run theirs."""
    items.sort(key=lambda item: item.get_closest_marker("browser") is not None)
