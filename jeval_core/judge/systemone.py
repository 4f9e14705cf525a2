"""The `systemone` backend: typed questions to Jev, or to any host that speaks its wire format."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeGuard

from jeval_core.judge.answers import Answer, Answers, Usage, answer
from jeval_core.judge.base import Questions, check_request, estimated_tokens
from jeval_core.judge.client import Client
from jeval_core.judge.errors import BadDistribution, JudgeError, MalformedAnswer, NoDistribution
from jeval_core.judge.questions import NO, YES, Question, State

BASE_URL = "https://api.typesafe.ai"
MODEL = "jev-latest"
PRICE = 0.042
"""USD for a million input tokens at `BASE_URL`."""
ROUTE, MODELS_ROUTE = "/v1/systemone", "/v1/models"
WIRE_TYPES = {"score": "score", "yes_no": "noul", "choice": "choice"}
HOST_ROUNDING = 0.03
"""Hosts round to 2 decimals; a number of theirs that is further from ours has another meaning."""

UNIFORM = "Every option got the same probability: this host may have no model behind it."
OTHER_SCORE = "The host's own score is not the expected level of its probabilities; it was computed from these."
OTHER_CHOICE = "The host chose another option than its likeliest one."
OTHER_LEGEND = "The host's legend does not go with the levels that were asked about."
ODD_CONFIDENCE = "The host's own confidence is not between 0 and 1 and was left out."


class SystemOne:
    """A host of the System One wire format."""

    backend = "systemone"

    def __init__(
        self,
        client: Client,
        model: str = MODEL,
        *,
        price: float | None = None,
        route: str = ROUTE,
        calibrated: bool = True,
    ) -> None:
        self.client = client
        self.model = model
        self.price = price
        self.calibrated = calibrated
        self.base_url = client.base_url
        self.concurrency = client.limits.concurrency
        self._route = route

    async def ask(self, state: State, questions: Questions, *, sample: int = 0) -> Answers:
        """All questions in one request. Raises JudgeError."""
        check_request(state, questions)
        payload = self.payload(state, questions)
        tokens = estimated_tokens(state, questions)
        reply = await self.client.post(self._route, payload, tokens=tokens, hidden=dict(state))
        answers, failed = _read(reply.data, questions, self.client.host)
        return Answers(
            answers,
            self.model,
            _model(reply.data) or self.model,
            "model",
            self.calibrated,
            _usage(reply.data),
            reply.latency,
            attempts=reply.attempts,
            failed=failed,
        )

    def payload(self, state: State, questions: Questions) -> dict[str, Any]:
        """What is sent, as JSON data."""
        asked = {id: wire(question) for id, question in questions.items()}
        return {"model": self.model, "state": dict(state), "questions": asked}

    async def models(self) -> list[str]:
        """The names of the models that the host offers. Raises JudgeError."""
        data = (await self.client.get(MODELS_ROUTE)).data
        listed = data.get("models", data.get("data")) if isinstance(data, dict) else None
        if not isinstance(listed, list):
            raise MalformedAnswer(f"{self.client.host} did not list its models.")
        names = [m.get("name", m.get("id")) if isinstance(m, dict) else m for m in listed]
        return [name for name in names if isinstance(name, str)]

    async def aclose(self) -> None:
        """Close the connections."""
        await self.client.aclose()


def wire(question: Question) -> dict[str, Any]:
    """A question as the wire format has it."""
    criteria: Any
    if question.type == "score":
        criteria = [text for _, text in question.options]
    elif question.type == "yes_no":
        texts = dict(question.options)
        criteria = {"true": texts[YES], "false": texts[NO]}
    else:
        criteria = dict(question.options)
    return {"type": WIRE_TYPES[question.type], "instructions": question.instructions, "criteria": criteria}


def _read(data: Any, questions: Questions, host: str) -> tuple[dict[str, Answer], dict[str, JudgeError]]:
    given = data.get("answers") if isinstance(data, dict) else None
    if not isinstance(given, dict):
        raise MalformedAnswer(f"{host} answered without `answers`.", hint="Does it speak the System One format?")
    answers: dict[str, Answer] = {}
    failed: dict[str, JudgeError] = {}
    for id, question in questions.items():
        try:
            answers[id] = _answer(given.get(id), question, host)
        except JudgeError as error:
            failed[id] = error
    return answers, failed


def _answer(given: Any, question: Question, host: str) -> Answer:
    if given is None:
        raise NoDistribution(f"{host} left a question unanswered.")
    if not isinstance(given, dict):
        raise MalformedAnswer(f"{host} gave an answer that is no object.")
    kind = given.get("type", WIRE_TYPES[question.type])
    if kind != WIRE_TYPES[question.type] and (kind in WIRE_TYPES.values() or WIRE_TYPES[question.type] not in given):
        raise MalformedAnswer(f"{host} answered another type of question than was asked.")
    if question.type == "yes_no":
        return _yes_no(given.get("noul"), question)
    listed = _by_option(given.get("probabilities"), question)
    confidence = given.get("confidence")
    sure = float(confidence) if _is_share(confidence) else None
    notes = [ODD_CONFIDENCE] if sure is None and confidence is not None else []
    return _noted(answer(question, listed, provider_confidence=sure), given, notes)


def _yes_no(yes: Any, question: Question) -> Answer:
    if yes is None:
        raise NoDistribution("The judge gave no probability of yes.")
    if not _is_share(yes):
        raise BadDistribution("The judge gave a probability of yes that is not between 0 and 1.")
    found = answer(question, [1 - yes, yes])
    return replace(found, notes=(UNIFORM,)) if found.uniform else found


def _by_option(probabilities: Any, question: Question) -> list[Any]:
    if probabilities is None or probabilities == {}:
        raise NoDistribution(
            "The judge gave no distribution.", hint="This host answers without `probabilities`; ask another one."
        )
    if not isinstance(probabilities, dict):
        raise MalformedAnswer("The judge's probabilities are not named by option.")
    named = {_plain(name): p for name, p in probabilities.items()}
    names = [_plain(name) for name in question.names]
    if len(named) != len(probabilities) or len({*names}) != len(names) or named.keys() != {*names}:
        raise BadDistribution("The judge's probabilities are not those of the options that were asked about.")
    return [named[name] for name in names]


def _noted(found: Answer, given: Mapping[str, Any], notes: list[str]) -> Answer:
    question = found.question
    score = given.get("score")
    if (
        question.type == "score"
        and isinstance(score, (int, float))
        and not abs(score - found.expected) <= HOST_ROUNDING
    ):
        notes.append(OTHER_SCORE)
    legend = given.get("legend")
    if question.type == "score" and isinstance(legend, dict) and legend != dict(question.options):
        notes.append(OTHER_LEGEND)
    if question.type == "choice" and not _is_likeliest(given.get("choice"), found):
        notes.append(OTHER_CHOICE)
    if found.uniform:
        notes.append(UNIFORM)
    return replace(found, notes=tuple(notes))


def _is_likeliest(choice: Any, found: Answer) -> bool:
    if not isinstance(choice, str):
        return True
    least = max(found.given) - HOST_ROUNDING
    names = [name for name, p in zip(found.question.names, found.given, strict=True) if p >= least]
    return _plain(choice) in map(_plain, names)


def _model(data: Mapping[str, Any]) -> str | None:
    model = data.get("model")
    return model if isinstance(model, str) and model.isprintable() and 0 < len(model) <= 200 else None


def _usage(data: Mapping[str, Any]) -> Usage:
    usage = data.get("usage")
    if not isinstance(usage, dict):
        return Usage()
    return Usage(count(usage.get("input_tokens")), count(usage.get("output_tokens")))


def count(value: Any) -> int | None:
    """A number of tokens, None when it is none."""
    sound = isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value) and value >= 0
    return int(value) if sound else None


def _plain(name: str) -> str:
    return unicodedata.normalize("NFC", name)


def _is_share(value: Any) -> TypeGuard[float]:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value <= 1
