"""Numbers that only name things: list numbering, citations, versions, codes, model and product names."""

from __future__ import annotations

import regex

from jeval_core.checks.items import Canvas, Item, Key, quantity_key
from jeval_core.checks.units import unit_named
from jeval_core.checks.values import decimal_value

_LINE_NUMBER = regex.compile(r"(?m)^[ \t>*#-]*+(?P<mark>(?P<n>\d{1,3})[.)]|\((?P<m>\d{1,3})\))[ \t]+(?=\S)")
_INLINE_NUMBER = regex.compile(r"(?<![\w)])\((?P<n>\d{1,2})\)(?=\ )|(?<=[:;,.]\ )(?P<m>\d{1,2})\)(?=\ )")
_STEP = regex.compile(r"(?m)^[ \t>*#-]*+(?P<mark>(?i:step|point|tip)\ (?P<n>\d{1,2})[:.)])")
_LINK = regex.compile(r"(?:https?://|www\.)[^\s<>\"')\]]++|(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,64}\.[\w.-]{1,64}")
_CITATION = regex.compile(r"(?<=[^\W\d_][.!?,;\"')]?\ ?|\])\[(?P<n>\d{1,3})(?:[,-]\ ?\d{1,3})*+\]")
_PHONE = regex.compile(r"(?<![\w.])(?:\+\d{1,3}[ .-]?)?(?:\(\d{3}\)\ ?|\d{3}[ .-])\d{3}[ .-]\d{4}(?![\w-])")
_CODE = regex.compile(r"(?<![\w.-])\d++(?:-\d++){2,}+(?![\w])")
_VERSION = regex.compile(
    r"(?<![\w.])(?:(?P<word>v\.?|ver\.?\ ?|version\ )(?P<named>\d++(?:\.\d++)*+(?:-(?:alpha|beta|rc)[\w.]*+)?)|(?P<bare>\d++(?:\.\d++){2,}+))(?![\w%])",
    regex.IGNORECASE,
)
_DOTTED_THOUSANDS = regex.compile(r"[1-9]\d{0,2}(?:\.\d{3}){2,}")
_LETTERS = r"[\p{Latin}\p{Greek}\p{Cyrillic}]"
_NAME = regex.compile(
    rf"(?<!{_LETTERS}-?|[\d_])(?P<head>{_LETTERS}++(?:-{_LETTERS}++)*+)(?P<join>-?)(?P<n>\d++(?:\.\d++)*+)(?P<tail>(?:[-_]?[A-Za-z0-9]++)*+)"
)
_DIGIT_FIRST = regex.compile(r"(?<![\w.,])(?P<n>\d++)(?P<tail>[A-Za-z][A-Za-z0-9]*+)(?!\w)")
_SUFFIX = regex.compile(r"(?i)(?:st|nd|rd|th|s|e\d+|[kmbt]|bn|mn|x|am|pm|%|fold|times)$")
_SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
_FORMULA = regex.compile(r"[A-Za-z]{1,3}[₀-₉]+(?:[A-Za-z]*[₀-₉]*)")

# In these the digit is part of a word that can be said without it ("carbon dioxide", "the coronavirus").
_WORDLIKE = frozenset(
    (
        "co2 h2o o2 n2 h2 ch4 so2 no2 n2o nh3 h2so4 c6h12o6 caco3 covid19 sarscov2"
        " mp3 mp4 b2b b2c p2p c2c e2e utf8 2d 3d 4d 2fa base64 w3c s3 ec2 k8s i18n"
    ).split()
)
_NOT_A_NAME = frozenset(
    {
        "no",
        "nr",
        "num",
        "number",
        "usd",
        "eur",
        "gbp",
        "rs",
        "inr",
        "cny",
        "jpy",
        "rmb",
        "minus",
        "plus",
        "about",
        "approx",
    }
)


