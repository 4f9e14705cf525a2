"""What two lists of items do not have in common, and how the leftovers pair up."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field
from fractions import Fraction

from jeval_core.checks.items import Item, quantity_key
from jeval_core.checks.units import NO_UNIT, PERCENT_DIMENSIONS
from jeval_core.checks.values import Value, negate

# Families of soft words of which two different ones are a difference ("first" and "second", "a day" and "a week"),
# and families that can face a number ("one tablet" and "two tablets").
_RIVALS = {
    "ordinal": "number",
    "factor": "number",
    "roman": "number",
    "citation": "number",
    "word": "number",
    "article": "unit",
}
_FILLERS = frozenset({"count", "article", "roman", "ordinal", "factor"})

Sides = tuple[list[Item], list[Item]]


def _no_sides() -> dict[str, Sides]:
    return defaultdict(lambda: ([], []))


@dataclass(slots=True)
class Difference:
    """Items without a counterpart, by warning code: first those of the output, then those of the expected text."""

    by_code: dict[str, Sides] = field(default_factory=_no_sides)

    def add(self, code: str, output: Iterable[Item], expected: Iterable[Item]) -> None:
        """Record leftovers of both texts under one code."""
        sides = self.by_code[code]
        sides[0].extend(output)
        sides[1].extend(expected)


def difference(output: list[Item], expected: list[Item]) -> Difference:
    """Cancel equal items of two texts as multisets and sort what is left by the kind of difference."""
    left, right = _cancel(sorted(output, key=_hard_first), sorted(expected, key=_hard_first))
    numbers = ([item for item in left if not item.soft], [item for item in right if not item.soft])
    _fill_with_soft(numbers, left, right)
    result = Difference()
    _add_rivals(result, left, right)
    numbers = _take_dates(result, numbers)
    numbers = _take_pairs(result, numbers, "sign", _signed, lambda item: _signed(item, opposite=True))
    numbers = _take_pairs(result, numbers, "percent", _written, _written, _is_percent)
    numbers = _take_pairs(result, numbers, "unit", _written, _written)
    numbers = _take_pairs(result, numbers, "percent", _percent, _percent)
    result.add("number", numbers[0], numbers[1])
    return result


def _hard_first(item: Item) -> tuple[bool, int]:
    return bool(item.soft), item.start


def _cancel(output: list[Item], expected: list[Item]) -> Sides:
    """Remove pairs with the same key, then pairs where the key of one is an alternative of the other."""
    output, expected = _cancel_by(output, expected, lambda item: (item.key,), lambda item: (item.key,))
    output, expected = _cancel_by(output, expected, lambda item: (item.key,), lambda item: item.alternatives)
    return _cancel_by(output, expected, lambda item: item.alternatives, lambda item: (item.key,))


def _cancel_by(
    output: list[Item],
    expected: list[Item],
    left: Callable[[Item], tuple[Hashable, ...]],
    right: Callable[[Item], tuple[Hashable, ...]],
) -> Sides:
    waiting: dict[Hashable, list[int]] = defaultdict(list)
    for index in range(len(expected) - 1, -1, -1):
        for key in right(expected[index]):
            waiting[key].append(index)
    used: set[int] = set()
    rest = []
    for item in output:
        free = (_next_free(waiting.get(key), used) for key in left(item))
        partner = next((index for index in free if index is not None), None)
        if partner is None:
            rest.append(item)
        else:
            used.add(partner)
    return rest, [item for index, item in enumerate(expected) if index not in used]


def _next_free(indices: list[int] | None, used: set[int]) -> int | None:
    while indices:
        index = indices.pop()
        if index not in used:
            return index
    return None


def _add_rivals(result: Difference, left: list[Item], right: list[Item]) -> None:
    """Record soft items that face a different one of the same family."""
    for family, code in _RIVALS.items():
        ours, theirs = ([item for item in side if item.soft == family] for side in (left, right))
        pairs = min(len(ours), len(theirs))
        result.add(code, ours[:pairs], theirs[:pairs])


def _fill_with_soft(numbers: Sides, left: list[Item], right: list[Item]) -> None:
    """Give a number that has nothing facing it a soft word as its counterpart: "one tablet" against "two tablets"."""
    for ours, theirs, words in ((numbers[0], numbers[1], left), (numbers[1], numbers[0], right)):
        facing = [item for item in theirs if not item.is_date]
        missing = len(facing) - sum(not item.is_date for item in ours)
        if missing > 0:
            alike = {(item.key[0], item.unit.dimension) for item in facing}
            fitting = [word for word in words if word.soft in _FILLERS and (word.key[0], word.unit.dimension) in alike]
            ours += fitting[:missing]


def _take_dates(result: Difference, numbers: Sides) -> Sides:
    """Move the dates to their code, together with a number that is one of their parts: "2024" against "March 2024"."""
    dates = tuple([item for item in side if item.is_date] for side in numbers)
    rest = tuple([item for item in side if not item.is_date] for side in numbers)
    for index in (0, 1):
        parts: set[Value] = {Fraction(part) for item in dates[1 - index] for part in item.parts}
        if dates[1 - index] and not dates[index]:
            parts |= {item.value for item in dates[1 - index] if item.value}
            dates[index].extend(item for item in rest[index] if _is_part(item, parts))
            rest[index][:] = [item for item in rest[index] if not _is_part(item, parts)]
    result.add("date", dates[0], dates[1])
    return rest[0], rest[1]


def _is_part(item: Item, parts: set[Value]) -> bool:
    return item.unit == NO_UNIT and item.key[0] == "quantity" and item.value in parts


def _take_pairs(
    result: Difference,
    numbers: Sides,
    code: str,
    left: Callable[[Item], Hashable],
    right: Callable[[Item], Hashable],
    fits: Callable[[Item, Item], bool] = lambda one, other: True,
) -> Sides:
    """Move pairs whose keys meet to ``code``; a key of None pairs with nothing."""
    waiting: dict[Hashable, list[Item]] = defaultdict(list)
    for item in reversed(numbers[1]):
        if (key := right(item)) is not None:
            waiting[key].append(item)
    rest, taken = [], []
    for item in numbers[0]:
        candidates = waiting.get(left(item))
        if candidates and left(item) is not None and fits(item, candidates[-1]):
            taken.append((item, candidates.pop()))
        else:
            rest.append(item)
    result.add(code, (one for one, _ in taken), (other for _, other in taken))
    gone = {id(other) for _, other in taken}
    return rest, [item for item in numbers[1] if id(item) not in gone]


def _signed(item: Item, opposite: bool = False) -> Hashable:
    if item.key[0] != "quantity" or item.value == 0:
        return None
    return quantity_key(negate(item.value) if opposite else item.value, item.unit)


def _written(item: Item) -> Hashable:
    return item.value if item.key[0] == "quantity" else None


def _percent(item: Item) -> Hashable:
    return "%" if item.unit.dimension.split("/")[0] in PERCENT_DIMENSIONS else None


def _is_percent(one: Item, other: Item) -> bool:
    return _percent(one) is not None or _percent(other) is not None
