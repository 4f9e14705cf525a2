"""Files of made answers by several systems, and what the tests of runs from several files compare."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from jeval_core.runs import Run
from tests.data_io.files import csv_text, write

WORDS = "the cat sat on a mat near an old door while rain fell over quiet hills".split()


def answers(folder: Path, name: str, rows: int = 30, seed: int = 1, share: float = 0.7, **more: Any) -> Path:
    """A CSV of one system; the references are the same for every seed, the answers are not. `more` are columns."""
    truth, random = np.random.default_rng(9), np.random.default_rng(seed)
    table = [["id", "output", "expected", "task_type", *more]]
    for i in range(rows):
        expected = [str(w) for w in truth.choice(WORDS, 9)]
        output = [w if random.random() < share else str(random.choice(WORDS)) for w in expected]
        table.append([f"q{i}", " ".join(output), " ".join(expected), ["short", "long"][i % 2], *(str(f(i)) for f in more.values())])
    return write(folder, name, csv_text(table))


def alike(run: Run, alone: Run, start: int) -> None:
    """Rows of a run from `start` on have the scores and verdicts that they have in a run of their own."""
    own = slice(start, start + len(alone.rows))
    for id, scored in alone.scored.items():
        for column in ("score", "passed", "status"):
            assert np.array_equal(getattr(run.scored[id], column)[own], getattr(scored, column), equal_nan=column == "score")


def plain(column: Any) -> list[Any]:
    return column.to_pylist()
