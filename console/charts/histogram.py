"""Scores in bins, each bar split into what passed and what failed."""

from __future__ import annotations

from html import escape
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from console.charts.look import FAIL, INK, MID, PAPER, PASS, base, percent, word
from jeval_core.labels import EPSILON
from jeval_core.stats import Histogram

HEIGHT = 306
TOWER = 6
"""A bar so many times as high as the rest is cut off, with its number on it."""


def histogram(
    found: Histogram, threshold: float | None, share_passed: float | None, selected: int | None = None
) -> go.Figure:
    """Bars coloured by verdict; each carries its bin number as `customdata`, `selected` is one of them.

    With `found.passed` every bar is stacked from its own rows: a threshold inside a bin, or thresholds that differ by
    row, need no guess. Without it the bar that holds the threshold is grey, since nobody knows its parts. `threshold`
    is None for an evaluator whose limit is not on the scale of the score. One or two bars that dwarf the rest leave
    the picture and carry their numbers: on a log axis stacked parts would mean nothing.
    """
    figure = base(HEIGHT)
    figure.update_layout(margin={"t": 26, "r": 12}, barmode="stack", bargap=0.06)
    for color, name, part in _parts(found, threshold):
        strength = [1.0 if selected == i else 0.5 for i in range(len(part))]
        figure.add_bar(
            x=(found.edges[:-1] + found.edges[1:]) / 2,
            y=part,
            width=np.diff(found.edges) * 0.94,
            name=name,
            customdata=list(range(len(part))),
            hovertext=[_bin_in_words(found, i) for i in range(len(part))],
            hovertemplate="%{hovertext}<extra></extra>",
            marker={"color": color, "opacity": strength, "line": {"width": 0}},
            selected={"marker": {"opacity": 1}},
            unselected={"marker": {"opacity": 0.5}},
        )
    top = _towers(figure, found)
    if selected is not None:
        lo, hi, _ = found.bounds(selected)
        figure.add_shape(
            type="rect", x0=lo, x1=hi, y0=0, y1=-0.016, yref="paper", fillcolor=INK, line={"width": 0}, layer="above"
        )
    _verdicts(figure, threshold, share_passed)
    figure.update_xaxes(range=[-0.004, 1.004], dtick=0.1, tickformat=".1f")
    figure.update_yaxes(range=[0, top], nticks=4, tickformat=",d")
    return figure


def histogram_alt(found: Histogram, threshold: float | None, share_passed: float | None) -> str:
    """The chart in words: how many rows, how they fall, and where most of them are."""
    if not found.n:
        return "Histogram of scores: no row has a score."
    said = [f"Histogram of {found.n:,} scores in {len(found.counts)} bins"]
    if share_passed is not None:
        limit = "" if threshold is None else f" at threshold {threshold:g}"
        said.append(f"{percent(share_passed)} pass and {percent(1 - share_passed)} fail{limit}")
    tenths = np.add.reduceat(found.counts, np.arange(0, len(found.counts), max(1, len(found.counts) // 10)))
    low = found.edges[:-1][:: max(1, len(found.counts) // 10)]
    rows = [f"{n:,} from {lo:.2g}" for n, lo in zip(tenths.tolist(), low.tolist(), strict=True) if n]
    return ". ".join([*said, "Rows by score: " + ", ".join(rows)]) + "."


def picked_bin(event: Any) -> int | None:
    """The bin number of the bar that was clicked, from what `show(…, on_select="rerun")` returns."""
    points = (event or {}).get("selection", {}).get("points", [])
    found = points[0].get("customdata") if points else None
    found = found[0] if isinstance(found, list) and found else found
    return int(found) if isinstance(found, int | float) else None


def _parts(found: Histogram, threshold: float | None) -> list[tuple[Any, str, NDArray[np.int64]]]:
    """Colour, name and counts of each layer, from the bottom."""
    if found.passed is not None:
        return [(FAIL, "fail", found.counts - found.passed), (PASS, "pass", found.passed)]
    if threshold is None:
        return [(MID, "scored", found.counts)]
    below, above = found.edges[1:] <= threshold + EPSILON, found.edges[:-1] >= threshold - EPSILON
    return [(np.where(below, FAIL, np.where(above, PASS, MID)).tolist(), "scored", found.counts)]


def _bin_in_words(found: Histogram, i: int) -> str:
    lo, hi, last = found.bounds(i)
    count = int(found.counts[i])
    said = f"{lo:.3f} {'to' if last else 'to below'} {hi:.3f}: {count:,} {'row' if count == 1 else 'rows'}"
    if found.passed is None:
        return said
    passed = int(found.passed[i])
    return f"{said}<br>✓ {passed:,} pass, ✗ {count - passed:,} fail"


def _towers(figure: go.Figure, found: Histogram) -> float:
    """Cut and label the bars that dwarf the rest; the height of the axis."""
    order = np.argsort(-found.counts, kind="stable")
    heights = found.counts[order]
    some = int((heights > 0).sum())
    cut = next((k for k in (1, 2) if some > k + 1 and heights[k - 1] > TOWER * heights[k]), 0)
    if not cut:
        return max(1.0, float(heights[0]) * 1.04)
    top = float(heights[cut]) * 1.3
    for i in order[:cut].tolist():
        lo, hi, _ = found.bounds(i)
        for y in (0.86, 0.89):  # two slanted strokes in the colour of the paper: the bar is broken here
            figure.add_shape(
                type="line", x0=lo, x1=hi, y0=y * top, y1=(y + 0.03) * top, line={"color": PAPER, "width": 2}
            )
        left = i > len(found.counts) / 2
        word(
            figure, f"{found.counts[i]:,}", x=lo if left else hi, xanchor="right" if left else "left",
            y=top, yanchor="top", xshift=-3 if left else 3,
        )  # fmt: skip
    return top


def _verdicts(figure: go.Figure, threshold: float | None, share: float | None) -> None:
    if threshold is not None:
        figure.add_vline(x=threshold, line={"color": INK, "width": 1.25, "dash": "4px,3px"})
    if share is None:
        return
    fail, passed = (escape(text) for text in (f"✗ fail {percent(1 - share)}", f"✓ pass {percent(share)}"))
    above = {"y": 1, "yref": "paper", "yanchor": "bottom"}
    if threshold is not None and 0.3 <= threshold <= 0.7:
        word(figure, fail, FAIL, x=threshold, xanchor="right", xshift=-4, **above)
        word(figure, passed, PASS, x=threshold, xanchor="left", xshift=4, **above)
        return
    both = f'<span style="color:{FAIL}">{fail}</span>&nbsp; &nbsp;<span style="color:{PASS}">{passed}</span>'
    right = threshold is not None and threshold > 0.5  # beside the line there is no room for two labels
    word(figure, both, x=1 if right else 0, xanchor="right" if right else "left", **above)
