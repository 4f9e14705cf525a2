"""Judges in a real browser: an example without network, another judge chosen, a file asked and asked again."""

from __future__ import annotations

import csv
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.serve import free_port, serving
from tests.e2e.stage import name, press, ready, shown, stage
from tests.e2e.test_access import violations
from tests.e2e.test_datasets import open_row, score_it, upload

pytestmark = pytest.mark.browser
KEY = "K-secret-of-the-test"
FRAMES = ["the state", "the question", "a weight on every level", "expected level → score"]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A console whose environment names a mock of Jev; nothing chooses it."""
    port = free_port()
    script = "import sys; from jevcompat.cli import main; sys.exit(main())"
    mock = subprocess.Popen(
        [sys.executable, "-c", script, "mock", "--port", str(port), "--key", KEY],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    wanted = {
        "TYPESAFE_BASE_URL": f"http://127.0.0.1:{port}",
        "TYPESAFE_API_KEY": KEY,
        "JEVAL_JUDGE_PRICE": "0.042",
    }
    before = {k: os.environ.get(k) for k in (*wanted, "JEVAL_JUDGE")}
    os.environ.update(wanted)
    os.environ.pop("JEVAL_JUDGE", None)
    try:
        with serving(tmp_path_factory.mktemp("home")) as url:
            yield url
    finally:
        for k, v in before.items():
            os.environ.pop(k, None)
            if v is not None:
                os.environ[k] = v
        mock.terminate()
        mock.wait(20)


@pytest.fixture
def answers(tmp_path: Path) -> Path:
    path = tmp_path / "replies.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        out = csv.writer(file)
        out.writerow(["id", "input", "output", "criteria", "gold_level"])
        for i in range(50):
            out.writerow([f"q{i}", f"How do I reset device {i}?", f"Hold the button of {tmp_path.name} for {i} seconds.", "Says how.", i % 5 + 1])
    return path


def fact(page: Page, term: str) -> str:
    """A line of the result card."""
    line = page.locator("dt", has_text=term).locator("xpath=following-sibling::dd[1]")
    return line.inner_text().strip()


def choose(page: Page, judge: str) -> None:
    """Pick a judge in the panel, which stays open."""
    page.get_by_role("button", name="Judge", exact=True).click()
    page.get_by_role("radiogroup", name="Judge").get_by_text(judge, exact=True).click()


@pytest.mark.parametrize(("width", "dark"), [pytest.param(1440, False, marks=pytest.mark.long), (390, True)], ids=["1440-light", "390-dark"])
def test_an_example_without_network(open_page, width: int, dark: bool) -> None:
    page = open_page("/?evaluator=g_eval", width=width, dark=dark)
    ready(page, "G-Eval")
    assert fact(page, "answered by") == "made up to show how it works"
    press(page, "Home")
    for i, title in enumerate(FRAMES):
        assert name(page) == f"{i + 1} of 4: {title}"
        assert violations(page) == []
        if i < 3:
            press(page, "ArrowRight")
            page.wait_for_timeout(250)
    said = shown(page)
    assert "3.7 / 4" in said and "0.75" in said and "0.20" in said and "pass" in said
    expect(page.get_by_role("heading", name="Two judges, one question")).to_be_visible()


@pytest.mark.parametrize("id", ["closed_qa", "factuality"])
def test_the_other_kinds_of_questions(open_page, id: str) -> None:
    page = open_page(f"/?evaluator={id}&frame=2", dark=True)
    stage(page)
    page.wait_for_timeout(400)
    assert violations(page) == []
    assert ("0.96" if id == "closed_qa" else "0.97") in shown(page)


@pytest.mark.parametrize(("width", "dark"), [(1440, False), pytest.param(390, True, marks=pytest.mark.long)], ids=["1440-light", "390-dark"])
def test_from_the_panel_to_a_file_that_is_asked_once(open_page, answers: Path, width: int, dark: bool) -> None:
    page = open_page("/?evaluator=g_eval", width=width, dark=dark)
    ready(page, "G-Eval")
    choose(page, "Jev")
    expect(page.locator("dt", has_text="cost")).to_be_visible()
    assert fact(page, "answered by").startswith("jevcompat-mock")
    page.get_by_role("button", name="Test the connection").click()
    expect(page.get_by_text("for a million input tokens")).to_be_visible()
    assert violations(page) == []
    assert KEY not in page.content()
    page.keyboard.press("Escape")

    said = score_with_g_eval(page, answers)
    assert "50 requests" in said and "from the cache" not in said and re.search(r"\$0\.\d*[1-9]\d* spent", said)
    expect(page.get_by_role("heading", name="Beside people")).to_be_visible()
    expect(page.get_by_text("Mean absolute error")).to_be_visible()
    assert violations(page) == []
    said = score_with_g_eval(page, answers, again=True)
    assert "50 from the cache" in said and "spent" not in said


def score_with_g_eval(page: Page, file: Path, *, again: bool = False) -> str:
    """Upload a file, score it by G-Eval alone; returns what the page says about the judge."""
    menu = page.get_by_test_id("stExpandSidebarButton")
    narrow = menu.is_visible()  # there is no room for the links
    if narrow:
        menu.click()
    page.get_by_role("link", name="Datasets").click()
    if narrow:
        page.get_by_test_id("stSidebarCollapseButton").get_by_role("button").click()
        expect(menu).to_be_visible()
    file_step = page.get_by_role("button", name="File", exact=True)
    if file_step.is_visible():
        file_step.click()
    upload(page, file)
    if again:  # what was chosen for these rows is remembered
        expect(page.locator(".st-key-score-file").get_by_role("button")).to_be_enabled()
    else:
        page.get_by_role("button", name="G-Eval", exact=True).click()
    expect(page.get_by_text(re.compile("^50 requests to jev-latest, about"))).to_be_visible()
    assert violations(page) == []
    score_it(page)
    answered = page.get_by_text("answered by jevcompat", exact=False)
    expect(answered).to_be_visible()
    return answered.locator("xpath=ancestor::*[@data-testid='stHorizontalBlock' or contains(@class,'stHorizontalBlock')][1]").inner_text()


def test_a_row_shows_the_answer_that_was_kept(open_page, answers: Path) -> None:
    page = open_page("/datasets")
    upload(page, answers)
    page.get_by_role("button", name="G-Eval", exact=True).click()
    expect(page.get_by_text("Word overlap will answer, not a judge")).to_be_visible()
    score_it(page)
    expect(page.get_by_text("Word overlap answered, not a judge")).to_be_visible()
    open_row(page)
    press(page, "End")
    page.wait_for_timeout(300)
    assert "/ 4" in shown(page) and violations(page) == []
