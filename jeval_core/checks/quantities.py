"""Quantities: a number with its sign, currency, multiplier and unit.

A hyphen is a sign only where no letter or digit stands before it ("GPT-4", "5-7" and "b-3" have no sign); after
Chinese, Japanese or Korean letters it is one. "+" never changes a value.
"""

from __future__ import annotations

from fractions import Fraction

import regex

from jeval_core.checks.items import Canvas, Item, Key, quantity_key
from jeval_core.checks.number_words import Raw, cardinal_words, factor_words, fraction_words
from jeval_core.checks.numerals import numerals, ratios
from jeval_core.checks.suffixes import ADVERBS, read_suffix
from jeval_core.checks.units import CELSIUS, FAHRENHEIT, NO_UNIT, PERCENT, TIMES, YEAR, Unit, unit_named
from jeval_core.checks.values import Value, negate, times

_CURRENCY = r"(?:(?:US|CA|AU|HK|NZ|[ACS])?\$|[€£¥₹₩₽₿]|(?<![^\W\d_])(?:USD|EUR|GBP|JPY|CNY|RMB|INR|CHF|CAD|AUD|HKD|NZD|SGD|BTC|Rs\.?))"
_PREFIX = regex.compile(
    rf"(?P<sign>[+-]|(?<![\w])(?:minus|negative)\ |零下|负|負)?(?P<currency>{_CURRENCY}\ ?)?(?P<inner>[+-])?$",
    regex.IGNORECASE,
)
_LONGEST_PREFIX = 16
_SIGN_AFTER = regex.compile(
    r"(?:^|[\s(\[{=,:;<>≤≥~≈|*\"'“”„«-]|[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}：，。（]|\ufffc)$"
)
_MINUS_BETWEEN = regex.compile(r"(?:\d|\ufffc)\ ?$")
_ZERO = regex.compile(r"\ (?P<side>below|above)\ (?:zero|freezing)\b", regex.IGNORECASE)
_AGE_AFTER = regex.compile(r"(?:[ -]old|\ of\ age)\b", regex.IGNORECASE)
_AGE_BEFORE = regex.compile(r"\b(?:aged?|age\ of|turned|turns|ages)\ $", regex.IGNORECASE)
_ARTICLE = regex.compile(
    r"(?<![\w'-])(?:(?:an?|per|each|every)\ (?P<unit>[a-z]{3,})|(?P<adverb>hourly|daily|weekly|monthly|yearly|annually))(?!\w)",
    regex.IGNORECASE,
)
_ARTICLE_DIMENSIONS = frozenset({"time", "months", "mass", "length", "volume", "USD"})
_ROMAN = regex.compile(
    r"\b(?:phase|type|stage|class|grade|part|chapter|section|level|war|schedule|tier|category|article|volume|act|title|appendix)\ "
    r"(?P<roman>I{1,3}|I?V|VI{1,3}|I?X|XI{1,2})\b",
    regex.IGNORECASE,
)
_ROMAN_VALUES = {
    "I": 1,
    "II": 2,
    "III": 3,
    "IV": 4,
    "V": 5,
    "VI": 6,
    "VII": 7,
    "VIII": 8,
    "IX": 9,
    "X": 10,
    "XI": 11,
    "XII": 12,
}
_FAHRENHEIT_ZERO, _FAHRENHEIT_STEP = 32, Fraction(5, 9)


def read_quantities(canvas: Canvas) -> None:
    """Add every number that is still unread, with its unit, to the canvas."""
    raws: list[Raw] = []
    for reader in (ratios, fraction_words, numerals, factor_words, cardinal_words):
        found = reader(canvas.unread)
        canvas.paint([(raw.start, raw.end) for raw in found])
        raws += found
    raws = _with_halves(canvas.text, sorted(raws, key=lambda raw: raw.start))
    items: list[Item] = []
    for raw in raws:
        if not items or raw.start >= items[-1].end:
            items.append(_item(canvas.text, raw, items[-1].end if items else 0))
    canvas.add(items)
    canvas.add(_articles(canvas.unread))
    canvas.add(_romans(canvas.unread))


def _with_halves(text: str, raws: list[Raw]) -> list[Raw]:
    """Join "two and a half" and "3 and a quarter" to one number."""
    joined: list[Raw] = []
    for raw in raws:
        last = joined[-1] if joined else None
        if (
            last
            and raw.kind == "fraction"
            and last.kind in ("digits", "cardinal")
            and text[last.end : raw.start].lower() == " and "
        ):
            if (
                isinstance(last.value, Fraction)
                and isinstance(raw.value, Fraction)
                and raw.value < 1
                and last.value.denominator == 1
            ):
                joined[-1] = Raw(last.start, raw.end, last.value + raw.value, "cardinal")
                continue
        joined.append(raw)
    return joined


