"""How far evaluators go together, as a lower triangle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
import plotly.graph_objects as go

from console.charts.look import DIVERGING, INK, MID, SEQUENTIAL, WIDE, base, plain, word

Cell: TypeAlias = "tuple[float, tuple[float, float]] | None"
"""A coefficient with its interval; None where it is undefined."""
MANY = 6
REACH = 1.3
"""The scale runs further than ±1 so that the words in a cell can be read at ±1."""
SCALE = [
    *zip(np.linspace(0, 0.5, 3), [DIVERGING[2], DIVERGING[3], SEQUENTIAL[0]], strict=True),
    *zip(np.linspace(0.5, 1, 7)[1:], SEQUENTIAL[1:7], strict=True),
]
"""Against each other: towards the orange of the theme; together: ink. Grey at 0 is the lightest."""


def cells(ids: Sequence[str], found: Mapping[str, Mapping[str, Any]], which: str = "spearman") -> list[list[Cell]]:
    """The matrix of `correlation` from `Run.correlations()[1]`, or from "correlations" of `Run.to_dict()`."""
    out: list[list[Cell]] = [[None] * len(ids) for _ in ids]
    for i, a in enumerate(ids):
        for j, b in enumerate(ids[:i]):
            pair = found.get(b, {}).get(a) or found.get(a, {}).get(b)
            value = pair.get(which) if isinstance(pair, Mapping) else getattr(pair, which, None)
            if isinstance(value, Mapping):
                value = value["value"], tuple(value["ci"])
            out[i][j] = out[j][i] = value
    return out


def correlation(names: Sequence[str], matrix: Sequence[Sequence[Cell]], sign: str = "ρ") -> go.Figure:
    """Heatmap of `matrix[i][j]` for j < i, the interval in the hover. `sign` is the coefficient's letter.

    Long names or many of them are numbered at the bottom, since they would cover each other. ValueError below two.
    """
    k = len(names)
    if k < 2:
        raise ValueError("A correlation needs two evaluators or more.")
    shown = [plain(name) for name in names]
    numbered = max(map(len, shown[:-1])) * 7 > (WIDE - 7 * max(map(len, shown))) / (k - 1)
    rows = [f"{shown[i]} &nbsp;{i + 1}" if numbered else shown[i] for i in range(1, k)]
    columns = [str(j + 1) if numbered else shown[j] for j in range(k - 1)]
    if numbered:
        columns[0] = f"1<br>{shown[0]}"
    places = list(range(k - 1))
    figure = base(max(30, min(62, 420 // (k - 1))) * (k - 1) + (44 if numbered else 30))
    figure.add_heatmap(
        x=places,
        y=places,
        z=[[_value(matrix[i][j], j < i) for j in range(k - 1)] for i in range(1, k)],
        hovertext=[[_hover(shown, matrix, i, j, sign) for j in range(k - 1)] for i in range(1, k)],
        text=[[_inside(matrix[i][j], j < i, k > MANY) for j in range(k - 1)] for i in range(1, k)],
        texttemplate="%{text}",  # plotly makes it smaller, then leaves it out, where a cell is too small
        textfont={"color": INK},
        hovertemplate="%{hovertext}<extra></extra>",
        hoverongaps=False,
        zmin=-REACH,
        zmax=REACH,
        colorscale=[[float(x), color] for x, color in SCALE],
        showscale=False,
        xgap=2,
        ygap=2,
    )
    for i in range(1, k):
        for j in range(i):
            if matrix[i][j] is None:
                word(figure, "–", MID, x=j, y=i - 1)
    figure.update_xaxes(tickvals=places, ticktext=columns)
    figure.update_yaxes(tickvals=places, ticktext=rows, autorange="reversed")
    return figure


def correlation_alt(names: Sequence[str], matrix: Sequence[Sequence[Cell]], coefficient: str = "Spearman") -> str:
    """The chart in words."""
    said = []
    for i in range(1, len(names)):
        for j in range(i):
            cell = matrix[i][j]
            text = (
                "undefined" if cell is None else f"{_number(cell[0])} ({_number(cell[1][0])} to {_number(cell[1][1])})"
            )
            said.append(f"{names[j]} and {names[i]} {text}")
    return f"{coefficient} correlation with 95% interval: " + ", ".join(said) + "."


def _value(cell: Cell, inside: bool) -> float | None:
    return cell[0] if inside and cell else None


def _inside(cell: Cell, inside: bool, short: bool) -> str:
    """The number in a cell; among many it loses its 0, as in tables of correlations."""
    if not inside or cell is None:
        return ""
    text = _number(cell[0])
    return text.replace("0.", ".") if short and abs(cell[0]) < 0.995 else text


def _hover(names: Sequence[str], matrix: Sequence[Sequence[Cell]], i: int, j: int, sign: str) -> str:
    cell = matrix[i][j]
    if cell is None:
        return f"{names[j]} × {names[i]}: undefined"
    value, lo, hi = (_number(x, 3) for x in (cell[0], *cell[1]))
    return f"{names[j]} × {names[i]}<br>{sign} {value}, 95% {lo} to {hi}"


def _number(value: float, decimals: int = 2) -> str:
    return f"{value:.{decimals}f}".replace("-", "−")
