"""Judges' distributions beside each other, and judges beside gold labels."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from console.charts.look import INK, LINE, MID, PAPER, SEQUENTIAL, WIDE, base, percent, plain, word
from jeval_core.stats import ReliabilityBin

Distribution = Sequence[float]
Matrix = NDArray[np.int64] | Sequence[Sequence[int]]
CHAR = 7
"""Pixels of a letter, at most."""
SHADES = SEQUENTIAL[:4]
"""Light enough in both modes for ink on them."""
LANE = 0.08
"""Share of the height that a marker of an expected level takes."""


def overlay(
    a: Distribution,
    b: Distribution,
    names: Sequence[str],
    labels: tuple[str, str],
    expected_a: float | None = None,
    expected_b: float | None = None,
    threshold: float | None = None,
) -> go.Figure:
    """Two distributions over the same options, `a` solid and `b` hatched, named by `labels`.

    `expected_a` and `expected_b` are positions 0..n−1, None for options without an order; `threshold` is in 0..1.
    Columns where all names fit below them on a narrow screen, else bars with the names at their left.
    """
    n, top = len(names), max(*a, *b)
    upright = max(map(len, names)) * CHAR <= WIDE / n - 4
    figure = base(270 if upright else 36 * n + 76)
    figure.update_layout(barmode="group", bargap=0.3, bargroupgap=0.08, showlegend=True, margin={"t": 20})
    above = {"orientation": "h", "x": 0, "y": 1, "yanchor": "bottom", "font": {"size": 12, "color": INK}}
    figure.update_layout(legend=above | {"itemclick": False, "itemdoubleclick": False})
    shown = [plain(name) for name in names]
    lanes = 0.0
    for values, expected, label, solid in ((a, expected_a, labels[0], True), (b, expected_b, labels[1], False)):
        title = plain(label) + ("" if expected is None else f", expected {expected:.2f}")
        _bars(figure, upright, values, shown, title, solid)
        if expected is not None:
            lanes += LANE * top
            _expected(figure, upright, expected, LANE * top / 3 - lanes, title, solid)
    if threshold is not None:
        ends = [threshold * (n - 1)] * 2
        figure.add_scatter(
            **_at(upright, ends, [-lanes, top * 1.04]), mode="lines", name=f"threshold level {threshold * (n - 1):g}",
            line={"color": INK, "width": 1.25, "dash": "4px,3px"}, hoverinfo="skip",
        )  # fmt: skip
    places, heights = figure.update_xaxes, figure.update_yaxes
    if not upright:
        places, heights = heights, places
    places(tickvals=[*range(n)], ticktext=shown, range=[-0.5, n - 0.5] if upright else [n - 0.5, -0.5])
    heights(range=[-lanes, top * 1.04], tickformat=".0%", nticks=5, showgrid=True, gridcolor=LINE)
    return figure


def overlay_alt(
    a: Distribution,
    b: Distribution,
    names: Sequence[str],
    labels: tuple[str, str],
    expected_a: float | None = None,
    expected_b: float | None = None,
    threshold: float | None = None,
) -> str:
    """The chart in words."""
    said = []
    for values, label, expected in ((a, labels[0], expected_a), (b, labels[1], expected_b)):
        parts = ", ".join(f"{percent(v)} {name}" for v, name in zip(values, names, strict=True))
        said.append(f"{label}: {parts}" + ("" if expected is None else f", expected {expected:.2f}"))
    limit = "" if threshold is None else f" Threshold {threshold:g}, at {threshold * (len(names) - 1):g}."
    return "Probability of each option. " + ". ".join(said) + "." + limit


def confusion(matrix: Matrix, rows: Sequence[str], columns: Sequence[str]) -> go.Figure:
    """Counts by gold label (rows) and what the judge says most likely (columns); where they agree, outlined.

    Shaded by the share of the gold label's rows, so that a frequent label does not make the others look empty. Names
    that would cover each other are numbered at the bottom.
    """
    counts, k = np.asarray(matrix, np.int64), len(columns)
    down, across = [plain(name) for name in rows], [plain(name) for name in columns]
    numbered = max(map(len, across)) * CHAR > (WIDE - CHAR * max(map(len, down))) / k - 4
    if numbered:
        at = {name: j + 1 for j, name in enumerate(columns)}
        down = [f"{short} &nbsp;{at[name]}" if name in at else short for short, name in zip(down, rows, strict=True)]
        across = [str(j + 1) for j in range(k)]
    figure = base(max(26, min(48, 400 // len(rows))) * len(rows) + 44)
    figure.update_layout(margin={"t": 22})
    hover = [[_cell(counts[i], j, plain(rows[i]), plain(columns[j])) for j in range(k)] for i in range(len(rows))]
    _cells(figure, counts, counts > 0, hover, INK)
    _cells(figure, counts, counts == 0, hover, MID)
    for i, j in _same(rows, columns):
        edges = {"x0": j - 0.5, "x1": j + 0.5, "y0": i - 0.5, "y1": i + 0.5}
        figure.add_shape(type="rect", **edges, line={"color": INK, "width": 1.25})
    _caption(figure, "gold ↓ &nbsp;judge → &nbsp;shade: share of row", right=numbered)  # names leave room there only
    figure.update_xaxes(tickvals=[*range(k)], ticktext=across)
    figure.update_yaxes(tickvals=[*range(len(rows))], ticktext=down, autorange="reversed")
    return figure


def confusion_alt(matrix: Matrix, rows: Sequence[str], columns: Sequence[str]) -> str:
    """The chart in words: how many agree, and what the judge says of the rows of each gold label."""
    counts = np.asarray(matrix, np.int64)
    n, agreed = int(counts.sum()), sum(int(counts[at]) for at in _same(rows, columns))
    said = [f"Gold labels against the judge's likeliest: {agreed:,} of {n:,} rows agree"]
    for gold, row in zip(rows, counts.tolist(), strict=True):
        parts = [f"{count:,} judged {name}" for name, count in zip(columns, row, strict=True) if count]
        said += [f"Gold {gold}: {', '.join(parts)}"] if parts else []
    return ". ".join(said) + "."


def reliability(bins: Sequence[ReliabilityBin]) -> go.Figure:
    """Share of yes over the probability given, with Wilson's intervals, and below it the rows of each bin."""
    figure = base(340)
    figure.update_layout(margin={"t": 22, "r": 12}, barmode="overlay")
    at, rates = [b.mean_p for b in bins], [b.rate for b in bins]
    hover = [_bin(b) for b in bins]
    figure.add_scatter(
        x=[0, 1], y=[0, 1], mode="lines", line={"color": MID, "width": 1.25, "dash": "4px,3px"}, hoverinfo="skip"
    )
    figure.add_scatter(
        x=at, y=rates, mode="markers", hovertext=hover, hovertemplate="%{hovertext}<extra></extra>", cliponaxis=False,
        marker={"color": INK, "size": 9},
        error_y={
            "array": [b.rate_ci[1] - b.rate for b in bins], "arrayminus": [b.rate - b.rate_ci[0] for b in bins],
            "symmetric": False, "color": INK, "thickness": 1.25, "width": 3,
        },
    )  # fmt: skip
    figure.add_bar(
        x=at, y=[b.n for b in bins], width=0.01, yaxis="y2", marker={"color": MID, "line": {"width": 0}},
        hovertext=hover, hovertemplate="%{hovertext}<extra></extra>",
    )  # fmt: skip
    most = max((b.n for b in bins), default=1)
    _caption(figure, "share of yes by probability given")
    _caption(figure, "calibrated", right=True)  # where the diagonal ends: no dot can be there
    _caption(figure, "rows", y=0.2)
    small = {"domain": [0, 0.18], "range": [0, most * 1.04], "tickvals": [0, most], "ticktext": ["0", f"{most:,}"]}
    large = {"domain": [0.31, 1], "range": [-0.02, 1.03], "tickformat": ".0%", "dtick": 0.25}
    figure.update_layout(yaxis2=figure.layout.yaxis.to_plotly_json() | small)
    figure.update_layout(yaxis=large | {"showgrid": True, "gridcolor": LINE})
    figure.update_xaxes(range=[-0.015, 1.015], dtick=0.2, tickformat=".1f", anchor="y2")
    return figure


