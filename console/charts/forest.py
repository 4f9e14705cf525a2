"""Changes with their intervals, one under the other."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from console.charts.look import FAIL, INK, LINE, MID, PASS, base, plain, word

COLORS = {"improved": PASS, "regressed": FAIL, "no evidence": INK, "too few": MID}
STEPS = (1.0, 0.5, 0.2, 0.1, 0.05, 0.02)
"""What the axis may be marked at, on both sides of 0."""
Item = tuple[str, float, tuple[float, float] | None, str, str]
"""Name, change, interval, claim, the change in words."""


def forest(items: Sequence[Item]) -> go.Figure:
    """A dot and a bar for each change, a line at 0, the change written at the right."""
    figure = base(30 * len(items) + 34)
    figure.update_layout(margin={"r": 84})
    for y, (name, value, ci, claim, said) in enumerate(items):
        color = COLORS[claim]
        low, high = ci or (value, value)
        figure.add_scatter(
            x=[low, high], y=[y, y], mode="lines", line={"color": color, "width": 5}, opacity=0.45, hoverinfo="skip"
        )
        figure.add_scatter(
            x=[value], y=[y], mode="markers", marker={"color": color, "size": 9},
            hovertext=[f"{plain(name, 60)}: {said}, {claim}"], hovertemplate="%{hovertext}<extra></extra>",
        )  # fmt: skip
        word(figure, said, color, x=1.01, xref="paper", y=y, xanchor="left")
    most = max([abs(x) for _, v, ci, _, _ in items for x in (v, *(ci or ()))] + [0.01]) * 1.05
    figure.add_vline(x=0, line={"color": MID, "width": 1})
    step = most // 1.25 if most > 1.25 else next((s for s in STEPS if s <= 0.8 * most), 0.01)
    ticks = [-step, 0.0, step]
    figure.update_xaxes(range=[-most, most], tickvals=ticks, ticktext=[_signed(x) for x in ticks], showgrid=True)
    figure.update_xaxes(gridcolor=LINE)
    figure.update_yaxes(
        tickvals=[*range(len(items))], ticktext=[plain(name, 28) for name, *_ in items], autorange="reversed",
        tickfont={"size": 12, "color": INK},
    )  # fmt: skip
    return figure


def _signed(x: float) -> str:
    return "0" if x == 0 else f"{x:+g}".replace("-", "−")


def forest_alt(items: Sequence[Item]) -> str:
    """The chart in words."""
    return "Changes from A to B: " + "; ".join(f"{name} {said}, {claim}" for name, _, _, claim, said in items) + "."
