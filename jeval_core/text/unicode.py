"""The frozen character table: one class letter per code point, NFC and lower case, the same on every Python.

Class letters (`make_table.py` defines them, the batch kernel reads the same table):

| letter | characters | letter | characters |
|---|---|---|---|
| `a` | letters, numbers, `_` | `t` | letters and digits of Thai, Lao, Khmer, Myanmar |
| `d` | decimal digits | `v` | Khmer and Myanmar signs that stack consonants |
| `m` | combining marks | `p` | pictographs (emoji) |
| `-` `+` | minus and plus signs | `e` | other symbols: currency, mathematics, So |
| `.` `,` | full stop; comma, colon, slash | `f` | emoji modifiers and tags |
| `%` | percent, per mille | `r` | regional indicators (flags) |
| `h` | letters of Han, Hiragana, Katakana | `z` | zero-width joiner |
| space | everything that separates | | |
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from pathlib import Path
from typing import NamedTuple

UNICODE = "17.0"
"""Unicode version of the classes; part of every signature that uses them."""

_SIZE = 0x110000
_CHUNK = re.compile(rb"n|[^n]x{0,31}")  # longer runs of marks are cut: to order them takes the square of the time


class Tables(NamedTuple):
    """Class and form letters indexed by code point (1,114,112 bytes each), lower case as a mapping."""

    classes: bytes
    forms: bytes
    lower: dict[int, int]


@cache
def tables() -> Tables:
    """The table, read once from the package's data file."""
    text = Path(__file__).with_name("unicode_table.txt").read_text("ascii")
    _, classes, forms, lower = (part.split("\n")[1:-1] for part in re.split(r"^#", text, flags=re.M))
    pairs = (line.split() for line in lower)
    return Tables(_expand(classes), _expand(forms), {int(a, 16): int(b, 16) for a, b in pairs})


def _expand(lines: list[str]) -> bytes:
    starts = [int(line.split(" ")[0], 16) for line in lines]
    letters = [line.partition(" ")[2] or " " for line in lines]
    ends = [*starts[1:], _SIZE]
    return b"".join(c.encode() * (end - start) for c, start, end in zip(letters, starts, ends, strict=True))


def _letters(table: bytes, text: str) -> bytes:
    try:
        return text.encode("latin-1").translate(table[:256])
    except UnicodeEncodeError:
        return bytes(map(table.__getitem__, map(ord, text)))


def shape(text: str) -> bytes:
    """The class letter of every code point: as many bytes as `text` has code points."""
    return _letters(tables().classes, text)


def lower(text: str) -> str:
    """Simple lower case, code point by code point, so lengths never change; final sigma becomes sigma."""
    return text.translate(tables().lower)


def nfc(text: str) -> tuple[str, list[int] | None]:
    """`text` in NFC, and for each of its code points the start of its source in `text`.

    The list has one more entry, the length of `text`; None stands for "nothing moved". Normalisation is that of
    Unicode 14.0 on every Python: characters added later are left as they are.
    """
    if text.isascii():
        return text, None
    forms = _letters(tables().forms, text)
    if b"x" not in forms:
        return text, None
    parts: list[str] = []
    sources: list[int] = []
    for chunk in _CHUNK.finditer(forms):
        a, b = chunk.span()
        part = text[a:b] if b == a + 1 and forms[a] != ord("x") else unicodedata.normalize("NFC", text[a:b])
        parts.append(part)
        sources.extend([a] * len(part))
    return "".join(parts), [*sources, len(text)]
