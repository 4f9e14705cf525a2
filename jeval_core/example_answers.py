"""Answers made up to show how each judge evaluator works without network and key.

The first of each evaluator is the example of its catalogue entry. `python -m jeval_core.example_answers` writes the
recording anew.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from jeval_core.conversation import turns
from jeval_core.evaluators.base import NotScored
from jeval_core.evaluators.judged import Judged
from jeval_core.judge.answers import Answers, Usage, answer
from jeval_core.judge.questions import Question, digest
from jeval_core.judge.recorded import EXAMPLE_FILE, Recorder
from jeval_core.registry import get_evaluator
from jeval_core.types import Inputs

MODEL = "example"
CATALOGUE: dict[str, tuple[float, ...]] = {
    "g_eval": (0.0, 0.0, 0.05, 0.20, 0.75),
    "llm_judge": (0.0, 0.02, 0.10, 0.34, 0.54),
    "closed_qa": (0.04, 0.96),
    "factuality": (0.0, 0.0, 0.02, 0.97, 0.01),
    "answer_correctness": (0.0, 0.02, 0.13, 0.48, 0.37),
    "conversation_relevance": (0.27, 0.35, 0.22, 0.12, 0.04),
    "translation": (0.44, 0.38, 0.12, 0.06, 0.0),
}
"""What is answered to the catalogue's examples."""


@dataclass(frozen=True)
class Shown:
    """A row with an answer made up for it; `shows` says what to look for."""

    evaluator: str
    name: str
    shows: str
    given: tuple[float, ...]
    output: str
    expected: str | None = None
    input: str | None = None
    criteria: str | None = None
    conversation: str | None = None

    @property
    def row(self) -> Inputs:
        """The row as evaluators take it."""
        expected = () if self.expected is None else (self.expected,)
        said = None if self.conversation is None else turns(self.conversation)
        return Inputs(self.output, expected, self.input, self.criteria, said)


_REFUND = "My parcel was due on Monday and has not come. Can I still get my money back?"
SHOWN = (
    *(
        Shown(id, "Example", get_evaluator(id).card.texts.example_says, given, **get_evaluator(id).card.texts.example)
        for id, given in CATALOGUE.items()
    ),
    Shown(
        "g_eval",
        "Just short",
        "Most weight is on level 3 and above, and yet the mean is 2.75: 2.8 / 4, fail.",
        (0.05, 0.10, 0.15, 0.45, 0.25),
        "You can have your money back. Please open the order and follow the steps there.",
        input=_REFUND,
        criteria="The reply answers the question, says what to do step by step, and stays polite.",
    ),
    Shown(
        "g_eval",
        "Split judgement",
        "Two peaks: the criteria can be read in two ways, and the mean lies where the judge puts nothing.",
        (0.5, 0.0, 0.0, 0.0, 0.5),
        "I am afraid that this needs a person. I have passed your case on, and you will hear from us today.",
        input=_REFUND,
        criteria="The reply solves the customer's problem.",
    ),
)


def inputs(id: str) -> Inputs:
    """The example of an evaluator's catalogue entry as a row."""
    return next(shown.row for shown in SHOWN if shown.evaluator == id)


def covers(one: Judged, x: Inputs) -> bool:
    """Whether the recording has an answer for this row."""
    try:
        state, question = one.request(x)
    except NotScored:
        return False
    return digest([state, question.to_dict()]) in _covered()


@cache
def _covered() -> frozenset[str]:
    return frozenset(digest([state, question.to_dict()]) for state, question in map(asked, SHOWN))


def asked(shown: Shown) -> tuple[dict[str, Any], Question]:
    """What the evaluator asks about the row."""
    one = get_evaluator(shown.evaluator)
    assert isinstance(one, Judged)
    return one.request(shown.row)


def write() -> None:
    """Write the shipped recording."""
    with Recorder(EXAMPLE_FILE) as recorder:
        for shown in SHOWN:
            state, question = asked(shown)
            found = {"q": answer(question, shown.given)}
            recorder.add(state, {"q": question}, Answers(found, MODEL, MODEL, "illustrative", False, Usage(), 0.0))


if __name__ == "__main__":
    write()
