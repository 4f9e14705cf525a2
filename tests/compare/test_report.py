"""The report of a comparison: the numbers that the comparison has, and nothing that runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from console.report.compared import report_of_comparison
from jeval_core.compare import Asked, Rules, against
from tests.compare.made import both, rows_of, stored
from tests.reports import HOSTILE, Tree

FEW = Asked(rules=Rules(resamples=200))


def tree(page: str) -> Tree:
    parser = Tree()
    parser.feed(page)
    return parser


def test_its_tables_have_the_numbers(tmp_path: Path) -> None:
    a, b = both(tmp_path, 60, evaluators=("bleu", "rouge_l"))
    found = against(a, [b], FEW)
    page = tree(report_of_comparison(found)).root
    rows = page.section("What changed").rows()
    lines = [*found[0].whole, *(one for one in found[0].tags if one.by is None)]
    assert len(rows) == len(lines)
    for row, one in zip(rows, lines, strict=True):
        assert "60 rows" in row[0] and one.claim in row[-1].replace("\u00a0", " ")
        if one.id.endswith("mean"):
            assert row[1] == f"{one.a:.3f} → {one.b:.3f}" and row[2].startswith(f"{one.delta:+.3f}".replace("-", "−"))
    for name in found[0].reference_sets:
        assert page.section("All together" if name == "all" else name).rows()
    assert len(page.section("By task_type").rows()) == 2
    assert report_of_comparison(found) == report_of_comparison(against(a, [b], FEW))


def test_three_runs_are_one_report(tmp_path: Path) -> None:
    a, b = both(tmp_path, 30)
    c = stored(tmp_path, "c", rows_of(30, 0.9, 7))
    page = tree(report_of_comparison(against(a, [b, c], FEW))).root
    assert [node.text() for node in page.all("h1")] == ["a.csv against b.csv, c.csv"]
    assert {"b.csv", "c.csv"} <= {node.text() for node in page.all("h2")}
    ids = [node.attributes.get("id") for name in ("section", "h2", "div") for node in page.all(name)]
    known = [id for id in ids if id]
    assert len(known) == len({*known})
    assert {link.attributes["href"] for link in page.all("a")} <= {f"#{id}" for id in known}


@pytest.mark.parametrize("evil", HOSTILE)
def test_hostile_texts_stay_texts(tmp_path: Path, evil: str) -> None:
    evil = evil.replace("\x00", "")
    rows = [row | {"id": f"{i} {evil}", "input": evil, "task_type": evil} for i, row in enumerate(rows_of(12, 0.5, 1))]
    a, b = stored(tmp_path, "a", rows), stored(tmp_path, "b", [row | {"output": evil} for row in rows])
    page = report_of_comparison(against(a, [b], FEW))
    root = tree(page).root
    assert len(root.all("script")) == 3 and not root.all("img")
    for node in root.all("p") + root.all("td") + root.all("th"):
        assert not any(name.startswith("on") for name in node.attributes)
    assert "\u202e" not in page and "\x07" not in page
