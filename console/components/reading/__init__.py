"""The result card as a component: container queries and `textContent` make it safe and good at every width."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import streamlit as st

from console.names import caution
from jeval_core.labels import EPSILON, fixed, number
from jeval_core.trace import Gauge, plain
from jeval_core.types import Result

HERE = Path(__file__).parent
HTML = (HERE / "reading.html").read_text("utf-8")

_component = st.components.v2.component(
    "jeval_reading",
    html=HTML,
    css=(HERE / "reading.css").read_text("utf-8"),
    js=(HERE / "reading.js").read_text("utf-8"),
)


def data(
    result: Result, gauge: Gauge, baseline: Result | None = None, more: Sequence[list[Any]] = ()
) -> dict[str, Any]:
    """What the card shows; `baseline` is a pinned result to compare with, `more` are [name, text, code?] lines."""
    changed = baseline is not None and baseline.score is not None and result.score is not None
    delta = result.score - baseline.score if changed else 0.0  # type: ignore[union-attr,operator]
    facts = [["margin", _margin(gauge), False]]
    if gauge.unit:
        facts.append(["score", f"{fixed(result.score or 0.0, 3)} of 1", False])
    warning = caution(result.signature)
    if result.confidence is not None and warning is None:
        facts.append(["confidence", f"{result.confidence:.2f}", False])
    facts += more
    facts.append(["signature", result.signature, True])
    return {
        "gauge": plain(gauge),
        "threshold": f"{'≤' if gauge.pass_side == 'left' else '≥'} {number(gauge.threshold)}",
        "warnings": [*([warning] if warning else []), *(w.message for w in result.warnings)],
        "facts": facts,
        "delta": f"{delta:+.4f} against the pinned output".replace("-", "−") if changed else None,
        "base": baseline.score if changed and not gauge.unit else None,  # type: ignore[union-attr]
        "alt": f"Score {gauge.label}, {'pass' if gauge.passed else 'fail'}, threshold {number(gauge.threshold)}",
    }


def _margin(gauge: Gauge) -> str:
    gap = gauge.value - gauge.threshold
    if gauge.unit == "edit":
        return f"{abs(gap):g} {'over' if gap > 0 else 'under'} the limit" if gap else "exactly at the limit"
    if abs(gap) < 0.0005:
        return (
            "exactly at the threshold"
            if abs(gap) < EPSILON
            else f"a hair {'over' if gap > 0 else 'under'} the threshold"
        )
    unit = "levels " if gauge.unit == "level" else ""
    return f"{abs(gap):.3f} {unit}{'over' if gauge.passed else 'under'} the threshold"


def reading(
    result: Result, gauge: Gauge, *, key: str, baseline: Result | None = None, more: Sequence[list[Any]] = ()
) -> None:
    """Draw the card."""
    _component(data=data(result, gauge, baseline, more), key=key, height="stretch")
