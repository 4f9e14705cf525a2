"""Numbers as people read them. The only place where a score is rounded."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal


def fixed(value: float, decimals: int) -> str:
    """`value` with so many decimals, halves rounded away from zero (0.125 → 0.13)."""
    return str(Decimal(repr(value)).quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP))


def number(value: float) -> str:
    """A number without needless digits: 5, 0.5, 0.75."""
    return f"{value:g}"


def format_score(score: float, threshold: float | None = None, *, decimals: int = 2) -> str:
    """A score with two decimals, or with as many as it takes to stay on its side of the threshold.

    0.609824 → "0.61"; 0.7966 against 0.8 → "0.797", since "0.80" would seem to pass.
    """
    text = fixed(score, decimals)
    if threshold is None:
        return text
    below = score < threshold - 1e-9
    for more in range(decimals, 12):
        text = fixed(score, more)
        if (Decimal(text) < Decimal(repr(threshold))) == below:
            break
    return text
