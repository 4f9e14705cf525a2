"""The `chat` backend: the probabilities of the first token of an OpenAI-compatible model's answer."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from jeval_core.judge import prompt
from jeval_core.judge.answers import Answer, Answers, Usage, answer
from jeval_core.judge.base import Questions, check_request, estimated_tokens
from jeval_core.judge.client import Client, Reply
from jeval_core.judge.errors import JudgeError, MalformedAnswer, NoLevel, NoLogprobs
from jeval_core.judge.questions import Question, State
from jeval_core.judge.systemone import count

TOP = 20
"""Token probabilities that are asked for."""
LEAST_MASS = 0.5
"""Below this share of probability on the options, the model was not answering the question."""
BLANKS = " \t\r\n▁ĠĊ"
"""White space, also as tokenizers write it."""
REASONING = ("reasoning_content", "reasoning", "thinking")
"""Where hosts put what a model thinks before it answers."""


class Chat:
    """A chat model behind an OpenAI-compatible endpoint that gives token probabilities.

    `extra`: more fields of the request, for hosts that need them.
    """

    backend = "chat"

    def __init__(
        self, client: Client, model: str, *, price: float | None = None, extra: Mapping[str, Any] | None = None
    ) -> None:
        self.client = client
        self.model = model
        self.price = price
        self.base_url = client.base_url
        self.concurrency = client.limits.concurrency
        self.extra = dict(extra or {})
        versioned = client.base_url.rsplit("/", 1)[-1] in ("v1", "v1beta", "openai")
        self._root = "" if versioned else "/v1"

    async def ask(self, state: State, questions: Questions, *, sample: int = 0) -> Answers:
        """One request a question, all at once. Raises JudgeError when none of them got a reply."""
        check_request(state, questions)
        asked = await asyncio.gather(*(self._ask(state, id, q) for id, q in questions.items()))
        replied = [one for one in asked if one.reply is not None]
        if not replied:
            error = next(one.found for one in asked if isinstance(one.found, JudgeError))
            error.attempts = sum(one.attempts for one in asked)
            raise error
        return Answers(
            {one.id: one.found for one in asked if isinstance(one.found, Answer)},
            self.model,
            next((model for one in replied if (model := _model(one.reply))), self.model),
            "model",
            False,
            sum((_usage(one.reply) for one in replied), Usage()),
            max(one.reply.latency for one in replied if one.reply),
            len(asked),
            sum(one.attempts for one in asked),
            {one.id: one.found for one in asked if isinstance(one.found, JudgeError)},
        )

    def payload(self, state: State, question: Question) -> dict[str, Any]:
        """What is sent for a question, as JSON data. Raises RefusedQuestion."""
        return {
            "model": self.model,
            "messages": prompt.messages(state, question),
            "max_tokens": 1,
            "temperature": 0,
            "logprobs": True,
            "top_logprobs": TOP,
            **self.extra,
        }

    async def models(self) -> list[str]:
        """The names of the models that the host offers. Raises JudgeError."""
        data = (await self.client.get(f"{self._root}/models")).data
        listed = data.get("data", data.get("models")) if isinstance(data, dict) else None
        if not isinstance(listed, list):
            raise MalformedAnswer(f"{self.client.host} did not list its models.")
        names = [m.get("id", m.get("name")) if isinstance(m, dict) else m for m in listed]
        return [name for name in names if isinstance(name, str)]

    async def aclose(self) -> None:
        """Close the connections."""
        await self.client.aclose()

    async def _ask(self, state: State, id: str, question: Question) -> _Asked:
        reply: Reply | None = None
        try:
            payload = self.payload(state, question)
            tokens = estimated_tokens(state, {id: question}) + len(prompt.SYSTEM) // 3
            path = f"{self._root}/chat/completions"
            reply = await self.client.post(path, payload, tokens=tokens, hidden=dict(state))
            return _Asked(id, read(first_tokens(reply.data), question), reply)
        except JudgeError as error:
            return _Asked(id, error, reply)


@dataclass(frozen=True, slots=True)
class _Asked:
    id: str
    found: Answer | JudgeError
    reply: Reply | None

    @property
    def attempts(self) -> int:
        """How often it was sent."""
        if self.reply:
            return self.reply.attempts
        return self.found.attempts if isinstance(self.found, JudgeError) else 0


def first_tokens(data: Any) -> list[tuple[str, float]]:
    """The likeliest first tokens of a chat completion with their probabilities.

    Raises NoLogprobs when the host gave none, or when they may belong to the model's reasoning; MalformedAnswer.
    """
    choices = data.get("choices") if isinstance(data, dict) else None
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        raise MalformedAnswer("The answer has no `choices`.", hint="Is the base URL that of a chat API?")
    message = choices[0].get("message")
    if isinstance(message, dict) and any(message.get(name) for name in REASONING):
        raise NoLogprobs(
            "The model reasons before it answers, so its first token is no answer.",
            hint="Turn its reasoning off, or use another model; a number in its reasoning is never taken.",
        )
    listed = _top_logprobs(choices[0])
    if not listed:
        raise NoLogprobs(
            "The host gave no token probabilities.",
            hint="It has to support `logprobs` and `top_logprobs`; its answer alone is no distribution.",
        )
    tokens = [_token(entry) for entry in listed]
    total = math.fsum(p for _, p in tokens)
    if total > 1.02:
        raise MalformedAnswer(f"The host's token probabilities add up to {total:.3g}, to more than 1.")
    return tokens


def read(tokens: list[tuple[str, float]], question: Question) -> Answer:
    """The answer that token probabilities make; tokens that are the same but for white space add up.

    Raises NoLevel when less than half of the probability lies on the options.
    """
    marks = prompt.labels(question)
    found: dict[str, float] = {}
    for token, p in tokens:
        mark = token.strip(BLANKS)
        if len(mark) == 1 and mark in marks:
            found[mark] = found.get(mark, 0.0) + p
    mass = min(1.0, math.fsum(found.values()))
    if mass < LEAST_MASS:
        raise NoLevel(mass, hint="Its answer began with something else; is it a model that follows instructions?")
    total = math.fsum(found.values())
    missing = tuple(i for i, mark in enumerate(marks) if mark not in found)
    rest = max(0.0, 1 - math.fsum(p for _, p in tokens))
    bound = min(rest, min(p for _, p in tokens)) if missing else None
    return answer(question, [found.get(mark, 0.0) / total for mark in marks], mass=mass, missing=missing, bound=bound)


def _top_logprobs(choice: Mapping[str, Any]) -> Any:
    logprobs = choice.get("logprobs")
    content = logprobs.get("content") if isinstance(logprobs, dict) else None
    first = content[0] if isinstance(content, list) and content else None
    listed = first.get("top_logprobs") if isinstance(first, dict) else None
    return listed if isinstance(listed, list) else None


def _token(entry: Any) -> tuple[str, float]:
    token = entry.get("token") if isinstance(entry, dict) else None
    logprob = entry.get("logprob") if isinstance(entry, dict) else None
    logprob = -math.inf if logprob is None else logprob
    if not isinstance(token, str) or isinstance(logprob, bool) or not isinstance(logprob, (int, float)):
        raise MalformedAnswer("The host's token probabilities are not tokens with a logarithm each.")
    if not logprob <= 0.01:
        raise MalformedAnswer("The host gave a token the logarithm of a probability above 1.")
    return token, math.exp(min(0.0, logprob))


def _model(reply: Reply | None) -> str | None:
    model = reply.data.get("model") if reply and isinstance(reply.data, dict) else None
    if not isinstance(model, str) or not model.isprintable():
        return None
    name = model.replace("\\", "/").rsplit("/", 1)[-1] if model.endswith(".gguf") else model  # a path on that machine
    return name[:200] or None


def _usage(reply: Reply | None) -> Usage:
    usage = reply.data.get("usage") if reply and isinstance(reply.data, dict) else None
    if not isinstance(usage, dict):
        return Usage()
    return Usage(count(usage.get("prompt_tokens")), count(usage.get("completion_tokens")))
