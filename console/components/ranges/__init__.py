"""A table of groups whose third column draws estimate and interval; a row can be picked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from math import ceil, floor
from pathlib import Path
from typing import Any, Literal

from console.charts import percent

HERE = Path(__file__).parent


@cache
def _component() -> Any:
    import streamlit as st  # here and below, so that a report needs no Streamlit

    return st.components.v2.component(
        "jeval_ranges",
        html='<div class="wrap"></div>',
        css=(HERE / "ranges.css").read_text("utf-8"),
        js=(HERE / "ranges.js").read_text("utf-8"),
    )


@dataclass(frozen=True, slots=True)
class Row:
    """One group. `value` is None when nothing was scored, `lo` and `hi` when there is no interval.

    `n`, `text` and `interval` are what is written, `label` is the group's name as it stands in the file.
    """

    label: str
    n: str
    value: float | None
    lo: float | None
    hi: float | None
    text: str
    interval: str


def ranges(
    head: Sequence[str],
    rows: Sequence[Row],
    span: tuple[float, float],
    ends: tuple[str, str],
    ref: float | None,
    alt: str,
    key: str,
    on_pick: Callable[[str], None] | None = None,
    picked: str | None = None,
    height: int | Literal["content"] = "content",
) -> None:
    """Draw the table.

    `head` names the five columns (the third has no name, `ends` of the axis stand in its place), `span` is what the
    axis runs over, `ref` a dashed line, such as all rows. With `on_pick` every name is a button and a click anywhere in
    its row, Enter or Space calls it with the row's label; `picked` is marked. Clicking the picked row sends its name
    again: the page decides that this clears the filter. With `height` in pixels the rows scroll below the head.
    """
    data = {
        "head": [*head],
        "rows": [asdict(row) for row in rows],
        "span": [*span],
        "ends": [*ends],
        "ref": ref,
        "alt": alt,
        "picked": picked,
        "pickable": on_pick is not None,
    }
    if on_pick is None:
        _component()(data=data, key=key, height=height)
        return

    def take() -> None:  # as a callback: a click is not lost when another run begins before this one has drawn
        import streamlit as st

        label = st.session_state[key].get("picked")
        if label is not None:
            on_pick(str(label))

    _component()(data=data, key=key, height=height, on_picked_change=take)


def rows_of(
    groups: Mapping[str, Mapping[str, Any]], evaluator: str, figure: Literal["mean", "pass_rate"] = "pass_rate"
) -> list[Row]:
    """Rows from `Run.to_dict()["groups"][column]`, the highest first and groups without a scored row last."""
    write = percent if figure == "pass_rate" else "{:.3f}".format
    out = []
    for name, each in groups.items():
        one = each[evaluator]
        value, interval = one[figure], one[f"{figure}_ci"]
        lo, hi = interval or (None, None)
        said = "one row" if one["n"] == 1 and interval is None else "none scored" if value is None else ""
        text = "–" if value is None else write(value)
        out.append(Row(name, f"{one['n']:,}", value, lo, hi, text, said or f"{write(lo)} – {write(hi)}"))
    return sorted(out, key=lambda r: (r.value is None, -(r.value or 0.0)))


def span_of(rows: Sequence[Row], ref: float | None = None, step: float = 0.1) -> tuple[float, float]:
    """The shortest span in whole steps, within 0..1, that holds every interval and the dashed line."""
    found = [x for r in rows for x in (r.value, r.lo, r.hi) if x is not None] + ([] if ref is None else [ref])
    if not found:
        return 0.0, 1.0
    low = max(0.0, floor(min(found) / step - 1e-9) * step)
    high = min(1.0, ceil(max(found) / step + 1e-9) * step)
    return (round(low, 6), round(high, 6)) if low < high else (0.0, 1.0)
