"""How far single rows moved, in bins around 0."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from console.charts.look import FAIL, INK, MID, PASS, base, word

BINS = 41
"""An odd number: the bin in the middle holds the rows that stayed."""
EDGES = np.linspace(-1 - 1 / 40, 1 + 1 / 40, BINS + 1)


def counted(d: NDArray[np.float64]) -> NDArray[np.int64]:
    """Rows by change, shape (BINS,)."""
    return np.histogram(np.clip(d, -1, 1), EDGES)[0]


def differences(d: NDArray[np.float64]) -> go.Figure:
    """Bars of rows by change of their score; the rows that stayed are a number, not a tower."""
    counts, middle = counted(d), (EDGES[:-1] + EDGES[1:]) / 2
    stayed = int(counts[BINS // 2])
    shown = counts.copy()
    shown[BINS // 2] = 0
    figure = base(220, bargap=0.06)
    figure.update_layout(margin={"t": 26, "r": 12})
    figure.add_bar(
        x=middle,
        y=shown,
        marker={"color": [FAIL if x < 0 else PASS for x in middle], "opacity": 0.6, "line": {"width": 0}},
        hovertext=[f"{a:+.3f} to {b:+.3f}: {n:,} rows" for a, b, n in zip(EDGES[:-1], EDGES[1:], counts, strict=True)],
        hovertemplate="%{hovertext}<extra></extra>",
    )
    figure.add_vline(x=0, line={"color": MID, "width": 1})
    word(figure, f"{stayed:,} moved less than 0.025", INK, x=0, y=1, yref="paper", yanchor="bottom")
    reach = max(0.2, float(np.ceil(np.abs(d).max(initial=0) * 10) / 10))
    figure.update_xaxes(range=[-reach - 0.03, reach + 0.03], nticks=9, tickformat=".1f")
    figure.update_yaxes(range=[0, max(1, shown.max() * 1.05)], nticks=4, tickformat=",d")
    return figure


def differences_alt(d: NDArray[np.float64]) -> str:
    """The chart in words."""
    down, up = int((d < -1 / 40).sum()), int((d > 1 / 40).sum())
    return f"{len(d):,} rows by change of their score: {down:,} fell, {up:,} rose, {len(d) - down - up:,} stayed."
