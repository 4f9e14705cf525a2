"""Deterministic checks for differences that n-gram metrics do not see.

Changing "5 mg" to "50 mg", "-5" to "5" or "should" to "should not" alters the meaning of a sentence and hardly
its score. `text_warnings` finds such differences and names the tokens. Numbers are read in English notation
with the usual variants; negations in English only.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from jeval_core.checks.compare import Reader
from jeval_core.checks.warning import TextWarning

__all__ = ["TextWarning", "text_warnings"]


def text_warnings(output: str, references: Sequence[str]) -> tuple[TextWarning, ...]:
    """Compare ``output`` with each reference and return the differences to the closest one.

    The result is empty when a reference agrees fully, and when there is no reference that is not blank.
    Otherwise it holds at most one warning a code, in the order number, unit, sign, percent, date, negation,
    against the reference with the fewest tokens that differ (the first of several). Every string is accepted;
    the time is linear in the length of the texts.
    """
    return _found(output, tuple(references))


@lru_cache(maxsize=16)  # several evaluators look at the same pair
def _found(output: str, references: tuple[str, ...]) -> tuple[TextWarning, ...]:
    candidates = [reference for reference in references if reference.strip()]
    if not candidates or output in candidates:
        return ()
    reader = Reader(output)
    best: tuple[TextWarning, ...] | None = None
    for reference in candidates:
        found = reader.compare(reference)
        if not found:
            return ()
        if best is None or _size(found) < _size(best):
            best = found
    return best or ()


def _size(warnings: tuple[TextWarning, ...]) -> int:
    return sum(max(len(warning.output), len(warning.expected)) for warning in warnings)