def reliability_alt(bins: Sequence[ReliabilityBin]) -> str:
    """The chart in words."""
    if not bins:
        return "Reliability diagram: no row has both a probability and a gold label."
    said = []
    for b in bins:
        low, high = (percent(share) for share in b.rate_ci)
        said.append(f"{b.mean_p:.2f} given, {percent(b.rate)} yes ({low} to {high}, {b.n:,} rows)")
    return "Reliability diagram, mean probability and share of yes with 95% interval by bin: " + ", ".join(said) + "."


def _at(upright: bool, places: Sequence[float], heights: Sequence[float]) -> dict[str, list[float]]:
    """Coordinates for columns or for bars."""
    return {"x": [*places], "y": [*heights]} if upright else {"x": [*heights], "y": [*places]}


def _bars(
    figure: go.Figure, upright: bool, values: Distribution, names: Sequence[str], title: str, solid: bool
) -> None:
    figure.add_bar(
        **_at(upright, [*range(len(values))], values),
        orientation="v" if upright else "h",
        name=title,
        hovertext=[f"{title}<br>{name}: {_escaped(v)}" for name, v in zip(names, values, strict=True)],
        hovertemplate="%{hovertext}<extra></extra>",
        marker={
            "color": INK if solid else PAPER,
            "line": {"color": INK, "width": 1},
            "pattern": {"shape": "" if solid else "/", "fgcolor": INK, "bgcolor": PAPER, "size": 5, "solidity": 0.3},
        },
    )


