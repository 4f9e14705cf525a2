"""Who gets which number: the same pair by every named rule of an evaluator."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from jeval_core import scoring
from jeval_core.blocks import Variants
from jeval_core.evaluators.base import Evaluator
from jeval_core.trace import Frame
from jeval_core.types import Inputs, OptionValue, Result


@dataclass(frozen=True, slots=True)
class VariantResult:
    """The result under other options, with its own signature; `current`: they are the ones in use."""

    label: str
    detail: str
    options: Mapping[str, OptionValue]
    result: Result
    current: bool


def by_preset(one: Evaluator, x: Inputs, threshold: float) -> list[VariantResult]:
    """One result per preset of the evaluator's card, in its order."""
    out = []
    for preset in one.card.presets:
        other = type(one)(preset.options)
        result, _ = scoring.run(other, x, threshold, warn=False)
        out.append(VariantResult(preset.label, preset.detail, preset.options, result, other.options == one.options))
    return out


def frame(name: str, threshold: float, found: Sequence[VariantResult]) -> Frame | None:
    """The extra frame "who gets which number"; None with fewer than two numbers."""
    scored = sorted(((v, v.result.score) for v in found if v.result.score is not None), key=lambda pair: -pair[1])
    if len(scored) < 2:
        return None
    rows = tuple(
        {
            "label": v.label,
            "detail": v.detail,
            "value": s,
            "passed": v.result.passed,
            "current": v.current,
            "signature": v.result.signature,
        }
        for v, s in scored
    )
    passing = sum(bool(v.result.passed) for v, _ in scored)
    note = (
        f"The same pair under the name {name} by other rules: {passing} of {len(scored)} pass. "
        "What differs stands beside each."
    )
    lines = tuple((v.label, v.result.signature, s) for v, s in scored)
    block = Variants(area="wide", threshold=threshold, rows=rows)
    return Frame("variants", "who gets which number", note, "rest", (block,), lines, filled=True, extra=True)
