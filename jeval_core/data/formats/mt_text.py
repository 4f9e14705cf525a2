"""Parallel text as machine translation keeps it: one file for each side, one segment a line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from jeval_core.data.aliases import field_of
from jeval_core.data.dialect import physical_lines
from jeval_core.data.errors import UnreadableFile, listed


def segments(text: str) -> list[str]:
    """The lines of a text without their ends; an empty line is an empty segment."""
    return [line.rstrip("\r\n") for line in physical_lines(text)]


def side(name: str) -> str:
    """The column for a file: the part of its name that says which side it is (`news.ref.txt` → ref), else its stem."""
    stem = Path(name).stem
    parts = re.split(r"[._-]", stem)
    return next((p for p in parts if field_of(p) in ("output", "references", "input")), stem)


def check_equal(names: Sequence[str], texts: Sequence[Sequence[str]]) -> None:
    """Sides of different lengths cannot be paired."""
    counts = [len(t) for t in texts]
    if len(set(counts)) > 1:
        raise UnreadableFile(
            f"The files {listed(names)} have {', '.join(f'{c:,}' for c in counts)} lines; segments pair line by line.",
            hint="Give files with equally many lines.",
        )
