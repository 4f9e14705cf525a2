"""One thing found in a text that can be compared: a quantity, a date or a time."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction

from jeval_core.checks.units import NO_UNIT, Unit
from jeval_core.checks.values import Value, times

Key = tuple[Hashable, ...]


@dataclass(frozen=True, slots=True)
class Item:
    """A quantity or date at ``text[start:end]``.

    Two items are equal when their ``key`` is, or when the key of one is among the ``alternatives`` of the
    other: readings that are possible but not the first choice. ``soft`` names a family of words that may be
    no number at all ("one", "first"); such an item is no difference by itself. ``value`` and ``unit`` are
    as written, before scaling, and ``factor`` is the part of the value that a word like "million" gave; for a date ``parts`` holds its numbers.
    """

    start: int
    end: int
    key: Key
    alternatives: tuple[Key, ...] = ()
    soft: str = ""
    value: Value = Fraction(0)
    unit: Unit = NO_UNIT
    factor: Fraction = Fraction(1)
    parts: frozenset[int] = frozenset()

    @property
    def is_date(self) -> bool:
        """Whether this is a date, a time of day, a weekday, a month or a decade."""
        return self.key[0] == "date"


def quantity_key(value: Value, unit: Unit = NO_UNIT) -> Key:
    """Return the key that all spellings of the same amount share."""
    return ("quantity", unit.dimension, times(value, unit.scale))


class Canvas:
    """A normalised text on which each rule paints over what it has read, so that no character is read twice."""

    FILLER = "\ufffc"

    def __init__(self, text: str) -> None:
        """Start with the whole of ``text`` unread."""
        self.text = text
        self.unread = text
        self.items: list[Item] = []

    def paint(self, spans: list[tuple[int, int]]) -> None:
        """Mark ascending, disjoint spans as read."""
        pieces, at = [], 0
        for start, end in spans:
            pieces += [self.unread[at:start], self.FILLER * (end - start)]
            at = end
        self.unread = "".join([*pieces, self.unread[at:]])

    def add(self, items: list[Item]) -> None:
        """Keep the items, given in reading order, and mark their spans as read."""
        self.items += items
        self.paint([(item.start, item.end) for item in items])
