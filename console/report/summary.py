"""The first half of a report: what was measured, all evaluators, then each of them with its groups."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from console.components.ranges import rows_of, span_of
from console.names import caution, name_of
from console.report.cells import (
    between,
    count,
    cut,
    drawn,
    ends,
    figure,
    headed,
    rate,
    score,
    section,
    table,
    tile,
)
from console.report.markup import Markup, join, tag
from jeval_core.errors import UnknownEvaluator
from jeval_core.evaluators.judged import judge_in
from jeval_core.registry import get_evaluator

Found = Mapping[str, Any]
MOST_GROUPS = 40
MOST_SYSTEMS = 6
LONGEST = 60
"""Characters of a group's name that are shown."""


@dataclass(frozen=True, slots=True)
class Measured:
    """What a report knows of an evaluator beyond its summary.

    `passes` says when a row passes; `facts` are pairs of what and how; `agrees` is the share of labelled rows whose
    verdict people share, with its interval and the number of labels.
    """

    passes: str | None = None
    change: str | None = None
    agrees: tuple[float, tuple[float, float] | None, int] | None = None
    facts: Sequence[tuple[str, str]] = field(default_factory=tuple)


def head(found: Found, contents: Mapping[str, str]) -> Markup:
    """Title, one sentence on what was measured, where every row went; `contents` is anchor → title."""
    ids = [*found["aggregates"]]
    said = f"Scored by {_listed([name_of(id) for id in ids])}" if ids else "No evaluator was chosen"
    said += _of_systems(found)
    rows = found.get("rows")
    links = [tag("a", title, href=f"#{anchor}") for anchor, title in contents.items()]
    return tag(
        "header",
        tag("h1", found["dataset"]["name"]),
        tag("p", f"{said}."),
        tag("p", account(rows)) if rows else "",
        tag("nav", *links, aria_label="Contents"),
    )


def _of_systems(found: Found) -> str:
    if found.get("model_version"):
        return f", the answers of {cut(str(found['model_version']), LONGEST)} only"
    names = [cut(str(one["model_version"]), LONGEST) for one in found.get("runs") or ()]
    return f", answers of {len(names)} systems: {_listed(names, MOST_SYSTEMS)}" if len(names) > 1 else ""


def _listed(names: Sequence[str], most: int = 12) -> str:
    rest = len(names) - most
    shown = [*names[:most], *([f"{rest:,} more"] if rest > 0 else [])]
    return " and ".join([", ".join(shown[:-1]), shown[-1]] if len(shown) > 1 else shown)


def account(rows: Mapping[str, int]) -> str:
    """The sum written out."""
    parts = [f"{rows[name]:,} {name}" for name in ("scored", "skipped", "failed", "rejected")]
    return f"{count(rows['in_file'], 'row', 'rows')} in the file = {' + '.join(parts)}."


def overview(found: Found, measured: Mapping[str, Measured]) -> Markup:
    """All evaluators, a line each."""
    body = []
    for id, one in found["aggregates"].items():
        row = rows_of({"": {id: one}}, id)[0]
        passes = measured[id].passes
        name = join(tag("b", name_of(id)), " ", tag("span", passes or "", cls="passes"))
        body.append([_named(name, one), drawn(row, (0.0, 1.0), None), *_figures(one)])
    note = "The marks draw the pass rate. An interval says how far other rows of the same kind could move a figure."
    columns = ("evaluator", ends((0.0, 1.0)), headed("pass rate"), headed("mean"))
    return section("Results", note, table(columns, body, cls="drawn"), id="results")


def evaluator(found: Found, id: str, own: Measured, charts: Markup, anchor: str) -> Markup:
    """Figures of one evaluator, its charts and its groups."""
    one = found["aggregates"][id]
    groups = [_groups(column, each, id, one) for column, each in (found.get("groups") or {}).items()]
    return section(
        name_of(id),
        _line(id, own.passes, _signature(found, id)),
        tag("p", tag("b", warning), cls="note") if (warning := caution(_signature(found, id))) else "",
        tag("div", *_tiles(id, one, own), cls="tiles"),
        tag("div", charts, cls="charts") if charts else "",
        tag("p", own.change, cls="note") if own.change else "",
        *(groups if one["n"] else ()),
        id=anchor,
    )


def _line(id: str, passes: str | None, signature: str) -> str:
    try:
        line = get_evaluator(id).card.line
    except UnknownEvaluator:
        line = "This version does not know the evaluator; its numbers are as they were stored."
    judge = judge_in(signature)
    line += f" A row passes at {passes}." if passes else ""
    return f"{line} Answered by {judge}." if judge else line


def _tiles(id: str, one: Found, own: Measured) -> list[Markup]:
    left = ", ".join(f"{one[f'n_{name}']:,} {name}" for name in ("skipped", "failed") if one[f"n_{name}"])
    tiles = [tile("Mean", score(one["mean"]), _interval(one["mean_ci"], score, one))]
    if corpus := one.get("corpus"):
        tiles.append(tile(f"Corpus {name_of(id)}", score(corpus["score"]), "all rows as one text"))
    tiles.append(tile("Pass rate", rate(one["pass_rate"]), _interval(one["pass_rate_ci"], rate, one)))
    if own.agrees:
        share, ci, n = own.agrees
        tiles.append(tile("Agrees with people", rate(share), f"95% {between(ci, rate)}, {count(n, 'label', 'labels')}"))
    return [*tiles, tile("Rows scored", f"{one['n']:,}", left or "none left out")]


def _interval(ci: Sequence[float] | None, write: Any, one: Found) -> str:
    if ci:
        return "95% " + between(ci, write)
    return "one row has no interval" if one["n"] == 1 else "no row was scored"


def _groups(column: str, groups: Mapping[str, Any], id: str, one: Found) -> Markup:
    rows = rows_of({g: each for g, each in groups.items() if id in each}, id)
    if not rows:
        return section(f"By {column}", "The column has too many values to be a table.", level="h3")
    largest = {r.label for r in sorted(rows, key=lambda r: -groups[r.label][id]["n"])[:MOST_GROUPS]}
    shown = [r for r in rows if r.label in largest]
    note = "Highest pass rate first; the dashed line is all rows."
    note += f" The {MOST_GROUPS} largest of {len(rows)} groups." if len(rows) > len(shown) else ""
    span = span_of(shown, one["pass_rate"])
    body = [
        [
            _named(cut(r.label, LONGEST), groups[r.label][id]),
            drawn(r, span, one["pass_rate"]),
            *_figures(groups[r.label][id]),
        ]
        for r in shown
    ]
    columns = (column, ends(span), headed("pass rate"), headed("mean"))
    return section(f"By {column}", note, table(columns, body, cls="drawn"), level="h3")


def _named(name: str, one: Found) -> Markup:
    """A name and how many rows it stands for."""
    left = "".join(f", {one[f'n_{n}']:,} {n}" for n in ("skipped", "failed") if one[f"n_{n}"])
    return tag("span", tag("span", name), tag("span", count(one["n"], "row", "rows") + left, cls="n"), cls="named")


def _figures(one: Found) -> tuple[Markup, Markup]:
    return figure(one["pass_rate"], one["pass_rate_ci"], rate), figure(one["mean"], one["mean_ci"], score)


def _signature(found: Found, id: str) -> str:
    return str((found.get("signatures") or {}).get(id, ""))
