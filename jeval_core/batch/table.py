"""The frozen character table as arrays that the kernel reads."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from jeval_core.text.unicode import tables

LETTERS = b" htvperfz-+.,%mad"
"""Class letters of `text/unicode.py`; the kernel knows a class by its position here. What words are made of is last:
one comparison tells it."""
MAY_CHANGE, UNKNOWN = 32, 64
"""Bits beside the class: NFC may change or merge the character; it is younger than Unicode 14.0 and left alone."""


@cache
def arrays() -> tuple[NDArray[np.uint8], NDArray[np.uint32]]:
    """Class with form bits, and lower case, both of shape (1,114,112,) by code point, read-only."""
    table = tables()
    codes = bytes(LETTERS.find(i) % 256 for i in range(256))
    forms = bytes({ord("x"): MAY_CHANGE, ord("n"): UNKNOWN}.get(i, 0) for i in range(256))
    kinds = np.frombuffer(table.classes.translate(codes), np.uint8) | np.frombuffer(
        table.forms.translate(forms), np.uint8
    )
    lower = np.arange(len(kinds), dtype=np.uint32)
    lower[[*table.lower.keys()]] = [*table.lower.values()]
    for array in (kinds, lower):
        array.flags.writeable = False
    return kinds, lower
