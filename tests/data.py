"""Golden data of the tests."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "golden"


@cache
def golden(name: str) -> Any:
    """The parsed content of `golden/<name>.json`; not to be changed."""
    return json.loads((FOLDER / f"{name}.json").read_text("utf-8"))
