"""Reports for the tests: runs to make them of, and the page as a tree."""

from __future__ import annotations

import base64
import csv
import json
import re
import tempfile
from dataclasses import dataclass, field
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np

from console.report import report_of
from console.sample_sets import SETS
from jeval_core.batch.scored import SCORED
from jeval_core.registry import get_evaluator
from jeval_core.runs import Run, run_file, run_files

IDS = ["bleu", "rouge_n", "rouge_l", "levenshtein"]
NAMES = ["BLEU", "ROUGE-N", "ROUGE-L", "Levenshtein"]
HOSTILE = [
    "</script><script>window.hit=1</script>",
    '<img src=x onerror="window.hit=1">',
    "\u202efdp.exe\u2066",
    "&lt;b&gt;&amp;",
    "<!--<script>",
    "javascript:window.hit=1",
    "x\" onmouseover='window.hit=1' y=\"",
    "\x00\x07bell",
]


@dataclass
class Node:
    """An element with what is inside it."""

    tag: str
    attributes: dict[str, str | None]
    inside: list[Node | str] = field(default_factory=list)

    def text(self) -> str:
        return "".join(c if isinstance(c, str) else c.text() for c in self.inside)

    def all(self, tag: str, cls: str | None = None) -> list[Node]:
        found = [n for c in self.inside if isinstance(c, Node) for n in ([c] if c.tag == tag else []) + c.all(tag)]
        return [n for n in found if cls is None or cls in (n.attributes.get("class") or "").split()]

    def section(self, title: str) -> Node:
        """The section under a heading."""
        for one in self.all("section"):
            if any(isinstance(c, Node) and c.tag in ("h2", "h3") and c.text() == title for c in one.inside):
                return one
        raise AssertionError(f"no section {title}")

    def rows(self) -> list[list[str]]:
        """Cells of the first table, each span apart."""
        body = self.all("tbody")[0]
        return [[" | ".join(_leaves(c)) for c in tr.inside if isinstance(c, Node)] for tr in body.all("tr")]


def _leaves(node: Node) -> list[str]:
    out = []
    for c in node.inside:
        out += [c] if isinstance(c, str) else _leaves(c)
    return [t for t in out if t.strip()]


class Tree(HTMLParser):
    """The page as a browser nests it; the parser raises where tags do not close."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Node("", {})
        self.open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        node = Node(tag, dict(attrs))
        self.open[-1].inside.append(node)
        if tag != "meta":
            self.open.append(node)

    def handle_endtag(self, tag: str) -> None:
        assert self.open[-1].tag == tag
        self.open.pop()

    def handle_data(self, data: str) -> None:
        self.open[-1].inside.append(data)


def parsed(html: str) -> Node:
    tree = Tree()
    tree.feed(html)
    assert [n.tag for n in tree.open] == [""]
    return tree.root


def data_of(page: Node) -> dict[str, Any]:
    return json.loads(next(s.text() for s in page.all("script") if s.attributes.get("id") == "data"))


def values(one: Any) -> list[Any]:
    """A column of a trace; plotly packs numbers as base64."""
    if not isinstance(one, dict):
        return one
    flat = np.frombuffer(base64.b64decode(one["bdata"]), one["dtype"])
    return flat.reshape([int(n) for n in one["shape"].split(",")] if "shape" in one else -1).tolist()


def around(html: str) -> str:
    """The page without the library, whose code has every word."""
    scripts = re.findall(r"<script>.*?</script>", html, flags=re.S)
    return html.replace(max(scripts, key=len), "")


def made(run: Run, rows: int = 5, thresholds: dict[str, float] | None = None, **more: Any) -> str:
    """A report as the console makes it."""
    first = next(iter(run.scored.values()))
    lowest = np.flatnonzero(first.status == SCORED)
    lowest = lowest[np.argsort(first.score[lowest], kind="stable")][:rows]
    shown = [
        {
            "line": int(run.rows.lines[i]),
            "id": run.rows.id[i].as_py(),
            "model_version": None if run.rows.model_version is None else run.rows.model_version[i].as_py(),
            "output": run.rows.output[i].as_py(),
            "references": [(n, c[i].as_py()) for n, c in run.rows.references if c[i].is_valid],
            "scores": {id: {"score": s.score[i].item(), "passed": bool(s.passed[i])} for id, s in run.scored.items()},
        }
        for i in lowest.tolist()
    ]
    limits = {id: get_evaluator(id).card.threshold for id in run.scored} | (thresholds or {})
    scores = {id: s.score for id, s in run.scored.items()}
    passed = {id: s.passed for id, s in run.scored.items()}
    return report_of(run.to_dict(), scores, limits, shown, passed=passed, **more)


def table(path: Path, rows: list[dict[str, Any]]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        out = csv.DictWriter(file, rows[0])
        out.writeheader()
        out.writerows(rows)
    return path


@cache
def translations() -> Run:
    """Two systems, groups, human scores, two references."""
    return run_file(SETS[0].path, IDS, group_by=["model_version", "task_type"])


@cache
def labels() -> np.ndarray:
    """People's verdict on `translations`, unknown for every seventh row."""
    gold = translations().rows.gold["human_score"]
    out = np.where(np.isnan(gold), np.nan, (gold >= np.nanmedian(gold)).astype(float))
    out[::7] = np.nan
    return out


@cache
def report() -> str:
    """The report of `translations`."""
    return made(translations(), labels=labels())


@cache
def hostile() -> str:
    """The report of a run whose every name and text attacks."""
    rows = [
        {
            "id": f"{HOSTILE[i % 8]} {i}",
            "model_version": HOSTILE[(i // 8) % 2],
            "output": HOSTILE[i % 8] + " a cat sat on a mat" * (i % 3),
            "expected": HOSTILE[(i * 3) % 8] + " a cat on a mat",
            HOSTILE[0]: HOSTILE[i % 8],
            "gold": i % 5,
        }
        for i in range(48)
    ]
    name = HOSTILE[0] + HOSTILE[1] + ".csv"
    with tempfile.TemporaryDirectory() as folder:
        path = table(Path(folder) / "h.csv", rows)
        return made(run_files([path], ["bleu", "rouge_l"], names=[name], group_by=[HOSTILE[0]]), rows=20)
