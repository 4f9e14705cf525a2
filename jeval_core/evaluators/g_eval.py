"""G-Eval: how well an output meets your criteria, as an exact mean over five levels."""

from __future__ import annotations

from jeval_core.card import JUDGED, Card, Texts
from jeval_core.evaluators.answer_kinds import Levels
from jeval_core.judge.questions import score_question
from jeval_core.registry import evaluator

QUESTION = score_question(
    "How well does the output meet the criteria? Read the criteria first, then hold the output against each of them. "
    "The input, where there is one, is what the output replies to; the expected text, where there is one, is an "
    "answer that would do. Judge only what the criteria ask for.",
    (
        "The output meets none of the criteria.",
        "The output meets a small part of the criteria and misses the rest.",
        "The output meets about half of the criteria, or all of them only in part.",
        "The output meets nearly all of the criteria; what is missing is minor.",
        "The output meets every one of the criteria fully.",
    ),
)

TEXTS = Texts(
    what=(
        "A judge is asked one question with five ordered levels and answers with a probability for each. "
        "The score is the mean level, exact, divided by the highest."
    ),
    use=(
        "Qualities that you can put into a sentence or two: tone, completeness, form.",
        "A graded answer, where pass or fail would hide how near it was.",
    ),
    avoid=(
        "A fact with a known answer: answer_correctness or factuality ask for exactly that.",
        "A plain requirement that is met or not: closed_qa asks for yes or no.",
    ),
    watch=(
        "Criteria about several qualities blur the score. Ask one question for each that you want to tell apart.",
        "Scores by two judges, or two versions of one, cannot be compared. Quote the signature.",
    ),
    questions=(
        (
            "How does this differ from the G-Eval of the paper?",
            (
                "There a model writes steps, answers 20 times with a number from 1 to 5, and the answers are averaged. "
                "Here the weights of the levels are read off one answer, so the mean is exact and there is nothing "
                "to sample or to parse."
            ),
        ),
        (
            "Why is 3.7 / 4 the same as 4.7 on the wording?",
            "Levels are counted from 0 and worded from 1: level 0 is “1”. The score 0.925 is 3.7 ÷ 4.",
        ),
        (
            "Does my number agree with promptfoo or deepeval?",
            (
                "No. promptfoo takes one whole number out of 10 and passes at 0.7; deepeval weighs the likeliest 20 "
                "tokens from 0 to 10 and leaves out those under 1%. Here it is five levels, all weights, 0.75."
            ),
        ),
    ),
    example={
        "input": "My parcel was due on Monday and has not come. Can I still get my money back?",
        "output": (
            "I am sorry about the delay. You can have your money back: open the order, choose “Not received” and "
            "confirm. The amount is on your card after three to five working days."
        ),
        "criteria": "The reply answers the question, says what to do step by step, and stays polite.",
    },
    example_says="3.7 / 4, pass, in the illustrative answer: most of the weight is on the highest level.",
    shape=(
        "score 0–1 (expected level ÷ 4), label “x.x / 4”, confidence, a probability for each level, passed at 0.75 of "
        "the scale; evidence: p0 to p4, expected_level, sd."
    ),
)


@evaluator
class GEval(Levels):
    """Criteria of your own, five levels."""

    question = QUESTION
    card = Card(
        id="g_eval",
        name="G-Eval",
        kind="judge",
        line="Five levels against your criteria, weighted by their probability.",
        threshold=0.75,
        passes="level 3 of 4",
        texts=TEXTS,
        required=("output", "criteria"),
        optional=("input", "expected"),
        aggregates=JUDGED,
        suites=("promptfoo", "everything"),
        related=("llm_judge", "closed_qa", "answer_correctness"),
    )
