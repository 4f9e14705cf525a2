"""The HTML report is safe to open and to send: hostile texts stay text, and nothing but its own two scripts can run."""

from __future__ import annotations

import base64
import hashlib
import re
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from console.report import palette
from console.report.markup import text
from tests.reports import HOSTILE, Node, around, hostile, parsed, report

ROOT = Path(__file__).parents[1]
TAGS = set(
    "html head meta title style body main script header h1 h2 h3 p b a nav section div span table thead tbody tr th td "
    "i dl dt dd article code noscript footer".split()
)
ATTRIBUTES = set(
    "charset http-equiv content name lang class id style href role aria-label aria-hidden scope dir type".split()
)


def elements(node: Node) -> list[Node]:
    """Every element below a node."""
    below = [c for c in node.inside if isinstance(c, Node)]
    return [one for c in below for one in (c, *elements(c))]


def test_hostile_texts_are_text() -> None:
    html = hostile()
    page = parsed(html)
    found = elements(page)
    assert {n.tag for n in found} <= TAGS and len(page.all("script")) == 3
    assert {a for n in found for a in n.attributes} <= ATTRIBUTES
    said = page.text()
    assert all(part in said for part in (HOSTILE[0], HOSTILE[1], HOSTILE[3], HOSTILE[4], HOSTILE[6]))
    assert not re.search("[\u202a-\u202e\u2066-\u2069\x00-\x08]", around(html))
    assert "<" not in next(s.text() for s in page.all("script") if s.attributes.get("id") == "data")


@pytest.mark.parametrize(
    ("given", "shown"),
    [("<b>&\"'", "&lt;b&gt;&amp;&quot;&#x27;"), ("a\r\nb\rc", "a\nb\nc"), ("\u202ex", "\ufffdx"), ("\x1b[31m", "\ufffd[31m"), ("a\ud800", "a\ufffd"), ("👩\u200d🔬 \u00a0é", "👩\u200d🔬 \u00a0é"), ("\u200fשלום", "\u200fשלום")],
)  # fmt: skip
def test_escaping(given: str, shown: str) -> None:
    assert text(given) == shown


def test_the_policy_names_the_scripts_and_nothing_else() -> None:
    html = report()
    page = parsed(html)
    policy = next(
        m.attributes["content"] for m in page.all("meta") if m.attributes.get("http-equiv") == "Content-Security-Policy"
    )
    rules = dict(part.strip().split(" ", 1) for part in (policy or "").split(";"))
    run = [s for s in re.findall(r"<script>(.*?)</script>", html, flags=re.S)]
    digests = ["'sha256-" + base64.b64encode(hashlib.sha256(code.encode()).digest()).decode() + "'" for code in run]
    assert len(run) == 2 and rules["script-src"].split() == digests
    assert rules["default-src"] == "'none'" and "connect-src" not in rules and "font-src" not in rules
    assert html.index("Content-Security-Policy") < html.index("<style>") < html.index("<script")


@pytest.mark.parametrize("make", [report, hostile], ids=["report", "hostile"])
def test_nothing_is_loaded(make: Callable[[], str]) -> None:
    page = parsed(make())
    for node in elements(page):
        assert not {"src", "srcset", "data", "action", "poster"} & set(node.attributes)
        assert (node.attributes.get("href") or "#").startswith("#")
    assert not re.search(r"url\(|@import|@font-face", page.all("style")[0].text())


def test_colours_are_the_themes() -> None:
    theme = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text("utf-8"))["theme"]
    for mode, ours in (("light", palette.LIGHT), ("dark", palette.DARK)):
        kinds = ("chartCategoricalColors", "chartSequentialColors", "chartDivergingColors")
        assert ours == [c for kind in kinds for c in theme[mode][kind]]
