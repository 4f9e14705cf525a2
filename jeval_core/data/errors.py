"""What can be wrong with a file as a whole, as a branch of the error tree.

::

    JevalError
    ├── UnreadableFile      not there, not text, broken, or a shape without rows of outputs
    ├── LimitExceeded       more rows, columns or unpacked bytes than the settings allow
    ├── AmbiguousMapping    several columns could be one field; `candidates` lists them
    ├── MissingColumn       no column looks like a field that is needed
    │   ├── MissingOutput   … the output
    │   └── MissingExpected … the expected text
    └── UnknownColumn       the mapping names a column that the file does not have

What is wrong with single rows never raises: it is listed as `Problem`.
"""

from __future__ import annotations

from collections.abc import Iterable

from jeval_core.errors import JevalError


class UnreadableFile(JevalError):
    """The file cannot be read at all."""

    code = "unreadable_file"


class LimitExceeded(JevalError):
    """The file is larger than a setting allows."""

    code = "limit_exceeded"


class AmbiguousMapping(JevalError):
    """Several columns could be the same field."""

    code = "ambiguous_mapping"

    def __init__(self, message: str, *, field: str, candidates: Iterable[str], hint: str) -> None:
        super().__init__(message, field=field, hint=hint)
        self.candidates = tuple(candidates)


class MissingColumn(JevalError):
    """No column holds a field that an evaluator needs."""

    code = "missing_column"


class MissingOutput(MissingColumn):
    """No column holds the outputs."""

    code = "missing_output"


class MissingExpected(MissingColumn):
    """No column holds the expected texts."""

    code = "missing_expected"


class UnknownColumn(JevalError):
    """A mapping names a column that is not in the file."""

    code = "unknown_column"


def column_name(name: str) -> str:
    """A column's name as a message shows it: to be found again in the file, so punctuation stays."""
    clean = "".join(c if c.isprintable() and c not in "`<>" else "?" for c in name)
    return clean if len(clean) <= 60 else clean[:59] + "…"


def listed(names: Iterable[str], most: int = 12) -> str:
    """Column names as a message shows them, shortened when there are many."""
    every = [f"`{column_name(n)}`" for n in names]
    return ", ".join(every[:most]) + (f" and {len(every) - most} more" if len(every) > most else "")


def as_map(field: str, column: str) -> str:
    """The command-line option that maps `column` to `field`, quoted where a shell needs it."""
    pair = f"{field}={column}"
    plain = all(c.isalnum() or c in "_-.=:/" for c in pair)
    return f"--map {pair}" if plain else "--map '" + pair.replace("'", "'\\''") + "'"
