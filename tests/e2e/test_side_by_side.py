"""One pair by all evaluators, in a real browser: cases, disagreement, the way to the frames and back."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.stage import idle, press, ready, score, shown, stage
from tests.e2e.test_access import violations

pytestmark = pytest.mark.browser


def card(page: Page, name: str):  # noqa: ANN201
    return page.locator("article").filter(has=page.get_by_role("heading", name=name, exact=True))


@pytest.mark.parametrize(("width", "dark"), [(1440, False), (390, True)], ids=["1440-light", "390-dark"])
def test_cases_cards_and_numbers(open_page, width: int, dark: bool) -> None:
    page = open_page("/side-by-side", width=width, dark=dark)
    expect(card(page, "BLEU")).to_contain_text("0.61")
    page.get_by_test_id("stButtonGroup").get_by_text("Dose", exact=True).click()
    expect(card(page, "BLEU")).to_contain_text("0.50")
    expect(card(page, "Semantic similarity")).to_contain_text("0.84")
    expect(page.get_by_text("Number differs")).to_have_count(1)
    expect(page.get_by_text("3 of 6 evaluators pass this pair")).to_be_visible()
    page.get_by_label("Score you saw").fill("0.5")
    page.get_by_label("Score you saw").press("Enter")
    expect(page.get_by_text(re.compile("implementations would write 0.5 for this pair"))).to_be_visible()
    expect(page.locator(".js-plotly-plot").first).to_be_visible()
    assert violations(page) == []
    page.get_by_test_id("stButtonGroup").get_by_text("Negation", exact=True).click()
    expect(page.get_by_text("They disagree").or_(page.get_by_text("They agree"))).to_be_visible()
    expect(card(page, "Levenshtein")).to_contain_text("4 edits")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_card_leads_to_its_frames(open_page) -> None:
    page = open_page("/side-by-side?output=administer+5mg&expected=administer+50mg")
    link = card(page, "Semantic similarity").get_by_role("link")
    expect(link).to_be_visible()
    idle(page)
    link.click()
    ready(page, "Semantic similarity")
    expect(page.get_by_label("output", exact=True)).to_have_value("administer 5mg")
    press(page, "End")
    page.wait_for_timeout(400)
    assert "0.8369" in shown(page)


def test_the_pair_goes_along_between_the_pages(open_page) -> None:
    page = open_page()
    ready(page, "BLEU")
    score(page, "Take 5 mg daily, please", "Take 5 mg of it daily")
    expect(page).to_have_url(re.compile("output=Take"))
    idle(page)
    page.get_by_role("link", name="Side by side").click()
    expect(card(page, "Levenshtein")).to_be_visible()
    expect(page.get_by_label("output", exact=True)).to_have_value("Take 5 mg daily, please")
    idle(page)
    page.get_by_role("link", name="Explore").click()
    expect(stage(page)).to_contain_text("Take 5 mg daily")
    expect(page.get_by_label("expected", exact=True)).to_have_value("Take 5 mg of it daily")


@pytest.mark.parametrize(("width", "dark"), [pytest.param(1440, True, marks=pytest.mark.long), (390, False)], ids=["1440-dark", "390-light"])
def test_the_frames_of_a_cosine(open_page, width: int, dark: bool) -> None:
    page = open_page("/?evaluator=semantic_similarity", width=width, dark=dark)
    ready(page, "Semantic similarity")
    said = ["the two inputs", "384 numbers", "22.5°", "Uncalibrated"]
    for i, words in enumerate(said):
        expect(stage(page)).to_contain_text(words)
        page.wait_for_timeout(300)
        assert violations(page) == [], i
        press(page, "ArrowRight")
