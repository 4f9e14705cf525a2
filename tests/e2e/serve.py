"""A console, or any Streamlit script, on a free port."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]


def free_port() -> int:
    """A port that nobody listens on now."""
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return int(s.getsockname()[1])


@contextmanager
def serving(home: Path, script: Path | None = None) -> Iterator[str]:
    """Serve until the block ends and yield the address; `home` holds the console's files and the log."""
    home.mkdir(parents=True, exist_ok=True)
    port = free_port()
    if script is None:
        command = [sys.executable, "-m", "console.cli", "console", "--port", str(port), "--no-browser"]
    else:
        command = [
            sys.executable,
            "-m",
            "streamlit",
            "run",
            str(script),
            "--server.port",
            str(port),
            "--server.headless",
            "true",
        ]
    log = home / "server.log"
    with log.open("wb") as out:
        env = {**os.environ, "JEVAL_HOME": str(home), "PYTHONPATH": str(ROOT)}
        process = subprocess.Popen(command, cwd=ROOT, env=env, stdout=out, stderr=subprocess.STDOUT)
    url = f"http://localhost:{port}"
    try:
        for _ in range(240):
            try:
                urllib.request.urlopen(f"{url}/_stcore/health", timeout=2)
                break
            except OSError:
                assert process.poll() is None, log.read_text()
                time.sleep(0.25)
        yield url
    finally:
        process.terminate()
        process.wait(20)
