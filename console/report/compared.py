"""The report of a comparison: one HTML file that opens from disk and asks nobody for anything."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from console import charts
from console.components.compare import words
from console.names import name_of
from console.report.cells import count, cut, facts, score, section, table
from console.report.markup import Markup, join, tag
from console.report.notes import code
from console.report.page import Chart, Page
from jeval_core import __version__
from jeval_core.compare import Change, Comparison
from jeval_core.compare.changes import BIG
from jeval_core.compare.pairs import Measured
from jeval_core.compare.references import ALL
from jeval_core.compare.why import MOST_ROWS as WHY_ROWS
from jeval_core.compare.why import Grams, corpus_split, level_shift, movers, run_grams
from jeval_core.stats.resample import MULTINOMIAL

MOST_ROWS = 5
"""Rows with the biggest drops, and with the biggest gains, that are shown."""
MOST_GROUPS = 40
MOST_GRAMS = 12
LONGEST = 600
"""Characters of a text that are shown; the rest is counted."""
TITLES = {
    "changes": "What changed", "sets": "Each reference set", "groups": "By group", "rows": "Rows", "how": "Method",
}  # fmt: skip


def report_of_comparison(each: Sequence[Comparison]) -> str:
    """HTML of one or several comparisons with the same baseline, the same bytes for the same runs."""
    page, parts = Page(), []
    first = each[0]
    for number, found in enumerate(each):
        parts += _one(page, found, number, alone=len(each) == 1)
    names = [words.title(one.pairs.b) for one in each]
    heading = f"{words.title(first.pairs.a)} against {', '.join(names)}"
    head = tag("header", tag("h1", heading), tag("p", f"Baseline A: {_run(first.pairs.a)}."), _contents(each))
    return page.html(heading, join(head, *parts, _method(first)))


def _contents(each: Sequence[Comparison]) -> Markup:
    if len(each) > 1:
        links = {f"run-{i}": words.title(one.pairs.b) for i, one in enumerate(each)}
    else:
        there = {"sets": bool(each[0].reference_sets), "groups": any(one.by for one in each[0].metrics)}
        links = {f"{name}-0": title for name, title in TITLES.items() if name != "how" and there.get(name, True)}
    links["how"] = TITLES["how"]
    return tag("nav", *(tag("a", title, href=f"#{id}") for id, title in links.items()), aria_label="Contents")


def _one(page: Page, found: Comparison, number: int, *, alone: bool) -> list[Markup]:
    own = found.alignment
    said = (
        f"B: {_run(found.pairs.b)}. {count(len(own), 'pair', 'pairs')}; changed {own.changed:,}, only in A "
        f"{own.only_a:,}, only in B {own.only_b:,}, repeated {own.duplicates:,}."
    )
    out = [] if alone else [tag("h2", words.title(found.pairs.b), id=f"run-{number}")]
    out += [tag("p", tag("b", text)) for text in found.warnings]
    out.append(tag("p", said))
    lines = [*found.whole, *(one for one in found.tags if one.by is None)]
    people = [one for one in found.human if one.by is None]
    parts = [_table("figure", lines)]
    if people:
        parts.append(section("What people say", "On their own scale.", _table("human score", people), level="h3"))
    drawn = page.place([_forest(lines)]) if lines else Markup("")
    note = "B − A with 95% intervals. A change is claimed where interval and Holm-adjusted test agree."
    out.append(section(TITLES["changes"], note, drawn, *parts, id=f"changes-{number}"))
    if found.reference_sets:
        drawn = page.place([_against_sets(found)])
        each = [
            section("All together" if name == ALL else name, None, _table("figure", ones), level="h3")
            for name, ones in found.reference_sets.items()
        ]
        out.append(section(TITLES["sets"], "Scored against one set at a time.", drawn, *each, id=f"sets-{number}"))
    by = dict.fromkeys(one.by for one in (*found.metrics, *found.tags) if one.by)
    if by:
        out.append(section(TITLES["groups"], None, *(_groups(found, name) for name in by), id=f"groups-{number}"))
    measured = [found.pairs.measured(id) for id in found.evaluators]
    each = [_rows(page, found, one) for one in measured]
    note = "How far single rows moved, and those that moved furthest."
    out.append(section(TITLES["rows"], note, *each, id=f"rows-{number}"))
    return out


def _run(found: Any) -> str:
    system = f", {found.model_version}" if found.model_version else ""
    return f"{found.name}{system}, run {found.id[:8]}, {found.n:,} rows"


def _forest(lines: Sequence[Change]) -> Chart:
    items = [(words.name(one), one.delta, one.ci, one.claim, words.delta(one)) for one in lines]
    return Chart("Changes", "Dot: B − A. Bar: 95% interval.", charts.forest(items), charts.forest_alt(items))


def _against_sets(found: Comparison) -> Chart:
    """One figure against every set: the first corpus score, which papers report, else the first mean."""
    ids = [one.id for one in found.whole]
    id = next((id for id in ids if id.endswith(".corpus")), ids[0])
    lines = [(name, one) for name, each in found.reference_sets.items() for one in each if one.id == id]
    items = [("all" if name == ALL else name, one.delta, one.ci, one.claim, words.delta(one)) for name, one in lines]
    title = words.name(lines[0][1]) if lines else ""
    return Chart(title, "Dot: B − A. Bar: 95% interval.", charts.forest(items), charts.forest_alt(items))


def _table(first: str, lines: Sequence[Change]) -> Markup:
    body = []
    for one in lines:
        shown = words.line(one)
        claim = tag("span", _mark(one.claim), cls={"improved": "pass", "regressed": "fail"}.get(one.claim, "n"))
        name = tag("span", tag("span", shown.name), tag("span", count(one.n, "row", "rows"), cls="n"), cls="named")
        change = join(shown.delta, tag("span", shown.interval, cls="ci"))
        body.append([name, join(f"{shown.a} → {shown.b}"), change, claim])
    return table((first, "A → B", "B − A, 95% interval", "claim"), body, cls="changes")


def _mark(claim: str) -> str:
    return {"improved": "✓\u00a0improved", "regressed": "✗\u00a0regressed"}.get(claim, claim)


def _groups(found: Comparison, by: str) -> Markup:
    lines = [one for one in (*found.metrics, *found.tags) if one.by == by]
    names = {one.id: words.name(one) for one in lines}
    groups = list(dict.fromkeys(one.group for one in lines))[:MOST_GROUPS]
    cells = {(one.group, one.id): one for one in lines}
    body = [[str(group), *(_cell(cells.get((group, id))) for id in names)] for group in groups]
    return section(f"By {by}", None, table((by, *names.values()), body), level="h3")


def _cell(one: Change | None) -> Markup:
    if one is None:
        return Markup("–")
    cls = {"improved": "pass", "regressed": "fail"}.get(one.claim)
    return tag("span", f"{words.delta(one)} ", tag("span", _mark(one.claim), cls="n" if cls is None else cls))


def _rows(page: Page, found: Comparison, measured: Measured) -> Markup:
    d = measured.score[1] - measured.score[0]
    made = [Chart("Rows by change", "Left of 0 they fell.", charts.differences(d), charts.differences_alt(d))]
    split = corpus_split(measured)
    if split is not None:
        note = f"ln BLEU changed by {charts.signed(split.delta)}; the bars add up to it."
        made.append(Chart("Why the corpus score moved", note, charts.split_bars(split), charts.split_alt(split)))
    shift = level_shift(measured, found.pairs)
    if shift:
        note = "Mean probability of each answer in A (pale) and in B."
        made.append(Chart("Where the answers went", note, charts.levels(shift), charts.levels_alt(shift)))
    drops, gains = movers(measured, MOST_ROWS)
    parts = _ngrams(run_grams(found.pairs, measured))
    for title, rows in (("Biggest drops", drops), ("Biggest gains", gains)):
        if len(rows):
            parts.append(section(title, None, *(_row(found, measured, int(pair)) for pair in rows), level="h3"))
    return section(name_of(measured.id), None, tag("div", page.place(made), cls="charts"), *parts, level="h3")


def _ngrams(found: Grams | None) -> list[Markup]:
    """Those that moved most often."""
    if found is None or not (found.lost or found.gained):
        return []
    sides = (("Lost", found.lost), ("Gained", found.gained))
    body = [[name, ", ".join(f"{' '.join(gram)} ({n:,})" for gram, n in grams[:MOST_GRAMS])] for name, grams in sides]
    note = f"Shared with a reference by one run alone, in the {WHY_ROWS:,} rows that moved furthest."
    return [section("n-grams won and lost", note, table(("", "n-gram (times)"), body, cls="lines"), level="h4")]


def _row(found: Comparison, measured: Measured, pair: int) -> Markup:
    at = int((measured.rows == pair).argmax())
    a, b = (float(side[at]) for side in measured.score)
    left = found.pairs.a.row(int(found.alignment.a[pair]))
    right = found.pairs.b.row(int(found.alignment.b[pair]))
    texts: list[tuple[str, Any]] = [("input", left["input"]), ("output of A", left["output"])]
    texts += [("output of B", right["output"]), *left["references"]]
    moved = tag("span", f"{score(a)} → {score(b)}", cls="chip")
    heading = tag("p", tag("b", cut(str(left["id"]), 80)), moved, cls="chips")
    cells = [
        tag("div", tag("p", str(name), cls="note"), tag("p", cut(str(text), LONGEST), dir="auto"))
        for name, text in texts
        if text is not None
    ]
    return tag("article", heading, tag("div", *cells, cls="texts"), cls="card row")


def _method(found: Comparison) -> Markup:
    rules = found.rules
    signatures: Mapping[str, str] = found.pairs.a.record["signatures"]
    pairs: list[tuple[str, str]] = [
        ("Mean", "Paired t interval of the differences; several rows of one case count as one cluster."),
        ("Rates", "Interval of Agresti and Min (2005), McNemar's exact test."),
        ("Corpus score", f"Paired bootstrap of the summed counts, {rules.resamples:,} resamples, seed {rules.seed}."),
        (
            "p",
            f"Means and corpus scores: approximate randomisation, {rules.resamples:,} times, of means of more than "
            f"{MULTINOMIAL:,} rows the t test. Adjusted by Holm's method within a table.",
        ),
        (
            "Claims",
            f"None below {rules.min_items:,} rows or clusters ({rules.min_items_corpus:,} for corpus scores), nor "
            "where the differences are so skewed that the interval would not hold.",
        ),
        ("Big drops", f"Rows whose score falls by more than {BIG:g}."),
        ("Data version", code(found.pairs.a.dataset)),
        *((name_of(id), code(signatures[id])) for id in found.evaluators),
    ]
    return section(TITLES["how"], f"All intervals are 95%. Made by jeval {__version__}.", facts(pairs), id="how")
