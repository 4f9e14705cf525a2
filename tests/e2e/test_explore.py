"""The page around the stage: links that restore everything, export, what-if, safety of texts."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from jeval_core import Edit, what_if
from tests.e2e.stage import name, pick, press, ready, score, shown, stage

pytestmark = pytest.mark.browser
OUTPUT = "The model returns calibrated probabilities, not text."
EXPECTED = "The model returns calibrated probabilities rather than text."


def label(page: Page) -> str:
    return page.locator(".st-key-reading .score").inner_text()


def open_share(page: Page) -> None:
    page.get_by_role("button", name="Share").click()


def test_permalink_opens_the_same_frame(open_page) -> None:
    page = open_page()
    ready(page, "BLEU")
    score(page, "Take 5 mg daily, please", "Take 5 mg of it daily")
    pick(page, "gleu")
    expect(stage(page)).to_contain_text("Take 5 mg daily")
    press(page, "ArrowRight", 2)
    stage(page).get_by_role("radio", name="2").check(force=True) if stage(page).get_by_role("radio").count() else None
    page.wait_for_timeout(600)
    want, number = name(page), label(page)
    open_share(page)
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_text("Link copied")).to_be_visible()
    link = page.evaluate("navigator.clipboard.readText()")
    again = open_page(link)
    ready(again, "GLEU")
    assert (name(again), label(again)) == (want, number)
    expect(again.get_by_label("output", exact=True)).to_have_value("Take 5 mg daily, please")


def test_long_texts_travel_as_an_id(open_page) -> None:
    page = open_page()
    ready(page, "BLEU")
    long = "word " * 800
    score(page, long, "word again")
    expect(page).to_have_url(re.compile(r"text=[0-9a-f]{24}"))
    again = open_page(page.url)
    ready(again, "BLEU")
    expect(again.get_by_label("output", exact=True)).to_have_value(long)


def test_back_and_forward(open_page) -> None:
    page = open_page()
    ready(page, "BLEU")
    page.get_by_label("output", exact=True).fill("The model returns probabilities, not text.")
    page.get_by_role("button", name="Score", exact=True).click()
    expect(page.locator(".st-key-reading .score")).not_to_have_text("0.61")
    second = label(page)
    pick(page, "rouge_n")
    page.go_back()
    ready(page, "BLEU")
    expect(page.locator(".st-key-reading .score")).to_have_text(second)
    page.go_back()
    expect(page.locator(".st-key-reading .score")).to_have_text("0.61")
    page.go_forward()
    expect(page.locator(".st-key-reading .score")).to_have_text(second)


def test_html_export_steps_from_disk_without_network(open_page, tmp_path: Path) -> None:
    page = open_page("/?evaluator=bleu")
    ready(page, "BLEU")
    open_share(page)
    page.evaluate("() => { delete window.showSaveFilePicker; window.showSaveFilePicker = undefined; }")
    with page.expect_download() as caught:
        page.get_by_role("button", name="HTML that steps offline").click()
    target = tmp_path / "trace.html"
    caught.value.save_as(target)
    assert target.stat().st_size < 400_000
    offline = open_page("about:blank")
    offline.context.set_offline(True)
    offline.goto(target.as_uri())
    press(offline, "ArrowRight")
    assert name(offline) == "2 of 4: clipped precision" and "0.857" in shown(offline)
    press(offline, "End")
    assert name(offline).startswith("4 of 4") and "0.867" in shown(offline)


def test_what_if_edit_in_the_stage(open_page) -> None:
    page = open_page("/?frame=1")
    ready(page, "BLEU")
    stage(page).get_by_role("button", name="not, not in the other text").click()
    stage(page).get_by_role("button", name=re.compile("^Replace")).click() if stage(page).get_by_role(
        "button", name=re.compile("^Replace")
    ).count() else stage(page).get_by_role("radio", name=re.compile("[Rr]eplace")).check(force=True)
    stage(page).get_by_role("textbox").fill("rather")
    stage(page).get_by_role("button", name="Apply").click()
    (want,) = what_if("bleu", output=OUTPUT, expected=EXPECTED, edits=[Edit("replace", 5, "rather")])
    expect(page.locator(".st-key-reading .delta")).to_have_text(f"+{want.delta:.4f} against the pinned output")
    expect(page.get_by_label("output", exact=True)).to_have_value(
        "The model returns calibrated probabilities, rather text."
    )
    page.get_by_role("button", name="Back to the pinned output").click()
    expect(page.locator(".st-key-reading .score")).to_have_text("0.61")


HOSTILE = (
    "<script>alert(1)</script> <img src=x onerror=alert(2)> ![a](http://x.example/y.png) $x$ :red[x] =cmd() <b>bold</b>"
)


def test_markup_shows_as_text_everywhere(open_page, tmp_path: Path) -> None:
    for evaluator, options in (("bleu", '{"variant":"promptfoo"}'), ("levenshtein", "{}"), ("rouge_l", "{}")):
        page = open_page(
            f"/?evaluator={evaluator}&options={quote(options)}&output={quote(HOSTILE)}&expected={quote(HOSTILE + ' x')}"
        )
        page.on("dialog", lambda d: pytest.fail(f"a script ran: {d.message}"))
        expect(stage(page)).to_contain_text("<img src=x onerror=alert(2)>")
        press(page, "ArrowRight", 5)
        page.wait_for_timeout(500)
        assert page.locator("img[src*='x.example'], img[src='x'], b:text-is('bold')").count() == 0
        open_share(page)
        page.evaluate("() => { window.showSaveFilePicker = undefined; }")
        with page.expect_download() as caught:
            page.get_by_role("button", name="HTML that steps offline").click()
        target = tmp_path / f"{evaluator}.html"
        caught.value.save_as(target)
        export = open_page(target.as_uri())
        export.on("dialog", lambda d: pytest.fail(f"a script ran: {d.message}"))
        expect(stage(export)).to_contain_text("<img src=x onerror=alert(2)>")
        assert export.locator("img").count() == 0


def test_ten_thousand_tokens(open_page) -> None:
    page = open_page()
    ready(page, "BLEU")
    long = " ".join(f"w{i % 700}" for i in range(10_000))
    score(page, long, long.replace("w13 ", "other "))
    expect(stage(page)).to_contain_text("of 10,000", timeout=60_000)
    press(page, "ArrowRight")
    assert name(page).startswith("2 of 4")
    again = open_page(page.url + "&evaluator=rouge_l")
    expect(again.locator(".st-key-reading .score")).not_to_have_text("", timeout=90_000)


def test_examples_and_catalogue(open_page) -> None:
    page = open_page()
    ready(page, "BLEU")
    page.get_by_role("button", name="Examples").click()
    page.get_by_role("menuitem", name="Dose").or_(page.get_by_text("Dose", exact=True)).first.click()
    expect(page.get_by_label("output", exact=True)).to_have_value("administer 5mg")
    expect(page.locator(".st-key-reading li")).to_contain_text("50mg")
    pick(page, "levenshtein")
    expect(page.locator(".st-key-reading .score")).to_have_text("1 edit")


def test_options_change_the_number(open_page) -> None:
    page = open_page()
    ready(page, "BLEU")
    page.get_by_role("button", name="Options").click()
    page.get_by_role("combobox", name=re.compile("variant")).click()
    page.get_by_role("option", name="promptfoo", exact=True).click()
    expect(page.locator(".st-key-reading .score")).to_have_text("0.38")
    expect(page).to_have_url(re.compile("promptfoo"))
