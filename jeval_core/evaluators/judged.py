"""Evaluators that ask a judge one question: `request` says what is asked, `measure` reads what was answered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from jeval_core import signature
from jeval_core.evaluators.base import Evaluator, NotScored
from jeval_core.judge.answers import Answer, AnswerKind, Answers
from jeval_core.judge.questions import Question
from jeval_core.types import Counts, Evidence, Inputs

FIELDS = ("input", "conversation", "output", "expected", "criteria")
"""Fields of a state, in the order in which they are sent and shown."""
NOT_ASKED, NO_ANSWER = "not asked", "no answer"
MARKED: tuple[AnswerKind, ...] = ("heuristic", "illustrative")
"""Kinds of answers that come from no model."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What frames show beside the counts: the state that was sent, and what the backend noted about the answer."""

    state: dict[str, Any]
    notes: tuple[str, ...] = ()


class Judged(Evaluator):
    """One question about one state; the score is a formula over the answer's distribution.

    Counts: what the judge gave each option (`columns`), and of judges that answer by tokens `mass` and `bound`.
    """

    question: ClassVar[Question]
    columns: ClassVar[tuple[str, ...]]
    """Names of the counts that hold the weights of the options, in order."""

    def request(self, x: Inputs) -> tuple[dict[str, Any], Question]:
        """The state, exactly the fields that this evaluator takes and the row has, and the question about it.

        The same for the request, the frames and the API. NotScored when a field that is needed is blank.
        """
        state = {}
        for name in FIELDS:
            if name in (*self.card.required, *self.card.optional):
                value = _field(x, name)
                if value is not None:
                    state[name] = value
                elif name in self.card.required:
                    raise NotScored("no expected text" if name == "expected" else f"no {name}")
        return state, self.question

    def measure(self, x: Inputs, *, detail: bool = False) -> Evidence:
        """Read the answer out of `x.answers`; its JudgeError when it cannot be used, ValueError when none is there."""
        state, _ = self.request(x)
        said = (x.answers or {}).get(self.card.id)
        if said is None:
            raise ValueError(f"{self.card.id} was not answered")
        answer = said[self.card.id]
        return Evidence(self.counts(answer), Asked(state, answer.notes) if detail else None)

    def counts(self, answer: Answer) -> dict[str, float]:
        """The numbers of an answer by name: all that its score and its frames are made of."""
        found = dict(zip(self.columns, answer.given, strict=True))
        if answer.mass is not None:
            found |= {"mass": answer.mass, "bound": (answer.bound or 0.0) if answer.missing else 0.0}
        return found

    def answer(self, counts: Counts, notes: tuple[str, ...] = ()) -> Answer:
        """The answer that these counts are of, with what was noted about it."""
        given = tuple(float(counts[name]) for name in self.columns)
        bound = counts.get("bound") or None
        missing = tuple(i for i, p in enumerate(given) if bound and not p)
        mass = counts.get("mass")
        return Answer(self.question, given, mass=mass or None, missing=missing, bound=bound, notes=notes)

    def signature(self, references: int = 1, judge: str | None = None) -> str:
        """`judge`: who answered, as `answered_by` names it; without one the part says so."""
        parts = [("v", self.variant), ("q", self.question.sha256[:12]), *self.signature_parts()]
        return signature.build(self.card.id, [*parts, ("judge", judge or NOT_ASKED), ("rev", self.revision)])

    def locate(self, text: str) -> list[Any]:
        """Nothing: an edit would have to be asked."""
        return []


def answered_by(answers: Answers) -> str:
    """Who answered, as a signature names it: the resolved model, and what it is where it is none."""
    name = answers.model.replace("|", "/").replace("(", "[").replace(")", "]").strip() or "unnamed"
    name = f"{name}'s" if name in (NOT_ASKED, NO_ANSWER) else name
    return f"{name} ({answers.kind})" if answers.kind in MARKED else name


def judge_in(text: str) -> str | None:
    """The judge that a signature names; None for an evaluator in code, and where nobody was asked."""
    judge = signature.parse(text).get("judge")
    return None if judge in (NOT_ASKED, NO_ANSWER) else judge


def recalled(one: Judged, counts: Counts, judge: str) -> dict[str, Answers]:
    """The answers of a row that kept counts are of, by the judge that a signature names: nobody is asked again."""
    kind: AnswerKind = next((kind for kind in MARKED if judge.endswith(f" ({kind})")), "recording")
    model = judge.removesuffix(f" ({kind})")
    found = {one.card.id: one.answer(counts)}
    return {one.card.id: Answers(found, model, model, kind, False, requests=0, attempts=0)}


def no_model(text: str) -> bool:
    """Whether a signature is of answers that come from no model: word overlap, or made up to show something."""
    judge = judge_in(text) or ""
    return any(judge.endswith(f"({kind})") for kind in MARKED)


def _field(x: Inputs, name: str) -> Any:
    """The value that is sent; None for a field that the row does not have. An empty output is an answer."""
    if name == "output":
        return x.output
    if name == "expected":
        texts = [text for text in x.expected if text.strip()]
        return (texts[0] if len(texts) == 1 else texts) if texts else None
    if name == "conversation":
        return [{"role": t.role, "content": t.content} for t in x.conversation or ()] or None
    text = getattr(x, name)
    return text if text and text.strip() else None
