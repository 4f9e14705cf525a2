"""A browser for the tests: one that is there, else Debian's package when root, else Playwright's own; else a clear failure.

Run as a module it makes sure of one; `executable()` says which.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
MAC = Path("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome")


def installed() -> str | None:
    """Path of a browser on this machine: `JEVAL_BROWSER`, one on the PATH, or Playwright's."""
    named = os.environ.get("JEVAL_BROWSER")
    if named:
        return named if Path(named).exists() else None
    found = next((path for name in NAMES if (path := shutil.which(name))), None)
    return found or (str(MAC) if MAC.exists() else _playwrights())


def _playwrights() -> str | None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as p:
        path = p.chromium.executable_path
    return path if path and Path(path).exists() else None


def _from_debian() -> None:
    if hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get"):
        for command in (["apt-get", "update", "-qq"], ["apt-get", "install", "-y", "-qq", "chromium"]):
            subprocess.run(command, check=False, stdout=subprocess.DEVNULL)


def _from_playwright() -> None:
    subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=False)


def ensure() -> str:
    """Path of a browser, installed if need be; SystemExit when none can be had."""
    for get in (lambda: None, _from_debian, _from_playwright):
        get()
        path = installed()
        if path:
            return path
    sys.exit(
        "The tests need a browser and none could be installed. Install Chromium or Chrome, or set JEVAL_BROWSER to one."
    )


if __name__ == "__main__":
    print("browser:", ensure())
