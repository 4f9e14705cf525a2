"""The stage and the page in a real browser."""

from __future__ import annotations

import random
import statistics
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter

from playwright.sync_api import Browser, Page, sync_playwright

from console.components.stage import export_html
from jeval_core import explain, list_evaluators
from tests.browser import FLAGS, ensure
from tests.e2e.serve import serving

SOURCE = (
    "The model returns calibrated probabilities, not text.",
    "The model returns calibrated probabilities rather than text.",
)
STEPS = 50

# Steps to and fro over the main frames: time of the script, then of the layout it causes.
STEP = """
async (steps) => {
  const next = document.querySelector('[aria-label="Next frame"]'), prev = document.querySelector('[aria-label="Previous frame"]');
  const script = [], layout = [];
  for (let i = 0; i < steps; i++) {
    const button = i % 6 < 3 ? next : prev;
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    const t0 = performance.now();
    button.click();
    const t1 = performance.now();
    document.body.getBoundingClientRect(); document.querySelector("[aria-roledescription=slide]").offsetHeight;
    script.push(t1 - t0); layout.push(performance.now() - t1);
  }
  return [script, layout];
}
"""


def text(n: int, seed: int) -> str:
    """`n` words of a vocabulary that makes texts share some of them."""
    rng = random.Random(seed)
    return " ".join(f"word{rng.randrange(150)}" for _ in range(n))


def steps(page: Page, folder: Path) -> None:
    """Print script and layout of a step, medians of 50."""
    print("| stage | script ms | layout ms |\n|---|---|---|")
    for name, pair in (("source example", SOURCE), ("200 tokens a side", (text(200, 1), text(200, 2)))):
        for card in list_evaluators():
            trace = explain(card.id, output=pair[0], expected=pair[1]).to_dict()
            (folder / "trace.html").write_text(export_html(trace, title=card.name), "utf-8")
            page.goto(f"file://{folder}/trace.html")
            page.wait_for_selector("[aria-roledescription=slide]")
            script, layout = page.evaluate(STEP, STEPS)
            print(f"| {card.name}, {name} | {statistics.median(script):.2f} | {statistics.median(layout):.2f} |")


EMPTY = "import pandas, plotly.graph_objects\nimport streamlit as st\nst.title('BLEU')\n"


def first_paint(browser: Browser, pages: dict[str, str]) -> None:
    """Print the time until a page's title is on screen, medians of 9 visits each, in turn."""
    times: dict[str, list[float]] = {name: [] for name in pages}
    for _ in range(10):
        for name, url in pages.items():
            page = browser.new_page()
            start = perf_counter()
            page.goto(url)
            page.wait_for_selector("h1")
            times[name].append(perf_counter() - start)
            page.close()
    medians = {name: statistics.median(t[1:]) for name, t in times.items()}
    print(
        "first paint:",
        ", ".join(f"{n} {1000 * t:.0f} ms" for n, t in medians.items()),
        f"= ×{medians['Explore'] / medians['empty app']:.2f}",
    )


def reruns(measure: Callable[[bool, str], float]) -> None:
    """Print the rerun of Explore against the same widgets without work, medians of 25 in turn."""
    for what in ("same pair", "new pair"):
        times: dict[bool, list[float]] = {True: [], False: []}
        for i in range(26):
            for work in (True, False):
                times[work].append(measure(work, f"{SOURCE[0]} {i if what == 'new pair' else ''}"))
        a, b = (statistics.median(times[work][1:]) for work in (True, False))
        print(f"rerun, {what}: Explore {1000 * a:.1f} ms, same widgets without work {1000 * b:.1f} ms = ×{a / b:.2f}")


@contextmanager
def _apps() -> Iterator[Callable[[bool, str], float]]:
    """Explore, and Explore whose scores are made once: a rerun of each by AppTest."""
    from unittest.mock import patch

    from streamlit.testing.v1 import AppTest

    from console import cache, state
    from console.state import Query

    app_file = str(Path(cache.__file__).with_name("app.py"))
    apps = {work: AppTest.from_file(app_file, default_timeout=60).run() for work in (True, False)}
    key = cache.key(Query())
    done = {"studied": cache.studied(key)}

    def measure(work: bool, output: str) -> float:
        app = apps[work]
        app.text_area(key=state.OUTPUT).set_value(output)
        next(b for b in app.button if "Score" in b.label).click()
        stubs = (
            [] if work else [patch.object(cache, name, lambda _, value=value: value) for name, value in done.items()]
        )
        for stub in stubs:
            stub.start()
        start = perf_counter()
        app.run()
        seconds = perf_counter() - start
        for stub in stubs:
            stub.stop()
        return seconds

    yield measure


def run() -> None:
    """Print everything."""
    with sync_playwright() as p, tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        browser = p.chromium.launch(executable_path=ensure(), args=FLAGS)
        steps(browser.new_page(viewport={"width": 1300, "height": 900}), folder)
        (folder / "empty.py").write_text(EMPTY, "utf-8")
        with serving(folder / "home") as ours, serving(folder / "home2", folder / "empty.py") as empty:
            first_paint(browser, {"Explore": ours, "empty app": empty})
        browser.close()
    with _apps() as measure:
        reruns(measure)
