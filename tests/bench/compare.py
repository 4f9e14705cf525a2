"""Comparing: resampling a million rows, and the Compare page of two large runs against scoring one of them."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

import numpy as np

from tests.data_io.files import REAL

RESAMPLES, ROWS, METRICS = 10_000, 1_000_000, 6
EVALUATORS = ("bleu", "gleu", "rouge_n", "rouge_l", "levenshtein")
MEMORY = """
import resource, sys, time
import numpy as np
from jeval_core.stats.resample import resampled_sums
rows, metrics, resamples = map(int, sys.argv[1:4])
columns = [np.random.default_rng(i).normal(0.01, 0.2, rows) for i in range(metrics)]
resampled_sums([c[:30_000] for c in columns], 100)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
start = time.perf_counter()
resampled_sums(columns, resamples)
took = time.perf_counter() - start
print(took, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024)
"""


def run() -> None:
    """Print both."""
    _resampling()
    _page()


def _resampling() -> None:
    from jeval_core.stats.resample import resampled_sums

    columns = [np.random.default_rng(i).normal(0.01, 0.2, ROWS) for i in range(METRICS)]
    start = perf_counter()
    for _ in range(3):
        columns[0].std()
    once = (perf_counter() - start) / 3
    args = [sys.executable, "-c", MEMORY, str(ROWS), str(METRICS), str(RESAMPLES)]
    took, memory = map(float, subprocess.run(args, capture_output=True, text=True, check=True).stdout.split())
    few = [column[:100_000] for column in columns]
    one, four = (resampled_sums(few, 500, workers=w) for w in (1, 4))
    print(
        f"paired bootstrap, {RESAMPLES:,} × {ROWS:,} rows × {METRICS} metrics: {took:.1f} s ({took / once:,.0f} times the "
        f"standard deviation of a column), {memory:.0f} MB above the data; same bits with 1 and 4 workers: "
        f"{'yes' if (one == four).all() else 'NO'}"
    )


def _page() -> None:
    """Two runs of a million rows: scoring, comparing for the first time, and drawing the page again."""
    tool = REAL.parent / "tools" / "gen_big.py"
    if not tool.exists():
        print("compare page: not measured, needs the tool that makes a large file")
        return
    with tempfile.TemporaryDirectory() as folder:
        os.environ["JEVAL_HOME"] = folder
        ids, took = [], []
        for seed in (1, 2):
            path = Path(folder) / "big.csv"
            subprocess.run([sys.executable, str(tool), str(path), str(ROWS), "20240601"], check=True)
            if seed == 2:
                _shuffled(path)
            start = perf_counter()
            ids.append(_scored(path))
            took.append(perf_counter() - start)
            path.unlink()
        first, again = _drawn(ids)
    print(
        f"compare page, 2 runs of {ROWS:,} rows × {len(EVALUATORS)} metrics: scoring one {min(took):.1f} s, first time "
        f"{first:.1f} s ({first / min(took):.2f}), again {again:.2f} s ({again / min(took):.2f} of scoring)"
    )


def _shuffled(path: Path) -> None:
    """Swap two words of every third output."""
    import pyarrow.csv as pacsv

    table = pacsv.read_csv(path)
    outputs = table["output"].to_pylist()
    for i in range(0, len(outputs), 3):
        words = (outputs[i] or "").split()
        if len(words) > 3:
            words[1], words[2] = words[2], words[1]
        outputs[i] = " ".join(words)
    at = table.column_names.index("output")
    pacsv.write_csv(table.set_column(at, "output", [outputs]), path)


def _scored(path: Path) -> str:
    from jeval_core.harness.spec import Spec
    from jeval_core.harness.store import Store

    spec = Spec(((str(path), path.name),), EVALUATORS)
    return Store.open().save_run(spec.run(), spec)


def _drawn(ids: list[str]) -> tuple[float, float]:
    """Seconds of the page when nothing is kept, and when everything is."""
    from streamlit.testing.v1 import AppTest

    import console

    def draw() -> float:
        app = AppTest.from_file(str(Path(console.__file__).with_name("app.py")), default_timeout=1_000)
        app.switch_page("views/compare.py")
        app.query_params["a"], app.query_params["b"] = ids
        start = perf_counter()
        app.run()
        took = perf_counter() - start
        assert not app.exception, app.exception
        return took

    first = draw()
    return first, min(draw() for _ in range(3))
