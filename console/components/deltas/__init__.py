"""A table of changes: each drawn with its interval around 0, beside what may be said of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from math import ceil
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
STEPS = (0.005, 0.01, 0.02, 0.03, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1.0)
"""Ends that an axis of scores may have."""


@dataclass(frozen=True, slots=True)
class Line:
    """One change. `value`, `lo`, `hi` and `mde` are on the axis, None where there is none; the others are written.

    `id` is sent when the line is picked; `claim` is one of `Change.claim`; `more` is shown when pointed at.
    """

    id: str
    name: str
    n: str
    a: str
    b: str
    delta: str
    interval: str
    claim: str
    value: float
    lo: float | None
    hi: float | None
    mde: float | None
    more: str


@cache
def _component() -> Any:
    import streamlit as st  # here, so that a report needs no Streamlit

    return st.components.v2.component(
        "jeval_deltas",
        html='<div class="wrap"></div>',
        css=(HERE / "deltas.css").read_text("utf-8"),
        js=(HERE / "deltas.js").read_text("utf-8"),
    )


def end_of(lines: Sequence[Line]) -> float:
    """Where the axis ends on both sides: the first round number that holds every interval."""
    most = max((abs(x) for one in lines for x in (one.value, one.lo, one.hi) if x is not None), default=0.0)
    found = next((step for step in STEPS if most <= step), None)
    return found if found is not None else float(ceil(most))


def deltas(
    first: str,
    lines: Sequence[Line],
    *,
    alt: str,
    key: str,
    on_pick: Callable[[str], None] | None = None,
    picked: str | None = None,
) -> None:
    """Draw the table; `first` names its first column. With `on_pick` a click anywhere in a row calls it with its id."""
    end = end_of(lines)
    data = {
        "first": first,
        "lines": [asdict(line) for line in lines],
        "end": end,
        "ends": [f"−{end:g}", "0", f"+{end:g}"],
        "alt": alt,
        "picked": picked,
        "pickable": on_pick is not None,
    }
    if on_pick is None:
        _component()(data=data, key=key, height="content")
        return

    def take() -> None:  # as a callback: a click is not lost when another run begins before this one has drawn
        import streamlit as st

        id = st.session_state[key].get("picked")
        if id is not None:
            on_pick(str(id))

    _component()(data=data, key=key, height="content", on_picked_change=take)
