"""The sections of a report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from console.charts import percent
from console.components.ranges import Row, rows_of, span_of
from console.report.markup import Markup, join, tag
from jeval_core.errors import UnknownEvaluator
from jeval_core.registry import get_evaluator

MOST_LINES = 200
MOST_GROUPS = 40
MOST_ROWS = 20
LONGEST = 600
"""Characters of a text that are shown; the rest is counted."""
Found = Mapping[str, Any]


def name_of(id: str) -> str:
    """Name of an evaluator, or its id when this version does not know it."""
    try:
        return get_evaluator(id).card.name
    except UnknownEvaluator:
        return id


def head(found: Found) -> Markup:
    """What was measured, and where every row of the file went."""
    source = found.get("source") or {}
    chips = [
        f"dataset {found['dataset']['version']}",
        f"run {found['run_id']}",
        *(f"{r['model_version']}: run {r['run_id']}" for r in found.get("runs", ())),
        *(f"{k.replace('_', ' ')} {v}" for k, v in source.items() if v is not None),
    ]
    mapping = ", ".join(f"{field} ← {v if isinstance(v, str) else ', '.join(v)}" for field, v in _mapping(found))
    return tag(
        "header",
        tag("h1", found["dataset"]["name"]),
        tag("p", *(tag("span", chip, cls="chip") for chip in chips), cls="chips"),
        tag("p", account(found["rows"])),
        tag("p", "Columns: " + mapping, cls="note") if mapping else "",
    )


def _mapping(found: Found) -> list[tuple[str, Any]]:
    return [(k, v) for k, v in (found.get("mapping") or {}).items() if v]


def account(rows: Mapping[str, int]) -> str:
    """The sum written out."""
    parts = [f"{rows[name]:,} {name}" for name in ("scored", "skipped", "failed", "rejected")]
    return f"{rows['in_file']:,} {'row' if rows['in_file'] == 1 else 'rows'} in the file = {' + '.join(parts)}."


def overview(found: Found, thresholds: Mapping[str, str]) -> Markup:
    """All evaluators, a line each."""
    columns = ("Evaluator", "Passes", "Mean", "95%", "Pass rate", "95%", "Corpus", "Scored", "Skipped", "Failed")
    body = []
    for id, one in found["aggregates"].items():
        cells = [
            thresholds.get(id, "–"),
            score(one["mean"]),
            between(one["mean_ci"], score),
            rate(one["pass_rate"]),
            between(one["pass_rate_ci"], rate),
            score((one.get("corpus") or {}).get("score")),
            *(f"{one[n]:,}" for n in ("n", "n_skipped", "n_failed")),
        ]
        body.append([name_of(id), *cells])
    return section(
        "Results", "The interval of a mean is Student's t, that of a pass rate Wilson's.", table(columns, body)
    )


def evaluator(found: Found, id: str, passes: str | None, details: Sequence[tuple[str, str]], charts: Markup) -> Markup:
    """Figures of one evaluator, its charts, how they were made, and its groups."""
    one = found["aggregates"][id]
    corpus = one.get("corpus")
    tiles = [
        ("Mean", score(one["mean"]), _interval(one["mean_ci"], score, one)),
        *([("Corpus", score(corpus["score"]), "counts summed first")] if corpus else []),
        ("Pass rate", rate(one["pass_rate"]), _interval(one["pass_rate_ci"], rate, one)),
        ("Rows scored", f"{one['n']:,}", f"{one['n_skipped']:,} skipped, {one['n_failed']:,} failed"),
    ]
    facts = [("signature", found["signatures"].get(id, "–")), *([("passes", passes)] if passes else [])]
    facts += [("corpus signature", corpus["signature"])] if corpus else []
    facts += [
        ("mean", "of the scores of all scored rows, interval Student's t, 95%"),
        ("pass rate", "rows that passed among all scored rows, interval Wilson 1927, 95%"),
        *details,
    ]
    groups = [_groups(column, each, id, one) for column, each in (found.get("groups") or {}).items()]
    return section(
        name_of(id),
        None,
        tag("div", *(_tile(*t) for t in tiles), cls="tiles"),
        tag("div", charts, cls="charts"),
        tag("dl", *(join(tag("dt", k), tag("dd", v)) for k, v in facts)),
        *groups,
    )


def _tile(label: str, value: str, note: str) -> Markup:
    return tag("div", tag("p", label), tag("p", value, cls="figure"), tag("p", note, cls="note"), cls="card")


def _interval(ci: Sequence[float] | None, write: Any, one: Mapping[str, Any]) -> str:
    if ci:
        return "95% " + between(ci, write)
    return "one row has no interval" if one["n"] == 1 else "no row was scored"


def _groups(column: str, groups: Mapping[str, Any], id: str, one: Mapping[str, Any]) -> Markup:
    rows = rows_of({g: each for g, each in groups.items() if id in each}, id)
    if not rows:
        note = "No groups: the column has more than 200 values." if not groups else "Not scored by group."
        return section(f"By {column}", note, level="h3")
    largest = {r.label for r in sorted(rows, key=lambda r: -groups[r.label][id]["n"])[:MOST_GROUPS]}
    shown = [r for r in rows if r.label in largest]
    left = len(rows) - len(shown)
    note = "Pass rate with Wilson interval; the dashed line is all rows."
    note += f" The {MOST_GROUPS} largest of {len(rows)} groups." if left else ""
    span = span_of(shown, one["pass_rate"])
    ends = tag("span", *(tag("span", f"{x:.0%}") for x in span), cls="ends")
    body = [
        [r.label, r.n, _drawn(r, span, one["pass_rate"]), r.text, r.interval, score(groups[r.label][id]["mean"]),
         between(groups[r.label][id]["mean_ci"], score)] for r in shown
    ]  # fmt: skip
    columns = (column, "rows", ends, "pass rate", "95%", "mean", "95%")
    return section(f"By {column}", note, table(columns, body, cls="drawn"), level="h3")


def _drawn(row: Row, span: tuple[float, float], ref: float | None) -> Markup:
    def at(x: float) -> str:
        return f"{100 * min(1.0, max(0.0, (x - span[0]) / (span[1] - span[0]))):.2f}%"

    marks = [] if ref is None else [tag("i", cls="ref", style=f"left:{at(ref)}")]
    if row.lo is not None and row.hi is not None:
        right = f"calc(100% - {at(row.hi)})"
        marks.append(tag("i", cls="whisk", style=f"left:{at(row.lo)};right:{right}"))
    if row.value is not None:
        marks.append(tag("i", cls="dot", style=f"left:{at(row.value)}"))
    return tag("div", *marks, cls="axis", aria_hidden="true")


def agreement(found: Found, charts: Markup) -> Markup:
    """Correlations between evaluators and with people."""
    columns = ("Spearman", "95%", "Kendall τ-b", "95%", "Pearson", "95%", "rows")
    parts = []
    pairs = [
        [name_of(a), name_of(b), *_coefficients(c)]
        for a, each in (found.get("correlations") or {}).items()
        for b, c in each.items()
    ]
    gold = [
        [g, name_of(b), *_coefficients(c)] for g, each in (found.get("gold") or {}).items() for b, c in each.items()
    ]
    if pairs:
        parts.append(tag("div", charts, cls="charts"))
        parts.append(section("Between evaluators", None, table(("", "and", *columns), pairs), level="h3"))
    if gold:
        parts.append(section("With people", None, table(("human score", "and", *columns), gold), level="h3"))
    if not parts:
        return Markup("")
    note = "Fisher's z, with the variances of Bonett and Wright for Spearman and of Fieller for Kendall."
    sampled = "Above 20,000 rows a random sample of 20,000 with a fixed seed."
    return section("Agreement", f"{note} {sampled}", *parts)


def _coefficients(c: Mapping[str, Any]) -> list[str]:
    out = []
    for name in ("spearman", "kendall", "pearson"):
        one = c.get(name)
        out += ["–", "–"] if one is None else [score(one["value"]), between(one["ci"], score)]
    return [*out, f"{c['n']:,}" + (f" (sample {c['sampled']:,})" if c.get("sampled") else "")]


def lines(found: Found) -> Markup:
    """Lines of the file that need a look."""
    problems = found.get("problems") or []
    if not problems:
        return section("Lines that need a look", "None.")
    note = account(found["rows"])
    if len(problems) > MOST_LINES:
        note += f" The first {MOST_LINES} of {len(problems):,} notes."
    body = [[f"{p['line']:,}" if isinstance(p["line"], int) else "–", str(p["reason"])] for p in problems[:MOST_LINES]]
    return section("Lines that need a look", note, table(("Line", "What is wrong and what to do"), body, cls="texts"))


def worst(rows: Sequence[Mapping[str, Any]]) -> Markup:
    """Rows as they come, every value as text."""
    if not rows:
        return Markup("")
    shown = rows[:MOST_ROWS]
    columns = [*dict.fromkeys(str(name) for row in shown for name in row)]
    body = [[value(row.get(name)) for name in columns] for row in shown]
    note = f"{len(shown)} rows, in the order given."
    return section("Rows to open first", note, table(columns, body, cls="texts"))


def foot(found: Found) -> Markup:
    """How to get the same numbers again."""
    from jeval_core import __version__

    said = f"jeval {__version__}, run {found['run_id']}. The same cases, outputs and signatures give the same run id."
    return tag("footer", tag("p", said, cls="note"))


def section(title: str, note: str | None, *children: str, level: str = "h2") -> Markup:
    """A heading, how to read what follows, and it."""
    return tag("section", tag(level, title), tag("p", note, cls="note") if note else "", *children)


def table(columns: Sequence[str], rows: Sequence[Sequence[str]], cls: str | None = None) -> Markup:
    """A real table; the first cell of a row is its heading."""
    first = tag("thead", tag("tr", *(tag("th", c, scope="col") for c in columns)))
    body = [tag("tr", tag("th", row[0], scope="row"), *(tag("td", cell) for cell in row[1:])) for row in rows]
    return tag("div", tag("table", first, tag("tbody", *body), cls=cls), cls="scroll", tabindex="0")


def score(value: float | None) -> str:
    """Three decimals and a true minus; a dash for none."""
    return "–" if value is None else f"{value:.3f}".replace("-", "−")


def rate(value: float | None) -> str:
    """A percentage, a dash for none."""
    return "–" if value is None else percent(value)


def between(ci: Sequence[float] | None, write: Any) -> str:
    """An interval in words."""
    return "–" if not ci else f"{write(ci[0])} to {write(ci[1])}"


def value(one: Any) -> str:
    """Any cell as text; long text says how much is left."""
    if one is None or one != one:
        return "–"
    if isinstance(one, bool):
        return "✓\u00a0pass" if one else "✗\u00a0fail"
    said = score(one) if isinstance(one, float) else str(one)
    return said if len(said) <= LONGEST else f"{said[:LONGEST]}… ({len(said) - LONGEST:,} more characters)"
