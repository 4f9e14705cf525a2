"""Ready pairs for the page: each shows one thing that a score does or fails to do."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Example:
    """A named pair; `shows` says what to look for."""

    name: str
    output: str
    expected: tuple[str, ...]
    shows: str


EXAMPLES = {
    e.name: e
    for e in (
        Example(
            "Near copy",
            "The model returns calibrated probabilities, not text.",
            ("The model returns calibrated probabilities rather than text.",),
            "One word replaced by two.",
        ),
        Example(
            "Paraphrase",
            "The patient should be monitored overnight",
            ("Overnight monitoring of the patient is recommended",),
            "The same advice in other words.",
        ),
        Example(
            "Clipping",
            "the the the the the the the",
            ("the cat is on the mat",),
            "A repeated word counts no more often than expected.",
        ),
        Example("Dose", "administer 5mg", ("administer 50mg",), "Ten times the dose, half the score."),
        Example(
            "Negation",
            "The drug is recommended for children under two years",
            ("The drug is not recommended for children under two years",),
            "One small word turns the meaning round.",
        ),
        Example(
            "Empty output", "", ("The patient should be monitored overnight",), "Nothing came back: a zero, not a gap."
        ),
        Example(
            "Several references",
            "The cat sat on the mat near the door.",
            ("The cat is on the mat by the door.", "There was a cat on the mat, near the old door."),
            "N-grams are credited from either reference.",
        ),
        Example(
            "Chinese",
            "模型返回校准的概率，不是文本。",
            ("模型返回校准后的概率，而不是文本。",),
            "Every character is a token.",
        ),
    )
}
FIRST = "Near copy"
