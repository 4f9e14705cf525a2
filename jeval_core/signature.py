"""A signature: everything that a score depends on, as an ordered row of `key:value` parts.

`bleu|v:jeval|tok:words/1|uni:17.0|smoothing:add1|refs:clip|rev:1`: the first part names the evaluator. Two scores may
be compared when their signatures are equal. The `sacrebleu` variant keeps that library's own string, without a name.
"""

from __future__ import annotations

from collections.abc import Iterable

NAME = "metric"
"""Key of the first part in a parsed signature."""


def build(metric: str, parts: Iterable[tuple[str, object]]) -> str:
    """Join the parts; ValueError when a key or value would not survive `parse`."""
    out = [metric]
    for key, value in parts:
        text = "yes" if value is True else "no" if value is False else str(value)
        if "|" in text or not key or ":" in key or "|" in key:
            raise ValueError(f"signature part {key}:{text} holds a separator")
        out.append(f"{key}:{text}")
    return "|".join(out)


def parse(signature: str) -> dict[str, str]:
    """Parts in order; a first part without a key is the evaluator's name under "metric"."""
    parts: dict[str, str] = {}
    for i, part in enumerate(signature.split("|")):
        key, colon, value = part.partition(":")
        if colon:
            parts[key] = value
        elif i == 0:
            parts[NAME] = key
        else:
            raise ValueError(f"part {i + 1} of the signature has no key")
    return parts


def compare(a: str, b: str) -> dict[str, tuple[str | None, str | None]]:
    """The parts in which two signatures differ: key → (value in a, value in b); empty when they are the same."""
    left, right = parse(a), parse(b)
    return {
        k: (left.get(k), right.get(k))
        for k in [*left, *(k for k in right if k not in left)]
        if left.get(k) != right.get(k)
    }
