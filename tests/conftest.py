"""No test writes to the user's own folder."""

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
