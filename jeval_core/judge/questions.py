"""What a judge is asked: a question with ordered levels, with yes and no, or with named options."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Literal

from jeval_core.errors import BadInput

QuestionType = Literal["score", "yes_no", "choice"]
State = Mapping[str, Any]
"""What is judged: field → text, or any other JSON value. All that a judge sees beside the question."""
MAX_LEVELS = 10
MAX_OPTIONS = 255
NO, YES = "no", "yes"


@dataclass(frozen=True, slots=True)
class Question:
    """One question. `options` are its names and texts, in the order of every distribution over them.

    The names of a score question are "0", "1", …, worst first; those of a yes/no question "no" and "yes".
    """

    type: QuestionType
    instructions: str
    options: tuple[tuple[str, str | None], ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the options, in order."""
        return tuple(name for name, _ in self.options)

    def to_dict(self) -> dict[str, Any]:
        """The question as plain JSON data; the options are a list, because their order counts."""
        return {"type": self.type, "instructions": self.instructions, "options": [[*o] for o in self.options]}

    @property
    def sha256(self) -> str:
        """The hash of the question's canonical JSON, hexadecimal."""
        return digest(self.to_dict())


def score_question(instructions: str, levels: Sequence[str]) -> Question:
    """A question with 2 to 10 levels, worst first; BadInput otherwise."""
    if isinstance(levels, str) or not 2 <= len(levels) <= MAX_LEVELS:
        raise BadInput(f"A score question has 2 to {MAX_LEVELS} levels.", field="levels")
    return _question("score", instructions, [(str(i), text) for i, text in enumerate(levels)])


def yes_no_question(instructions: str, yes: str, no: str) -> Question:
    """A question that is true or false, with the text of either; BadInput for a wrong type."""
    return _question("yes_no", instructions, [(NO, no), (YES, yes)])


def choice_question(instructions: str, options: Mapping[str, str | None]) -> Question:
    """A question with 2 to 255 named options, each with a text or None; BadInput otherwise."""
    if not isinstance(options, Mapping) or not 2 <= len(options) <= MAX_OPTIONS:
        raise BadInput(f"A choice question has 2 to {MAX_OPTIONS} named options.", field="options")
    return _question("choice", instructions, [*options.items()])


def question_of(data: Any) -> Question:
    """The question whose `to_dict` this is; BadInput when it is none."""
    if not isinstance(data, dict) or data.keys() != {"type", "instructions", "options"}:
        raise BadInput("A question is an object with `type`, `instructions` and `options`.", field="question")
    pairs = data["options"]
    if not isinstance(pairs, list) or not all(isinstance(pair, list) and len(pair) == 2 for pair in pairs):
        raise BadInput("A question's `options` are a list of names with their texts.", field="question")
    texts, named = [text for _, text in pairs], [(name, text) for name, text in pairs]
    if data["type"] == "score":
        question = score_question(data["instructions"], texts)
    elif data["type"] == "yes_no" and len(texts) == 2:
        question = yes_no_question(data["instructions"], texts[1], texts[0])
    elif data["type"] == "choice" and len({str(name) for name, _ in named}) == len(named):
        question = choice_question(data["instructions"], {str(name): text for name, text in named})
    else:
        raise BadInput("A question's `type` is score, yes_no or choice.", field="question")
    if question.to_dict() != data:
        raise BadInput("A question's `options` do not go with its `type`.", field="question")
    return question


def canonical(data: Any) -> str:
    """JSON text that is the same for equal data: sorted keys, no spaces, ASCII. BadInput for what JSON cannot hold."""
    try:
        return json.dumps(data, sort_keys=True, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        raise BadInput("A state holds texts, numbers, lists and objects only.", field="state") from None


def digest(data: Any) -> str:
    """The sha256 of the canonical JSON, hexadecimal."""
    return sha256(canonical(data).encode("ascii")).hexdigest()


def check_state(state: State) -> None:
    """BadInput unless the state is a mapping with at least one named field of JSON data."""
    if not isinstance(state, Mapping) or not state or not all(isinstance(key, str) for key in state):
        raise BadInput("A state is a mapping of field names to their texts.", field="state")
    canonical(dict(state))


def _question(kind: QuestionType, instructions: str, options: list[tuple[str, str | None]]) -> Question:
    if not isinstance(instructions, str) or not instructions.strip():
        raise BadInput("A question has instructions.", field="instructions")
    for name, text in options:
        if not isinstance(name, str) or not name.strip():
            raise BadInput("An option has a name.", field="options")
        if not (text is None and kind == "choice") and not (isinstance(text, str) and text.strip()):
            raise BadInput(f"Option {options.index((name, text)) + 1} has no text.", field="options")
    return Question(kind, instructions, tuple(options))
