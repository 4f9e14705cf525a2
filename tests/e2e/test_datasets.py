"""From a file to a frame and back: the Datasets page in a real browser."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from jeval_core import evaluate
from jeval_core.runs import run_file
from tests.e2e.stage import idle, press, shown, stage
from tests.e2e.test_access import violations

pytestmark = pytest.mark.browser
ROW = 34
"""Height of a row of a table, and of its head."""
WORDS = "the cat sat on a mat near an old door while rain fell over quiet hills".split()
SCORES = dict(zip(("bleu", "gleu", "rouge_n", "rouge_l"), ("BLEU", "GLEU", "ROUGE-N", "ROUGE-L"), strict=True))


@pytest.fixture
def answers(tmp_path: Path) -> Path:
    """Semicolons, a column of drafts that is called `expected`, the true references under another name."""
    random = np.random.default_rng(5)
    path = tmp_path / "answers.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        out = csv.writer(file, delimiter=";")
        out.writerow(["id", "task_type", "output", "expected", "gold text"])
        for i in range(120):
            truth = [*random.choice(WORDS, 12)]
            answer = [w if random.random() < 0.5 + 0.4 * (i % 3 == 0) else random.choice(WORDS) for w in truth]
            start = "=SUM(1)" if i == 7 else ""
            out.writerow([f"q{i}", ["short", "long", "odd"][i % 3], f"{start} {' '.join(answer)}".strip(), "a draft", " ".join(truth)])
    return path


def upload(page: Page, *paths: Path) -> None:
    """Give files to the uploader and wait for the mapping."""
    page.locator("input[type=file]").set_input_files([str(p) for p in paths])
    expect(page.get_by_role("heading", name="Mapping", exact=True)).to_be_visible(timeout=120_000)


def score_it(page: Page) -> None:
    """Press the button and wait for the numbers."""
    idle(page)
    page.locator(".st-key-score-file").get_by_role("button").click()
    expect(page.get_by_role("heading", name="Scores", exact=True)).to_be_visible(timeout=120_000)
    bars(page)


def bars(page: Page) -> None:
    """Wait until the histogram is drawn."""
    expect(page.locator(".js-plotly-plot .bars path").first).to_be_attached()


def choose(page: Page, label: str, option: str) -> None:
    """Pick an option of a select box."""
    page.get_by_role("combobox", name=label, exact=True).click()
    page.get_by_role("option", name=option, exact=True).click()


def figure(page: Page, label: str) -> str:
    """The number of a headline."""
    box = page.get_by_test_id("stMetric").filter(has=page.get_by_test_id("stMetricLabel").get_by_text(label, exact=True))
    return box.get_by_test_id("stMetricValue").inner_text().strip()


def count(page: Page) -> int:
    """How many rows the filters leave."""
    text = page.get_by_text(re.compile(r"^[\d,]+ of [\d,]+ rows$")).inner_text()
    return int(text.split()[0].replace(",", ""))


def open_row(page: Page, at: int = 0) -> None:
    """Click the box of a row in the table."""
    page.wait_for_timeout(600)  # the table is replaced when its rows change
    table = page.get_by_test_id("stDataFrame").filter(visible=True).first
    table.scroll_into_view_if_needed()
    table.click(position={"x": 18, "y": ROW * at + ROW * 1.5})
    expect(page.get_by_role("heading", name="Frames", exact=True)).to_be_visible()
    stage(page)


def click_bar(page: Page, at: int) -> None:
    """Click the bin `at` of the histogram."""
    plot = page.locator(".js-plotly-plot").first
    plot.scroll_into_view_if_needed()
    place = plot.evaluate(
        """(plot, at) => {
          const { xaxis, yaxis } = plot._fullLayout, box = plot.getBoundingClientRect();
          const trace = plot._fullData.find((t) => t.y[at] > 0);
          return [xaxis._offset + xaxis.d2p(trace.x[at]), yaxis._offset + yaxis.d2p(trace.y[at] * 0.4)];
        }""",
        at,
    )
    plot.click(position={"x": place[0], "y": place[1]}, force=True)


@pytest.mark.parametrize(("width", "dark"), [(1440, False), (390, True)], ids=["1440-light", "390-dark"])
def test_from_the_file_to_the_frame_and_back(open_page, answers: Path, tmp_path: Path, width: int, dark: bool) -> None:
    page = open_page("/datasets", width=width, dark=dark)
    expect(page.get_by_role("heading", name="Bring a file")).to_be_visible()
    assert violations(page) == []
    upload(page, answers)
    expect(page.get_by_role("combobox", name="Delimiter")).to_have_value("semicolon")
    choose(page, "expected", "gold text")
    expect(page.get_by_text("as chosen").first).to_be_visible()
    page.wait_for_timeout(600)
    assert violations(page) == []
    score_it(page)

    run = run_file(answers, [*SCORES], columns={"expected": "gold text"}, group_by=["task_type"])
    mean, rate = run.summaries["bleu"].mean, run.summaries["bleu"].pass_rate
    assert mean is not None and rate is not None
    assert (figure(page, "Mean"), figure(page, "Pass rate")) == (f"{mean:.3f}", f"{rate:.1%}")
    assert count(page) == 120
    page.wait_for_timeout(600)
    assert violations(page) == []

    page.get_by_role("button", name="short", exact=True).click()
    expect(page.get_by_role("button", name="task_type: short")).to_be_visible()
    assert count(page) == 40
    own = np.array([t == "short" for t in run.rows.groups["task_type"].to_pylist()])
    score = run.scored["bleu"].score
    edges = np.linspace(0, 1, 41)
    fullest = int(np.histogram(score[own], edges)[0].argmax())
    click_bar(page, fullest)
    expect(page).to_have_url(re.compile(f"bar={fullest}"))
    bars(page)
    inside = own & (score >= edges[fullest]) & ((score < edges[fullest + 1]) | (fullest == 39))
    expect(page.get_by_text(f"{inside.sum()} of 120 rows")).to_be_visible()

    link = page.url
    open_row(page, 0)
    lowest = np.flatnonzero(inside)[np.argsort(score[inside], kind="stable")[0]]
    output = run.rows.output[int(lowest)].as_py()
    expect(page.get_by_text(output, exact=True).first).to_be_visible()
    truth = run.rows.references[0][1][int(lowest)].as_py()
    press(page, "ArrowRight", 3)
    page.wait_for_timeout(500)
    assert f"{evaluate('bleu', output=output, expected=truth).score:.2f}" in shown(page)
    page.wait_for_timeout(400)
    assert violations(page) == []
    again = open_page(page.url, width=width, dark=dark)
    expect(again.get_by_text(output, exact=True).first).to_be_visible()

    page = open_page(link, width=width, dark=dark)
    expect(page.get_by_text(f"{inside.sum()} of 120 rows")).to_be_visible()
    page.evaluate("window.showSaveFilePicker = undefined")
    page.get_by_role("button", name="Export").click()
    page.get_by_text("CSV, safe for spreadsheets").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
    saved = tmp_path / "exported.csv"
    download.value.save_as(saved)
    rows = [*csv.DictReader(io.StringIO(saved.read_text("utf-8-sig")))]
    assert [float(r["bleu.score"]) for r in rows] == score.tolist()
    assert rows[7]["output"].startswith("'=SUM") and not any(r["output"].startswith("=") for r in rows)
    page = open_page("/datasets", width=width, dark=dark)
    upload(page, saved)
    choose(page, "expected", "gold text")
    score_it(page)
    assert figure(page, "Mean") == f"{mean:.3f}" and figure(page, "Rows scored") == "120"


def test_too_large_a_file_is_refused_in_words(open_page, tmp_path: Path) -> None:
    page = open_page("/datasets")
    expect(page.get_by_role("heading", name="Bring a file")).to_be_visible()
    page.locator("input[type=file]").evaluate(
        """(input) => {
          const files = new DataTransfer();
          files.items.add(new File([new Uint8Array(401 * 1024 * 1024)], "large.csv"));
          input.files = files.files;
          input.dispatchEvent(new Event("change", { bubbles: true }));
        }"""
    )
    expect(page.get_by_role("alert").filter(has_text=re.compile("must be 400.*MB or smaller"))).to_be_visible()
    expect(page.get_by_text("“jeval run FILE”")).to_be_visible()


def test_several_files_are_several_systems(open_page, tmp_path: Path) -> None:
    for name, answer in (("first", "the cat sat"), ("second", "a dog ran")):
        (tmp_path / f"{name}.csv").write_text(f"id,output,expected\n1,{answer},the cat sat\n2,same words here,same words here\n")
    page = open_page("/datasets")
    upload(page, tmp_path / "first.csv", tmp_path / "second.csv")
    expect(page.get_by_text("2 files, a system each")).to_be_visible()
    score_it(page)
    expect(page.get_by_role("button", name="second", exact=True)).to_be_visible()
    assert figure(page, "Rows scored") == "4"


def test_example_set_and_report(open_page, tmp_path: Path) -> None:
    page = open_page("/datasets")
    page.locator(".st-key-sample-translation").get_by_role("button").click()
    score_it(page)
    page.evaluate("window.showSaveFilePicker = undefined")
    page.get_by_role("button", name="Export").click()
    page.get_by_text("HTML report").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
    saved = tmp_path / "report.html"
    download.value.save_as(saved)
    mean = figure(page, "Mean")
    report = open_page(saved.as_uri())
    expect(report.locator(".js-plotly-plot .bars path").first).to_be_attached()
    expect(report.get_by_text(mean).first).to_be_visible()


def test_a_row_becomes_a_regression_case(open_page) -> None:
    page = open_page("/datasets")
    page.locator(".st-key-sample-qa").get_by_role("button").click()
    score_it(page)
    open_row(page, 2)
    page.get_by_role("button", name="Add to a regression set").click()
    page.get_by_role("button", name="Add the case").click()
    expect(page.get_by_text(re.compile("^Added: 1 case, version"))).to_be_visible()
