"""The warnings for one output and one reference."""

from __future__ import annotations

from jeval_core.checks.items import Item
from jeval_core.checks.matching import difference
from jeval_core.checks.negation import Negation, unmatched_negations
from jeval_core.checks.normalise import normalise
from jeval_core.checks.scan import scan
from jeval_core.checks.warning import TextWarning

_NOUNS = {"number": "Number", "unit": "Unit", "sign": "Sign", "percent": "Percentage", "date": "Date or time", "negation": "Negation"}
_MOST_NAMED = 8
_ZERO_WORDS = frozenset({"no", "none", "not", "without", "never", "nobody", "nothing", "no one"})
Span = tuple[int, int]


def compare(output: str, expected: str) -> tuple[TextWarning, ...]:
    """Return the warnings for two texts in the order number, unit, sign, percent, date, negation; at most one of each."""
    plain_output, plain_expected = normalise(output), normalise(expected)
    found = difference(scan(plain_output), scan(plain_expected)).by_code
    missing = unmatched_negations(plain_output, plain_expected)
    numbers = found["number"]
    numbers[1][:], negations_of_output = _without_zeros(numbers[1], missing[0])
    numbers[0][:], negations_of_expected = _without_zeros(numbers[0], missing[1])
    warnings = []
    for code in _NOUNS:
        if code == "negation":
            spans = [(item.start, item.end) for item in negations_of_output], [(item.start, item.end) for item in negations_of_expected]
        else:
            spans = _spans(plain_output, found[code][0]), _spans(plain_expected, found[code][1])
        ours, theirs = _tokens(output, spans[0]), _tokens(expected, spans[1])
        if ours or theirs:
            warnings.append(TextWarning(code, _message(code, ours, theirs), ours, theirs))
    return tuple(warnings)


def _without_zeros(numbers: list[Item], negations: list[Negation]) -> tuple[list[Item], list[Negation]]:
    """Let "no errors" of one text cancel "0 errors" of the other."""
    negations = list(negations)
    kept = []
    for item in numbers:
        zero = item.key[0] == "quantity" and item.value == 0
        index = next((index for index, negation in enumerate(negations) if negation.word in _ZERO_WORDS), None) if zero else None
        if index is None:
            kept.append(item)
        else:
            del negations[index]
    return kept, negations


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


def _message(code: str, output: tuple[str, ...], expected: tuple[str, ...]) -> str:
    noun = _NOUNS[code]
    if output and expected:
        return f"{noun} differs: the output has {_quoted(output)}, the expected text has {_quoted(expected)}."
    if output:
        return f"{noun} only in the output: {_quoted(output)}."
    return f"{noun} only in the expected text: {_quoted(expected)}."


def _quoted(tokens: tuple[str, ...]) -> str:
    named = ", ".join(f"“{' '.join(token.split())}”" for token in tokens[:_MOST_NAMED])
    return named + (f" and {len(tokens) - _MOST_NAMED} more" if len(tokens) > _MOST_NAMED else "")
