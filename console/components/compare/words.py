"""A change in words and as a line of a table."""

from __future__ import annotations

from console.components.crossed import Cell
from console.components.deltas import Line
from console.names import name_of
from jeval_core.compare import Change
from jeval_core.compare.changes import BIG
from jeval_core.harness.results import Results
from jeval_core.stats.paired import LEAST_FLIPS

FIGURES = {"mean": "mean", "pass_rate": "pass rate", "corpus": "corpus"}
LONGEST = 46
"""Characters of a run's name that are shown."""


def figure_of(id: str) -> tuple[str, str | None]:
    """`bleu.pass_rate` as ("bleu", "pass_rate"); anything else is the name of a column."""
    head, dot, tail = id.rpartition(".")
    return (head, tail) if dot and tail in FIGURES else (id, None)


def name(one: Change) -> str:
    """What a line is called: "BLEU, pass rate", or the column's own name."""
    id, figure = figure_of(one.id)
    if figure is None:
        return f"{id} (lower is better)" if one.lower_is_better else id
    return f"{name_of(id)} {FIGURES[figure]}"


def is_rate(one: Change) -> bool:
    """Whether the figure is a share of rows."""
    return one.flips is not None


def value(one: Change, x: float) -> str:
    """One side's figure."""
    return f"{x:.1%}" if is_rate(one) else f"{x:.3f}".replace("-", "−")


def signed(one: Change, x: float) -> str:
    """A change with its sign; of a rate in points."""
    text = f"{100 * x:+.1f}" if is_rate(one) else f"{x:+.3f}"
    return (text[1:] if float(text) == 0 else text).replace("-", "−")


def delta(one: Change) -> str:
    """The change itself."""
    return signed(one, one.delta) + (" pt" if is_rate(one) else "")


def interval(one: Change) -> str:
    """Its interval."""
    return f"{signed(one, one.ci[0])} to {signed(one, one.ci[1])}" if one.ci else "too few rows"


def more(one: Change) -> str:
    """How sure it is, in a sentence or two."""
    rows = f"{one.n:,} rows" + (f" of {one.cases:,} cases" if one.cases else "")
    said = [f"{rows}, {one.method}; {one.test}, p = {p_text(one.p)}, {p_text(one.p_holm)} by Holm"]
    if one.mde:
        least = f"{100 * one.mde:.1f} pt" if is_rate(one) else f"{one.mde:.3f}"
        said.append(f"smallest change that would be found {least}")
    if one.flips:
        lost, gained = one.flips
        said.append(f"{lost:,} rows turned from yes to no, {gained:,} from no to yes")
        if max(lost, gained) < LEAST_FLIPS and not min(lost, gained):
            said.append(f"fewer than {LEAST_FLIPS} flips in one direction can never be significant")
    if one.drops:
        bound = "" if one.drops[1] is None else f", at most {one.drops[1]:.1%} of all (95%)"
        said.append(f"{one.drops[0]:,} rows fell by more than {BIG:g}{bound}")
    return "; ".join(said) + "."


def p_text(p: float) -> str:
    """A p-value with three decimals, small ones as an inequality."""
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def line(one: Change, called: str | None = None) -> Line:
    """A line of `deltas`."""
    lo, hi = one.ci or (None, None)
    own = called or name(one)
    return Line(
        called or one.id, own, f"{one.n:,}", value(one, one.a), value(one, one.b), delta(one), interval(one), one.claim,
        one.delta, lo, hi, one.mde, more(one),
    )  # fmt: skip


def cell(one: Change | None) -> Cell:
    """A cell of `crossed`."""
    if one is None:
        return Cell("–", "", "Nothing to compare.")
    return Cell(delta(one), one.claim, f"{one.claim}: {delta(one)}, 95% {interval(one)}. {more(one)}")


def title(found: Results) -> str:
    """A run as a choice or a heading."""
    own = found.model_version or found.name
    return own if len(own) <= LONGEST else own[: LONGEST - 1] + "…"


def said(one: Change) -> str:
    """The change of a table in words, for those who cannot see it."""
    return f"{name(one)} {value(one, one.a)} to {value(one, one.b)}, {delta(one)}, 95% {interval(one)}, {one.claim}"
