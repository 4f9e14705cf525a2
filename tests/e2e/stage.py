"""Reading and driving the stage as a person would."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

EVALUATORS = {"bleu": "BLEU", "gleu": "GLEU", "rouge_n": "ROUGE-N", "rouge_l": "ROUGE-L", "levenshtein": "Levenshtein"}


def stage(page: Page) -> Locator:
    """The stage, drawn."""
    box = page.locator("[aria-roledescription=carousel]")
    expect(box).to_be_visible()
    return box


def slide(page: Page) -> Locator:
    """The frame on show."""
    return stage(page).locator("[aria-roledescription=slide]:visible").first


def name(page: Page) -> str:
    """Accessible name of the frame on show, such as "2 of 4: clipped precision"."""
    return slide(page).get_attribute("aria-label") or ""


def ready(page: Page, title: str) -> None:
    """Wait until the page shows an evaluator and its stage."""
    expect(page.get_by_role("heading", name=title, exact=True, level=1)).to_be_visible()
    stage(page)
    idle(page)


def idle(page: Page) -> None:
    """Wait until no run of the page is under way: what one types into the middle of one may be lost."""
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")


def pick(page: Page, id: str) -> None:
    """Change the evaluator by the catalogue."""
    page.get_by_role("button", name="Change evaluator").click()
    page.locator(f".st-key-pick-{id}").get_by_role("button").click()
    expect(page.get_by_role("heading", name=EVALUATORS[id], exact=True, level=1)).to_be_visible()
    expect(page.locator(f".st-key-pick-{id}")).to_be_hidden()  # the catalogue has closed
    expect(page).to_have_url(re.compile(f"evaluator={id}|^[^?]*$"))


def score(page: Page, output: str, expected: str) -> None:
    """Paste a pair and press Score."""
    page.get_by_label("output", exact=True).fill(output)
    page.get_by_label("expected", exact=True).fill(expected)
    page.get_by_role("button", name="Score", exact=True).click()


def shown(page: Page) -> str:
    """What one sees of the frame: its text without the parts that are for screen readers only."""
    return slide(page).evaluate(
        """(root) => {
          const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT), out = [];
          for (let n = walk.nextNode(); n; n = walk.nextNode())
            if (!n.parentElement.closest(".sr") && n.parentElement.checkVisibility()) out.push(n.data.trim());
          return out.filter(Boolean).join(" ");
        }"""
    )


def press(page: Page, key: str, times: int = 1) -> None:
    """Press a key while the stage has the focus."""
    stage(page).focus()
    for _ in range(times):
        page.keyboard.press(key)
