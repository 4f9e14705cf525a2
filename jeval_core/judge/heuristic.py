"""The `heuristic` backend: word overlap in the clothes of a judge. Always there, never right about facts.

Overlap = share of the words of criteria, input, expected text and the last turn of a conversation that the output has
too (blended half and half with a cosine when an encoder is given). Of n levels, level k begins at overlap k/n; the
answer is spread over the levels around that place by a triangle of 1.5 levels to either side. P(yes) is the overlap. A
choice gets 0.1 plus the overlap of each option's words with the output, made to add up to 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import regex

from jeval_core.judge.answers import Answer, Answers, Usage, answer
from jeval_core.judge.base import Questions, check_request
from jeval_core.judge.questions import Question, State
from jeval_core.judge.replies import texts_of

MODEL = "word-overlap/1"
REACH = 1.5
FLOOR = 0.1
WANTED = ("criteria", "input", "expected")
Encoder = Callable[[str, str], float]
"""The cosine of two texts, −1..1."""

_WORD = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}]|[\p{L}\p{M}\p{N}]+")
_COMMON = frozenset(
    "a about all an and any are as at be been but by can could did do does for from had has have he her his how i if "
    "in into is it its may me more most must my no not of on or our out she should so than that the their them there "
    "they this to was we were what when where which who why will with would you your answer output response".split()
)


class Heuristic:
    """Word overlap. Deterministic; needs no network, no key and no model."""

    backend = "heuristic"
    base_url = ""
    price: float | None = 0.0
    concurrency = 1

    def __init__(self, encoder: Encoder | None = None, encoder_name: str = "cosine") -> None:
        self._encoder = encoder
        self.model = MODEL if encoder is None else f"{MODEL}+{encoder_name}"

    async def ask(self, state: State, questions: Questions, *, sample: int = 0) -> Answers:
        """Answer at once; every sample is the same."""
        check_request(state, questions)
        found = {id: self._answer(state, question) for id, question in questions.items()}
        return Answers(found, self.model, self.model, "heuristic", False, Usage(0, 0), requests=0, attempts=0)

    async def aclose(self) -> None:
        """There is nothing to give back."""

    def _answer(self, state: State, question: Question) -> Answer:
        output = _joined(state.get("output", state))
        if question.type == "choice":
            shares = [FLOOR + recall(f"{name} {text or ''}", output) for name, text in question.options]
        else:
            overlap = self._overlap(state, output)
            shares = [1 - overlap, overlap] if question.type == "yes_no" else spread(overlap, len(question.options))
        return answer(question, [share / sum(shares) for share in shares])

    def _overlap(self, state: State, output: str) -> float:
        wanted = _joined([state[name] for name in WANTED if name in state] + _last_turn(state))
        overlap = recall(wanted, output)
        if self._encoder is None or not wanted.strip() or not output.strip():
            return overlap
        return (overlap + min(1.0, max(0.0, self._encoder(wanted, output)))) / 2


def recall(wanted: str, output: str) -> float:
    """The share of the wanted text's words that the output has too, 0..1; 0 when there are none."""
    words = _words(wanted)
    return len(words & _words(output)) / len(words) if words else 0.0


def spread(overlap: float, levels: int) -> list[float]:
    """Weights of the levels, worst first, around the one in which an overlap of 0..1 falls."""
    place = min(levels - 1.0, max(0.0, overlap * levels - 0.5))
    return [max(0.0, REACH - abs(i - place)) for i in range(levels)]


def _last_turn(state: State) -> list[object]:
    turns = state.get("conversation")
    return [turns[-1].get("content")] if isinstance(turns, list) and turns and isinstance(turns[-1], dict) else []


def _words(text: str) -> set[str]:
    return {*_WORD.findall(text.casefold())} - _COMMON


def _joined(data: object) -> str:
    texts: Iterable[str] = texts_of(data)
    return "\n".join(texts)
