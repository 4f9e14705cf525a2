"""One implementation of a metric by one set of rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

METRICS = ("BLEU", "GLEU", "ROUGE-1", "ROUGE-2", "ROUGE-L", "ROUGE-Lsum", "Levenshtein", "cosine")
MEAN = "the mean"
Value = Callable[[str, tuple[str, ...]], "float | None"]
"""Output and references that are not blank → a score in 0..1; None where there is none."""
Tokens = Callable[[str], list[str]]


@dataclass(frozen=True)
class Rule:
    """`library` is whose code it is; `tokens`, `smoothing` and `references` are in words.

    `quote` makes the signature from the number of references. `usual`: what one gets without choosing anything.
    """

    metric: str
    library: str
    tokens: str
    smoothing: str
    references: str
    value: Value
    quote: Callable[[int], str]
    usual: bool = False


def quoted(library: str, version: str, call: str, parts: Sequence[tuple[str, str]]) -> Callable[[int], str]:
    """A signature of a library that has none of its own."""
    tail = "".join(f"|{key}:{value}" for key, value in parts)
    return lambda references: f"{library}:{version}|{call}{tail}|nrefs:{references}"
