"""The stage in the page: every golden number read off the screen, links, views, keys."""

from __future__ import annotations

import re
from urllib.parse import urlencode

import pytest
from playwright.sync_api import expect

from tests.data import golden
from tests.e2e.stage import EVALUATORS, name, press, ready, shown, slide, stage

pytestmark = pytest.mark.browser
PAIRS = {
    "seed": (
        "The model returns calibrated probabilities, not text.",
        "The model returns calibrated probabilities rather than text.",
    ),
    "paraphrase": ("The patient should be monitored overnight", "Overnight monitoring of the patient is recommended"),
    "clipping": ("the the the the the the the", "the cat is on the mat"),
    "dose": ("administer 5mg", "administer 50mg"),
}


def three(values: list[float]) -> list[str]:
    return [f"{v:.3f}".replace("-", "−") for v in values]


def numbers(evaluator: str, gold: dict) -> list[list[str]]:
    """Per main frame, what must be on the screen."""
    bleu, gleu, lcs = gold["bleu"], gold["gleu"], gold["rougeL"]
    lengths = [str(len(gold["output"])), str(len(gold["expected"]))]
    if evaluator == "bleu":
        logs = three(bleu["logs"]) if bleu["score"] else []
        return [lengths, three(bleu["raw"]), three(bleu["smoothed"]), [*logs, *three([bleu["geo_mean"], bleu["bp"]])]]
    if evaluator == "gleu":
        return [
            lengths,
            [str(gleu[k]) for k in ("match", "hyp", "ref")],
            three([gleu["p"], gleu["r"]]),
            three([gleu["p"], gleu["r"]]),
        ]
    if evaluator == "rouge_n":
        one, two = gold["rouge1"], gold["rouge2"]
        return [
            lengths,
            [str(o["match"]) for o in gold["orders"][:2]],
            three([one["p"], one["r"]]),
            three([one["f"], two["f"]]),
        ]
    return [lengths, [], [str(lcs["lcs"])], three([lcs["p"], lcs["r"], lcs["f"]])]


@pytest.mark.parametrize(
    "case", [c if c == "seed" else pytest.param(c, marks=pytest.mark.long) for c in PAIRS]
)
def test_golden_numbers_with_the_arrow_keys(open_page, case: str) -> None:
    output, expected = PAIRS[case]
    for evaluator in ("bleu", "gleu", "rouge_n", "rouge_l"):
        page = open_page(f"/?{urlencode({'evaluator': evaluator, 'output': output, 'expected': expected})}")
        ready(page, EVALUATORS[evaluator])
        expect(slide(page)).to_contain_text(output)
        for i, wanted in enumerate(numbers(evaluator, golden("frames")[case])):
            assert name(page).startswith(f"{i + 1} of 4: ")
            text = shown(page)
            for number in wanted:
                assert re.search(rf"(?<![\d.]){re.escape(number)}(?![\d])", text), (evaluator, i + 1, number, text)
            press(page, "ArrowRight")


def test_levenshtein_frames(open_page) -> None:
    page = open_page("/?evaluator=levenshtein&output=kitten&expected=sitting")
    ready(page, "Levenshtein")
    press(page, "End")
    assert name(page) == "4 of 4: distance against the threshold"
    expect(stage(page).get_by_role("group", name="Score 3 edits")).to_be_visible()
    press(page, "ArrowLeft")
    assert "2 + 1 + 0 = 3" in shown(page)


def test_what_if_deltas_and_variants(open_page) -> None:
    page = open_page()
    ready(page, "BLEU")
    press(page, "End")
    press(page, "ArrowRight")
    assert name(page).endswith("who gets which number")
    for value in golden("frames")["seed"]["variants"].values():
        assert f"{value:.3f}" in shown(page)
    press(page, "ArrowRight")
    for change in golden("frames")["seed"]["what_if"]["delete"]:
        assert f"−{-change['delta']:.3f}" in shown(page)


