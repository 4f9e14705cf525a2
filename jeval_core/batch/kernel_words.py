"""The tokenizer `words/1` of the batch kernel: from the bytes of a cell to one hash a token.

The rules are those of `text/words.py`, the table is the same. Normalisation is not done here: `scan` says which cells
need it.

A token's hash is 63 bits over its lower-cased code points. Taking it as random, two different tokens share one with a
chance of 2⁻⁶³ and a row of k different tokens is miscounted with at most k² / 2⁶⁴: one in 10¹⁵ for 100 tokens.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from jeval_core.batch.jit import entry, inner
from jeval_core.batch.table import LETTERS, MAY_CHANGE, UNKNOWN

Bytes = NDArray[np.uint8]
Points = NDArray[np.uint32]
Offsets = NDArray[np.int64]
Words = NDArray[np.uint64]

PLAIN, COMPOSE, HARD = 0, 1, 2
"""What `scan` says of a cell: fit for the kernel as it is; after NFC; not at all."""

SPACE, HAN, CLUSTER, STACK, PICTURE, SYMBOL, FLAG, TAG, JOIN = range(9)
MINUS, PLUS, POINT, COMMA, PERCENT, MARK, LETTER, DIGIT = range(9, len(LETTERS))
LONGEST_RUN = 31
"""Marks in a row up to which NFC is that of Unicode."""
ONE, HALF = np.uint64(1), np.uint64(32)
SEED, FACTOR = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD6E8FEB86659FD93)
HEAD = 2
"""Separators before the first code point, so that a look back needs no check; as many stand after the last."""


@entry
def scan(data: Bytes, start: Offsets, stop: Offsets, table: Bytes, out: Bytes) -> None:
    """Write PLAIN, COMPOSE or HARD for every cell `data[start[i]:stop[i]]` to `out`, shape (rows,).

    HARD are cells that are not valid UTF-8, and those that `text.unicode.nfc` treats in its own way: long runs of
    marks, and characters that NFC may change beside ones younger than its Unicode version.
    """
    for row in range(len(start)):
        i, end, seen, run = start[row], stop[row], 0, 0
        while i < end and seen >= 0:
            if data[i] < 128:
                i += 1
                run = 0
            else:
                width, point = _valid(data, i, end)
                run = run + 1 if table[point] & MAY_CHANGE else 0
                seen = seen | table[point] if width and run <= LONGEST_RUN else -1
                i += width
        if seen < 0 or (seen & MAY_CHANGE and seen & UNKNOWN):
            out[row] = HARD
        else:
            out[row] = COMPOSE if seen & MAY_CHANGE else PLAIN


@inner
def _valid(data: Bytes, i: int, end: int) -> tuple[int, int | np.int64]:
    """Width and code point of the sequence of two to four bytes at i; a width of 0 when it is not valid UTF-8."""
    lead = np.int64(data[i])
    width = 2 if 0xC2 <= lead < 0xE0 else 3 if 0xE0 <= lead < 0xF0 else 4 if 0xF0 <= lead < 0xF5 else 0
    if width == 0 or i + width > end:
        return 0, 0
    point = lead & (0x7F >> width)
    for k in range(1, width):
        if data[i + k] & 0xC0 != 0x80:
            return 0, 0
        point = point << 6 | np.int64(data[i + k]) & 63
    low = 0x80 if width == 2 else 0x800 if width == 3 else 0x10000
    return (0, 0) if point < low or point > 0x10FFFF or 0xD800 <= point < 0xE000 else (width, point)


@inner
def decode(data: Bytes, i: int, end: int, table: Bytes, lower: Points, kinds: Bytes, points: Points) -> int:
    """Classes and lower-cased code points of a valid cell from position HEAD on; the position after the last."""
    n = HEAD
    while i < end:
        point = np.uint32(data[i])
        if point < 128:
            i += 1
        elif point < 0xE0:
            point = (point & 31) << 6 | np.uint32(data[i + 1]) & 63
            i += 2
        elif point < 0xF0:
            point = (point & 15) << 12 | (np.uint32(data[i + 1]) & 63) << 6 | np.uint32(data[i + 2]) & 63
            i += 3
        else:
            high = (point & 7) << 18 | (np.uint32(data[i + 1]) & 63) << 12
            point = high | (np.uint32(data[i + 2]) & 63) << 6 | np.uint32(data[i + 3]) & 63
            i += 4
        kinds[n] = table[point] & 31
        points[n] = lower[point]
        n += 1
    kinds[n] = SPACE
    kinds[n + 1] = SPACE
    return n


@inner
def _mix(hashed: np.uint64, point: np.uint32) -> np.uint64:
    mixed = (hashed ^ np.uint64(point)) * FACTOR
    return mixed ^ (mixed >> HALF)


@inner
def _is_sign(kinds: Bytes, i: int) -> bool:
    """Whether the + or - at i belongs to the number after it."""
    before = kinds[i - 1]
    if before >= MARK or (before == PERCENT and kinds[i - 2] == DIGIT):
        return False
    return bool(kinds[i + 1] == DIGIT or (kinds[i + 1] == POINT and kinds[i + 2] == DIGIT))


@inner
def _starts_number(kinds: Bytes, i: int) -> bool:
    """Whether the point at i is the first character of a number."""
    before = kinds[i - 1]
    return bool(kinds[i + 1] == DIGIT and before != POINT and before < MARK)


@inner
def _joins(kinds: Bytes, i: int) -> bool:
    """Whether the character at i, itself no letter, digit or mark, belongs to the number before it."""
    kind = kinds[i]
    inside = (kind == POINT or kind == COMMA) and kinds[i + 1] == DIGIT
    return bool(kinds[i - 1] == DIGIT and (kind == PERCENT or inside))


@inner
def _marks_end(kinds: Bytes, i: int) -> int:
    while kinds[i] == MARK:
        i += 1
    return i


@inner
def _word_start(kinds: Bytes, i: int) -> int:
    """The first letter or digit of the word that starts at i with a sign, a point or marks; -1 when none does."""
    kind = kinds[i]
    if kind == MARK:
        first = _marks_end(kinds, i) if kinds[i - 1] != MARK else i
        return first if kinds[first] >= LETTER else -1
    if (kind == MINUS or kind == PLUS) and _is_sign(kinds, i):
        return i + (1 if kinds[i + 1] == DIGIT else 2)
    return i + 1 if kind == POINT and _starts_number(kinds, i) else -1


@inner
def _own_end(kinds: Bytes, i: int) -> int:
    """The end of the token that the character at i is on its own: ideograph, cluster, emoji, flag or symbol, with
    what combines onto it; i when it separates.
    """
    kind = kinds[i]
    if kind == HAN or kind == SYMBOL:
        return _marks_end(kinds, i + 1)
    if kind == CLUSTER:
        i += 1
        while kinds[i] == MARK or kinds[i] == STACK or (kinds[i] == CLUSTER and kinds[i - 1] == STACK):
            i += 1
    elif kind == PICTURE:
        i += 1
        while kinds[i] == MARK or kinds[i] == TAG or (kinds[i] == JOIN and kinds[i + 1] == PICTURE):
            i += 2 if kinds[i] == JOIN else 1
    elif kind == FLAG:
        return i + 2 if kinds[i + 1] == FLAG else _marks_end(kinds, i + 1)
    elif kind == PLUS:
        i += 1
    return i


@inner
def tokens(kinds: Bytes, points: Points, end: int, out: Words) -> int:
    """Hashes of the tokens of what `decode` read; their number, or -1 when there are more than `out` holds."""
    count, i = 0, HEAD
    while i < end:
        kind = kinds[i]
        if kind == SPACE:
            i += 1
            continue
        first = i if kind >= LETTER else _word_start(kinds, i)
        stop = first if first >= 0 else _own_end(kinds, i)
        if first < 0 and stop == i:
            i += 1
            continue
        if count == len(out):
            return -1
        hashed = SEED
        while i < stop:
            hashed = _mix(hashed, points[i])
            i += 1
        while first >= 0:
            while kinds[i] >= MARK:
                hashed = _mix(hashed, points[i])
                i += 1
            if not _joins(kinds, i):
                break
            hashed = _mix(hashed, points[i])
            i += 1
        out[count] = hashed | ONE  # 0 marks an empty slot
        count += 1
    return count
