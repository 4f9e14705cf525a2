"""A file of a million rows: read, scored and aggregated, against the time pandas needs only to read it."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pandas as pd

from jeval_core.harness.store import Store
from jeval_core.runs import Run, run_file
from tests.bench.batch import NGRAM, interleaved, table

ROWS = 1_000_000
ROUNDS = 5
PEAK = """
import resource, subprocess, sys
command = [sys.executable, "-m", "console.cli", "run", sys.argv[1], "--evaluators", sys.argv[2], "--json", *sys.argv[3:]]
subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024)
"""


def big_file(folder: Path) -> Path:
    """The CSV named by JEVAL_BIG_CSV, else one made of random words."""
    named = os.environ.get("JEVAL_BIG_CSV")
    if named:
        return Path(named)
    path = folder / "big.csv"
    table(ROWS, 17).assign(id=range(ROWS)).to_csv(path, index=False)
    return path


def keep(store: Store, run: Run) -> None:
    """Store a run, each time anew."""
    store.delete_run(store.save_run(run))


def run() -> None:
    """Print the ratios, all sides in turn, best of five, and the peak memory of `jeval run`."""
    with tempfile.TemporaryDirectory() as name:
        path, store = big_file(Path(name)), Store.open(Path(name) / "home")
        run_file(path, NGRAM)
        sides = {
            "read, scored and aggregated": lambda: run_file(path, NGRAM),
            "the same, hashed and kept in the store": lambda: keep(store, run_file(path, NGRAM)),
            "pandas.read_csv(dtype=str, keep_default_na=False)": lambda: pd.read_csv(
                path, dtype=str, keep_default_na=False
            ),
        }
        times = interleaved([*sides.values()], ROUNDS)
        size = path.stat().st_size
        peaks = [peak(path, Path(name), *more) for more in (("--no-store",), ())]
    print(
        f"{size / 1e6:.0f} MB, {ROWS:,} rows, {', '.join(NGRAM)}\n\n| what | seconds | of pandas' time |\n|---|---|---|"
    )
    for what, time in zip(sides, times, strict=True):
        print(f"| {what} | {time:.2f} | {time / times[-1]:.2f} |")
    said = [f"{bytes / 1e6:.0f} MB, {bytes / size:.2f} times the file" for bytes in peaks]
    print(f"\nPeak memory of `jeval run --no-store`: {said[0]}; of `jeval run`: {said[1]}.")


def peak(path: Path, home: Path, *more: str) -> int:
    """The most memory, in bytes, that `jeval run` needs."""
    command = [sys.executable, "-c", PEAK, str(path), ",".join(NGRAM), *more]
    env = {**os.environ, "JEVAL_HOME": str(home / "runs")}
    return int(subprocess.run(command, capture_output=True, text=True, check=True, env=env).stdout)
