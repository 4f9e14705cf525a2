"""The second half of a report: agreement, the lowest rows, lines that need a look, how each number was made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from console.names import name_of
from console.report.cells import NONE, count, cut, facts, figure, headed, rate, score, section, table
from console.report.markup import Markup, join, tag
from console.report.summary import Measured, account
from jeval_core import __version__, data
from jeval_core.stats.correlation import SAMPLE
from jeval_core.stats.intervals import BOOTSTRAP_BELOW, RESAMPLES, SEED

Found = Mapping[str, Any]
MOST_LINES = 200
MOST_ROWS = 20
LONGEST = 600
"""Characters of a text that are shown; the rest is counted."""
TITLES = {
    "agreement": "Agreement",
    "lowest": "Lowest scores",
    "lines": "Lines that need a look",
    "method": "How these numbers were made",
}
"""Anchor → title."""
COEFFICIENTS = {"spearman": "Spearman ρ", "kendall": "Kendall τ-b", "pearson": "Pearson r"}
DELIMITERS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}


def agreement(found: Found, charts: Markup) -> Markup | None:
    """Correlations between evaluators and with people; None where the run has none."""
    pairs = [(a, b, c) for a, each in (found.get("correlations") or {}).items() for b, c in each.items()]
    gold = [(g, b, c) for g, each in (found.get("gold") or {}).items() for b, c in each.items()]
    parts = []
    if gold:
        note = "How far an evaluator ranks the rows as people do."
        body = [[_pair(f"{name_of(b)} with {g}", c), *_coefficients(c)] for g, b, c in gold]
        parts.append(section("With people", note, _correlations(body), level="h3"))
    if pairs:
        note = "How far two evaluators rank the rows alike."
        body = [[_pair(f"{name_of(a)} with {name_of(b)}", c), *_coefficients(c)] for a, b, c in pairs]
        between = tag("div", charts, cls="charts") if charts else ""
        parts.append(section("Between evaluators", note, between, _correlations(body), level="h3"))
    if not parts:
        return None
    note = "1 is the same order, 0 no connection, −1 the opposite order."
    return section(TITLES["agreement"], note, *parts, id="agreement")


def judged(found: Found) -> Markup | None:
    """How far answers of judges are from human labels; None where there is neither."""
    body = []
    for column, each in (found.get("judged") or {}).items():
        for id, about in each.items():
            by, brier = about.get("levels") or about.get("labels") or {}, about.get("passes") or {}
            mark = ", word overlap" if about.get("no_model") else ""
            n = count(by.get("n", brier.get("n", 0)), "row", "rows")
            pair = tag("span", f"{name_of(id)} beside {column}{mark}")
            name = tag("span", pair, tag("span", n, cls="n"), cls="named")
            mae = figure(by.get("mae"), by.get("mae_ci"), score)
            exact = figure(by.get("exact"), by.get("exact_ci"), rate)
            body.append([name, mae, exact, figure(brier.get("brier"), brier.get("brier_ci"), score)])
    if not body:
        return None
    note = "Mean absolute error in levels, share of the same level or label, and Brier score of the chance of passing."
    columns = ("", headed("error"), headed("the same"), headed("Brier score"))
    return section("Judges beside people", note, table(columns, body, cls="even"), id="judged")


def _correlations(body: Sequence[Sequence[str]]) -> Markup:
    return table(("", *map(headed, COEFFICIENTS.values())), body, cls="even")


def _pair(name: str, c: Found) -> Markup:
    n = count(c["n"], "row", "rows") + (f", {c['sampled']:,} of them drawn" if c.get("sampled") else "")
    return tag("span", tag("span", name), tag("span", n, cls="n"), cls="named")


def _coefficients(c: Found) -> list[Markup]:
    found = [c.get(name) or {"value": None, "ci": None} for name in COEFFICIENTS]
    return [figure(one["value"], one["ci"], score) for one in found]


def lowest(rows: Sequence[Mapping[str, Any]], id: str, unit: str) -> Markup:
    """Rows as they come, every value as text."""
    shown = rows[:MOST_ROWS]
    note = f"The lowest by {name_of(id)}, the first to read." if len(shown) > 1 else f"The lowest by {name_of(id)}."
    return section(TITLES["lowest"], note, *(_row(row, unit) for row in shown), id="lowest")


def _row(row: Mapping[str, Any], unit: str) -> Markup:
    line = row.get("line")
    heading = [tag("b", f"{unit.capitalize()} {line:,}" if isinstance(line, int) else NONE)]
    for name in ("id", "model_version"):
        if row.get(name) is not None:
            heading.append(tag("span", cut(str(row[name]), 80), cls="id"))
    heading += [_chip(id, one) for id, one in (row.get("scores") or {}).items()]
    texts = []
    for name, value in row.items():
        if name == "references":
            texts += [(str(n), t) for n, t in value or ()]
        elif name not in ("line", "id", "model_version", "scores"):
            texts.append((name, value))
    cells = [tag("div", tag("p", name, cls="note"), tag("p", _said(value), dir="auto")) for name, value in texts]
    return tag("article", tag("p", *heading, cls="chips"), tag("div", *cells, cls="texts"), cls="card row")


def _chip(id: str, one: Any) -> Markup:
    """`one` is a score, or a score with its verdict; None where there is none."""
    value, passed = (one.get("score"), one.get("passed")) if isinstance(one, Mapping) else (one, None)
    if value is None or value != value:
        return tag("span", f"{name_of(id)} not scored", cls="chip")
    verdict = "" if passed is None else "\u2002✓\u00a0pass" if passed else "\u2002✗\u00a0fail"
    color = None if passed is None else "pass" if passed else "fail"
    return tag("span", f"{name_of(id)} {score(value)}", tag("span", verdict, cls=color), cls="chip")


def _said(value: Any) -> str:
    if value is None or value != value:
        return NONE
    return cut(score(value) if isinstance(value, float) else str(value), LONGEST)


def lines(found: Found) -> Markup:
    """Lines of the file that need a look, and where every row went."""
    problems = found.get("problems") or []
    rows = found.get("rows")
    said = [account(rows)] if rows else []
    if not problems:
        return section("No line needs a look", " ".join(said), id="lines")
    if len(problems) > MOST_LINES:
        said.append(f"The first {MOST_LINES} of {len(problems):,} notes.")
    body = [[f"{p['line']:,}" if p["line"] else "file", str(p["reason"]), _outcome(p)] for p in problems[:MOST_LINES]]
    columns = (_source(found).unit, "what is wrong and what to do", "outcome")
    return section(TITLES["lines"], " ".join(said), table(columns, body, cls="lines"), id="lines")


def _outcome(problem: Found) -> str:
    if problem.get("rejected"):
        return "rejected"
    return "left out" if problem.get("code") == "blank_row" else "kept"


def unit(found: Found) -> str:
    """What the numbers of rows count in this file: lines, rows or records."""
    return _source(found).unit


def _source(found: Found) -> data.Source:
    source = found.get("source") or {}
    sheet = "sheet" if source.get("format") == "xlsx" else None
    return data.Source(source.get("format", "csv"), sheet=sheet, delimiter=source.get("delimiter"))


def method(found: Found, measured: Mapping[str, Measured], good: str | None) -> Markup:
    """How each number was made, so that somebody else can make it again."""
    pairs = [
        ("Mean", "Average of the scores of the rows scored. Interval by Student's t."),
        ("Pass rate", "Rows that passed ÷ rows scored. Interval by Wilson (1927)."),
        (
            "Bootstrap",
            f"Below {BOOTSTRAP_BELOW:,} rows a second interval of the mean: percentiles of {RESAMPLES:,}, seed {SEED}.",
        ),
        ("Smallest change", CHANGE),
    ]
    if good:
        said = f"Share of labelled rows where the verdict agrees with people; a row is good where {good}."
        pairs.append(("People", f"{said} Interval by Wilson (1927)."))
    if found.get("correlations") or found.get("gold"):
        pairs.append(("Agreement", CORRELATION))
    each = [section(name_of(id), None, facts(own.facts), level="h3") for id, own in measured.items()]
    parts = [section("Data", None, facts(_data(found)), level="h3"), *each]
    note = f"All intervals are 95%. Made by jeval {__version__}; the same rows and signatures give the same run number."
    return section(TITLES["method"], note, facts(pairs), *parts, id="method")


CHANGE = (
    "What a two-sided test at 5% finds in 80% of cases when a new run scores as many rows (Cohen 1988). On the same "
    "rows, the scores of both runs are taken to correlate at 0.5."
)
CORRELATION = (
    "Intervals by Fisher's z with the variances of Bonett and Wright (2000) for Spearman and of Fieller et al. (1957) "
    f"for Kendall. Of more than {SAMPLE:,} rows {SAMPLE:,} are drawn with seed {SEED}."
)


def _data(found: Found) -> list[tuple[str, str]]:
    source = found.get("source") or {}
    read = [str(source.get("format") or "").upper(), str(source.get("encoding") or "").upper()]
    if delimiter := source.get("delimiter"):
        read.append(f"parted by {DELIMITERS.get(delimiter, delimiter)}")
    if source.get("header_row"):
        read.append(f"names of columns in line {source['header_row']}")
    pairs = [("File", found["dataset"]["name"]), ("Read as", ", ".join(part for part in read if part))]
    mapped = [_mapped(field, column) for field, column in (found.get("mapping") or {}).items() if column]
    if mapped:
        pairs.append(("Columns", "; ".join(mapped)))
    pairs.append(("Data version", code(found["dataset"]["version"])))
    pairs.append(("Run", code(found["run_id"])))
    for one in found.get("runs") or ():
        pairs.append((f"Run of {one['model_version']}", code(one["run_id"])))
    return pairs


def _mapped(field: str, column: str | Sequence[str]) -> str:
    """Which column was read as what."""
    names = [column] if isinstance(column, str) else [*column]
    kind, _, name = field.partition(".")
    said = {"gold": "a human score", "tag": f"the tag {name}"}.get(kind, field)
    return ", ".join(names) if names == [said] else f"{', '.join(names)} as {said}"


def code(value: str) -> Markup:
    """A signature or a hash."""
    return join(tag("code", value))