@pytest.mark.parametrize("how", ["hover", "focus"])
def test_token_row_and_bar_are_linked(open_page, how: str) -> None:
    page = open_page("/?frame=1")
    ready(page, "BLEU")
    token = stage(page).get_by_role("button", name="not, not in the other text")
    token.hover() if how == "hover" else token.focus()
    row = stage(page).get_by_role("row", name=re.compile("^not "))
    expect(row).to_have_class(re.compile(r"\bhot\b"))
    expect(stage(page).locator("tr.hot")).to_have_count(1)
    expect(token).to_have_class(re.compile(r"\bhot\b"))
    expect(stage(page).locator(".hotcells i")).to_have_count(1)  # its cell in the bar of unigrams


def test_row_links_back_to_tokens(open_page) -> None:
    page = open_page("/?frame=1&order=2")
    ready(page, "BLEU")
    stage(page).get_by_role("row", name=re.compile("^model returns ")).hover()
    hot = stage(page).locator("[role=toolbar] .hot")
    expect(hot).to_have_count(4)  # two words in either text


def test_order_choice(open_page) -> None:
    page = open_page("/?frame=1")
    ready(page, "BLEU")
    stage(page).get_by_role("radio", name="3").check(force=True)
    assert "Trigrams: 3 of 5 counted" in shown(page)


def test_all_frames_and_arithmetic(open_page) -> None:
    page = open_page()
    ready(page, "BLEU")
    stage(page).get_by_role("button", name="All frames").click()
    slides = stage(page).locator("[aria-roledescription=slide]")
    expect(slides).to_have_count(6)
    stage(page).get_by_role("button", name="All frames").click()
    press(page, "End")
    stage(page).get_by_role("button", name="Arithmetic").click()
    assert "0.703471 × 0.866878" in shown(page) and "0.609824" in shown(page)


def test_play_and_pause(open_page) -> None:
    page = open_page()
    ready(page, "BLEU")
    stage(page).get_by_role("button", name="Play").click()
    expect(stage(page).get_by_role("button", name="Pause")).to_be_visible()
    expect(stage(page).locator("[aria-roledescription=slide]:visible").first).to_have_attribute(
        "aria-label", re.compile("^2 of 4"), timeout=8000
    )
    stage(page).get_by_role("button", name="Pause").click()
    before = name(page)
    page.wait_for_timeout(3500)
    assert name(page) == before


def test_a_step_sends_nothing_to_the_server(open_page) -> None:
    page = open_page("about:blank")
    sent: list[object] = []
    page.on("websocket", lambda ws: ws.on("framesent", lambda frame: sent.append(frame)))
    page.goto(open_page.server)
    ready(page, "BLEU")
    page.wait_for_timeout(1500)
    before = len(sent)
    press(page, "ArrowRight", 5)
    press(page, "Home")
    press(page, "ArrowRight")
    stage(page).get_by_role("radio", name="2").check(force=True)
    page.wait_for_timeout(1000)
    assert len(sent) == before


def test_keyboard_only_from_landing_to_the_last_frame(open_page) -> None:
    page = open_page()
    ready(page, "BLEU")
    for _ in range(40):
        page.keyboard.press("Tab")
        if (
            page.evaluate(
                "() => { let a = document.activeElement; while (a?.shadowRoot?.activeElement) a = a.shadowRoot.activeElement; return a?.textContent?.trim(); }"
            )
            == "Play"
        ):
            break
    else:
        pytest.fail("Play cannot be reached by Tab")
    page.keyboard.press("ArrowRight")
    assert name(page).startswith("2 of 4")
    page.keyboard.press("End")
    assert name(page) == "4 of 4: geometric mean × brevity penalty"


@pytest.mark.parametrize("width", [pytest.param(1440, marks=pytest.mark.long), 390])
def test_nothing_overflows_sideways(open_page, width: int) -> None:
    for id in EVALUATORS:
        page = open_page(f"/?evaluator={id}", width=width)
        ready(page, EVALUATORS[id])
        for key in ("Home", "ArrowRight", "ArrowRight", "ArrowRight"):
            press(page, key)
            over = slide(page).evaluate(
                "(e) => [...e.querySelectorAll('*')].filter((x) => x.getBoundingClientRect().right > e.getBoundingClientRect().right + 1 && !x.closest('.sr, .scroll')).length"
            )
            assert over == 0, (id, name(page))
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
