"""Why a score moved, as bars around 0: the parts of a BLEU, the levels of a judge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from console.charts.look import FAIL, INK, MID, PASS, base, plain, word
from jeval_core.stats.why_bleu import Split


def parts_of(split: Split) -> dict[str, float]:
    """Part → how much of the change of ln BLEU it makes; the parts add up to it."""
    names = {n: "single words" if n == 1 else f"runs of {n}" for n in split.orders}
    return {names[n]: part for n, part in split.orders.items()} | {"length penalty": split.brevity}


def split_bars(split: Split) -> go.Figure:
    """A bar for each part, to the right where it pushed the score up."""
    parts = parts_of(split)
    return around_zero([*parts], [*parts.values()], "{:+.4f}")


def split_alt(split: Split) -> str:
    """The chart in words."""
    said = ", ".join(f"{name} {signed(x)}" for name, x in parts_of(split).items())
    return f"ln BLEU changed by {signed(split.delta)}: {said}."


def around_zero(names: Sequence[str], values: Sequence[float], form: str) -> go.Figure:
    """Horizontal bars from 0, coloured by their side, the number at the outer end of the axis."""
    figure = base(34 * len(names) + 26, bargap=0.35)
    most = max([abs(x) for x in values] + [1e-9])
    figure.add_bar(
        orientation="h",
        x=[*values],
        y=[*range(len(names))],
        marker={"color": [PASS if x > 0 else FAIL for x in values], "opacity": 0.75, "line": {"width": 0}},
        hovertext=[f"{plain(name)}: {signed(x, form)}" for name, x in zip(names, values, strict=True)],
        hovertemplate="%{hovertext}<extra></extra>",
    )
    figure.add_vline(x=0, line={"color": MID, "width": 1})
    for i, x in enumerate(values):
        word(figure, signed(x, form), INK, x=1, xref="paper", y=i, xanchor="right")
    figure.update_xaxes(range=[-most * 1.08, most * 1.9], showticklabels=False)
    figure.update_yaxes(
        tickvals=[*range(len(names))], ticktext=[plain(name) for name in names], autorange="reversed",
        tickfont={"size": 12, "color": INK},
    )  # fmt: skip
    return figure


def levels(found: Mapping[str, tuple[float, float]]) -> go.Figure:
    """Mean probability of each answer in A (grey) and in B (ink)."""
    figure = base(230, bargap=0.3)
    figure.update_layout(barmode="group", margin={"t": 22})
    names = [name.removeprefix("p") if name[1:].isdigit() else name.replace("_", " ") for name in found]
    for side, (color, label) in enumerate(((MID, "A"), (INK, "B"))):
        figure.add_bar(
            x=names, y=[pair[side] for pair in found.values()], name=label,
            marker={"color": color, "opacity": 1 if side else 0.45, "line": {"width": 0}},
            hovertemplate=f"{label} %{{y:.3f}}<extra></extra>",
        )  # fmt: skip
    word(figure, "A pale, B strong", MID, x=1, xref="paper", xanchor="right", y=1, yref="paper", yanchor="bottom")
    top = max([0.01, *(max(pair) for pair in found.values())]) * 1.05
    figure.update_yaxes(range=[0, top], tickformat=".0%", nticks=4)
    return figure


def levels_alt(found: Mapping[str, tuple[float, float]]) -> str:
    """The chart in words."""
    said = ", ".join(f"{name} {a:.1%} to {b:.1%}" for name, (a, b) in found.items())
    return f"Mean probability of each answer in A and in B: {said}."


def signed(x: float, form: str = "{:+.4f}") -> str:
    """With a true minus."""
    return form.format(x).replace("-", "−")
