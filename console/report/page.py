"""The page around the sections: policy, look, figures and the script that draws them."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import plotly.graph_objects as go

from console.report.markup import Markup, join, tag
from console.report.palette import DARK, LIGHT

HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Chart:
    """A figure with its heading, one line on how to read it, and the same in words."""

    title: str
    note: str
    figure: go.Figure
    alt: str


@dataclass
class Page:
    """Charts in the order in which they stand on the page; the script finds each by its number."""

    charts: list[Chart] = field(default_factory=list)

    def place(self, charts: Sequence[Chart]) -> Markup:
        """Frames for charts; empty without any."""
        start = len(self.charts)
        self.charts.extend(charts)
        return join(*(_frame(start + i, chart) for i, chart in enumerate(charts)))

    def html(self, title: str, body: Markup) -> str:
        """The whole file. The policy names the two scripts by digest and forbids every other and every request."""
        code = Markup((HERE / "report.js").read_text("utf-8"))
        policy = (
            f"default-src 'none'; script-src '{_plotly()[1]}' '{_digest(code)}'; style-src 'unsafe-inline'; "
            "img-src data:; base-uri 'none'; form-action 'none'"
        )
        figures = {"figures": [_bare(chart.figure) for chart in self.charts], "light": LIGHT, "dark": DARK}
        head = (
            tag("meta", charset="utf-8"),
            tag("meta", http_equiv="Content-Security-Policy", content=policy),
            tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
            tag("title", f"{title} · jeval"),
            tag("style", Markup((HERE / "report.css").read_text("utf-8"))),
        )
        scripts = (
            tag("script", _json(figures), type="application/json", id="data"),
            tag("script", _plotly()[0]),
            tag("script", code),
        )
        whole = tag("html", tag("head", *head), tag("body", tag("main", body), *scripts), lang="en")
        return f"<!doctype html>\n{whole}\n"


def _frame(number: int, chart: Chart) -> Markup:
    height = f"height:{int(chart.figure.layout.height or 300)}px"
    return tag(
        "section",
        tag("h3", chart.title),
        tag("p", chart.note, cls="note"),
        tag("div", cls="plot", id=f"plot-{number}", role="img", aria_label=chart.alt, style=height),
        tag("noscript", tag("p", chart.alt)),
        cls="card chart",
    )


def _bare(figure: go.Figure) -> Any:
    """The figure as data without plotly's template, whose colours and fonts are not ours."""
    own = go.Figure(figure)
    own.layout.template = go.layout.Template()
    return json.loads(own.to_json())


def _json(data: Any) -> Markup:
    plain = json.dumps(data, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return Markup(plain.replace("<", "\\u003c"))


def _digest(code: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()


@cache
def _plotly() -> tuple[Markup, str]:
    """The library and its digest."""
    from plotly.offline import get_plotlyjs

    code = Markup(get_plotlyjs())
    return code, _digest(code)
