"""One answer as one line of JSON: what recordings and the cache hold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from jeval_core.errors import JevalError
from jeval_core.judge.answers import KINDS, Answer, Answers, Usage, answer
from jeval_core.judge.errors import BadRecording, JudgeError
from jeval_core.judge.questions import Question, State, canonical, digest, question_of
from jeval_core.judge.replies import loaded

LONGEST_NAME = 200
ABOUT = ("provider_confidence", "mass", "bound")


def key_of(state: State, question: Question, model: str, sample: int = 0) -> str:
    """What an answer is found by: the sha256 of the canonical state, question and requested model.

    A question has a key of its own also where several share a request.
    """
    parts: dict[str, Any] = {"state": dict(state), "questions": [question.to_dict()], "model": model}
    return digest({**parts, "sample": sample} if sample else parts)


def write(state: State, question: Question, one: Answers, id: str, sample: int = 0) -> dict[str, Any]:
    """The line of one question of `one`, whose usage is that of this question alone."""
    line: dict[str, Any] = {
        "key": key_of(state, question, one.requested_model, sample),
        "state": dict(state),
        "question": question.to_dict(),
        "model": one.requested_model,
        "resolved": one.model,
        "kind": one.kind,
        "calibrated": one.calibrated,
        "latency": one.latency,
        "usage": [*one.usage.pair],
    }
    if sample:
        line["sample"] = sample
    if id in one.failed:
        error = one.failed[id]
        return {**line, "failed": {"code": error.code, "message": error.message, "hint": error.hint}}
    found = one.answers[id]
    line["given"] = [*found.given]
    line |= {name: value for name in ABOUT if (value := getattr(found, name)) is not None}
    if found.missing:
        line["missing"] = [*found.missing]
    if found.notes:
        line["notes"] = [*found.notes]
    return line


def read(data: Any, id: str) -> Answers:
    """The answers of one line to one question, under this id; BadRecording says what is wrong with it."""
    if not isinstance(data, dict):
        raise BadRecording("it is not an object")
    try:
        question = question_of(data["question"])
        answers = Answers(
            {},
            _name(data["model"]),
            _name(data["resolved"]),
            data["kind"],
            data["calibrated"] is True,
            Usage(*(None if n is None else int(n) for n in data["usage"])),
            float(data["latency"]),
        )
        if data["kind"] not in KINDS:
            raise BadRecording("its kind is none of " + ", ".join(KINDS))
        if "failed" in data:
            return replace(answers, failed={id: _error(data["failed"])})
        return replace(answers, answers={id: _answer(question, data)})
    except KeyError as error:
        raise BadRecording(f"it has no {error}") from None
    except (TypeError, ValueError, OverflowError, AttributeError) as error:
        why = error.message if isinstance(error, JevalError) else "a field has the wrong type"
        raise BadRecording(why) from None


def load(raw: str | bytes) -> Any:
    """The JSON value of a line; BadRecording when it is none."""
    try:
        return loaded(raw)
    except (ValueError, RecursionError):
        raise BadRecording("it is not JSON") from None


def dump(line: Mapping[str, Any]) -> str:
    """A line without its end, always the same for the same answer."""
    return canonical(dict(line))


def _answer(question: Question, data: Mapping[str, Any]) -> Answer:
    about: dict[str, Any] = {name: float(data[name]) for name in ABOUT if data.get(name) is not None}
    missing = tuple(int(i) for i in data.get("missing", ()))
    return answer(question, data["given"], missing=missing, notes=tuple(map(_text, data.get("notes", ()))), **about)


def _error(data: Mapping[str, Any]) -> JudgeError:
    hint = data.get("hint")
    error = JudgeError(_text(data["message"]), hint=None if hint is None else _text(hint))
    error.code = _name(data["code"])
    return error


def _name(value: Any) -> str:
    """A name that may stand in a signature and on a line."""
    name = _text(value)
    if not name.isprintable() or not name.strip() or len(name) > LONGEST_NAME:
        raise BadRecording("a name in it is empty, longer than 200 characters or cannot be printed")
    return name


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError("not a text")
    return value
