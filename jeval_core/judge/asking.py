"""Many requests to a judge: several at once, from the cache where they were asked before, each with its own outcome."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterable, Iterator
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import cast

from jeval_core.errors import BadInput
from jeval_core.judge.answers import Answers, join
from jeval_core.judge.base import Judge, Questions, estimated_tokens, waited
from jeval_core.judge.cache import Cache
from jeval_core.judge.errors import Cancelled, ConnectionLost, JudgeError, TimedOut
from jeval_core.judge.pace import Clock
from jeval_core.judge.progress import MILLION, Budget, Progress, Tally
from jeval_core.judge.questions import State
from jeval_core.judge.recorded import Recorder

ANSWERED = "answered"
LOOK_SECONDS = 0.2
"""How often it is looked whether the run was cancelled."""
HOPELESS = 5
"""So many requests refused alike in a row and none answered before: a key, route or model is wrong."""
GIVE_UP = 20
"""So many requests failing in a row, each after all its tries: the host is down, and the others are not asked."""


@dataclass(frozen=True, slots=True)
class Request:
    """Questions about one state. `id` is the caller's own."""

    id: int | str
    state: State
    questions: Questions
    sample: int = 0


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a request.

    `status` is "answered" when every question was, else the code of the first error; `answers` can hold some all the
    same, and `error` is None only when all is well.
    """

    request: Request
    status: str
    answers: Answers | None
    error: JudgeError | BadInput | None


class Asking:
    """A run of requests. `outcomes` gives each request's outcome as it comes; `progress` can be read at any time.

    `cache`: where answers are looked up and kept; `recorder` notes them; `max_usd` is never passed by more than what
    the host charges for requests that broke off; `cancelled` is asked again and again. Raises BadSetting.
    """

    def __init__(
        self,
        judge: Judge,
        *,
        cache: Cache | None = None,
        recorder: Recorder | None = None,
        max_usd: float | None = None,
        total: int | None = None,
        cancelled: Callable[[], bool] = lambda: False,
        clock: Clock | None = None,
    ) -> None:
        self.judge = judge
        self._cache = cache if judge.base_url.startswith("http") else None
        self._recorder = recorder
        self._cancelled = cancelled
        self._budget = Budget(judge, max_usd)
        clock = clock or Clock()
        self._tally = Tally(clock, self._budget, total, clock.now())
        self._stop: JudgeError | None = None
        self._failing, self._worked = 0, False
        self._refusals, self._refusal = 0, ""
        self._settled = asyncio.Event()

    def progress(self) -> Progress:
        """How far it is."""
        return self._tally.progress()

    async def outcomes(self, requests: Iterable[Request]) -> AsyncGenerator[Outcome, None]:
        """Each request's outcome, in the order in which they are done. Requests are taken only as they are asked.

        Once the run is cancelled, over budget or without hope, the others get that outcome without being asked.
        """
        waiting, running = iter(requests), dict[asyncio.Task[Outcome], Request]()
        try:
            while True:
                for request in self._next(waiting, running):
                    yield self._counted(self._refused(request))
                    await asyncio.sleep(0)
                if not running:
                    break
                done, _ = await asyncio.wait(running, timeout=LOOK_SECONDS, return_when=asyncio.FIRST_COMPLETED)
                if self._look():
                    for task in running.keys() - done:
                        task.cancel()
                for task in done:
                    yield self._counted(self._outcome(task, running.pop(task)))
        finally:
            for task in running:
                task.cancel()
            await asyncio.gather(*running, return_exceptions=True)
            await self.judge.aclose()

    def _next(self, waiting: Iterator[Request], running: dict[asyncio.Task[Outcome], Request]) -> Iterator[Request]:
        """Start as many requests as may run; gives those that are not to be asked."""
        while len(running) < self.judge.concurrency or self._stop:
            request = next(waiting, None)
            if request is None:
                return
            self._look()
            if self._stop:
                yield request
            else:
                running[asyncio.ensure_future(self._ask(request))] = request

    def _look(self) -> bool:
        if not isinstance(self._stop, Cancelled) and self._cancelled():
            self._stop = Cancelled("The run was cancelled before this was answered.", hint="Start it again to go on.")
        return isinstance(self._stop, Cancelled)

    def _refused(self, request: Request) -> Outcome:
        assert self._stop is not None
        return Outcome(request, self._stop.code, None, self._stop)

    def _outcome(self, task: asyncio.Task[Outcome], request: Request) -> Outcome:
        return self._refused(request) if task.cancelled() else task.result()

    async def _ask(self, request: Request) -> Outcome:
        try:
            answers = await self._answers(request)
        except JudgeError as error:
            self._failed(error)
            return Outcome(request, error.code, None, error)
        except BadInput as error:
            return Outcome(request, error.code, None, error)
        if self._recorder is not None:
            self._recorder.add(request.state, request.questions, answers, request.sample)
        first = next((answers.failed[id] for id in request.questions if id in answers.failed), None)
        return Outcome(request, first.code if first else ANSWERED, answers, first)

    async def _answers(self, request: Request) -> Answers:
        found = self._lookup(request)
        if found is None:
            return await self._fresh(request, request.questions)
        missing = {id: q for id, q in request.questions.items() if id not in found.answers}
        if not missing:
            return found
        fresh = await self._fresh(request, missing)
        if fresh.model != found.model:  # the name that is asked for means another model now
            old = {id: q for id, q in request.questions.items() if id in found.answers}
            return join([fresh, await self._fresh(request, old)], request.questions)
        return join([fresh, found], request.questions)

    def _lookup(self, request: Request) -> Answers | None:
        if self._cache is None:
            return None
        return self._cache.find(self.judge, request.state, request.questions, request.sample)

    async def _fresh(self, request: Request, questions: Questions) -> Answers:
        aside = await self._set_aside(estimated_tokens(request.state, questions))
        broken, tokens = False, cast("int | None", 0)
        try:
            answers = await self.judge.ask(request.state, questions, sample=request.sample)
            tokens = answers.usage.input_tokens
        except (TimedOut, ConnectionLost, asyncio.CancelledError):
            broken = True
            raise
        finally:
            self._budget.settle(aside, tokens, broken=broken)
            self._settled.set()
        self._failing, self._worked = 0, True
        self._count(answers.requests, answers.attempts)
        self._tally.input_tokens += tokens or 0
        if self._budget.price is not None and tokens is not None:
            answers = replace(answers, usd=tokens * self._budget.price / MILLION)
        if self._cache is not None:
            self._cache.keep(self.judge, request.state, questions, answers, request.sample)
        return answers

    async def _set_aside(self, tokens: int) -> float:
        while (aside := self._budget.take(tokens)) is None:
            self._settled.clear()
            await self._settled.wait()
        return aside

    def _count(self, requests: int, attempts: int) -> None:
        self._tally.sent += attempts
        self._tally.retried += max(0, attempts - requests)

    def _failed(self, error: JudgeError) -> None:
        self._count(1, error.attempts)
        self._failing = self._failing + 1 if error.retryable else 0
        self._refusals = self._refusals + 1 if error.hopeless and error.code == self._refusal else 1
        self._refusal = error.code
        hopeless = error.hopeless and self._refusals >= HOPELESS and not self._worked
        if self._stop is None and (hopeless or self._failing >= GIVE_UP):
            self._stop = type(error)(
                f"{error.message} So it was with the requests before, and this one was not asked.",
                hint="Start again when this is put right: what was answered is not asked again.",
                status=error.status,
            )
        elif error.code == "over_budget":
            self._stop = self._stop or error

    def _counted(self, outcome: Outcome) -> Outcome:
        tally = self._tally
        tally.statuses[outcome.status] += 1
        if outcome.answers and outcome.answers.answers:
            tally.models[outcome.answers.model] = None
            tally.cached += outcome.answers.cached == {*outcome.request.questions}
        return outcome


@dataclass(frozen=True, slots=True)
class Estimate:
    """What asking is going to take; `usd` is None when the judge's price is not known."""

    requests: int
    input_tokens: int
    usd: float | None


def estimate(judge: Judge, requests: Iterable[Request]) -> Estimate:
    """About how many tokens and dollars these requests cost when none is in the cache; rather too much."""
    n = tokens = 0
    for request in requests:
        n, tokens = n + 1, tokens + estimated_tokens(request.state, request.questions)
    return Estimate(n, tokens, None if judge.price is None else tokens * judge.price / MILLION)


def ask_all(asking: Asking, requests: Iterable[Request], sink: Callable[[Outcome, Progress], None]) -> Progress:
    """Ask everything and hand each outcome to `sink`."""

    async def work() -> None:
        async with aclosing(asking.outcomes(requests)) as outcomes:
            async for outcome in outcomes:
                sink(outcome, asking.progress())

    waited(work())
    return asking.progress()
