"""Factuality: how the facts of the output stand to those of the expected text."""

from __future__ import annotations

from jeval_core.card import CONFUSION, MEAN, PASS_RATE, Card, Option, Texts
from jeval_core.evaluators.answer_kinds import Choice
from jeval_core.judge.questions import choice_question
from jeval_core.registry import evaluator

QUESTION = choice_question(
    "Compare the facts that the output states with those of the expected text; both answer the input. Style, order "
    "and wording do not count. Choose the relation that holds.",
    {
        "subset": "Every fact of the output is in the expected text, which states more.",
        "superset": "The output states every fact of the expected text, and more that do not contradict it.",
        "same": "Output and expected text state the same facts.",
        "conflict": "A fact of the output contradicts the expected text.",
        "different": "Output and expected text differ in what they state, but nothing contradicts.",
    },
)
PASSING = {
    "no_conflict": ("subset", "superset", "same", "different"),
    "complete": ("superset", "same"),
    "same": ("same",),
}

TEXTS = Texts(
    what=(
        "A judge chooses how the facts of the output stand to those of the expected text: fewer, more, the same, in "
        "conflict, or different without conflict. The score is the probability of the relations that pass."
    ),
    use=(
        "Answers whose facts are known, in any wording.",
        "Finding contradictions, which word overlap does not see: a dose ten times as high, a missing “not”.",
    ),
    avoid=(
        "Texts without facts, such as a greeting or a poem.",
        "Checking that nothing is missing: fewer facts pass by default (`pass: complete` does not let them).",
    ),
    watch=(
        "The expected text is taken for true, also where it is wrong or out of date.",
        "A long expected text makes the judge find some conflict sooner. Give the facts that matter.",
    ),
    questions=(
        (
            "Which relations pass?",
            "All but the conflict. `pass: complete` asks for more facts or the same ones, `pass: same` for the same.",
        ),
        (
            "Why a sum of probabilities and not the likeliest relation?",
            (
                "Two relations that both pass may share the weight, and neither be likeliest. The sum does not "
                "depend on how the passing side is cut up."
            ),
        ),
    ),
    example={
        "input": "How much of the drug should be given?",
        "output": "Give 50 mg of the drug once a day.",
        "expected": "Give 5 mg of the drug once a day.",
    },
    example_says="0.03, fail, in the illustrative answer: the dose contradicts.",
    shape=(
        "score 0–1 (the probability of the relations that pass), label with two decimals, confidence, probabilities "
        "of subset, superset, same, conflict and different, passed at 0.5; evidence: the same five."
    ),
)


@evaluator
class Factuality(Choice):
    """Facts against a reference, five relations."""

    question = QUESTION
    columns = QUESTION.names
    card = Card(
        id="factuality",
        name="Factuality",
        kind="judge",
        line="Do the facts of the output agree with the expected text?",
        threshold=0.5,
        passes="P(no conflict) ≥ 0.5",
        texts=TEXTS,
        required=("input", "output", "expected"),
        aggregates=(MEAN, PASS_RATE, CONFUSION),
        suites=("promptfoo", "everything"),
        related=("answer_correctness", "closed_qa"),
        options=(Option("pass", "Which relations pass.", {"jeval": tuple(PASSING)}),),
    )

    def good(self) -> tuple[str, ...]:
        return PASSING[str(self.options["pass"])]