def _expected(figure: go.Figure, upright: bool, at: float, lane: float, title: str, solid: bool) -> None:
    figure.add_scatter(
        **_at(upright, [at], [lane]), mode="markers", showlegend=False, cliponaxis=False,
        hovertext=[title], hovertemplate="%{hovertext}<extra></extra>",
        marker={
            "symbol": "triangle-up" if upright else "triangle-right", "size": 11,
            "color": INK if solid else PAPER, "line": {"color": INK, "width": 1.25},
        },
    )  # fmt: skip


def _caption(figure: go.Figure, text: str, y: float = 1, right: bool = False) -> None:
    side = "right" if right else "left"
    word(figure, text, MID, x=int(right), xref="paper", xanchor=side, y=y, yref="paper", yanchor="bottom")


def _same(rows: Sequence[str], columns: Sequence[str]) -> list[tuple[int, int]]:
    return [(i, j) for i, gold in enumerate(rows) for j, said in enumerate(columns) if gold == said]


def _cell(counts: NDArray[np.int64], j: int, gold: str, said: str) -> str:
    count, n = int(counts[j]), int(counts.sum())
    share = f", {_escaped(count / n)} of gold {gold}" if n else ""
    return f"gold {gold}, judge {said}<br>{count:,} {'row' if count == 1 else 'rows'}{share}"


def _cells(
    figure: go.Figure, matrix: NDArray[np.int64], here: NDArray[np.bool_], hover: list[list[str]], color: str
) -> None:
    share = matrix / np.maximum(matrix.sum(axis=1, keepdims=True), 1)
    figure.add_heatmap(
        x=[*range(matrix.shape[1])],
        y=[*range(len(matrix))],
        z=np.where(here, share, None).tolist(),
        text=np.where(here, [[f"{count:,}" for count in row] for row in matrix.tolist()], "").tolist(),
        texttemplate="%{text}",  # plotly makes it smaller where a cell is too small
        textfont={"color": color},
        hovertext=hover,
        hovertemplate="%{hovertext}<extra></extra>",
        hoverongaps=False,
        zmin=0,
        zmax=1,
        colorscale=[[i / (len(SHADES) - 1), shade] for i, shade in enumerate(SHADES)],
        showscale=False,
        xgap=2,
        ygap=2,
    )


def _bin(b: ReliabilityBin) -> str:
    low, high = (_escaped(share) for share in b.rate_ci)
    given = f"{b.low:.2f} to {b.high:.2f}, mean {b.mean_p:.2f}" if b.low < b.high else f"{b.mean_p:.2f}"
    return f"{b.n:,} {'row' if b.n == 1 else 'rows'} given {given}<br>{_escaped(b.rate)} yes, 95% {low} to {high}"


def _escaped(share: float) -> str:
    return percent(share).replace("<", "&lt;").replace(">", "&gt;")
