"""Columns of texts as the rows that judge evaluators read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from jeval_core.batch.engine import Column
from jeval_core.conversation import turns
from jeval_core.errors import BadInput
from jeval_core.evaluators.judged import Judged
from jeval_core.types import Inputs, Turn

SLICE = 1_000
"""Rows that are texts in memory at a time."""
T = TypeVar("T")


@dataclass(frozen=True)
class Texts:
    """The columns that judges read, of n rows each; a null is a text that the row does not have."""

    output: Column
    references: Sequence[Column] = ()
    input: Column | None = None
    criteria: Column | None = None
    conversation: Column | None = None

    def __len__(self) -> int:
        return len(self.output)

    def rows(self) -> Iterator[Row]:
        """Each row."""
        for start in range(0, len(self), SLICE):
            single = [self._slice(c, start) for c in (self.output, self.input, self.criteria, self.conversation)]
            several = [self._slice(c, start) for c in self.references]
            for i in range(len(single[0])):
                output, *others = (column[i] for column in single)
                yield _row(output, others, [c[i] for c in several if c[i] is not None])

    def _slice(self, column: Column | None, start: int) -> list[Any]:
        n = min(SLICE, len(self) - start)
        return [None] * n if column is None else column.slice(start, n).to_pylist()


@dataclass(frozen=True, slots=True)
class Row:
    """A row of texts; `x` is None without an output. `wrong`: what cannot be read, by field."""

    x: Inputs | None
    wrong: Mapping[str, BadInput]

    def why_not(self, one: Judged) -> BadInput | None:
        """What keeps an evaluator from this row: a text that it takes and that cannot be read."""
        fields = (*one.card.required, *one.card.optional)
        return next((error for field, error in self.wrong.items() if field in fields), None)


def _row(output: Any, others: list[Any], references: list[Any]) -> Row:
    if output is None:
        return Row(None, {})
    wrong: dict[str, BadInput] = {}

    def read(field: str, make: Callable[[], T], instead: T) -> T:
        try:
            return make()
        except BadInput as error:
            wrong[field] = error
            return instead

    input, criteria, said = others
    no_turns: tuple[Turn, ...] = ()
    x = Inputs(
        read("output", lambda: str(_text(output)), ""),
        read("expected", lambda: tuple(str(_text(t)) for t in references), ()),
        read("input", lambda: _text(input), None),
        read("criteria", lambda: _text(criteria), None),
        read("conversation", lambda: turns(_text(said) or ""), no_turns),
    )
    return Row(x, wrong)


def _text(cell: Any) -> str | None:
    """A cell as text; bytes are taken for UTF-8."""
    try:
        return cell.decode("utf-8") if isinstance(cell, bytes) else cell
    except UnicodeDecodeError:
        raise BadInput("The text is not UTF-8.") from None
