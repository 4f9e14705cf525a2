"""Which number did you see? A pair and a score from elsewhere: which implementation, by which rules, gives it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from jeval_core.errors import BadInput, MissingField
from jeval_core.reconcile import libraries, nltk_rules, own, sacrebleu_rules
from jeval_core.reconcile.rule import MEAN, METRICS, Rule
from jeval_core.service import References, inputs

RULES: tuple[Rule, ...] = (*own.RULES, *sacrebleu_rules.RULES, *nltk_rules.RULES, *libraries.RULES)

SLACK = 1e-9
MOST = 20_000
"""Characters of a pair: some 250 rules look at each."""


@dataclass(frozen=True, slots=True)
class Match:
    """What one implementation gives. `distance`: of its value from the one seen, on 0..1; `fits`: within its digits.

    `tokens`, `smoothing` and `references` say by which rules; `signature` is what to quote.
    """

    metric: str
    library: str
    tokens: str
    smoothing: str
    references: str
    value: float
    distance: float
    fits: bool
    signature: str

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON data."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Seen:
    """A score as it was written down: its value on 0..1 and half of its last digit."""

    value: float
    within: float

    @classmethod
    def of(cls, text: str | float) -> Seen:
        """From "0.38", "37.7" (of 100) or a number. Raises BadInput."""
        written = repr(text) if isinstance(text, (int, float)) and not isinstance(text, bool) else text
        if not isinstance(written, str):
            raise BadInput("The score that was seen must be a number.", field="seen", hint="For example 0.377 or 37.7.")
        plain = written.strip().removesuffix("%").strip().replace("−", "-")
        comma = plain.count(",") == 1 and "." not in plain
        plain = plain.replace(",", ".") if comma else plain
        try:
            value = float(plain)
        except ValueError:
            value = float("nan")
        if not 0 <= value <= 100 + SLACK:  # sacrebleu can give 100.00000000000004
            raise BadInput(
                "The score that was seen must be a number from 0 to 1, or from 0 to 100.",
                field="seen",
                hint="For example 0.377 or 37.7.",
            )
        _, _, digits = plain.lower().partition("e")[0].partition(".")
        within = 0.5 * 10.0 ** -len(digits) if "e" not in plain.lower() else 0.5e-9
        hundred = value > 1 + SLACK or written.strip().endswith("%")
        return cls(value / 100, within / 100) if hundred else cls(value, within)


def reconcile(*, output: str, expected: References, seen: str | float, metric: str | None = None) -> list[Match]:
    """All implementations by how near they come to the score that was seen, the nearest first.

    `seen` is on 0..1 or of 100; as text it says how many digits are known. `metric`: only one of METRICS is looked at.
    Of equally near ones a library's usual settings come first; those that give the pair no score are left out. Raises
    BadInput, MissingField.
    """
    x = inputs(output, expected)
    if not any(text.strip() for text in x.expected):
        raise MissingField(
            "There is no expected text to compare with.", field="expected", hint="Give one reference or more."
        )
    if metric is not None and metric not in METRICS:
        raise BadInput("There is no such metric.", field="metric", hint=f"Known: {', '.join(METRICS)}.")
    size = len(x.output) + sum(map(len, x.expected))
    if size > MOST:
        raise BadInput(
            f"The texts have {size:,} characters; a score is looked for up to {MOST:,}.",
            field="output",
            hint="Take a shorter row.",
        )
    wanted, found = Seen.of(seen), list[tuple[tuple[bool, float, bool], Match]]()
    kept = tuple(text for text in x.expected if text.strip())
    for rule in RULES:
        if metric not in (None, rule.metric) or (len(kept) == 1 and rule.references == MEAN):
            continue
        value = rule.value(x.output, kept)
        if value is None:
            continue
        distance = abs(value - wanted.value)
        fits = distance <= wanted.within + SLACK
        said = (rule.tokens, rule.smoothing, rule.references if len(kept) > 1 else "one reference")
        match = Match(rule.metric, rule.library, *said, value, distance, fits, rule.quote(len(kept)))
        found.append(((not fits, round(distance, 9), not rule.usual), match))
    return [match for _, match in sorted(found, key=lambda pair: pair[0])]


__all__ = ["METRICS", "Match", "Rule", "Seen", "reconcile"]
