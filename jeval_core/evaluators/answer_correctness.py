"""Answer correctness: how right an answer is, beside one that is known to be right."""

from __future__ import annotations

from jeval_core.card import JUDGED, Card, Texts
from jeval_core.evaluators.answer_kinds import Levels
from jeval_core.judge.questions import score_question
from jeval_core.registry import evaluator

QUESTION = score_question(
    "How correct is the output, if the expected text is the right answer? What counts is meaning: numbers, names, "
    "conditions and negations have to agree, wording does not. Statements that the expected text does not mention "
    "lower the level only when they contradict it or make the answer misleading.",
    (
        "Wrong, or it answers something else.",
        "Mostly wrong; a small part agrees with the expected text.",
        "Half right: something that matters is missing or wrong.",
        "Right in what matters; a detail is missing or imprecise.",
        "Right and complete.",
    ),
)

TEXTS = Texts(
    what=(
        "A judge rates on five levels how correct the output is beside an answer that is known to be right. The score "
        "is the mean level."
    ),
    use=(
        "Questions with a known answer that can be put in many ways.",
        "Grading by degrees, where a nearly right answer should not look like a wrong one.",
    ),
    avoid=("Open tasks without a right answer.", "Exact values such as codes: levenshtein or a plain comparison do."),
    watch=(
        "A wrong reference makes right answers wrong.",
        "Partly right answers land around level 2; the default threshold fails them.",
    ),
    questions=(
        (
            "Factuality or answer correctness?",
            (
                "Factuality finds contradictions and lets fewer facts pass. This one also asks whether the answer is "
                "complete, and grades it."
            ),
        ),
    ),
    example={
        "input": "When can I return the shoes?",
        "output": "Within a month, if they were not worn.",
        "expected": "Unworn shoes can be returned within 30 days of delivery.",
    },
    example_says="3.2 / 4, pass, in the illustrative answer: right, one detail less precise.",
    shape=(
        "score 0–1 (expected level ÷ 4), label “x.x / 4”, confidence, a probability for each level, passed at 0.75 of "
        "the scale; evidence: p0 to p4, expected_level, sd."
    ),
)


@evaluator
class AnswerCorrectness(Levels):
    """Correctness beside a reference, five levels."""

    question = QUESTION
    card = Card(
        id="answer_correctness",
        name="Answer correctness",
        kind="judge",
        line="How right the answer is, beside one that is known to be right.",
        threshold=0.75,
        passes="level 3 of 4",
        texts=TEXTS,
        required=("output", "expected"),
        optional=("input",),
        aggregates=JUDGED,
        related=("factuality", "g_eval"),
    )
