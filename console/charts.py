"""Plotly figures (graph_objects only).

Colours are Streamlit's theme slots: with `theme="streamlit"` the browser swaps these strings for
chartCategoricalColors when a chart is mounted, so Python never asks for the mode. They are internal to Streamlit: this
is the only place that names them, and a test watches over it.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import plotly.graph_objects as go
import streamlit as st

from jeval_core import WhatIf

INK, PASS, FAIL = "#000001", "#000002", "#000003"
MID, LINE = "#000008", "#000009"
SHOWN = 12
"""Bars that the what-if chart draws; the rest are named in a line."""


def base(height: int, bargap: float = 0.08) -> go.Figure:
    """An empty figure in the product's look."""
    figure = go.Figure()
    figure.update_layout(
        height=height,
        margin={"l": 0, "r": 0, "t": 8, "b": 0},
        showlegend=False,
        bargap=bargap,
        font={"size": 12},
        dragmode=False,
    )
    axis = {
        "fixedrange": True,
        "zeroline": False,
        "showline": False,
        "ticks": "",
        "title": None,
        "automargin": True,
        "tickfont": {"size": 12.5, "color": INK},
    }
    figure.update_xaxes(showgrid=False, **axis)
    figure.update_yaxes(showgrid=False, **axis)
    return figure


def plain(text: str, most: int = 22) -> str:
    """Text from outside for plotly, which reads tags and entities: shortened and escaped."""
    shown = "".join(c if c.isprintable() or c in "\u200c\u200d" else "\N{REPLACEMENT CHARACTER}" for c in text)
    return escape(shown if len(shown) <= most else shown[: most - 1] + "…", quote=False)


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
    figure.update_yaxes(tickvals=places, ticktext=[f"without “{plain(c.token)}”" for c in rows], ticklabelstandoff=6)
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


def show(figure: go.Figure, *, key: str, alt: str) -> None:
    """Draw a figure. The key carries the mode: a mounted chart keeps its colours after a light/dark switch."""
    st.plotly_chart(
        figure, config={"displayModeBar": False, "responsive": True}, key=f"{key}-{st.context.theme.type}", alt=alt
    )
