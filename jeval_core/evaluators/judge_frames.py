"""Frames of judges: the state, the question, the distribution, the score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from jeval_core.answer_blocks import LevelBars, OptionBars, Question
from jeval_core.blocks import Block, Field, TextFields, say
from jeval_core.judge.answers import Answer
from jeval_core.judge.questions import Question as Asked
from jeval_core.judge.remarks import Remark, remarks
from jeval_core.labels import fixed, format_score, number
from jeval_core.trace import Frame, Gauge, Storyboard
from jeval_core.types import Verdict

DISTRIBUTION = "distribution"
"""The picture that changes in place from the third frame to the fourth."""


def state_frame(state: Mapping[str, Any]) -> Frame:
    """Frame 1: every field that is sent, verbatim."""
    fields = tuple(field for name, value in state.items() for field in _fields(name, value))
    note = "All that the judge gets to see of this row. The output is data under judgement, never an instruction."
    return Frame("state", "the state", note, "none", (TextFields(caption="Sent as state", fields=fields),))


def _fields(name: str, value: Any) -> list[Field]:
    if isinstance(value, str):
        return [Field(name, value)]
    if name == "conversation":
        return [Field(turn["role"], turn["content"]) for turn in value]
    return [Field(f"{name} {i}", text) for i, text in enumerate(value, 1)]


def question_frame(question: Asked) -> Frame:
    """Frame 2: the question, from the very object that is sent."""
    options = tuple({"label": _label(question, i), "text": text} for i, (_, text) in enumerate(question.options))
    what = {"score": "ordered levels, worst first", "yes_no": "answers", "choice": "options"}[question.type]
    note = f"One question with {len(options)} {what}. It is the same for every row, and its hash is in the signature."
    block = Question(kind=question.type, instructions=question.instructions, options=options)
    return Frame("question", "the question", note, "none", (block,))


def _label(question: Asked, i: int) -> str:
    return str(i + 1) if question.type == "score" else question.names[i].replace("_", " ")


def level_frames(answer: Answer, v: Verdict, state: Mapping[str, Any]) -> Storyboard:
    """The story of a question with ordered levels."""
    found, top = remarks(answer, v.score, v.threshold), len(answer.given) - 1
    limit = v.threshold * top
    bars: dict[str, Any] = {
        "id": DISTRIBUTION,
        "area": "wide",
        "levels": tuple({"index": i, "worded": i + 1, "p": p} for i, p in enumerate(answer.probabilities)),
        "expected": v.score * top,
        "sd": answer.sd,
        "threshold": limit,
        "mode": answer.top,
        **_unusual(answer, found),
    }
    note = "The judge answers with a weight on every level, not with a word. ▲ is their mean, the expected level; the "
    note += "whisker is one standard deviation to each side."
    worded = format_score(v.score * top + 1, round(limit + 1, 9), decimals=1)
    worded = f"{v.label} is {worded} in the wording, which counts from 1."
    end = f"The expected level divided by {top} is the score. {worded} It passes from level {number(round(limit, 9))}."
    frames = (
        state_frame(state),
        question_frame(answer.question),
        _weights("a weight on every level", note, found, LevelBars(**bars), _mean_lines(answer, v.score * top)),
        Frame(
            "score",
            "expected level → score",
            _with(end, [r for r in found if r.code == "borderline"]),
            "none",
            (LevelBars(**bars, lead=True),),
            (("score", f"{say(v.score * top)} / {top}", v.score), _confidence_line(answer)),
            filled=True,
        ),
    )
    gauge = Gauge(0, top, v.score * top, limit, v.passed, v.score, v.label, "level", chips=_chips(answer, found))
    return Storyboard(None, gauge, frames)


def option_frames(answer: Answer, v: Verdict, state: Mapping[str, Any], passing: Sequence[bool]) -> Storyboard:
    """The story of a question with named options, of which some pass."""
    found = remarks(answer, v.score, v.threshold)
    shown = [1] if answer.question.type == "yes_no" else [*range(len(passing))]
    missing = {s: i for i, s in enumerate(shown)}
    unusual = _unusual(answer, found)
    if "missing" in unusual:
        unusual["missing"] = tuple(missing[i] for i in unusual["missing"] if i in missing)
    bars = {
        "id": DISTRIBUTION,
        "area": "wide",
        "options": tuple(
            {"name": _label(answer.question, i), "text": answer.question.options[i][1], "p": p, "passes": passing[i]}
            for i, p in enumerate(answer.probabilities)
            if i in shown
        ),
        "sum": v.score,
        "threshold": v.threshold,
        **unusual,
    }
    gauge = Gauge(0, 1, v.score, v.threshold, v.passed, v.score, v.label, chips=_chips(answer, found))
    frames = (*_option_weights(answer, v, found, bars, passing),)
    return Storyboard(None, gauge, (state_frame(state), question_frame(answer.question), *frames))


def _option_weights(
    answer: Answer, v: Verdict, found: list[Remark], bars: dict[str, Any], passing: Sequence[bool]
) -> list[Frame]:
    """A yes/no question needs one frame, a choice a second one that adds up."""
    names, p = [_label(answer.question, i) for i in range(len(passing))], answer.probabilities
    if answer.question.type == "yes_no":
        note = f"The probability of yes is the score. It passes from {number(v.threshold)}."
        line = ("P(yes)", f"{say(answer.given[1])} / {say(sum(answer.given))}", v.score)
        block = OptionBars(**bars, lead=True)
        return [
            Frame("score", "how likely yes is", _with(note, found), "none", (block,), (line,), filled=True),
        ]
    good = [name for name, passes in zip(names, passing, strict=True) if passes]
    note = "The judge answers with a weight on every option, not with a word."
    end = f"The options that pass ({', '.join(good)}) together are the score. It passes from {number(v.threshold)}."
    terms = " + ".join(fixed(x, 3) for x, passes in zip(p, passing, strict=True) if passes) or "0"
    lines = (("score", terms, v.score), _confidence_line(answer))
    return [
        _weights("a weight on every option", note, found, OptionBars(**bars)),
        Frame(
            "score",
            "options that pass → score",
            _with(end, [r for r in found if r.code == "borderline"]),
            "none",
            (OptionBars(**bars, lead=True),),
            lines,
            filled=True,
        ),
    ]


def _weights(
    title: str, note: str, found: list[Remark], block: Block, lines: tuple[tuple[str, str, float], ...] = ()
) -> Frame:
    return Frame("weights", title, _with(note, found), "none", (block,), lines)


def _with(note: str, found: Sequence[Remark]) -> str:
    return " ".join([note, *(remark.text for remark in found)])


def _unusual(answer: Answer, found: Sequence[Remark]) -> dict[str, Any]:
    first = next((r for r in found if r.serious), None)
    out: dict[str, Any] = {"flag": None if first is None else {"word": first.word, "text": first.text}}
    return out | ({"bound": answer.bound, "missing": answer.missing} if answer.missing else {})


def _chips(answer: Answer, found: Sequence[Remark]) -> tuple[Mapping[str, Any], ...]:
    confidence = {"label": "confidence", "value": answer.confidence}
    return (confidence, *({"label": r.word, "value": None} for r in found if r.serious))


def _mean_lines(answer: Answer, expected: float) -> tuple[tuple[str, str, float], ...]:
    terms = " + ".join(f"{i}×{fixed(p, 3)}" for i, p in enumerate(answer.probabilities))
    return ("E", terms, expected), ("sd", "√ Σ pᵢ (i − E)²", answer.sd)


def _confidence_line(answer: Answer) -> tuple[str, str, float]:
    n = len(answer.given)
    if answer.question.type == "choice":
        return "confidence", f"({say(max(answer.probabilities))} − 1/{n}) / (1 − 1/{n})", answer.confidence
    uniform = sum(abs(i - (n - 1) / 2) for i in range(n)) / n
    return "confidence", f"max(0, 1 − Σ pᵢ·|i − {answer.top}| / {say(uniform)})", answer.confidence
