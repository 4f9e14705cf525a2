"""A figure over the runs of a data set, with its interval; the line breaks where the runs do not compare."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from console.charts.look import INK, MID, base, plain, word


@dataclass(frozen=True, slots=True)
class Point:
    """A run. `apart` says why it does not compare with the one before, None where it does."""

    name: str
    value: float
    ci: tuple[float, float] | None
    apart: str | None
    said: str


def history(points: Sequence[Point], *, rate: bool) -> go.Figure:
    """Runs from left to right in the order in which they were made."""
    figure = base(290)
    figure.update_layout(margin={"t": 30, "r": 12})
    for segment in segments(points):
        xs = [x for x, _ in segment]
        held = [(x, one.ci) for x, one in segment if one.ci]
        if len(held) > 1:
            across = [x for x, _ in held]
            up, down = [ci[1] for _, ci in held], [ci[0] for _, ci in held]
            figure.add_scatter(
                x=[*across, *across[::-1]], y=[*up, *down[::-1]], fill="toself", fillcolor=MID, opacity=0.22,
                line={"width": 0}, hoverinfo="skip", mode="lines",
            )  # fmt: skip
        for x, ci in held:
            figure.add_scatter(
                x=[x, x], y=[*ci], mode="lines", line={"color": MID, "width": 4}, opacity=0.5, hoverinfo="skip"
            )
        figure.add_scatter(
            x=xs, y=[one.value for _, one in segment], mode="lines+markers", line={"color": INK, "width": 1.5},
            marker={"color": INK, "size": 8}, customdata=xs,
            hovertext=[f"{plain(one.name, 60)}<br>{one.said}" for _, one in segment],
            hovertemplate="%{hovertext}<extra></extra>",
        )  # fmt: skip
    for x, one in enumerate(points):
        if x and one.apart:
            figure.add_vline(x=x - 0.5, line={"color": MID, "width": 1, "dash": "2px,3px"})
            word(figure, plain(one.apart), MID, x=x - 0.5, y=1, yref="paper", yanchor="bottom")
    last = len(points) - 1
    step = max(1, len(points) // 6)
    ticks = [x for x in range(len(points)) if x % step == 0]
    figure.update_xaxes(range=[-0.5, last + 0.5], tickvals=ticks, ticktext=[plain(points[x].name, 14) for x in ticks])
    figure.update_yaxes(nticks=5, tickformat=".0%" if rate else ".2f", showgrid=True)
    return figure


def segments(points: Sequence[Point]) -> list[list[tuple[int, Point]]]:
    """Runs of points that compare with each other, each with its place."""
    out: list[list[tuple[int, Point]]] = []
    for x, one in enumerate(points):
        if not x or one.apart:
            out.append([])
        out[-1].append((x, one))
    return out


def history_alt(points: Sequence[Point]) -> str:
    """The chart in words."""
    said = [(f"({one.apart}) " if x and one.apart else "") + f"{one.name} {one.said}" for x, one in enumerate(points)]
    return f"{len(points)} runs: " + "; ".join(said) + "."
