"""What follows a number: a multiplier ("million", "k"), a unit, and what it is per ("mg/kg/day", "miles per hour")."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

import regex

from jeval_core.checks.number_words import SCALES
from jeval_core.checks.units import LONGEST_CJK, NO_UNIT, Unit, per, unit_named

_SCALE_WORDS = SCALES | {"mn": 10**6, "bn": 10**9, "tn": 10**12, "mln": 10**6}
_SCALE_WORD = regex.compile(rf"[ -]?(?:an?\ )?(?P<word>{'|'.join(_SCALE_WORDS)})s?(?![\w'])", regex.IGNORECASE)
_SCALE_LETTERS = {"k": 10**3, "K": 10**3, "M": 10**6, "B": 10**9, "b": 10**9}
_MONEY_LETTERS = _SCALE_LETTERS | {"m": 10**6, "t": 10**12, "T": 10**12}
_SCALE_LETTER = regex.compile(r"(?P<gap>\ ?)(?P<letter>[kKmMbBtT])(?![\w²³°])")
_SCALE_HAN = {"百": 10**2, "千": 10**3, "万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8}

_UNIT_WORD = r"(?:°\ ?[CF](?!\w)|[%‰°℃℉¢×]|(?:US\$|[$€£¥₹₽₩])(?!-?\d)|[\p{Latin}µΩ]++(?:[²³]|[23](?!\d))?)"
_UNIT = regex.compile(
    rf"(?P<gap>\ (?:of\ )?an?\ |\+?\ {{0,2}}|-)(?P<one>{_UNIT_WORD})(?:(?P<two>[ -]\p{{Latin}}++)(?P<three>[ -]\p{{Latin}}++)?)?"
)
_PER = regex.compile(
    rf"(?P<how>\ ?/\ ?|[ -]per[ -]|\ (?:an?|each|every)\ )(?P<word>{_UNIT_WORD})(?P<two>\ \p{{Latin}}++)?"
)
_ADVERB = regex.compile(r"(?:\ |-)(?P<word>hourly|daily|weekly|monthly|yearly|annually)(?!\w)")
ADVERBS = {"hourly": "hour", "daily": "day", "weekly": "week", "monthly": "month", "yearly": "year", "annually": "year"}
_ONE_DAY = 86400

# Single letters that are units only when they touch the number, or also when no other word follows: "3x", "5 A.", but not "group 5 A had".
_NEVER_APART = frozenset("BXxM")
_SELDOM_APART = frozenset("ANJt")
_WORD_FOLLOWS = regex.compile(r"\ (?!(?:of|and|or|at|to|for|is|from|in|per)\b)[^\W\d_]")


class Suffix(NamedTuple):
    """The end of a quantity: a factor for its value, its unit, a second possible unit, and where it stops."""

    factor: Fraction
    unit: Unit
    loose: Unit | None
    end: int


def read_suffix(text: str, end: int, currency: Unit | None, article: bool) -> Suffix:
    """Read what follows the number that stops at ``text[end]``.

    ``currency`` is a unit already read before the number. ``article`` allows "half an hour", "half a million".
    """
    factor, end = _multiplier(text, end, currency is not None, article)
    unit, end = _unit(text, end, article) if currency is None else _second_currency(text, end, currency)
    loose: Unit | None = None
    for _ in range(2):  # at most "mg/kg/day"
        if not unit.dimension:
            break
        divisor, after = _divisor(text, end)
        if divisor is None:
            break
        loose = (
            unit
            if divisor.dimension in ("time", "months") and (divisor.dimension == "months" or divisor.scale >= _ONE_DAY)
            else None
        )
        unit, end = per(unit, divisor), after
    return Suffix(factor, unit, loose, end)


def _multiplier(text: str, end: int, money: bool, article: bool) -> tuple[Fraction, int]:
    match = _SCALE_WORD.match(text, end)
    if match and (article or " a" not in match[0].lower()):
        return Fraction(_SCALE_WORDS[match["word"].lower()]), match.end()
    match = _SCALE_LETTER.match(text, end)
    letters = _MONEY_LETTERS if money else _SCALE_LETTERS
    if match and match["letter"] in letters and (money or not match["gap"]):
        return Fraction(letters[match["letter"]]), match.end()
    factor = 1
    while text[end : end + 1] in _SCALE_HAN:
        factor *= _SCALE_HAN[text[end]]
        end += 1
        if factor > 10**30:
            break
    return Fraction(factor), end


def _unit(text: str, end: int, article: bool) -> tuple[Unit, int]:
    for length in range(LONGEST_CJK, 0, -1):
        start = end + (text[end : end + 1] == " ")
        name = text[start : start + length]
        if len(name) == length and name[0] >= "\u3000" and (found := unit_named(name)):
            return found, start + length
    match = _UNIT.match(text, end)
    if not match or not article and match["gap"].strip() not in ("", "-", "+"):
        return NO_UNIT, end
    for last in ("three", "two", "one"):
        if match[last] is None or last == "one" and not _may_stand(text, match):
            continue
        found = unit_named(
            text[match.start("one") : match.end(last)].replace("° ", "°").replace("-", " ")
        ) or unit_named(text[match.start("one") : match.end(last)])
        if found:
            return found, match.end(last)
    return NO_UNIT, end


def _may_stand(text: str, match: regex.Match[str]) -> bool:
    """Whether a unit of one word is plausible after this gap."""
    word, gap = match["one"], match["gap"]
    if len(word) == 1 and (gap == "-" and word not in "gmlh" or gap.startswith(" ") and word in _NEVER_APART):
        return False
    if gap and word in _SELDOM_APART and _WORD_FOLLOWS.match(text, match.end("one")):
        return False
    after = match.end("one")
    after += gap != "" and text[after : after + 1] == " "  # "3 x 5" multiplies, "3x 5" does not
    return not (word in ("x", "X", "×", "times") and text[after : after + 1].isdigit())


def _second_currency(text: str, end: int, currency: Unit) -> tuple[Unit, int]:
    """The unit of "$5 CAD" and "$5 dollars": a currency named again is part of the amount, and the more exact one counts."""
    unit, after = _unit(text, end, article=False)
    return (unit, after) if len(unit.dimension) == 3 and unit.dimension.isupper() else (currency, end)


def _divisor(text: str, end: int) -> tuple[Unit | None, int]:
    if match := _ADVERB.match(text, end):
        return unit_named(ADVERBS[match["word"]]), match.end()
    match = _PER.match(text, end)
    if not match:
        return None, end
    for last in ("two", "word"):
        unit = unit_named(text[match.start("word") : match.end(last)]) if match[last] else None
        if unit and (unit.dimension in ("time", "months") or match["how"].strip() in ("/", "per", "-per-")):
            return unit, match.end(last)
    return None, end