def read_labels(canvas: Canvas) -> None:
    """Paint over numbering that carries no information, then add codes, versions and names to the canvas."""
    canvas.paint(_inline_numbering(canvas.unread))
    canvas.paint(_numbering(canvas.unread))
    for pattern, build in ((_LINK, _link), (_CITATION, _citation)):
        canvas.add([build(match) for match in pattern.finditer(canvas.unread)])


def read_codes(canvas: Canvas) -> None:
    """Add phone numbers, versions, digit codes and names that contain digits. Dates must be read before."""
    for pattern, build in (
        (_PHONE, _code), (_CODE, _code), (_VERSION, _version), (_FORMULA, _formula), (_NAME, _name), (_DIGIT_FIRST, _digit_first),
    ):  # fmt: skip
        canvas.add([item for match in pattern.finditer(canvas.unread) if (item := build(match))])


def _numbering(text: str) -> list[tuple[int, int]]:
    """Spans of the marks of numbered lines; a list must start at 1 (or 0) and count up."""
    seen: set[int] = set()
    spans = []
    matches = [*_LINE_NUMBER.finditer(text), *_STEP.finditer(text)]
    for match in sorted(matches, key=lambda found: found.start()):
        number = int(match["n"] or match["m"])
        if number <= 1 or number - 1 in seen:
            seen.add(number)
            spans.append(match.span("mark"))
    return spans


def _inline_numbering(text: str) -> list[tuple[int, int]]:
    matches = list(_INLINE_NUMBER.finditer(text))
    numbers = [int(match["n"] or match["m"]) for match in matches]
    return (
        [match.span() for match in matches] if len(numbers) > 1 and numbers == list(range(1, len(numbers) + 1)) else []
    )


def _link(match: regex.Match[str]) -> Item:
    return Item(match.start(), match.end(), ("name", match[0].rstrip(".,;:!?/").lower()), soft="link")


def _citation(match: regex.Match[str]) -> Item:
    return Item(match.start(), match.end(), ("citation", match[0]), soft="citation")


def _code(match: regex.Match[str]) -> Item:
    return Item(
        match.start(), match.end(), ("code", "".join(character for character in match[0] if character.isdigit())[-10:])
    )


def _version(match: regex.Match[str]) -> Item | None:
    text = match["named"] or match["bare"]
    if _DOTTED_THOUSANDS.fullmatch(text):
        return None
    whole, _, fraction = text.partition(".")
    plain = not fraction or fraction.isdigit()
    return Item(
        match.start(),
        match.end(),
        ("version", text.lower()),
        (quantity_key(decimal_value(whole, fraction)),) if plain and whole.isdigit() else (),
    )


def _formula(match: regex.Match[str]) -> Item:
    return _named_item(match, match[0].translate(_SUBSCRIPTS).lower(), ())


def _name(match: regex.Match[str]) -> Item | None:
    head = match["head"].lower()
    if head in _NOT_A_NAME:
        return None
    if unit_named(match["tail"]) and match["join"] or unit_named(match[0]):
        return None  # "sub-5mg" is a quantity behind a hyphen, "km2" a unit
    whole, _, fraction = match["n"].partition(".")
    alternatives: tuple[Key, ...] = ()
    if not match["tail"] and "." not in fraction:
        value = decimal_value(whole, fraction)
        alternatives = (quantity_key(value), ("ordinal", value))
    return _named_item(match, match[0].replace("-", "").lower(), alternatives)


def _digit_first(match: regex.Match[str]) -> Item | None:
    tail = match["tail"]
    if _SUFFIX.match(tail) or unit_named(tail):
        return None
    return _named_item(match, match[0].lower(), (quantity_key(decimal_value(match["n"])),))


def _named_item(match: regex.Match[str], name: str, alternatives: tuple[Key, ...]) -> Item:
    return Item(match.start(), match.end(), ("name", name), alternatives, soft="word" if name in _WORDLIKE else "")
