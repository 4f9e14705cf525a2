"""Texts without what a reader overlooks: letter case, white space and punctuation."""

from __future__ import annotations

import string
from collections.abc import Iterator

import numpy as np

from jeval_core.data.arrow import edges, pa, pc, text_bytes

LOOSE = "equal after case folding, with every run of white space and punctuation as one space"
"""What `loose` makes equal, in words. Signs such as + < = $ are no punctuation and stay."""
_BLOCK = 50_000
_BETWEEN = r"[\pP\pZ\t-\r\x1c-\x1f\x85]+"
_SIGNS = "$+<=>^`|~"
_SET_OFF = "".join(c for c in string.punctuation if c not in _SIGNS) + "\t\n\v\f\r\x1c\x1d\x1e\x1f"
_TABLE = bytes.maketrans(
    (string.ascii_uppercase + _SET_OFF).encode(), (string.ascii_lowercase + " " * len(_SET_OFF)).encode()
)


def loose(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """The texts folded, words parted by single spaces; nulls become empty texts."""
    return pa.chunked_array([_loose(block) for block in _blocks(column)], pa.large_string())


def _blocks(column: pa.ChunkedArray) -> Iterator[pa.Array]:
    """Pieces small enough that working on their bytes needs little memory."""
    for chunk in column.chunks:
        for start in range(0, len(chunk), _BLOCK):
            yield pc.fill_null(chunk.slice(start, _BLOCK), "").cast(pa.large_string())


def _loose(block: pa.Array) -> pa.Array:
    plain = pc.string_is_ascii(block)
    if pc.all(plain).as_py():
        return _ascii(block)
    flags = plain.to_numpy(zero_copy_only=False)
    both = pa.concat_arrays([_ascii(block.filter(plain)), _unicode(block.filter(pc.invert(plain)))])
    order = np.r_[np.flatnonzero(flags), np.flatnonzero(~flags)]
    return both.take(pa.array(np.argsort(order)))


def _ascii(block: pa.Array) -> pa.Array:
    """The same by arithmetic on bytes: of a run of spaces the first stays, none at the start of a text."""
    ends = edges(block)
    ends = ends - ends[0]
    data = np.frombuffer(bytes(text_bytes(block)).translate(_TABLE), np.uint8)
    space = data == ord(" ")
    follows = np.r_[True, space[:-1]] if len(space) else space
    follows[ends[:-1][ends[:-1] < len(space)]] = True
    kept = np.flatnonzero(~(space & follows))
    stops = np.searchsorted(kept, ends).astype(np.int64)
    buffers = [None, pa.py_buffer(stops), pa.py_buffer(data[kept])]
    return pc.ascii_trim(pa.Array.from_buffers(pa.large_string(), len(block), buffers), " ")


def _unicode(block: pa.Array) -> pa.Array:
    """All texts folded in one piece: they hold no NUL, which reading takes out."""
    texts = block.to_pylist()
    folded = "\0".join(t.replace("\0", "") for t in texts).casefold().split("\0") if texts else []
    composed = pc.utf8_normalize(pa.array(folded, pa.large_string()), "NFC")
    return pc.utf8_trim(pc.replace_substring_regex(composed, _BETWEEN, " "), " ")
