"""Files to store runs of: small ones with every kind of column, large ones of made words."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

WORDS = [f"w{i}" for i in range(60)]


def everything(path: Path, rows: int = 20, seed: int = 1, changed: int | None = None) -> Path:
    """JSON Lines with a column of every role, missing values and texts that are hard to keep."""
    random = np.random.default_rng(seed)
    hard = ["=1+1", "a,\"b\"\n'c'", "  ", "né 🙂 \u202e", '["x", "y"]', "@x"]
    lines = []
    for i in range(rows):
        output = hard[i % 6] if i % 3 == 0 else " ".join(random.choice(WORDS, 6))
        row = {
            "id": f"c{i // 2}",
            "model_version": "AB"[i % 2],
            "input": f"question {i // 2}" if i % 5 else None,
            "output": None if i == 7 else output,
            "expected": " ".join(random.choice(WORDS, 6)) if i % 4 else output,
            "expected_2": "w1 w2 w3" if i % 3 else None,
            "criteria": "be brief",
            "conversation": "user: hi" if i % 2 else None,
            "task_type": ["qa", "mt", None][i % 3],
            "risk_tier": "high",
            "gold": str(i % 5 + 1) if i % 4 else "",
            "is_bad": ["yes", "no", ""][i % 3],
            "threshold": "0.4" if i % 2 else "",
            "line": f"L{i}",
            "note": hard[(i + 1) % 6],
        }
        if i == changed:
            row["note"] = "another note"
        lines.append(json.dumps(row))
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


def many(path: Path, rows: int, seed: int = 1) -> Path:
    """CSV of made words."""
    random = np.random.default_rng(seed)
    words = np.array(WORDS)
    with path.open("w", encoding="utf-8") as file:
        file.write("id,model_version,task_type,output,expected\n")
        for start in range(0, rows, 10_000):
            picks = words[random.integers(0, len(words), (min(10_000, rows - start), 24))]
            for i, row in enumerate(picks, start):
                file.write(f"{i},{'AB'[i % 2]},{'qa' if i % 3 else 'mt'},{' '.join(row[:12])},{' '.join(row[12:])}\n")
    return path
