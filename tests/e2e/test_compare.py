"""Runs and Compare in a real browser: from the list to a pair of frames and back, and the report from disk."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.compare.made import rows_of, stored
from tests.e2e.serve import serving
from tests.e2e.stage import idle
from tests.e2e.test_access import violations

pytestmark = pytest.mark.browser
VIEWS = pytest.mark.parametrize(
    ("width", "dark"),
    [
        pytest.param(1440, False, id="1440-light"),
        pytest.param(390, True, id="390-dark"),
        pytest.param(1440, True, id="1440-dark", marks=pytest.mark.long),
        pytest.param(390, False, id="390-light", marks=pytest.mark.long),
    ],
)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, list[str]]]:
    """A console of its own with three runs on the same cases: its address and their ids."""
    folder = tmp_path_factory.mktemp("files")
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JEVAL_HOME", str(home))
        ids = [
            stored(folder, name, rows_of(220, share, seed), ("bleu", "rouge_l")).id
            for seed, (name, share) in enumerate((("may", 0.6), ("june", 0.75), ("july", 0.9)))
        ]
    with serving(home) as url:
        yield url, ids


@pytest.fixture
def server(runs: tuple[str, list[str]]) -> str:
    return runs[0]


def section(page: Page, name: str) -> None:
    expect(page.get_by_role("heading", name=name, exact=True)).to_be_visible()


def settled(page: Page) -> None:
    section(page, "Rows")
    expect(page.locator(".js-plotly-plot").last).to_be_visible()
    idle(page)


def fits(page: Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@VIEWS
def test_from_the_figures_to_a_pair_and_back(open_page, runs, width: int, dark: bool) -> None:
    _, (may, june, _) = runs
    page = open_page(f"/compare?a={may}&b={june}", width=width, dark=dark)
    settled(page)
    expect(page.get_by_text("A: 220 rows = 220 paired. B: 220 rows = 220 paired.")).to_be_visible()
    table = page.get_by_role("table", name=re.compile("^Changes from A to B"))
    row = table.get_by_role("row").filter(has_text="ROUGE-L mean")
    expect(row).to_contain_text("✓\u00a0improved")
    assert violations(page) == []
    fits(page)
    row.get_by_role("button").click()
    section(page, "Why ROUGE-L moved")
    expect(page).to_have_url(re.compile("metric=rouge_l"))
    settled(page)
    page.go_back()
    section(page, "Why BLEU moved")
    settled(page)
    group = page.get_by_role("table", name="Changes by task_type").get_by_role("button", name="short")
    group.click()
    expect(page).to_have_url(re.compile("by=task_type&group=short"))
    expect(page.get_by_role("button", name="task_type: short")).to_be_visible()
    settled(page)
    address = page.url
    page.goto(f"{address}&pair=4")
    section(page, "Frames")
    expect(page.get_by_role("heading", name="Case q4")).to_be_visible()
    stages = page.locator("[aria-roledescription=carousel]")
    expect(stages).to_have_count(2)
    for i in (0, 1):
        expect(stages.nth(i).locator("[aria-roledescription=slide]:visible").first).to_be_visible()
    expect(page.locator("mark").first).to_be_visible()
    idle(page)
    assert violations(page) == []
    fits(page)
    page.get_by_role("button", name="Back to the comparison").click()
    settled(page)
    expect(page).to_have_url(re.compile("group=short"))


def test_a_row_of_the_list_opens_that_row(open_page, runs) -> None:
    _, (may, june, _) = runs
    page = open_page(f"/compare?a={may}&b={june}", height=2600)
    settled(page)
    frame = page.get_by_test_id("stDataFrame").last
    frame.scroll_into_view_if_needed()
    box = frame.bounding_box()
    page.mouse.click(box["x"] + 16, box["y"] + 34 * 2.5)  # the box of the second row
    expect(page.get_by_text(re.compile("2 of [0-9]+ biggest drops"))).to_be_visible()
    expect(page).to_have_url(re.compile("pair=[0-9]+"))
    idle(page)
    page.get_by_role("button", name="Previous", exact=True).click()
    expect(page.get_by_text(re.compile(" 1 of [0-9]+ biggest drops"))).to_be_visible()
    page.reload()
    expect(page.get_by_text(re.compile(" 1 of [0-9]+ biggest drops"))).to_be_visible()


@pytest.mark.long
def test_three_runs_the_first_is_the_baseline(open_page, runs) -> None:
    _, (may, june, july) = runs
    page = open_page(f"/compare?a={may}&b={june}&b={july}")
    settled(page)
    table = page.get_by_role("table", name=re.compile("of each run against the baseline"))
    expect(table.get_by_role("row")).to_have_count(3)
    table.get_by_role("button", name="2 · july.csv").click()
    section(page, "A against 2 · july.csv")
    settled(page)
    assert violations(page) == []


@pytest.mark.parametrize("dark", [False, pytest.param(True, marks=pytest.mark.long)], ids=["light", "dark"])
def test_the_report_opens_from_disk_and_asks_nobody(open_page, runs, tmp_path: Path, dark: bool) -> None:
    _, (may, june, _) = runs
    page = open_page(f"/compare?a={may}&b={june}")
    settled(page)
    page.evaluate("window.showSaveFilePicker = undefined")
    page.get_by_role("button", name="Export").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="HTML report").click()
    saved = tmp_path / "report.html"
    download.value.save_as(saved)
    report = open_page(f"file://{saved}", width=390 if dark else 1280, dark=dark)
    asked: list[str] = []
    report.on("request", lambda r: asked.append(r.url))
    report.reload()
    expect(report.locator(".js-plotly-plot .points path").first).to_be_visible()
    expect(report.get_by_role("heading", name="may.csv against june.csv")).to_be_visible()
    assert asked == [f"file://{saved}"] and violations(report) == []
    fits(report)


@VIEWS
def test_runs_are_listed_compared_and_taken_along(open_page, runs, tmp_path: Path, width: int, dark: bool) -> None:
    page = open_page("/runs", width=width, dark=dark)
    section(page, "3 runs")
    section(page, "Over time")
    expect(page.locator(".js-plotly-plot").first).to_be_visible()
    assert violations(page) == []
    fits(page)
    frame = page.get_by_test_id("stDataFrame").first
    box = frame.bounding_box()
    for row in (1, 2):
        idle(page)
        page.mouse.click(box["x"] + 16, box["y"] + 34 * (row + 0.5))
    link = page.get_by_role("link", name="Compare 2 runs")
    expect(link).to_be_visible()
    assert re.search("a=[0-9a-f]{16}&b=[0-9a-f]{16}", link.get_attribute("href") or "")
    assert violations(page) == []


def test_a_run_leaves_and_comes_back(open_page, runs, tmp_path: Path) -> None:
    page = open_page("/runs")
    section(page, "3 runs")
    idle(page)
    frame = page.get_by_test_id("stDataFrame").first
    box = frame.bounding_box()
    page.mouse.click(box["x"] + 16, box["y"] + 34 * 1.5)  # the newest
    section(page, "How it was scored")
    idle(page)
    page.evaluate("window.showSaveFilePicker = undefined")
    page.get_by_role("button", name="Export").click()
    with page.expect_download() as download:
        page.get_by_role("button", name=re.compile("The whole run")).click()
    saved = tmp_path / "run.zip"
    download.value.save_as(saved)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Delete", exact=True).click()
    expect(page.get_by_text("This cannot be undone")).to_be_visible()
    assert violations(page) == []
    page.get_by_role("button", name="Keep").click()
    section(page, "3 runs")
    page.get_by_role("button", name="Delete", exact=True).click()
    page.get_by_role("button", name="Delete 1 run").click()
    section(page, "2 runs")
    expect(page.get_by_text("1 run deleted.")).to_be_visible()
    idle(page)
    page.get_by_role("button", name="Import a run").click()
    page.locator("input[type=file]").set_input_files(saved)
    expect(page.get_by_text(re.compile("is imported"))).to_be_visible()
    section(page, "3 runs")
