"""A running console and a real browser; every page is watched for foreign requests and console errors."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests.browser import FLAGS, ensure
from tests.e2e.serve import serving

# Streamlit asks for its health page below the current path first; the 404 is its own and harmless
expect.set_options(timeout=20_000)  # machines are shared
HARMLESS = ("_stcore/health", "_stcore/host-config")


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address of a console of its own."""
    with serving(tmp_path_factory.mktemp("home")) as url:
        yield url


@pytest.fixture(scope="session")
def chrome() -> Iterator[Browser]:
    with sync_playwright() as p:
        browser = p.chromium.launch(executable_path=ensure(), args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def open_page(chrome: Browser, server: str) -> Iterator[Callable[..., Page]]:
    """`open_page(path, width=, dark=)` opens a page and fails the test on a foreign request or a console error."""
    contexts: list[BrowserContext] = []
    faults: list[str] = []

    def open_(path: str = "/", *, width: int = 1440, height: int = 900, dark: bool = False, **more: object) -> Page:
        context = chrome.new_context(
            viewport={"width": width, "height": height}, color_scheme="dark" if dark else "light", **more
        )
        context.grant_permissions(["clipboard-read", "clipboard-write"], origin=server)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(20_000)
        page.on(
            "request",
            lambda r: (
                faults.append(f"foreign request {r.url}")
                if not r.url.startswith((server, server.replace("http", "ws"), "data:", "blob:", "file:"))
                else None
            ),
        )
        page.on(
            "console",
            lambda m: (
                faults.append(f"console: {m.text}")
                if m.type == "error" and not any(h in m.text + str(m.location) for h in HARMLESS)
                else None
            ),
        )
        page.on("pageerror", lambda e: faults.append(f"page error: {e}"))
        page.goto(path if ":" in path.split("?")[0] else server + path)
        return page

    open_.server = server  # type: ignore[attr-defined]
    yield open_
    for context in contexts:
        context.close()
    assert not faults, faults
