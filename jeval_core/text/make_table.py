"""Write `unicode_table.txt`, the frozen character table behind the tokenizer `words/1`.

Run `python -m jeval_core.text.make_table` with the pinned `regex` package. Classes come from that package
(Unicode 17.0), normalisation and case from the oldest supported Python's `unicodedata` (Unicode 14.0), so that
every supported Python gives the same tokens. A change of the table is a new tokenizer id.
"""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path

LAST = 0x110000
TABLE = Path(__file__).with_name("unicode_table.txt")

# First pattern that matches wins. The letters are explained in `unicode.py`.
CLASSES = [
    ("-", r"[\-\u2212]"),
    ("+", r"\+"),
    (".", r"\."),
    (",", r"[,:/]"),
    ("%", r"[%\u2030]"),
    ("z", r"\u200D"),
    ("r", r"\p{Regional_Indicator}"),
    ("f", r"\p{Emoji_Modifier}|[\U000E0020-\U000E007F]"),
    ("m", r"[\u0E33\u0EB3\uFF9E\uFF9F]"),
    ("v", r"[\u1039\u17D2]"),
    ("m", r"\p{M}"),
    ("p", r"\p{Extended_Pictographic}"),
    ("h", r"[[\p{L}\p{N}]&&[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}]]"),
    ("t", r"[[\p{L}\p{N}]&&[\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]]"),
    ("d", r"\p{Nd}"),
    ("a", r"[\p{L}\p{N}_]"),
    ("e", r"[\p{So}\p{Sc}\p{Sm}--[|~]]"),
]


def class_of(code_points: Iterable[int]) -> Iterator[str]:
    """One class letter per code point, a space for a separator."""
    import regex

    pattern = regex.compile("|".join(f"({p})" for _, p in CLASSES), regex.V1)
    for cp in code_points:
        found = pattern.fullmatch(chr(cp))
        yield CLASSES[found.lastindex - 1][0] if found else " "


def composing_seconds() -> set[str]:
    """Characters that may merge with the one before them under NFC (quick check "maybe")."""
    seconds = {chr(c) for c in (*range(0x1161, 0x1176), *range(0x11A8, 0x11C3))}
    for cp in range(LAST):
        parts = unicodedata.decomposition(chr(cp)).split()
        if len(parts) == 2 and not parts[0].startswith("<"):
            seconds.add(chr(int(parts[1], 16)))
    return seconds


def form_of(code_points: Iterable[int]) -> Iterator[str]:
    """`x`: NFC may change it or merge it; `n`: not in Unicode 14.0, left alone; a space: inert."""
    seconds = composing_seconds()
    for cp in code_points:
        ch = chr(cp)
        if unicodedata.category(ch) == "Cn":
            yield "n"
        elif unicodedata.combining(ch) or ch in seconds or unicodedata.normalize("NFC", ch) != ch:
            yield "x"
        else:
            yield " "


def lower_of(cp: int) -> int:
    """Simple (context-free, one to one) lower case."""
    special = {0x0130: 0x69, 0x03C2: 0x3C3, 0x2212: 0x2D}  # dotted I, final sigma, minus sign
    low = chr(cp).lower()
    return special.get(cp, ord(low) if len(low) == 1 else cp)


def runs(letters: Iterable[str]) -> Iterator[str]:
    """`start letter` for every run but those of spaces, `start` in hex."""
    start = 0
    for letter, group in groupby(letters):
        yield f"{start:x} {letter}" if letter != " " else f"{start:x}"
        start += sum(1 for _ in group)


def main() -> None:
    """Write the table next to this file."""
    if unicodedata.unidata_version != "14.0.0":
        sys.exit("Run this with CPython 3.11: normalisation and case are frozen at Unicode 14.0.")
    lower = [(cp, lower_of(cp)) for cp in range(LAST) if lower_of(cp) != cp]
    lines = ["# class", *runs(class_of(range(LAST))), "# form", *runs(form_of(range(LAST)))]
    lines += ["# lower", *(f"{a:x} {b:x}" for a, b in lower)]
    TABLE.write_text("\n".join(lines) + "\n", encoding="ascii")


if __name__ == "__main__":
    main()
