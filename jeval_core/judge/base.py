"""The protocol of every judge."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol, TypeVar

from jeval_core.errors import BadInput
from jeval_core.judge.answers import Answers
from jeval_core.judge.questions import Question, State, canonical, check_state

Questions = Mapping[str, Question]
"""Questions by an id of letters, digits and underscores."""
T = TypeVar("T")
BYTES_A_TOKEN = 3
"""Rather few: an estimate made with it is rather too high."""


class Judge(Protocol):
    """Something that answers questions about a state.

    `model` is the one that is asked for. `price`: USD for a million input tokens, None when it is not known.
    `concurrency`: how many requests at once make sense.
    """

    backend: str
    base_url: str
    model: str
    price: float | None
    concurrency: int

    async def ask(self, state: State, questions: Questions, *, sample: int = 0) -> Answers:
        """Answer all questions about one state; `sample` tells apart repeated asking.

        A question whose answer cannot be used is in `failed`. Raises JudgeError when the whole request failed.
        """
        ...

    async def aclose(self) -> None:
        """Give back connections; the judge can be used again."""
        ...


def ask_one(judge: Judge, state: State, questions: Questions, *, sample: int = 0) -> Answers:
    """Ask and wait for the answers. Raises as `Judge.ask`."""

    async def work() -> Answers:
        try:
            return await judge.ask(state, questions, sample=sample)
        finally:
            await judge.aclose()

    return waited(work())


def waited(work: Coroutine[Any, Any, T]) -> T:
    """Run to the end and wait for it, also where an event loop is running already, as in a notebook."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    with ThreadPoolExecutor(1, "jeval-judge") as pool:
        return pool.submit(asyncio.run, work).result()


def check_request(state: State, questions: Questions) -> None:
    """BadInput for a state or questions that cannot be asked."""
    check_state(state)
    if not questions:
        raise BadInput("There is no question to ask.", field="questions")
    for id in questions:
        if not (isinstance(id, str) and id.isascii() and id.replace("_", "").isalnum()):
            raise BadInput("A question's id is made of letters, digits and underscores.", field="questions")


def estimated_tokens(state: State, questions: Questions) -> int:
    """About how many input tokens a request has, rather too many than too few."""
    size = len(canonical(dict(state))) + sum(len(canonical(q.to_dict())) for q in questions.values())
    return size // BYTES_A_TOKEN + 16
