"""What a single cell says: a number, yes or no, or several texts."""

from __future__ import annotations

import ast
import json
import math
import re
import warnings

NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
COMMA = re.compile(r"([+-]?)(\d+),(\d+)", re.ASCII)
YES = {"yes", "true", "1", "y", "t", "1.0"}
NO = {"no", "false", "0", "n", "f", "0.0"}


def number(text: str, *, decimal_comma: bool = False) -> float | None:
    """The number that a cell holds, or None. `0,75` is one; `1,234` only where commas are known to be decimal."""
    plain = text.strip().replace("\u2212", "-")
    if comma := COMMA.fullmatch(plain):
        if not (decimal_comma or len(comma[3]) != 3 or comma[2] == "0"):
            return None
        plain = f"{comma[1]}{comma[2]}.{comma[3]}"
    if not NUMBER.fullmatch(plain):
        return None
    value = float(plain)
    return value if math.isfinite(value) else None


def yes_or_no(text: str) -> bool | None:
    """What a cell answers, or None when it is neither a yes nor a no."""
    plain = text.strip().casefold()
    return True if plain in YES else False if plain in NO else None


def texts(cell: str) -> list[str] | None:
    """The texts of a cell that holds a JSON or Python list of them; None when it is plain text.

    Raises:
        ValueError: the cell starts as such a list and cannot be read as one.
    """
    plain = cell.strip()
    if not plain.startswith("["):
        return None
    closed, inner = plain.endswith("]"), plain[1:].lstrip()
    value = _literal(plain) if closed else None
    if isinstance(value, list):
        if any(isinstance(v, list | dict | tuple | set) for v in value) or not any(isinstance(v, str) for v in value):
            return [] if not value else None
        found = [str(v).replace("\0", "") for v in value if v is not None]
        if any("\ud800" <= c <= "\udfff" for t in found if not t.isascii() for c in t):
            raise ValueError("half of a character (a lone surrogate escape)")
        return found
    if inner.startswith('"') or (inner.startswith("'") and plain[:-1].rstrip().endswith("'") and closed):
        raise ValueError("a list that is cut off or badly quoted")
    return None


def _literal(plain: str) -> object:
    try:
        return json.loads(plain)
    except (ValueError, RecursionError):
        pass
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about odd escapes in someone's text
            return ast.literal_eval(plain)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None
