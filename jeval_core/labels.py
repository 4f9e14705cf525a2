"""Numbers as people read them: the label of a score is rounded here, and nowhere else."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal

EPSILON = 1e-9
"""A score this close below its threshold passes: 0.75 may come out as 0.7499999999999999."""


def fixed(value: float, decimals: int) -> str:
    """`value` with so many decimals, halves rounded away from zero (0.125 → 0.13)."""
    return str(Decimal(repr(value)).quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP))


def number(value: float) -> str:
    """A number in full, without needless digits: 5, 0.5, 0.1234567."""
    return str(int(value)) if float(value).is_integer() and abs(value) < 1e15 else repr(float(value))


def format_score(score: float, threshold: float | None = None, *, decimals: int = 2) -> str:
    """A score with two decimals, or with as many as it takes to stay on its side of the threshold.

    0.609824 → "0.61"; 0.7966 against 0.8 → "0.797", since "0.80" would seem to pass.
    """
    text = fixed(score, decimals)
    if threshold is None:
        return text
    below = score < threshold - EPSILON
    for more in range(decimals, 12):
        text = fixed(score, more)
        if (Decimal(text) < Decimal(repr(threshold))) == below:
            break
    return text
