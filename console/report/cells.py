"""Small parts that every section uses: numbers, tables, tiles, a drawn interval."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from console.charts import percent
from console.components.ranges import Row
from console.report.markup import Markup, join, tag

Pair = Sequence[float] | None
NONE = "–"


def score(value: float | None) -> str:
    """Three decimals and a true minus; a dash for none."""
    return NONE if value is None or value != value else f"{value:.3f}".replace("-", "−")


def rate(value: float | None) -> str:
    """A percentage, a dash for none."""
    return NONE if value is None else percent(value)


def between(ci: Pair, write: Callable[[float], str]) -> str:
    """An interval in words."""
    return NONE if not ci else f"{write(ci[0])} to {write(ci[1])}"


def figure(value: float | None, ci: Pair, write: Callable[[float | None], str]) -> Markup:
    """A number with its interval beside it, below it on a narrow page."""
    return join(write(value), tag("span", between(ci, write) if ci else "", cls="ci"))


def headed(name: str) -> Markup:
    """The head of a column of figures."""
    return join(name, tag("span", "95% interval", cls="ci"))


def cut(text: str, most: int) -> str:
    """A text up to a length; what is left is counted."""
    rest = len(text) - most
    return text if rest <= 0 else f"{text[:most]}… ({count(rest, 'more character', 'more characters')})"


def count(n: int, one: str, many: str) -> str:
    """A number with its noun."""
    return f"{n:,} {one if n == 1 else many}"


def section(title: str, note: str | None, *children: str, level: str = "h2", id: str | None = None) -> Markup:
    """A heading, how to read what follows, and it."""
    return tag("section", tag(level, title), tag("p", note, cls="note") if note else "", *children, id=id)


def table(columns: Sequence[str], rows: Sequence[Sequence[str]], cls: str | None = None) -> Markup:
    """A real table; the first cell of a row is its heading."""
    first = tag("thead", tag("tr", *(tag("th", c, scope="col") for c in columns)))
    body = [tag("tr", tag("th", row[0], scope="row"), *(tag("td", cell) for cell in row[1:])) for row in rows]
    return tag("table", first, tag("tbody", *body), cls=cls)


def facts(pairs: Sequence[tuple[str, str]]) -> Markup:
    """What and how, as a list of definitions."""
    return tag("dl", *(join(tag("dt", k), tag("dd", v)) for k, v in pairs))


def tile(label: str, value: str, note: str) -> Markup:
    """A headline number."""
    return tag("div", tag("p", label), tag("p", value, cls="figure"), tag("p", note, cls="note"), cls="card")


def drawn(row: Row, span: tuple[float, float], ref: float | None) -> Markup:
    """Estimate and interval of a group on an axis, a dashed line at `ref`; the cells beside it say the same."""

    def at(x: float) -> str:
        return f"{100 * min(1.0, max(0.0, (x - span[0]) / (span[1] - span[0]))):.2f}%"

    marks: list[Any] = [] if ref is None else [tag("i", cls="ref", style=f"left:{at(ref)}")]
    if row.lo is not None and row.hi is not None:
        marks.append(tag("i", cls="whisk", style=f"left:{at(row.lo)};right:calc(100% - {at(row.hi)})"))
    if row.value is not None:
        marks.append(tag("i", cls="dot", style=f"left:{at(row.value)}"))
    return tag("div", *marks, cls="axis", aria_hidden="true")


def ends(span: tuple[float, float]) -> Markup:
    """The head of a drawn column: what its axis runs over."""
    return tag("span", *(tag("span", f"{x:.0%}") for x in span), cls="ends")
