"""The warnings for an output and a reference."""

from __future__ import annotations

from fractions import Fraction

import regex

from jeval_core.checks.items import Item, quantity_key
from jeval_core.checks.matching import difference
from jeval_core.checks.negation import Negation, unmatched_negations
from jeval_core.checks.normalise import normalise
from jeval_core.checks.scan import scan
from jeval_core.checks.warning import TextWarning

_NOUNS = {
    "number": "Number",
    "unit": "Unit",
    "sign": "Sign",
    "percent": "Percentage",
    "date": "Date or time",
    "negation": "Negation",
}
_MOST_NAMED = 8
_ZERO_WORDS = frozenset({"no", "none", "not", "without", "never", "nobody", "nothing", "no one"})
_ONE = quantity_key(Fraction(1))
_AFTER_ARTICLE = regex.compile(r"(?<!\w)(?:an?|single)\ (\w+)", regex.IGNORECASE)
_NEXT_WORD = regex.compile(r"\ (\w+)")
Span = tuple[int, int]


class Reader:
    """One output, read once and compared with any number of references."""

    def __init__(self, output: str) -> None:
        """Read ``output``, any string."""
        self._output = output
        self._plain = normalise(output)
        self._items = scan(self._plain)

    def compare(self, expected: str) -> tuple[TextWarning, ...]:
        """Return the warnings against one reference in the order number, unit, sign, percent, date, negation; at most one of each."""
        plain = normalise(expected)
        found = difference(self._items, scan(plain)).by_code
        ours, theirs = unmatched_negations(self._plain, plain)
        numbers = found["number"]
        numbers[1][:], ours = _without_zeros(numbers[1], ours)
        numbers[0][:], theirs = _without_zeros(numbers[0], theirs)
        numbers[0][:] = _without_articles(numbers[0], self._plain, plain)
        numbers[1][:] = _without_articles(numbers[1], plain, self._plain)
        spans = {code: (_spans(self._plain, sides[0]), _spans(plain, sides[1])) for code, sides in found.items()}
        spans["negation"] = [(one.start, one.end) for one in ours], [(one.start, one.end) for one in theirs]
        warnings = (
            _warning(code, _tokens(self._output, spans[code][0]), _tokens(expected, spans[code][1]))
            for code in _NOUNS
            if code in spans
        )
        return tuple(warning for warning in warnings if warning.output or warning.expected)


def _without_zeros(numbers: list[Item], negations: list[Negation]) -> tuple[list[Item], list[Negation]]:
    """Let "no errors" of one text cancel "0 errors" of the other."""
    negations = list(negations)
    kept = []
    for item in numbers:
        zero = item.key[0] == "quantity" and item.value == 0
        index = (
            next((index for index, negation in enumerate(negations) if negation.word in _ZERO_WORDS), None)
            if zero
            else None
        )
        if index is None:
            kept.append(item)
        else:
            del negations[index]
    return kept, negations


def _without_articles(numbers: list[Item], text: str, other: str) -> list[Item]:
    """Drop the 1 of "1 apple" where the other text has "an apple"."""
    ones = [item for item in numbers if item.key == _ONE]
    if not ones:
        return numbers
    nouns = {match[1].lower() for match in _AFTER_ARTICLE.finditer(other)}
    kept = []
    for item in numbers:
        noun = _NEXT_WORD.match(text, item.end) if item.key == _ONE else None
        if not noun or noun[1].lower() not in nouns:
            kept.append(item)
    return kept


def _spans(text: str, items: list[Item]) -> list[Span]:
    """Spans in reading order; the two ends of a range become one span."""
    spans: list[Span] = []
    for item in sorted(items, key=lambda found: found.start):
        if spans and text[spans[-1][1] : item.start] == "-":
            spans[-1] = (spans[-1][0], item.end)
        else:
            spans.append((item.start, item.end))
    return spans


def _tokens(text: str, spans: list[Span]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text[start:end] for start, end in spans))


def _warning(code: str, output: tuple[str, ...], expected: tuple[str, ...]) -> TextWarning:
    return TextWarning(code, _message(_NOUNS[code], output, expected), output, expected)


def _message(noun: str, output: tuple[str, ...], expected: tuple[str, ...]) -> str:
    if output and expected:
        return f"{noun} differs: the output has {_quoted(output)}, the expected text has {_quoted(expected)}."
    if output:
        return f"{noun} only in the output: {_quoted(output)}."
    return f"{noun} only in the expected text: {_quoted(expected)}."


def _quoted(tokens: tuple[str, ...]) -> str:
    named = ", ".join(f"“{' '.join(token.split())}”" for token in tokens[:_MOST_NAMED])
    return named + (f" and {len(tokens) - _MOST_NAMED} more" if len(tokens) > _MOST_NAMED else "")
