"""Numbers written with digits.

Separators: a comma, apostrophe or underscore before groups of exactly three digits separates thousands
("1,000"; also Indian "1,00,000"); any other single comma between digits is a decimal comma ("3,14", "0,500").
One full stop is a decimal point ("1.000" is one); two or more before groups of three separate thousands. Where
comma and full stop meet, the last one is the decimal point. A space separates thousands before groups of exactly
three digits.
"""

from __future__ import annotations

from fractions import Fraction

import regex

from jeval_core.checks.number_words import Raw
from jeval_core.checks.values import Value, decimal_value

_BLOB = r"\d++(?:[.,'_]\d++)*+"
_SPACED = r"[1-9]\d{0,2}(?:\ \d{3})+(?![\d])(?!\ (?:mg|ml|g|mcg|µg)\ (?:tablet|capsule|pill|bottle|vial|dose))(?:[.,]\d+(?!\d))?"
_NUMERAL = regex.compile(
    rf"""(?:(?P<spaced>(?<![\d.,])(?<!\d\ ){_SPACED})|(?P<blob>{_BLOB})|(?<![\w.)\]])(?P<point>\.\d++))
    (?:(?:[eE](?P<e>[+-]?\d++)(?!\w))|\ ?[×x*·]\ ?10(?:(?:\^|\*\*)(?P<p>[+-]?\d++)|(?P<super>[⁻⁺]?[⁰¹²³⁴-⁹]++))
      |(?<=(?<!\d)10)(?:(?:\^|\*\*)(?P<p10>[+-]?\d++)|(?P<super10>[⁻⁺]?[⁰¹²³⁴-⁹]++)))?
    (?P<suffix>(?:st|nd|rd|th)\b)?""",
    regex.VERBOSE,
)
_RATIO = regex.compile(
    r"(?<![\d/.,])(?:(?P<whole>\d{1,4})(?:\ |-|\ and\ ))?(?P<a>\d{1,4})[/⁄](?P<b>\d{1,4})(?![\d/]|[.,]\d)"
)
_VULGAR = regex.compile(r"(?:(?P<whole>\d{1,4})\ ?)?(?P<sign>[½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞⅐⅑⅒])")
_VULGAR_VALUES = {
    "½": "1/2", "⅓": "1/3", "⅔": "2/3", "¼": "1/4", "¾": "3/4", "⅕": "1/5", "⅖": "2/5", "⅗": "3/5", "⅘": "4/5", "⅙": "1/6",
    "⅚": "5/6", "⅛": "1/8", "⅜": "3/8", "⅝": "5/8", "⅞": "7/8", "⅐": "1/7", "⅑": "1/9", "⅒": "1/10",
}  # fmt: skip
_SUPERSCRIPT = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_GROUPED = regex.compile(
    r"(?:[1-9]\d{0,2}(?:,\d{3})++|[1-9]\d?(?:,\d{2})++,\d{3}|[1-9]\d{0,2}(?:['_]\d{3})++)(?:\.(?P<f>\d++))?"
)
_GROUPED_DOTS = regex.compile(r"[1-9]\d{0,2}(?:(?:\.\d{3}){2,}(?:,(?P<f>\d++))?|(?:\.\d{3})++,(?P<g>\d++))")
_DECIMAL = regex.compile(r"(?P<w>\d++)(?:[.,](?P<f>\d++))?")


def ratios(text: str) -> list[Raw]:
    """Return "1/2", "1 1/2", "½" and "1½"; kind "fraction", or "ratio" where the parts matter ("120/80")."""
    found = []
    for match in _RATIO.finditer(text):
        top, bottom = int(match["a"]), int(match["b"])
        mixed = int(match["whole"] or 0) > 0 and 0 < top < bottom
        start = match.start() if mixed else match.start("a")
        if bottom:
            value: Value = Fraction(top, bottom) + (int(match["whole"]) if mixed else 0)
            found.append(Raw(start, match.end(), value, "ratio" if top >= bottom > 10 else "fraction"))
    for match in _VULGAR.finditer(text):
        found.append(
            Raw(
                match.start(),
                match.end(),
                int(match["whole"] or 0) + Fraction(_VULGAR_VALUES[match["sign"]]),
                "fraction",
            )
        )
    return sorted(found, key=lambda raw: raw.start)


def numerals(text: str) -> list[Raw]:
    """Return every number that ``text`` writes with digits, in reading order, without sign and unit."""
    found: list[Raw] = []
    for match in _NUMERAL.finditer(text):
        parts = (
            [(match.start(), match.end(), match["spaced"].replace(" ", ""))] if match["spaced"] else _split(text, match)
        )
        for start, end, written in parts[:-1]:
            found.append(Raw(start, end, _value(written), "digits"))
        start, end, written = parts[-1]
        value = _value(written)
        power = match["e"] or match["p"] or (match["super"] or "").translate(_SUPERSCRIPT)
        power_of_ten = match["p10"] or (match["super10"] or "").translate(_SUPERSCRIPT)
        if power:
            value = decimal_value(*_parts(written), power)
        elif power_of_ten:
            value = decimal_value("1", "", power_of_ten)
        found.append(Raw(start, match.end(), value, "ordinal" if match["suffix"] else "digits"))
    return found


def _split(text: str, match: regex.Match[str]) -> list[tuple[int, int, str]]:
    """Cut "1,2,3" and "(3,4)" into separate numbers; leave every other run of digits and separators whole."""
    if match["point"]:
        return [(match.start("point"), match.end("point"), match["point"])]
    start, end = match.span("blob")
    written = match["blob"]
    if _GROUPED.fullmatch(written) or _GROUPED_DOTS.fullmatch(written):
        return [(start, end, written)]
    bracketed = text[start - 1 : start] in ("(", "[") and text[end : end + 1] in (")", "]") and "," in written
    years = len(written) == 9 and written[4] == ","
    if not (bracketed or years) and _DECIMAL.fullmatch(written):
        return [(start, end, written)]
    pieces, at = [], start
    for piece in regex.split(r"[,'_]|\.(?=\d+\.)", written):
        pieces.append((at, at + len(piece), piece))
        at += len(piece) + 1
    return pieces


def _parts(written: str) -> tuple[str, str]:
    if match := _GROUPED.fullmatch(written) or _GROUPED_DOTS.fullmatch(written):
        fraction = match["f"] or match.groupdict().get("g") or ""
        whole = written[: len(written) - len(fraction)]
        return "".join(character for character in whole if character.isdigit()), fraction
    whole, _, fraction = written.replace(",", ".").partition(".")
    return whole, fraction.replace(".", "")


def _value(written: str) -> Value:
    return decimal_value(*_parts(written))
