"""Sensitivity as a heat map: kinds of changes down, evaluators across."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from textwrap import wrap

import plotly.graph_objects as go

from console.charts.look import INK, MID, SEQUENTIAL, base, plain, word
from jeval_core.sensitivity import KINDS, Change

FULL = 1.3
"""The scale runs further than 1 so that the words in a cell can be read at 1."""


def moves(names: Sequence[str], ids: Sequence[str], found: Sequence[Change]) -> go.Figure:
    """The mean change of each score, darker where it is larger; a dash where a kind does not apply."""
    of = {(c.kind, c.evaluator): c for c in found}
    kinds = [*KINDS]
    cells = [[of.get((kind, id)) for id in ids] for kind in kinds]
    figure = base(46 * len(kinds) + 34)
    figure.add_heatmap(
        x=[*range(len(ids))],
        y=[*range(len(kinds))],
        z=[[None if c is None or c.mean is None else abs(c.mean) for c in row] for row in cells],
        text=[["" if c is None or c.mean is None else signed(c.mean) for c in row] for row in cells],
        hovertext=[[_hover(names[i], c) for i, c in enumerate(row)] for row in cells],
        texttemplate="%{text}",
        textfont={"color": INK},
        hovertemplate="%{hovertext}<extra></extra>",
        hoverongaps=False,
        zmin=0,
        zmax=FULL,
        colorscale=[[i / 6, color] for i, color in enumerate(SEQUENTIAL[:7])],
        showscale=False,
        xgap=2,
        ygap=2,
    )
    for y, row in enumerate(cells):
        for x, c in enumerate(row):
            if c is None or c.mean is None:
                word(figure, "–", MID, x=x, y=y)
    across = [_narrow(name) for name in names]
    figure.update_layout(margin_r=8)
    figure.update_xaxes(ticklabeloverflow="allow")
    figure.update_xaxes(tickvals=[*range(len(ids))], ticktext=across, side="top", tickfont={"size": 10.5, "color": INK})
    figure.update_yaxes(
        tickvals=[*range(len(kinds))],
        ticktext=[_broken(KINDS[k]) for k in kinds],
        autorange="reversed",
        tickfont={"size": 11, "color": INK},
    )
    return figure


def moves_alt(found: Sequence[Change], name: Callable[[str], str]) -> str:
    """The chart in words."""
    said = [f"{KINDS[c.kind]}: {name(c.evaluator)} {signed(c.mean)}" for c in found if c.mean is not None]
    return "Mean change of the score. " + "; ".join(said) + "."


def signed(value: float) -> str:
    """A change with its sign; one that rounds to nothing is ±0."""
    text = f"{value:+.2f}"
    return "0.00" if text in ("+0.00", "-0.00") else text.replace("-", "−")


def _narrow(name: str) -> str:
    """A name in lines of few letters: six stand beside each other on a phone."""
    parts = plain(name).replace("-", " ").split()
    halves = (part if len(part) < 11 else f"{part[: len(part) // 2]}-<br>{part[len(part) // 2 :]}" for part in parts)
    return "<br>".join(halves)


def _broken(text: str) -> str:
    """Lines of few letters, so that the cells stay wide on a phone."""
    return "<br>".join(wrap(text, 12))


def _hover(name: str, c: Change | None) -> str:
    if c is None or c.mean is None:
        return f"{plain(name)}: does not apply"
    flips = f"{c.flips:.0%} of {c.places} verdicts turn" if c.flips is not None else ""
    ci = f"<br>95% {signed(c.ci[0])} to {signed(c.ci[1])}, {c.rows} rows" if c.ci else ""
    return f"{plain(name)}, {KINDS[c.kind]}<br>{signed(c.mean)}{ci}<br>{flips}"
