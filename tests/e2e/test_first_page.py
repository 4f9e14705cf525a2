"""The main job: paste a pair, see the score, step through its frames."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from jeval_core import evaluate, explain
from tests.e2e.stage import EVALUATORS, idle, name, pick, ready, score, slide, stage

pytestmark = pytest.mark.browser
OUTPUT = "Take 20 mg of the drug twice a day, not with milk."
EXPECTED = "Take 20 mg of the drug two times a day and never with milk."


def test_own_pair_through_all_five_evaluators(open_page) -> None:
    page = open_page()
    ready(page, "BLEU")
    score(page, OUTPUT, EXPECTED)
    for id in EVALUATORS:
        if id != "bleu":
            pick(page, id)
        result, trace = evaluate(id, output=OUTPUT, expected=EXPECTED), explain(id, output=OUTPUT, expected=EXPECTED)
        card = page.locator(".st-key-reading")
        expect(card.locator(".score")).to_have_text(trace.gauge.label)
        expect(card.locator("code")).to_have_text(result.signature)
        expect(card.locator(".verdict")).to_contain_text("pass" if result.passed else "fail")
        main = [f for f in trace.frames if not f.extra]
        for frame in main:  # the stage of the one before has the same first frame
            expect(stage(page).get_by_role("button", name=frame.title)).to_be_visible()
        idle(page)  # of the same evaluator a new trace has the same titles, and it begins at its first frame
        stage(page).focus()
        page.keyboard.press("Home")
        for i, frame in enumerate(main):
            assert name(page) == f"{i + 1} of {len(main)}: {frame.title}"
            expect(slide(page)).to_contain_text(frame.note)
            page.keyboard.press("ArrowRight")
        page.keyboard.press("End")
        assert name(page) == f"{len(main)} of {len(main)}: {main[-1].title}"
        expect(stage(page).get_by_role("group", name=f"Score {trace.gauge.label}")).to_be_visible()


def test_blank_expected_is_not_scored(open_page) -> None:
    page = open_page()
    ready(page, "BLEU")
    score(page, "some text", " ")
    expect(page.get_by_role("heading", name="Not scored")).to_be_visible()
    page.get_by_role("button", name="Fill it from the example").click()
    expect(page.locator(".st-key-reading .score")).to_have_text("0.61")


def test_a_click_before_the_page_is_drawn_costs_no_text(open_page) -> None:
    page = open_page()
    page.get_by_role("button", name="Options").click()
    expect(page.locator(".st-key-reading .score")).to_be_visible()
    expect(page.get_by_label("output", exact=True)).to_have_value("The model returns calibrated probabilities, not text.")
    expect(page.get_by_label("expected", exact=True)).not_to_have_value("")
