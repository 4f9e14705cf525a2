"""A file of a million rows: read, scored and aggregated, against the time pandas needs only to read it."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

import pandas as pd

from jeval_core.runs import run_file
from tests.bench.batch import NGRAM, table

ROWS = 1_000_000
ROUNDS = 3
PEAK = """
import resource, sys
from jeval_core.runs import run_file
run_file(sys.argv[1], ["bleu", "gleu", "rouge_n", "rouge_l"])
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)
"""


def big_file(folder: Path) -> Path:
    """The CSV named by JEVAL_BIG_CSV, else one made of random words."""
    named = os.environ.get("JEVAL_BIG_CSV")
    if named:
        return Path(named)
    path = folder / "big.csv"
    table(ROWS, 17).assign(id=range(ROWS)).to_csv(path, index=False)
    return path


def run() -> None:
    """Print the ratios, both sides in turn, best of three, and the peak memory of a process of its own."""
    with tempfile.TemporaryDirectory() as name:
        path = big_file(Path(name))
        run_file(path, NGRAM)
        ours, theirs = [], []
        for _ in range(ROUNDS):
            start = perf_counter()
            run_file(path, NGRAM)
            ours.append(perf_counter() - start)
            start = perf_counter()
            pd.read_csv(path, dtype=str, keep_default_na=False)
            theirs.append(perf_counter() - start)
        size = path.stat().st_size
        peak = int(
            subprocess.run([sys.executable, "-c", PEAK, str(path)], capture_output=True, text=True, check=True).stdout
        )
    a, b = min(ours), min(theirs)
    print(
        f"{size / 1e6:.0f} MB, read + scored + aggregated {a:.2f} s, pandas reads in {b:.2f} s: ×{a / b:.2f} (medians ×{statistics.median(ours) / statistics.median(theirs):.2f})"
    )
    print(f"peak memory {peak / 1e6:.0f} MB = ×{peak / size:.1f} of the file")
