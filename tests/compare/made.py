"""Stored runs of made answers, to be compared."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from jeval_core.harness.results import Results
from jeval_core.harness.spec import Spec
from jeval_core.harness.store import Store
from tests.data_io.files import csv_text, write

WORDS = "the cat sat on a mat near an old door while rain fell over quiet hills".split()


def rows_of(n: int, share: float, seed: int) -> list[dict[str, str]]:
    """Cases with the same texts for every seed; a share of the words of each answer is right."""
    truth, random = np.random.default_rng(9), np.random.default_rng(seed)
    out = []
    for i in range(n):
        words = [str(w) for w in truth.choice(WORDS, 9)]
        other = [str(w) for w in truth.choice(WORDS, 9)]
        said = [w if random.random() < share else str(random.choice(WORDS)) for w in words]
        out.append(
            {
                "id": f"q{i}",
                "input": f"question {i}",
                "task_type": ["short", "long"][i % 2],
                "output": " ".join(said),
                "expected": " ".join(words),
                "expected_2": " ".join(other),
                "human_score": f"{5 * share + random.random():.3f}",
                "is_wrong": ["no", "yes"][random.random() > share],
            }
        )
    return out


def stored(folder: Path, name: str, rows: Sequence[dict[str, Any]], evaluators: Sequence[str] = ("bleu",), **how: Any) -> Results:
    """The rows as a stored run."""
    head = list(dict.fromkeys(key for row in rows for key in row))
    path = write(folder, f"{name}.csv", csv_text([head, *([row.get(key, "") for key in head] for row in rows)]))
    how.setdefault("tag_columns", {"wrong": "is_wrong"} if "is_wrong" in head else {})
    spec = Spec(((str(path), path.name),), tuple(evaluators), **how)
    store = Store.open()
    return store.run(store.save_run(spec.run(), spec))


def both(folder: Path, n: int = 240, shares: tuple[float, float] = (0.6, 0.7), **how: Any) -> tuple[Results, Results]:
    """Two systems on the same cases, the second somewhat better."""
    a, b = (stored(folder, name, rows_of(n, share, seed), **how) for seed, (name, share) in enumerate(zip("ab", shares, strict=True)))
    return a, b


def without(rows: Sequence[dict[str, Any]], gone: Callable[[int], bool]) -> list[dict[str, Any]]:
    return [row for i, row in enumerate(rows) if not gone(i)]
