"""Numbers that belong together: ranges and lists that share a unit, "3 out of 5", "1 hour 30 minutes", "thirty (30)"."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import regex

from jeval_core.checks.items import Item, Key, quantity_key
from jeval_core.checks.suffixes import read_suffix
from jeval_core.checks.units import FAHRENHEIT, NO_UNIT, unit_named
from jeval_core.checks.values import Value, times

_RANGE = regex.compile(r"\ ?[-—~～]\ ?|\ (?:to|through|up\ to)\ |到|至", regex.IGNORECASE)
_LIST = regex.compile(r",?\ (?:and|or|&)\ |,\ |\ ?/\ ?|\ vs\.?\ |\ versus\ |\ x\ |\ ?×\ ?|、|和", regex.IGNORECASE)
_BETWEEN = regex.compile(r"\b(?:between|from)\ $", regex.IGNORECASE)
_PART_OF = regex.compile(r"\ (?:out\ of|of|over)\ (?:the\ |a\ possible\ |every\ )?", regex.IGNORECASE)
_ODDS = regex.compile(r"\ (?:in|out\ of)\ (?:every\ )?", regex.IGNORECASE)
_INCHES = regex.compile(r"\ ?in\b(?!\ \w)|\ ?in\.|\ ?\"")
_MIXED_DIMENSIONS = frozenset({"time", "months", "length", "mass"})
_TIME_DIMENSIONS = frozenset({"time", "months"})
_LARGEST_ODDS, _LARGEST_SHARE = 1000, 100  # "1 in 1000" and "3 in 4" are parts, "5 in 1998" is not


def related(text: str, items: list[Item]) -> list[Item]:
    """Return the items of a normalised text, in reading order, after joining those that form one amount."""
    joined: list[Item] = []
    for item in sorted(items, key=lambda found: found.start):
        last = joined[-1] if joined else None
        both = last and _joined(text, last, item)
        if both:
            joined[-1] = both
        else:
            joined.append(item)
    return _with_shared_units(text, joined)


def _joined(text: str, first: Item, second: Item) -> Item | None:
    if not (first.key[0] == "quantity" and second.key[0] in ("quantity", "ratio")):
        return None
    gap = text[first.end : second.start]
    return _repeated(text, gap, first, second) or _part_of(text, gap, first, second) or _mixed(text, gap, first, second)


def _repeated(text: str, gap: str, first: Item, second: Item) -> Item | None:
    """The number said once in "thirty (30) days"."""
    if gap not in (" (", "(") or text[second.end : second.end + 1] != ")" or first.key != second.key:
        return None
    suffix = read_suffix(text, second.end + 1, None, article=False)
    if first.unit != NO_UNIT or suffix.unit == NO_UNIT:
        return replace(first, end=second.end + 1, soft="")
    value = times(first.value, suffix.factor)
    return replace(first, end=suffix.end, soft="", value=value, unit=suffix.unit, key=quantity_key(value, suffix.unit))


def _part_of(text: str, gap: str, first: Item, second: Item) -> Item | None:
    """The share in "3 out of 5" (3/5) or "1 in 5" (1/5)."""
    top, bottom = first.value, second.value
    if not (
        isinstance(top, Fraction)
        and isinstance(bottom, Fraction)
        and first.unit == NO_UNIT
        and second.unit == NO_UNIT
        and bottom > 1
    ):
        return None
    if top.denominator > 1 or bottom.denominator > 1 or top < 0:
        return None
    odds = top < bottom <= (_LARGEST_ODDS if top == 1 else _LARGEST_SHARE) and _ODDS.fullmatch(gap)
    if not odds and (first.soft or not _PART_OF.fullmatch(gap)):
        return None
    key = ("ratio", f"{top}/{bottom}", "") if top >= bottom > 10 else quantity_key(top / bottom)
    return Item(first.start, second.end, key, (), "", top / bottom)


def _mixed(text: str, gap: str, first: Item, second: Item) -> Item | None:
    """One quantity of several: "1 hour 30 minutes" is 90 minutes, "an hour and a half" too, and "5 ft 3 in" is 63 inches."""
    if (
        first.unit.dimension not in _MIXED_DIMENSIONS
        or not isinstance(first.value, Fraction)
        or not isinstance(second.value, Fraction)
    ):
        return None
    unit, end = second.unit, second.end
    if (
        gap == " and "
        and unit == NO_UNIT
        and text[second.start : second.start + 2].lower() == "a "
        and 0 < second.value < 1
    ):
        unit = first.unit
    inches = unit_named("inches")
    if unit == NO_UNIT and first.unit == unit_named("feet") and inches and (match := _INCHES.match(text, second.end)):
        unit, end = inches, match.end()
    gaps = (" ", "", ", ", " and ", ", and ") if unit.dimension in _TIME_DIMENSIONS else (" ", "")
    smaller = (
        unit == first.unit
        and second.value < 1
        or unit.scale < first.unit.scale
        and second.value * unit.scale < first.unit.scale
    )
    if (
        unit.dimension != first.unit.dimension
        or not smaller
        or gap not in gaps
        and unit != first.unit
        or second.value < 0
    ):
        return None
    value = first.value + second.value * unit.scale / first.unit.scale
    return Item(first.start, end, quantity_key(value, first.unit), (), "", value, first.unit)


def _with_shared_units(text: str, items: list[Item]) -> list[Item]:
    """Let a number in "5-10 mg" or "5, 10 and 15 mg" have the unit of the last, and in "$5-10" that of the first.

    In a range the shared unit is certain. In a list it is only an alternative: "in 5 and 10 mg" may mean either.
    """
    shared = list(items)
    carried = items[-1] if items else None
    for index in range(len(items) - 2, -1, -1):
        item, following = shared[index], shared[index + 1]
        gap = text[item.end : following.start]
        in_range = (
            bool(_RANGE.fullmatch(gap))
            or gap == " and "
            and bool(_BETWEEN.search(text[max(0, item.start - 8) : item.start]))
        )
        in_list = in_range or bool(_LIST.fullmatch(gap))
        if following.unit != NO_UNIT or following.factor != 1 or not in_list:
            carried = following
        if in_list and carried and carried.key[0] == "quantity":
            shared[index] = _sharing(item, carried, certain=in_range)
            if (
                in_range
                and item.unit.dimension.isupper()
                and following.unit == NO_UNIT
                and following.key[0] == "quantity"
            ):
                shared[index + 1] = replace(following, key=quantity_key(following.value, item.unit), unit=item.unit)
    return shared


def _sharing(item: Item, other: Item, certain: bool) -> Item:
    """Return ``item`` with the unit and the multiplier of ``other``, as its reading or as an alternative."""
    unit, factor, value = other.unit, other.factor, item.value
    if unit is NO_UNIT and factor == 1:
        return item
    if item.key[0] != "quantity" or item.unit not in (NO_UNIT, unit) or item.factor != 1:
        return item
    if factor != 1 and isinstance(value, Fraction) and isinstance(other.value, Fraction):
        value *= factor
        certain = certain and 0 < value < other.value
    key = quantity_key(value, unit)
    if key == item.key:
        return item
    alternatives = (*item.alternatives, *_proportional(value, other))
    if certain:
        return replace(item, key=key, unit=unit, value=value, alternatives=alternatives)
    return replace(item, alternatives=(*alternatives, key))


def _proportional(value: Value, other: Item) -> list[Key]:
    """The other readings of ``other``, for a number that shares its unit: "5" of "5-10 mg/day" may be 5 mg."""
    if not isinstance(value, Fraction) or not isinstance(other.value, Fraction) or not other.value:
        return []
    share = value / other.value
    readings = [key for key in other.alternatives if key[0] == "quantity" and other.unit != FAHRENHEIT]
    return [
        ("quantity", dimension, amount * share) for _, dimension, amount in readings if isinstance(amount, Fraction)
    ]
