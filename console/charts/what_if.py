"""What the score would be without each word."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from console.charts.look import FAIL, INK, MID, base, plain
from jeval_core import WhatIf

SHOWN = 12
"""Bars that the chart draws; the rest are named in a line."""


def what_if(changes: Sequence[WhatIf]) -> go.Figure:
    """One bar per token that is left out, the largest changes first; an edit that fails says so."""
    rows = ranked(changes)[:SHOWN][::-1]
    places = list(range(len(rows)))
    deltas = [c.delta for c in rows]
    span = max(map(abs, deltas), default=0) or 1
    figure = base(27 * len(rows) + 12, bargap=0.5)
    figure.update_layout(margin={"r": 92})
    figure.add_bar(
        orientation="h",
        y=places,
        x=deltas,
        customdata=[plain(c.token) for c in rows],
        hovertemplate="without %{customdata}: %{x:+.4f}<extra></extra>",
        marker={
            "color": [INK if c.passed else FAIL for c in rows],
            "opacity": [0.4 if c.passed else 0.6 for c in rows],
            "line": {"width": 0},
        },
    )
    for y, c in zip(places, rows, strict=True):
        figure.add_annotation(
            x=1,
            xref="paper",
            xanchor="left",
            y=y,
            showarrow=False,
            font={"size": 12.5, "color": INK if c.passed else FAIL},
            text=f"{c.delta:+.3f}".replace("-", "−") + ("" if c.passed else "&nbsp; ✗ fail"),
        )
    figure.update_xaxes(range=[min([*deltas, 0]) - span * 0.04, max([*deltas, 0]) + span * 0.06], showticklabels=False)
    figure.update_yaxes(tickvals=places, ticktext=[f"without “{plain(c.token)}”" for c in rows])
    figure.add_vline(x=0, line={"color": MID, "width": 1})
    return figure


def ranked(changes: Sequence[WhatIf]) -> list[WhatIf]:
    """The largest change first."""
    return sorted(changes, key=lambda c: (-abs(c.delta), c.edit.index))


def what_if_alt(changes: Sequence[WhatIf]) -> str:
    """The chart in words."""
    return "Change of the score without each word: " + ", ".join(
        f"{c.token} {c.delta:+.3f}" for c in ranked(changes)[:SHOWN]
    )
