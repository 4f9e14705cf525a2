"""The G-Eval example that works without network and key: its state, its question and an answer made up to show one.

`python -m jeval_core.judge.example` writes the recording anew.
"""

from __future__ import annotations

from jeval_core.judge.answers import Answers, Usage, answer
from jeval_core.judge.questions import Question, score_question
from jeval_core.judge.recorded import EXAMPLE_FILE, Recorder

MODEL = "illustrative"
STATE = {
    "input": "My parcel was due on Monday and has not come. Can I still get my money back?",
    "output": (
        "I am sorry about the delay. You can have your money back: open the order, choose “Not received” and confirm. "
        "The amount is on your card after three to five working days."
    ),
    "criteria": "The reply answers the question, says what to do step by step, and stays polite.",
}
LEVELS = (
    "The output meets none of the criteria.",
    "The output meets a small part of the criteria and misses the rest.",
    "The output meets about half of the criteria, or all of them only in part.",
    "The output meets nearly all of the criteria; what is missing is minor.",
    "The output meets every one of the criteria fully.",
)
INSTRUCTIONS = (
    "How well does the output meet the criteria? Read the criteria first, then hold the output against each of them. "
    "The input, where there is one, is what the output replies to. Judge only what the criteria ask for."
)
GIVEN = (0.0, 0.0, 0.05, 0.20, 0.75)


def question() -> Question:
    """The question with its five levels, worst first."""
    return score_question(INSTRUCTIONS, LEVELS)


def write() -> None:
    """Write the shipped recording."""
    asked = {"q": question()}
    found = {"q": answer(asked["q"], GIVEN, provider_confidence=0.75)}
    with Recorder(EXAMPLE_FILE) as recorder:
        recorder.add(STATE, asked, Answers(found, MODEL, MODEL, "illustrative", False, Usage(), 0.0))


if __name__ == "__main__":
    write()
