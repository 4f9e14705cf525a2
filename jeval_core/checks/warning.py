"""The public record of one difference between two texts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class TextWarning:
    """One kind of difference between an output and the reference it was compared with.

    ``code`` is "number", "unit", "sign", "percent", "date" or "negation". ``message`` is one sentence for
    the user. ``output`` and ``expected`` hold the tokens as written that have no counterpart in the other
    text, in reading order; one of the two may be empty, never both.
    """

    code: str
    message: str
    output: tuple[str, ...]
    expected: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the warning as JSON-ready values: two strings and two lists of strings."""
        return {
            "code": self.code,
            "message": self.message,
            "output": list(self.output),
            "expected": list(self.expected),
        }
