"""Everything that can go wrong by the user's hand, as one tree.

::

    JevalError(ValueError)      code, message, field, hint
    ├── UnknownEvaluator        no evaluator or suite of that name; names the nearest
    ├── UnknownOption           no such option, or not with this variant; names the nearest
    ├── BadOption               the option exists, the value does not
    ├── MissingField            an evaluator needs a field that was not given
    └── BadInput                a field has the wrong type or range

No message repeats the texts under evaluation: it may end in a log.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class JevalError(ValueError):
    """A fault of the input: what is wrong, where (`field`), and what to do about it (`hint`)."""

    code = "error"

    def __init__(self, message: str, *, field: str | None = None, hint: str | None = None) -> None:
        super().__init__(f"{message} {hint}" if hint else message)
        self.message = message
        self.field = field
        self.hint = hint

    def to_dict(self) -> dict[str, str | None]:
        """The error as the API's envelope holds it."""
        return {"code": self.code, "message": self.message, "field": self.field, "hint": self.hint}


class UnknownEvaluator(JevalError):
    """No evaluator (or suite) has that name."""

    code = "unknown_evaluator"


class UnknownOption(JevalError):
    """The evaluator, or this variant of it, has no such option."""

    code = "unknown_option"


class BadOption(JevalError):
    """The option does not take that value."""

    code = "bad_option"


class MissingField(JevalError):
    """A field that the evaluator needs was not given at all."""

    code = "missing_field"


class BadInput(JevalError):
    """A field has the wrong type, or a number is out of range."""

    code = "bad_input"


def nearest(name: str, known: Iterable[str]) -> str:
    """A hint that names the closest known name, else all of them."""
    names = [*known]
    close = get_close_matches(name, names, n=1, cutoff=0.5)
    return f"Did you mean `{close[0]}`?" if close else f"Known: {', '.join(names)}."


def said(name: str) -> str:
    """A name from outside as it may stand in a message: short, printable."""
    clean = "".join(c if c.isalnum() or c in " .,:/_-" else "?" for c in name)  # no markup, no control characters
    return clean if len(clean) <= 40 else clean[:39] + "…"
