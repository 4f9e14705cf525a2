"""A million rows through the page: usable all the while, in bounded memory, and never as a whole through the websocket."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.serve import serving
from tests.e2e.stage import stage
from tests.e2e.test_datasets import bars, click_bar, count, figure, open_row, score_it, upload
from tests.harness.files import many

pytestmark = [pytest.mark.browser, pytest.mark.long]
ROWS = 1_000_000
MB = 1 << 20


class Memory:
    """The memory of the server and of what it started, watched by a thread; bytes."""

    def __init__(self) -> None:
        self.peak = 0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def now(self) -> int:
        total = 0
        servers = [p for p in psutil.Process().children(recursive=True) if "console.cli" in " ".join(_command(p))]
        for one in {q.pid: q for p in servers for q in (p, *p.children(recursive=True))}.values():
            try:
                total += one.memory_full_info().uss  # not what is shared with the rest of the machine
            except psutil.Error:
                continue
        return total

    def _watch(self) -> None:
        while not self._over.wait(0.2):
            self.peak = max(self.peak, self.now())

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Measure the peak until the block ends."""
        self._thread.start()
        yield
        self._over.set()
        self._thread.join()


def _command(process: psutil.Process) -> list[str]:
    try:
        return process.cmdline()
    except psutil.NoSuchProcess:
        return []


def test_a_million_rows(chrome: Browser, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def watch(address: str) -> Page:
        page = chrome.new_page(viewport={"width": 1440, "height": 900})
        page.set_default_timeout(60_000)
        page.goto(address)
        return page

    path = Path(os.environ.get("JEVAL_BIG_CSV") or many(tmp_path / "big.csv", ROWS))
    size = path.stat().st_size
    memory, frames = Memory(), []
    with serving(tmp_path / "home") as url, memory.watched():
        page = watch(f"{url}/datasets")
        page.locator(".st-key-sample-qa").get_by_role("button").click()
        expect(page.get_by_role("heading", name="Mapping", exact=True)).to_be_visible()
        score_it(page)  # what every run needs is loaded from here on
        start = memory.now()
        page = watch("about:blank")
        page.on("websocket", lambda s: s.on("framereceived", lambda f: frames.append(len(f))))
        page.goto(f"{url}/datasets")
        upload(page, path)
        page.locator(".st-key-score-file").get_by_role("button").click()
        expect(page.get_by_role("button", name="Cancel")).to_be_visible()
        other = watch(url)  # while it runs, the console answers
        stage(other)
        expect(page.get_by_role("heading", name="Scores", exact=True)).to_be_visible(timeout=300_000)
        bars(page)
        assert figure(page, "Rows scored") == f"{ROWS:,}" and count(page) == ROWS
        click_bar(page, 12)
        expect(page.locator(".st-key-drop-bar")).to_be_visible()
        bars(page)
        assert 0 < count(page) < ROWS
        open_row(page)
        page.locator(".st-key-step-File").get_by_role("button").click()
        expect(page.get_by_role("heading", name="Bring a file")).to_be_visible()
        end = time.monotonic() + 30
        while memory.now() > start + size / 4 and time.monotonic() < end:
            time.sleep(0.5)
        left = memory.now()
    with capsys.disabled():
        print(f"\nfile {size / MB:.0f} MB; server at the start {start / MB:.0f} MB, with what it started at most "
              f"{memory.peak / MB:.0f} MB = {memory.peak / size:.2f} times the file; after closing {left / MB:.0f} MB; "
              f"largest message {max(frames) / 1e3:.0f} kB")  # fmt: skip
    assert memory.peak <= 4 * size
    assert left <= start + size / 2
    assert max(frames) < 4_000_000
