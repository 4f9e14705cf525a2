"""The batch kernel: from the UTF-8 cells of two columns to seven counts a row, without one Python object.

It gives the integers of `ngrams.py` on the tokens of `words/1`, to the last one.

Positions of the reference are bits. A token's places are the positions at which the reference has it; the places of
an n-gram, by its last token, are those of its first n - 1 tokens moved up by one that also are places of its last
token. Two n-grams of the output are equal when their places are, and different ones have no place in common, so
clipping means that every match uses up one place. The longest common subsequence runs over the same bits (Hyyrö 2004).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from jeval_core.batch.jit import entry, inner
from jeval_core.batch.kernel_words import HEAD, ONE, Bytes, Offsets, Points, Words, decode, tokens

Counts = NDArray[np.int32]
State = tuple[Words, Words, Words, Words, Words, Words, Words, Words]

MAX_TOKENS = 10_000
"""A row with more tokens on a side is left to the readable reference, as is a cell of more than `MAX_BYTES`."""
MAX_BYTES = 1 << 20
COLUMNS = 7
"""Matches of order 1 to 4, tokens of the output and of the reference, longest common subsequence."""
ZERO, TOP, FULL = np.uint64(0), np.uint64(63), np.uint64(0xFFFFFFFFFFFFFFFF)


@entry
def count(
    output: Bytes,
    output_start: Offsets,
    output_stop: Offsets,
    reference: Bytes,
    reference_start: Offsets,
    reference_stop: Offsets,
    table: Bytes,
    lower: Points,
    counts: Counts,
    hits: Bytes,
    clipped: Counts,
) -> None:
    """Fill `counts`, shape (rows, COLUMNS), for cells that `scan` calls plain.

    A row with more than MAX_TOKENS on a side gets -1 in every column. With several references call it once for each:
    `hits`, zero at first and as long as `output`, collects which orders matched at each token of the output, and
    `clipped`, shape (rows, 4), ends as the matches against all references so far, each n-gram clipped at its largest
    count. With one reference `hits` is empty and `clipped` not used.
    """
    longest = 1
    for row in range(len(output_start)):
        longest = max(longest, output_stop[row] - output_start[row], reference_stop[row] - reference_start[row])
    kinds = np.zeros(longest + 2 * HEAD, np.uint8)
    points = np.zeros(longest + 2 * HEAD, np.uint32)
    size = min(longest, MAX_TOKENS)
    a, b = np.empty(size, np.uint64), np.empty(size, np.uint64)
    keys, values = np.empty(4 * size + 16, np.uint64), np.empty(4 * size + 16, np.uint64)
    width = (size + 63) // 64
    places = np.empty(size * width if width > 1 else 0, np.uint64)
    rows = np.empty((8, width), np.uint64)
    found = np.zeros(size, np.uint8)
    for row in range(len(output_start)):
        n = decode(output, output_start[row], output_stop[row], table, lower, kinds, points)
        la = tokens(kinds, points, n, a)
        n = decode(reference, reference_start[row], reference_stop[row], table, lower, kinds, points)
        lb = tokens(kinds, points, n, b)
        line = counts[row]
        if la < 0 or lb < 0:
            line[:] = -1
            continue
        line[:] = 0
        line[4], line[5] = la, lb
        if la == 0 or lb == 0:
            continue
        many = len(hits) > 0
        if lb <= 64:
            _short(a, la, b, lb, keys, values, line, found, many)
        else:
            _long(a, la, b, lb, keys, values, places, rows, line, found)
        if many:
            _collect(found, la, hits, output_start[row], clipped[row])


@inner
def _collect(found: Bytes, la: int, hits: Bytes, at: int, clipped: Counts) -> None:
    """Add the matches against one reference to those against the others."""
    clipped[:] = 0
    for i in range(la):
        hits[at + i] |= found[i]
        for order in range(4):
            clipped[order] += hits[at + i] >> order & 1


@inner
def _short(
    a: Words,
    la: int,
    b: Words,
    lb: int,
    keys: Words,
    values: Words,
    line: Counts,
    found: Bytes,
    many: bool,
) -> None:
    """Count against a reference of at most 64 tokens: all its places are one word."""
    bits = _clear(keys, lb)
    place = ONE
    for i in range(lb):
        slot = _find(keys, bits, b[i])
        if keys[slot] == ZERO:
            keys[slot] = b[i]
            values[slot] = ZERO
        values[slot] |= place
        place <<= ONE
    left = FULL
    p1 = p2 = p3 = ZERO
    used1 = used2 = used3 = used4 = ZERO
    for i in range(la):
        slot = _find(keys, bits, a[i])
        token = values[slot] if keys[slot] != ZERO else ZERO
        hit = left & token
        left = (left + hit) | (left - hit)
        p4 = (p3 << ONE) & token
        p3 = (p2 << ONE) & token
        p2 = (p1 << ONE) & token
        p1 = token
        free1, free2, free3, free4 = p1 & ~used1, p2 & ~used2, p3 & ~used3, p4 & ~used4
        used1 |= _lowest(free1)
        used2 |= _lowest(free2)
        used3 |= _lowest(free3)
        used4 |= _lowest(free4)
        if many:
            found[i] = (free1 != ZERO) | (free2 != ZERO) << 1 | (free3 != ZERO) << 2 | (free4 != ZERO) << 3
    line[0], line[1], line[2], line[3] = _ones(used1), _ones(used2), _ones(used3), _ones(used4)
    line[6] = lb - _ones(left & (FULL >> np.uint64(64 - lb)))


@inner
def _long(
    a: Words,
    la: int,
    b: Words,
    lb: int,
    keys: Words,
    values: Words,
    places: Words,
    rows: Words,
    line: Counts,
    found: Bytes,
) -> None:
    """The same with places of several words: token t has places[t * width : (t + 1) * width].

    `rows` holds, word by word: what is left for the subsequence; the places of the last 1-, 2- and 3-gram; the places
    used up by each order.
    """
    width = (lb + 63) >> 6
    bits = _clear(keys, lb)
    distinct = 0
    for i in range(lb):
        slot = _find(keys, bits, b[i])
        if keys[slot] == ZERO:
            keys[slot] = b[i]
            values[slot] = np.uint64(distinct * width)
            places[distinct * width : (distinct + 1) * width] = ZERO
            distinct += 1
        places[np.int64(values[slot]) + (i >> 6)] |= ONE << np.uint64(i & 63)
    rows[0, :width] = FULL
    rows[1:, :width] = ZERO
    state = (rows[0], rows[1], rows[2], rows[3], rows[4], rows[5], rows[6], rows[7])
    running = False
    for i in range(la):
        slot = _find(keys, bits, a[i])
        if keys[slot] != ZERO:
            matched = _step(places, np.int64(values[slot]), state, width)
            running = True
        else:
            matched = np.int64(0)
            if running:
                rows[1:4, :width] = ZERO
            running = False
        found[i] = matched
        for order in range(4):
            line[order] += matched >> order & 1
    for word in range(width):
        past = 64 * (word + 1) - lb
        kept = FULL >> np.uint64(past) if past > 0 else FULL
        line[6] += _ones(~rows[0, word] & kept)


@inner
def _step(places: Words, at: np.int64, state: State, width: int) -> np.int64:
    """Take one token of the output that the reference has; bit n - 1 of the result: its n-gram matched."""
    lefts, grams1, grams2, grams3, useds1, useds2, useds3, useds4 = state
    carry = up1 = up2 = up3 = ZERO
    open1 = open2 = open3 = open4 = FULL  # no place used up yet for this token
    for word in range(width):
        token, left = places[at + word], lefts[word]
        hit = left & token
        half = left + hit
        total = half + carry
        carry = np.uint64(half < left) | np.uint64(total < half)
        lefts[word] = total | (left - hit)
        p1, p2, p3 = grams1[word], grams2[word], grams3[word]
        e2, e3, e4 = (p1 << ONE | up1) & token, (p2 << ONE | up2) & token, (p3 << ONE | up3) & token
        up1, up2, up3 = p1 >> TOP, p2 >> TOP, p3 >> TOP
        grams1[word], grams2[word], grams3[word] = token, e2, e3
        open1 = _use(useds1, word, token, open1)
        open2 = _use(useds2, word, e2, open2)
        open3 = _use(useds3, word, e3, open3)
        open4 = _use(useds4, word, e4, open4)
    matched = (open1 == ZERO) | (open2 == ZERO) << 1 | (open3 == ZERO) << 2 | (open4 == ZERO) << 3
    return np.int64(matched)


@inner
def _use(used: Words, word: int, ended: np.uint64, still: np.uint64) -> np.uint64:
    """Use up the first free place while `still` is FULL; ZERO once one was."""
    take = _lowest(ended & ~used[word]) & still
    used[word] |= take
    return still if take == ZERO else ZERO


@inner
def _find(keys: Words, bits: int, hashed: np.uint64) -> np.int64:
    """The slot that holds the token, or the empty one where it would go."""
    last = (1 << bits) - 1
    slot = np.int64(hashed >> np.uint64(64 - bits))
    while keys[slot] != ZERO and keys[slot] != hashed:
        slot = (slot + 1) & last
    return slot


@inner
def _clear(keys: Words, n: int) -> int:
    """Empty a table for n tokens, at most half full; its size as a power of two."""
    bits = 4
    while 1 << bits < 2 * n:
        bits += 1
    for slot in range(1 << bits):
        keys[slot] = ZERO
    return bits


@inner
def _ones(x: np.uint64) -> np.int64:
    """Number of bits set."""
    x = x - ((x >> ONE) & np.uint64(0x5555555555555555))
    x = (x & np.uint64(0x3333333333333333)) + ((x >> np.uint64(2)) & np.uint64(0x3333333333333333))
    x = (x + (x >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((x * np.uint64(0x0101010101010101)) >> np.uint64(56))


@inner
def _lowest(x: np.uint64) -> np.uint64:
    return x & (~x + ONE)
