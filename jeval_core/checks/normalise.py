"""A one-to-one rewrite of characters, so that every later rule sees one spelling and keeps its offsets."""

from __future__ import annotations

import unicodedata

import regex

_CHARACTERS = {
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2212\ufe63\uff0d", "-"),
    **dict.fromkeys("\u2018\u2019\u02bc\uff07", "'"),
    "\u066b": ".",  # Arabic decimal separator
    "\u066c": ",",  # Arabic thousands separator
    "\u066a": "%",
    "\u03bc": "\u00b5",  # Greek mu and the micro sign look the same
    # Case-insensitive patterns accept these letters, the lower-case tables do not.
    "\u017f": "s", "\u212a": "K", "\u0130": "I", "\u0131": "i",
}  # fmt: skip
_FULL_WIDTH_OFFSET = 0xFEE0


class _Table(dict[int, str]):
    """Translation table that works out each new character once; bounded by the size of Unicode."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        digit = unicodedata.decimal(character, None)
        if digit is not None:
            result = str(digit)
        elif regex.match(r"\d", character):  # a digit newer than this Python, which cannot read its value
            result = "\N{REPLACEMENT CHARACTER}"
        elif character in _CHARACTERS:
            result = _CHARACTERS[character]
        elif 0xFF01 <= code <= 0xFF5E:
            result = chr(code - _FULL_WIDTH_OFFSET)
        elif unicodedata.category(character) == "Zs":
            result = " "
        else:
            result = character
        self[code] = result
        return result


_TABLE = _Table()


def normalise(text: str) -> str:
    """Return ``text`` with digits, dashes, apostrophes and spaces in their ASCII spelling.

    The result has the length of ``text``; character i of one is character i of the other. Any string is
    accepted, lone surrogates included.
    """
    return text.translate(_TABLE)
