"""Closed QA: does the answer meet the criterion, yes or no."""

from __future__ import annotations

from jeval_core.card import BRIER, MEAN, PASS_RATE, Card, Texts
from jeval_core.evaluators.answer_kinds import YesNo
from jeval_core.judge.questions import yes_no_question
from jeval_core.registry import evaluator

QUESTION = yes_no_question(
    "The output answers the input. Does it meet the criterion that stands in the criteria? Decide by the criterion "
    "alone; a good answer that misses it does not meet it.",
    "The output meets the criterion.",
    "The output does not meet the criterion, or only in part.",
)

TEXTS = Texts(
    what=(
        "A judge is asked whether the output, as an answer to the input, meets a criterion. The score is the "
        "probability of yes."
    ),
    use=(
        "Requirements that are met or not: names a source, refuses politely, stays within two sentences.",
        "Gates, where a probability and a threshold are easier to defend than a grade.",
    ),
    avoid=("Qualities with degrees: g_eval has five levels.", "Facts with a reference: factuality compares them."),
    watch=(
        "Two requirements in one criterion are met only together. Ask for each on its own to see which one failed.",
        "A probability near 0.5 is no weak yes. It says that the criterion can be read both ways.",
    ),
    questions=(
        (
            "Is 0.98 to be taken as 98 of 100?",
            (
                "Only if the judge is calibrated. With a gold label in your file the Datasets page draws the "
                "reliability diagram, which shows how far it is."
            ),
        ),
    ),
    example={
        "input": "Which plan includes single sign-on?",
        "output": "Single sign-on comes with the Business plan; see the price list, section 3.",
        "criteria": "The answer names a place where it can be looked up.",
    },
    example_says="P(yes) 0.96, pass, in the illustrative answer.",
    shape=(
        "score 0–1 (the probability of yes), label with two decimals, confidence, probabilities of no and yes, passed "
        "at 0.5; evidence: no, yes."
    ),
)


@evaluator
class ClosedQa(YesNo):
    """One criterion, yes or no."""

    question = QUESTION
    card = Card(
        id="closed_qa",
        name="Closed QA",
        kind="judge",
        line="Does the answer meet the criterion? The probability of yes.",
        threshold=0.5,
        passes="P(yes) ≥ 0.5",
        texts=TEXTS,
        required=("input", "output", "criteria"),
        aggregates=(MEAN, PASS_RATE, BRIER),
        suites=("promptfoo", "everything"),
        related=("g_eval", "factuality"),
    )
