"""Rows through a judge, against the least time that its host takes."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter, process_time

import pyarrow as pa

from jeval_core.batch.judged import Judging, Texts, judge_columns
from jeval_core.judge.cache import Cache
from jeval_core.judge.client import Client, Limits
from jeval_core.judge.systemone import SystemOne
from jeval_core.registry import get_evaluator
from tests.e2e.serve import free_port

ROWS, AT_ONCE, SECONDS = 2_000, 32, 0.2


def run() -> None:
    """Print how many times the ideal time 2,000 rows take, without and with the cache."""
    port = free_port()
    command = [sys.executable, "-m", "tests.bench.slow_host", str(port), str(SECONDS)]
    host = subprocess.Popen(command, stdout=subprocess.PIPE, env={**os.environ})
    assert host.stdout is not None and host.stdout.readline()
    texts = Texts(
        pa.array([f"answer {i} {'word ' * 40}" for i in range(ROWS)]),
        criteria=pa.array(["It answers."] * ROWS),
    )
    ideal = ROWS / AT_ONCE * SECONDS
    try:
        with tempfile.TemporaryDirectory() as folder:
            for name, cache in (("no cache", None), ("answers kept", Cache(Path(folder)))):
                judge = SystemOne(Client(f"http://127.0.0.1:{port}", limits=Limits(concurrency=AT_ONCE)), price=1.0)
                start, busy = perf_counter(), process_time()
                scored, _ = judge_columns({"g_eval": (get_evaluator("g_eval"), 0.75)}, texts, Judging(judge, cache))  # type: ignore[dict-item]
                seconds, busy = perf_counter() - start, process_time() - busy
                assert scored["g_eval"].status.tolist() == [0] * ROWS
                print(
                    f"judge, {ROWS:,} rows, {AT_ONCE} at once, {SECONDS * 1000:.0f} ms each, {name}: "
                    f"{seconds:.1f} s = {seconds / ideal:.2f} of the ideal {ideal:.1f} s ({busy:.1f} s of processor)"
                )
    finally:
        host.kill()
        host.wait()
