"""The page around the sections: policy, look, figures and the script that draws them."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import plotly.graph_objects as go

from console.report import parts
from console.report.markup import Markup, join, tag
from console.report.palette import DARK, LIGHT

HERE = Path(__file__).parent
STATIC = HERE.parent / "static"
FACES = (
    ("IBM Plex Sans", "400", "ibm-plex-sans-latin-400-normal"),
    ("IBM Plex Sans", "600", "ibm-plex-sans-latin-600-normal"),
    ("IBM Plex Mono", "400", "ibm-plex-mono-latin-400-normal"),
    ("Jeval Symbols", "400", "jeval-symbols"),
)


@dataclass(frozen=True, slots=True)
class Chart:
    """A figure with its heading, one line on how to read it, and the same in words."""

    title: str
    note: str
    figure: go.Figure
    alt: str


def html_report(
    found: Mapping[str, Any],
    charts: Mapping[str, Sequence[Chart]],
    *,
    overall: Sequence[Chart] = (),
    thresholds: Mapping[str, str] | None = None,
    details: Mapping[str, Sequence[tuple[str, str]]] | None = None,
    rows: Sequence[Mapping[str, Any]] = (),
) -> str:
    """One run as a page, the same bytes for the same run.

    `found` is `Run.to_dict()`; `charts` and `details` (pairs of what and how) belong to an evaluator's id, `overall` to
    all of them; `thresholds` says when each passes; `rows` are shown as they come, every value as text.
    """
    ids = [*found["aggregates"]]
    drawn: list[Chart] = []

    def place(some: Sequence[Chart]) -> Markup:
        start = len(drawn)
        drawn.extend(some)
        return join(*(_frame(start + i, chart) for i, chart in enumerate(some)))

    sections = [parts.head(found), parts.overview(found, thresholds or {})]
    for id in ids:
        facts = (details or {}).get(id, ())
        sections.append(parts.evaluator(found, id, (thresholds or {}).get(id), facts, place(charts.get(id, ()))))
    sections += [parts.agreement(found, place(overall)), parts.lines(found), parts.worst(rows), parts.foot(found)]
    return _page(str(found["dataset"]["name"]), join(*sections), drawn)


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


def _page(title: str, body: Markup, charts: Sequence[Chart]) -> str:
    code = Markup((HERE / "report.js").read_text("utf-8"))
    policy = (
        f"default-src 'none'; script-src '{_plotly()[1]}' '{_digest(code)}'; style-src 'unsafe-inline'; "
        "font-src data:; img-src data:; base-uri 'none'; form-action 'none'"
    )
    data = {"figures": [_bare(chart.figure) for chart in charts], "light": LIGHT, "dark": DARK}
    return "<!doctype html>\n" + tag(
        "html",
        tag(
            "head",
            tag("meta", charset="utf-8"),
            tag("meta", http_equiv="Content-Security-Policy", content=policy),
            tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
            tag("title", f"{title} · jeval"),
            tag("style", _style()),
        ),
        tag(
            "body",
            tag("main", body),
            tag("script", _json(data), type="application/json", id="data"),
            tag("script", _plotly()[0]),
            tag("script", code),
        ),
        lang="en",
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
    """The library and its digest, which the policy names: no other script can run."""
    from plotly.offline import get_plotlyjs

    code = Markup(get_plotlyjs())
    return code, _digest(code)


@cache
def _style() -> Markup:
    faces = []
    for family, weight, name in FACES:
        font = base64.b64encode((STATIC / f"{name}.woff2").read_bytes()).decode()
        source = f"url(data:font/woff2;base64,{font}) format('woff2')"
        faces.append(f"@font-face {{ font-family: '{family}'; font-weight: {weight}; src: {source}; }}")
    return Markup("\n".join([*faces, (HERE / "report.css").read_text("utf-8")]))
