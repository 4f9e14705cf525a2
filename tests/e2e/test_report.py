"""The HTML report in a real browser, from disk: no request, no message, drawn, accessible, in the reader's colours."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, Page

from console.report import palette
from tests.e2e.test_access import violations
from tests.reports import hostile, report, translations

pytestmark = pytest.mark.browser


@pytest.fixture
def opened(chrome: Browser, tmp_path: Path) -> Iterator[Callable[..., Page]]:
    """`opened(html, width=, dark=)` opens a file and fails the test on any other request and on any console message."""
    faults: list[str] = []
    contexts = []

    def open_(html: str, *, width: int = 1440, dark: bool = False) -> Page:
        path = tmp_path / "report.html"
        path.write_text(html, "utf-8")
        context = chrome.new_context(viewport={"width": width, "height": 900}, color_scheme="dark" if dark else "light")
        contexts.append(context)
        page = context.new_page()
        page.on("request", lambda r: faults.append(r.url[:100]) if r.url != path.as_uri() else None)
        page.on("console", lambda m: faults.append(f"{m.type}: {m.text}"))
        page.on("pageerror", lambda e: faults.append(str(e)))
        page.goto(path.as_uri())
        page.wait_for_function(
            "document.querySelectorAll('.plot .main-svg').length >= document.querySelectorAll('.plot').length"
        )
        return page

    yield open_
    for context in contexts:
        context.close()
    assert faults == []


VIEWS = [(1440, False), (1440, True), (390, False), (390, True)]


@pytest.mark.parametrize(("width", "dark"), VIEWS, ids=["1440-light", "1440-dark", "390-light", "390-dark"])
@pytest.mark.parametrize("make", [report, hostile], ids=["report", "hostile"])
def test_opens_from_disk(opened: Callable[..., Page], make: Callable[[], str], width: int, dark: bool) -> None:
    page = opened(make(), width=width, dark=dark)
    assert page.locator(".plot").count() == page.locator(".plot.js-plotly-plot").count() > 3
    assert page.locator("#plot-0 .bars path").count() >= 20
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert page.evaluate("window.hit") is None
    wide = page.evaluate(
        "[...document.querySelectorAll('main *')].filter((e) => e.getBoundingClientRect().right > innerWidth + 1 && !e.closest('.plot')).map((e) => e.outerHTML.slice(0, 120))"
    )
    assert wide == []
    assert violations(page) == []


def test_hover_says_the_bars_numbers(opened: Callable[..., Page]) -> None:
    page = opened(report())
    counts, edges = np.histogram(translations().scored["bleu"].score, np.arange(41) / 40)
    at = int(counts.argmax())
    page.locator("#plot-0").scroll_into_view_if_needed()
    x, y = page.evaluate(
        "(at) => { const p = document.querySelector('#plot-0'), { xaxis, yaxis } = p._fullLayout, b = p.getBoundingClientRect();"
        " return [b.left + xaxis._offset + xaxis.d2p((at + 0.5) / 40), b.top + yaxis._offset + yaxis.d2p(0.5)]; }",
        at,
    )
    page.mouse.move(x, y)
    page.wait_for_selector("#plot-0 .hoverlayer text")
    said = page.locator("#plot-0 .hoverlayer").text_content() or ""
    assert f"{edges[at]:.3f} to" in said and f": {counts[at]} rows" in said


def test_colours_follow_the_reader_and_paper_is_light(opened: Callable[..., Page]) -> None:
    page = opened(report())
    fills = "() => [...new Set([...document.querySelectorAll('#plot-0 .bars path')].map((e) => e.style.fill))]"
    ground = "() => getComputedStyle(document.documentElement).getPropertyValue('--paper')"

    def rgb(color: str) -> str:
        return "rgb({}, {}, {})".format(*(int(color[i : i + 2], 16) for i in (1, 3, 5)))

    assert set(page.evaluate(fills)) == {rgb(c) for c in palette.LIGHT[1:3]}
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(f"(seen) => !({fills})().includes(seen)", arg=rgb(palette.LIGHT[1]))
    assert set(page.evaluate(fills)) == {rgb(c) for c in palette.DARK[1:3]} and page.evaluate(ground) == "#14171A"
    page.emulate_media(media="print", color_scheme="dark")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert set(page.evaluate(fills)) == {rgb(c) for c in palette.LIGHT[1:3]} and page.evaluate(ground) == "#FDFDFC"
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert set(page.evaluate(fills)) == {rgb(c) for c in palette.DARK[1:3]}


def test_the_policy_bites(chrome: Browser, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    path.write_text(report(), "utf-8")
    page = chrome.new_page()
    page.goto(path.as_uri())
    blocked = page.evaluate(
        """() => new Promise((done) => {
          const seen = [];
          document.addEventListener("securitypolicyviolation", (e) => { seen.push(e.effectiveDirective); if (seen.length === 3) done(seen.sort()); });
          document.body.append(Object.assign(document.createElement("script"), { textContent: "window.hit = 1" }));
          document.body.append(Object.assign(document.createElement("img"), { src: "https://example.invalid/x.png" }));
          fetch("https://example.invalid/").catch(() => 0);
        })"""
    )
    assert blocked == ["connect-src", "img-src", "script-src-elem"] and page.evaluate("window.hit") is None
    page.close()
