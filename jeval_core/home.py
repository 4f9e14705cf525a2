"""The folder in which this program keeps its files."""

from __future__ import annotations

import os
from pathlib import Path

from platformdirs import user_data_path

HOME = "JEVAL_HOME"


def home() -> Path:
    """Where everything is kept: `JEVAL_HOME`, else the platform's folder for user data. It need not exist yet."""
    return Path(os.environ.get(HOME) or user_data_path("jeval", appauthor=False))
