"""Exact values of written numbers, with a bound on the work that one number may cost."""

from __future__ import annotations

from fractions import Fraction

Value = Fraction | str
"""A number as an exact fraction, or as a canonical text when it has too many digits to calculate with."""

_MOST_DIGITS = 300
_MOST_EXPONENT_DIGITS = 15


def decimal_value(whole: str, fraction: str = "", exponent: str = "0") -> Value:
    """Return the value of ``whole``.``fraction`` times ten to the ``exponent``.

    ``whole`` and ``fraction`` are ASCII digits or empty, ``exponent`` an optionally signed run of digits.
    Equal numbers give equal values, however they are written. The time is linear in the length.
    """
    digits = (whole + fraction).lstrip("0")
    if not digits:
        return Fraction(0)
    power_digits = exponent.lstrip("+-").lstrip("0") or "0"
    if len(power_digits) > _MOST_EXPONENT_DIGITS:
        return f"{digits.rstrip('0')}e{'-' if exponent.startswith('-') else ''}{power_digits}"
    power = -int(power_digits) if exponent.startswith("-") else int(power_digits)
    stripped = digits.rstrip("0")
    power += len(digits) - len(stripped) - len(fraction)
    if len(stripped) > _MOST_DIGITS or abs(power) > _MOST_DIGITS:
        return f"{stripped}e{power}"
    return Fraction(int(stripped) * 10**power) if power >= 0 else Fraction(int(stripped), 10**-power)


def negate(value: Value) -> Value:
    """Return the value with the other sign."""
    if isinstance(value, Fraction):
        return -value
    return value[1:] if value.startswith("-") else f"-{value}"


def times(value: Value, factor: Fraction) -> Value:
    """Return the value multiplied by ``factor``; a text value only records the factor."""
    if factor.numerator == factor.denominator:
        return value
    return value * factor if isinstance(value, Fraction) else f"{value}*{factor}"
