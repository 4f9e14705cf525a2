"""Pass rate and agreement with people as the threshold moves."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from console.charts.look import INK, LINE, MID, PAPER, base, percent, word
from jeval_core.stats import Curve

APART = 0.16
"""Share of the height between two labels at the right so that they can be read."""


def explorer(curve: Curve, at: float) -> go.Figure:
    """Lines over the threshold with their names at the right end; `at` is the threshold looked at."""
    figure = base(212)
    figure.update_layout(margin={"r": 92, "t": 14}, hovermode="closest")
    lines = []
    if curve.pass_rate is not None:
        lines.append((curve.pass_rate, "pass rate", INK, "solid", "pass"))
    if curve.agreement is not None:
        lines.append((curve.agreement, "agrees with<br>people", MID, "2px,3px", "agree with people"))
    for ys, _, color, dash, verb in lines:
        figure.add_scatter(
            x=curve.at, y=ys, mode="lines", line={"color": color, "width": 2, "dash": dash}, name=verb,
            customdata=curve.at, hovertemplate=f"threshold %{{x:.2f}}: %{{y:.1%}} {verb}<extra></extra>",
        )  # fmt: skip
    places = _spread([float(ys[-1]) for ys, *_ in lines])
    for (_, name, color, *_), y in zip(lines, places, strict=True):
        word(figure, name, color, x=1.01, xref="paper", xanchor="left", y=y, align="left")
    if 0 <= at <= 1:
        figure.add_vline(x=at, line={"color": INK, "width": 1.25, "dash": "4px,3px"})
    for ys, _, color, _, verb in lines:
        if 0 <= at <= 1:
            y = float(np.interp(at, curve.at, ys))
            _dot(figure, at, y, color, color, f"at {at:g}, {percent(y)} {verb}".replace("<", "&lt;"))
    if curve.best is not None and curve.agreement is not None:
        y = float(curve.agreement.max())
        _dot(figure, curve.best, y, PAPER, MID, f"highest agreement, {percent(y)}, at {curve.best:.2f}")
    figure.update_xaxes(range=[0, 1], dtick=0.2, tickformat=".1f")
    figure.update_yaxes(range=[-0.02, 1.03], tickformat=".0%", dtick=0.25, showgrid=True, gridcolor=LINE)
    return figure


def explorer_alt(curve: Curve, at: float) -> str:
    """The chart in words: the numbers at some thresholds, at the one looked at, and at the best one."""
    if curve.pass_rate is None:
        return explorer_note(curve, at)
    rate = curve.pass_rate
    steps = ", ".join(f"{percent(float(np.interp(t, curve.at, rate)))} at {t:g}" for t in (0, 0.25, 0.5, 0.75, 1))
    return f"Pass rate of {curve.n:,} rows by threshold: {steps}. {explorer_note(curve, at)}"


def explorer_note(curve: Curve, at: float) -> str:
    """What holds at the threshold looked at, and where people are agreed with most."""
    if curve.pass_rate is None:
        return "Pass rate by threshold: no row has a score."
    said = []
    if 0 <= at <= 1:
        said.append(f"At {at:g}, {percent(float(np.interp(at, curve.at, curve.pass_rate)))} pass.")
    if curve.agreement is not None and curve.best is not None:
        here = f"{percent(float(np.interp(at, curve.at, curve.agreement)))} at {at:g}, " if 0 <= at <= 1 else ""
        best = f"highest {percent(float(curve.agreement.max()))} at {curve.best:g}"
        said.append(f"Agreement with {curve.n_labelled:,} human labels: {here}{best}.")
    return " ".join(said)


def _dot(figure: go.Figure, x: float, y: float, fill: str, edge: str, text: str) -> None:
    figure.add_scatter(
        x=[x], y=[y], mode="markers", hovertext=[text], hovertemplate="%{hovertext}<extra></extra>", cliponaxis=False,
        marker={"color": fill, "size": 9, "line": {"color": edge, "width": 2}},
    )  # fmt: skip


def _spread(ends: list[float]) -> list[float]:
    """Places of the labels at line ends, moved apart where they would cover each other."""
    if len(ends) < 2 or abs(ends[0] - ends[1]) >= APART:
        return [min(max(y, 0.03), 0.94) for y in ends]
    middle = min(max(sum(ends) / 2, 0.06 + APART / 2), 0.94 - APART / 2)
    low, high = middle - APART / 2, middle + APART / 2
    return [high, low] if ends[0] > ends[1] else [low, high]