def _item(text: str, raw: Raw, floor: int) -> Item:
    if raw.kind == "ordinal":
        keys = [quantity_key(raw.value)]
        if (
            isinstance(raw.value, Fraction)
            and raw.value > 2
            and text[max(0, raw.start - 3) : raw.start].lower() == " a "
        ):
            keys.append(quantity_key(1 / raw.value))  # "only a third remain"
        return Item(raw.start, raw.end, ("ordinal", raw.value), tuple(keys), raw.soft, raw.value)
    if raw.kind == "count":
        suffix = read_suffix(text, raw.end, None, article=False)
        return Item(raw.start, suffix.end, quantity_key(raw.value, suffix.unit), (), raw.soft, raw.value, suffix.unit)
    start, negative, currency = _prefix(text, raw.start, floor)
    factor, unit, loose, end = read_suffix(
        text, raw.end, TIMES if raw.kind == "factor" else currency, raw.kind == "fraction"
    )
    value = times(raw.value, factor)
    if zero := _ZERO.match(text, end):
        negative, end = zero["side"].lower() == "below", zero.end()
    value = negate(value) if negative and value != 0 else value
    if unit == YEAR and text[end - 1] == "年" and raw.end - raw.start == 4:
        unit = NO_UNIT  # a calendar year, not a span of years
    # "one" with a unit counts something, except in "one day he left".
    soft = (
        raw.soft
        if factor == 1
        and (unit.dimension not in ("%", "mass", "length", "volume", "time") or text[raw.end : end] == " day")
        else ""
    )
    key: Key = (
        ("ratio", text[raw.start : raw.end], unit.dimension) if raw.kind == "ratio" else quantity_key(value, unit)
    )
    alternatives = _alternatives(text, value, unit, start, end)
    if loose:
        alternatives += (quantity_key(value, loose),)
    return Item(start, end, key, alternatives, soft, value, unit, factor)


def _prefix(text: str, start: int, floor: int) -> tuple[int, bool, Unit | None]:
    """Return where the quantity begins, whether it is negative, and its currency if that stands in front."""
    low = max(floor, start - _LONGEST_PREFIX)
    match = _PREFIX.search(text[low:start])
    if not match or not match[0]:
        return start, False, None
    currency = unit_named(match["currency"].strip().rstrip(".")) if match["currency"] else None
    sign = match["sign"] or match["inner"] or ""
    if match["currency"] and not currency or not sign:
        return (low + match.start("currency"), False, currency) if currency else (start, False, None)
    sign_at = low + (match.start("sign") if match["sign"] else match.start("inner"))
    before = text[max(0, sign_at - 4) : sign_at]
    if sign.strip().lower() in ("minus", "negative"):
        is_sign = not _MINUS_BETWEEN.search(before)
    else:
        is_sign = (
            sign not in "+-"
            or bool(match["inner"] and currency)
            or bool(_SIGN_AFTER.search(before))
            and not before.endswith(("+/", "--"))
        )
    if not is_sign:
        return (low + match.start("currency"), False, currency) if currency else (start, False, None)
    return low + match.start(), sign != "+", currency


def _alternatives(text: str, value: Value, unit: Unit, start: int, end: int) -> tuple[Key, ...]:
    """Other keys under which the same amount may stand in another text."""
    keys = [quantity_key(value, other) for other in unit.others]
    if unit.dimension == PERCENT.dimension and isinstance(value, Fraction):
        keys.append(quantity_key(value * unit.scale / 100))
    if unit == FAHRENHEIT and isinstance(value, Fraction):
        keys.append(quantity_key((value - _FAHRENHEIT_ZERO) * _FAHRENHEIT_STEP, CELSIUS))
    if unit == YEAR and _AGE_AFTER.match(text, end):
        keys.append(quantity_key(value))
    if unit == NO_UNIT and _AGE_BEFORE.search(text[max(0, start - 10) : start]):
        keys.append(quantity_key(value, YEAR))
    return tuple(keys)


def _articles(text: str) -> list[Item]:
    """Return "an hour", "per week", "daily": they equal "one hour", but need no counterpart."""
    items = []
    for match in _ARTICLE.finditer(text):
        unit = unit_named(match["unit"] or ADVERBS[match["adverb"].lower()])
        if unit and unit.dimension in _ARTICLE_DIMENSIONS:
            items.append(
                Item(match.start(), match.end(), quantity_key(Fraction(1), unit), (), "article", Fraction(1), unit)
            )
    return items


def _romans(text: str) -> list[Item]:
    items = []
    for match in _ROMAN.finditer(text):
        if match["roman"] in _ROMAN_VALUES:
            value = Fraction(_ROMAN_VALUES[match["roman"]])
            items.append(Item(match.start("roman"), match.end("roman"), quantity_key(value), (), "roman", value))
    return items
