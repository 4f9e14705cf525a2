"""The look that all figures share (graph_objects only).

Colours are Streamlit's theme slots: with `theme="streamlit"` the browser swaps these strings for the theme's chart
colours when a chart is mounted, so Python never asks for the mode. They are internal to Streamlit: this is the only
place that names them, and a test watches over it. The HTML report swaps them by the same rule.
"""

from __future__ import annotations

from html import escape
from typing import Any

import plotly.graph_objects as go

INK, PASS, FAIL = "#000001", "#000002", "#000003"
MID, LINE, PAPER = "#000008", "#000009", "#000010"
SEQUENTIAL = [f"#0000{i}" for i in range(11, 21)]
DIVERGING = [f"#0000{i}" for i in range(21, 31)]
WIDE = 290
"""Pixels of plot that a card leaves at 390 px; what must not collide is laid out for it."""


def base(height: int, bargap: float = 0.08) -> go.Figure:
    """An empty figure in the product's look."""
    figure = go.Figure()
    figure.update_layout(
        height=height,
        margin={"l": 0, "r": 0, "t": 8, "b": 0},
        showlegend=False,
        bargap=bargap,
        font={"size": 12},
        hoverlabel={"font": {"size": 12}},
        dragmode=False,
    )
    axis = {
        "fixedrange": True,
        "zeroline": False,
        "showline": False,
        "ticks": "",
        "title": None,
        "automargin": True,
        "tickangle": 0,
        "tickfont": {"size": 12.5, "color": INK},
    }
    figure.update_xaxes(showgrid=False, ticklabelstandoff=3, **axis)
    figure.update_yaxes(showgrid=False, ticklabelstandoff=6, **axis)
    return figure


def plain(text: str, most: int = 22) -> str:
    """Text from outside for plotly, which reads tags and entities: shortened and escaped."""
    shown = "".join(c if c.isprintable() or c in "\u200c\u200d" else "\N{REPLACEMENT CHARACTER}" for c in text)
    return escape(shown if len(shown) <= most else shown[: most - 1] + "…", quote=False)


def percent(share: float) -> str:
    """A share of 1 with one decimal that never rounds a few rows away: 0.99999 is >99.9%, not 100.0%."""
    if 0 < share < 0.0005:
        return "<0.1%"
    return ">99.9%" if 0.9995 <= share < 1 else f"{share:.1%}"


def word(figure: go.Figure, text: str, color: str = INK, **where: Any) -> None:
    """Our own words on a figure; `<` and `&` in them are escaped unless they come as markup of plotly."""
    figure.add_annotation(text=text, showarrow=False, font={"size": 12, "color": color}, **where)


def show(figure: go.Figure, *, key: str, alt: str, on_select: Any = "ignore") -> Any:
    """Draw a figure. The key carries the mode: a mounted chart keeps its colours after a light/dark switch.

    With `on_select` ("rerun" or a callback) marks can be clicked and the event is returned. Streamlit forgets it as
    soon as the figure changes: the page keeps what was picked in its own state.
    """
    import streamlit as st  # here, so that a report needs no Streamlit

    return st.plotly_chart(
        figure,
        config={"displayModeBar": False, "responsive": True},
        key=f"{key}-{st.context.theme.type}",
        alt=alt,
        on_select=on_select,
        selection_mode="points",
    )
