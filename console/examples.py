"""Ready rows for the page: each shows one thing that a score does or fails to do."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from console.fields import Fields
from jeval_core.card import Card
from jeval_core.example_answers import SHOWN
from jeval_core.registry import get_evaluator


@dataclass(frozen=True)
class Example:
    """A named row; `shows` says what to look for."""

    name: str
    fields: Fields
    shows: str


def _pair(name: str, output: str, expected: tuple[str, ...], shows: str) -> Example:
    return Example(name, Fields(output, expected), shows)


PAIRS = {
    e.name: e
    for e in (
        _pair(
            "Near copy",
            "The model returns calibrated probabilities, not text.",
            ("The model returns calibrated probabilities rather than text.",),
            "One word replaced by two.",
        ),
        _pair(
            "Paraphrase",
            "The patient should be monitored overnight",
            ("Overnight monitoring of the patient is recommended",),
            "The same advice in other words.",
        ),
        _pair(
            "Clipping",
            "the the the the the the the",
            ("the cat is on the mat",),
            "A repeated word counts no more often than expected.",
        ),
        _pair("Dose", "administer 5mg", ("administer 50mg",), "Ten times the dose, half the score."),
        _pair(
            "Negation",
            "The drug is recommended for children under two years",
            ("The drug is not recommended for children under two years",),
            "One small word turns the meaning round.",
        ),
        _pair(
            "Empty output", "", ("The patient should be monitored overnight",), "Nothing came back: a zero, not a gap."
        ),
        _pair(
            "Several references",
            "The cat sat on the mat near the door.",
            ("The cat is on the mat by the door.", "There was a cat on the mat, near the old door."),
            "N-grams are credited from either reference.",
        ),
        _pair(
            "Chinese",
            "模型返回校准的概率，不是文本。",
            ("模型返回校准后的概率，而不是文本。",),
            "Every character is a token.",
        ),
    )
}
FIRST = PAIRS["Near copy"]
CASES = {
    e.name: e
    for e in (
        PAIRS["Paraphrase"],
        PAIRS["Negation"],
        PAIRS["Dose"],
        _pair(
            "Reordered",
            "Before you restart the router, unplug it for ten seconds.",
            ("Unplug the router for ten seconds before you restart it.",),
            "The same steps told the other way round.",
        ),
        _pair(
            "Verbose dump",
            "Thank you for your question! Billing matters, and I am glad to help. Invoices, receipts, refunds and "
            "credits each have rules of their own. Refunds take five working days. There are also exchanges, "
            "vouchers and gift cards. Tell me if you would like to know more about any of these.",
            ("Refunds take five working days.",),
            "The answer is in there, under much that nobody asked for: recall is full, precision is not.",
        ),
        _pair(
            "Fluent hallucination",
            "Refunds take five working days and include a bonus of ten percent.",
            ("Refunds take five working days and include no interest.",),
            "Well worded, mostly the same words, and wrong where it counts.",
        ),
        _pair(
            "Truncated answer",
            "To reset the device, hold the power button for ten seconds, wait until the",
            (
                "To reset the device, hold the power button for ten seconds, wait until the light turns green, "
                "then connect it again.",
            ),
            "Everything said is right, and the end is missing.",
        ),
        _pair(
            "Format slip",
            '{"status": "shipped", "days": 3}',
            ("status: shipped\ndays: 3",),
            "The right facts as JSON where a list was asked for.",
        ),
    )
}
"""Pairs that tell the metrics apart."""


@cache
def examples(id: str) -> dict[str, Example]:
    """The examples for an evaluator by name, the one to begin with first."""
    kind = get_evaluator(id).card.kind
    if kind == "embedding":  # what it sees and others do not comes first
        return {"Paraphrase": PAIRS["Paraphrase"], **PAIRS}
    if kind == "code":
        return PAIRS
    return {
        s.name: Example(
            s.name,
            Fields(s.output, (s.expected or "",), s.input or "", s.criteria or "", s.conversation or ""),
            s.shows,
        )
        for s in SHOWN
        if s.evaluator == id
    }


def first(card: Card) -> Fields:
    """The texts that an evaluator begins with."""
    return next(iter(examples(card.id).values())).fields


def untouched(id: str, fields: Fields) -> Example | None:
    """The example that these texts are, as long as nobody changed them."""
    return next((e for e in examples(id).values() if e.fields == fields), None)
