"""axe-core finds nothing outside the list of Streamlit's own faults."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.e2e.stage import EVALUATORS, idle, press, ready, stage

pytestmark = pytest.mark.browser
KNOWN = json.loads(Path(__file__).with_name("axe_known.json").read_text("utf-8"))
"""Streamlit's own faults: {rule, selector, reason}; a violation is known when its target holds the selector."""
TAGS = {"runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}}


def violations(page: Page) -> list[str]:
    """What axe finds once nothing is being redrawn: what is half faded out has no contrast to speak of."""
    if page.get_by_test_id("stApp").count():  # an exported page is never redrawn
        idle(page)
        expect(page.locator("[data-stale=true]")).to_have_count(0)
        page.wait_for_timeout(200)
    found = Axe().run(page, options=TAGS).response["violations"]
    out = []
    for rule in found:
        for node in rule["nodes"]:
            target = json.dumps(node["target"])
            if not any(k["rule"] == rule["id"] and k["selector"] in target + node["html"] for k in KNOWN):
                out.append(f"{rule['id']}: {target} {node['html'][:200]} {node.get('failureSummary', '')[:300]}")
    return out


VIEWS = [
    pytest.param(1440, False, id="1440-light"),
    pytest.param(390, True, id="390-dark"),
    pytest.param(1440, True, id="1440-dark", marks=pytest.mark.long),
    pytest.param(390, False, id="390-light", marks=pytest.mark.long),
]


FULL = ("bleu", "rouge_l")
"""Evaluators whose blocks differ most; the others are seen at one width outside the long tests."""
ALIKE = ("rouge_n", "llm_judge", "answer_correctness", "conversation_relevance", "translation")
"""Evaluators that show the blocks of G-Eval, or of BLEU and GLEU; they are seen in the long tests."""
MATRIX = [
    pytest.param(id, *view.values, id=f"{id}-{view.id}", marks=view.marks or (() if id in FULL or (view.values == (1440, False) and id not in ALIKE) else pytest.mark.long))
    for id in EVALUATORS
    for view in VIEWS
]  # fmt: skip


@pytest.mark.parametrize(("id", "width", "dark"), MATRIX)
def test_every_frame(open_page, id: str, width: int, dark: bool) -> None:
    page = open_page(f"/?evaluator={id}", width=width, dark=dark)
    ready(page, EVALUATORS[id])
    page.wait_for_timeout(500)
    press(page, "Home")
    assert violations(page) == []
    for _ in range(5):
        press(page, "ArrowRight")
        page.wait_for_timeout(250)
        found = violations(page)
        assert found == []


STATES = {
    "not scored": "/?output=a&expected=%20",
    "bad address": "/?evaluator=nope",
    "several references": "/?output=a%20b%20c&expected=a%20b&expected=b%20c&frame=1",
    "all frames": "/?view=all",
    "presenting": "/?present=1&embed=true&frame=2",
    "warnings": "/?output=administer%205mg&expected=administer%2050mg&frame=3",
}


@pytest.mark.parametrize("dark", [False, pytest.param(True, marks=pytest.mark.long)], ids=["light", "dark"])
@pytest.mark.parametrize("state", STATES)
def test_states(open_page, state: str, dark: bool) -> None:
    page = open_page(STATES[state], dark=dark)
    page.wait_for_selector("h1, h2")
    if state != "not scored":
        stage(page)
    page.wait_for_timeout(500)
    assert violations(page) == []


@pytest.mark.parametrize("button", ["Change evaluator", "Options", "Share"])
def test_open_menus(open_page, button: str) -> None:
    page = open_page()
    ready(page, "BLEU")
    page.get_by_role("button", name=button).click()
    page.wait_for_timeout(800)
    assert violations(page) == []
