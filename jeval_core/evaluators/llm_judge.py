"""LLM judge: a free rubric, as one grade on five levels."""

from __future__ import annotations

from jeval_core.card import JUDGED, Card, Texts
from jeval_core.evaluators.answer_kinds import Levels
from jeval_core.judge.questions import score_question
from jeval_core.registry import evaluator

QUESTION = score_question(
    "Grade the output by the rubric that stands in the criteria. Where the rubric describes grades of its own, match "
    "its worst to the lowest level here and its best to the highest, and the ones between accordingly. The input, "
    "where there is one, is what the output replies to; the expected text, where there is one, is a good answer.",
    (
        "By the rubric this is the worst grade.",
        "By the rubric this is a poor grade.",
        "By the rubric this is a middling grade.",
        "By the rubric this is a good grade.",
        "By the rubric this is the best grade.",
    ),
)

TEXTS = Texts(
    what=(
        "A judge grades the output by a rubric that you write freely, with or without grades of its own. It answers "
        "with a probability for each of five levels; the score is their mean."
    ),
    use=(
        "A rubric that exists already, such as the one that human reviewers work with.",
        "A first overall grade, before it is known which qualities matter.",
    ),
    avoid=(
        "Requirements that can be listed: g_eval holds the output against each of them.",
        "Anything that has one right answer.",
    ),
    watch=(
        "A rubric whose grades are not in order, or that mixes qualities, gives a mean that means little.",
        "Look at the distribution: two peaks say that the rubric can be read in two ways.",
    ),
    questions=(
        (
            "What is the difference to g_eval?",
            (
                "The question. g_eval asks how far criteria are met; this one asks for the grade that a rubric gives. "
                "With a rubric in grades this one is closer to what reviewers do."
            ),
        ),
        (
            "My rubric has three grades. Does that work?",
            "Yes: the judge is told to match its worst and best grade to the ends of the five levels.",
        ),
    ),
    example={
        "input": "Explain to a new colleague what our cache is for.",
        "output": "The cache keeps answers that were already paid for, so asking again is free and gives the same.",
        "criteria": (
            "A: a newcomer understands it and nothing is wrong. B: right, but needs knowledge that a newcomer lacks. "
            "C: wrong or beside the point."
        ),
    },
    example_says="3.4 / 4, pass, in the illustrative answer: between good and best.",
    shape=(
        "score 0–1 (expected level ÷ 4), label “x.x / 4”, confidence, a probability for each level, passed at 0.75 of "
        "the scale; evidence: p0 to p4, expected_level, sd."
    ),
)


@evaluator
class LlmJudge(Levels):
    """A rubric of your own, five levels."""

    question = QUESTION
    card = Card(
        id="llm_judge",
        name="LLM judge",
        kind="judge",
        line="One grade by a rubric that you write freely.",
        threshold=0.75,
        passes="level 3 of 4",
        texts=TEXTS,
        required=("output", "criteria"),
        optional=("input", "expected"),
        aggregates=JUDGED,
        suites=("promptfoo", "everything"),
        related=("g_eval", "closed_qa"),
    )
