"""Translation: does the output say in another language what the input says."""

from __future__ import annotations

from jeval_core.card import JUDGED, Card, Texts
from jeval_core.evaluators.answer_kinds import Levels
from jeval_core.judge.questions import score_question
from jeval_core.registry import evaluator

QUESTION = score_question(
    "The output is a translation of the input. How good is it? Meaning comes first: nothing added, left out or "
    "changed. Then the language: grammar, and words that a speaker would choose. The expected text, where there is "
    "one, is one good translation among others; another wording is no fault.",
    (
        "Not a translation, or its meaning is lost.",
        "Parts of the meaning are wrong or missing.",
        "The meaning comes across; errors are plain and slow the reader down.",
        "Faithful and easy to read, with a slip or two.",
        "Faithful, and reads as if it had been written in that language.",
    ),
)

TEXTS = Texts(
    what=(
        "A judge rates on five levels how faithful and how fluent a translation is. It reads the source; a reference "
        "is welcome but not needed. The score is the mean level."
    ),
    use=(
        "Translations without a reference, or with one that is only one way among many.",
        "A second opinion beside BLEU, which counts shared words.",
    ),
    avoid=(
        "Pairs of languages that the judge does not know well: nothing warns of it.",
        "Comparing with published BLEU figures.",
    ),
    watch=(
        "`input` is the source, in its own language; `output` the translation.",
        "Fluent mistranslations are what judges miss most. With a reference, BLEU warns of numbers and negation.",
    ),
    questions=(
        (
            "Does the judge need to be told the languages?",
            "No. It sees both texts. Where a source mixes languages, say what is wanted in a rubric (llm_judge).",
        ),
    ),
    example={
        "input": "Bitte nehmen Sie das Mittel nicht auf nüchternen Magen ein.",
        "output": "Please take the medicine on an empty stomach.",
        "expected": "Please do not take the medicine on an empty stomach.",
    },
    example_says="0.8 / 4, fail, in the illustrative answer: fluent, and the opposite of the source.",
    shape=(
        "score 0–1 (expected level ÷ 4), label “x.x / 4”, confidence, a probability for each level, passed at 0.75 of "
        "the scale; evidence: p0 to p4, expected_level, sd."
    ),
)


@evaluator
class Translation(Levels):
    """A translation beside its source, five levels."""

    question = QUESTION
    card = Card(
        id="translation",
        name="Translation",
        kind="judge",
        line="Faithful and fluent? Judged against the source, with or without a reference.",
        threshold=0.75,
        passes="level 3 of 4",
        texts=TEXTS,
        required=("input", "output"),
        optional=("expected",),
        aggregates=JUDGED,
        related=("bleu", "answer_correctness"),
    )
