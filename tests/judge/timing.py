"""Time that passes only when everyone waits, so that tests of waiting take none."""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Coroutine
from typing import Any, TypeVar

from jeval_core.judge.pace import Clock

T = TypeVar("T")
TURNS = 50


class StillClock(Clock):
    """Stands still until `run` moves it to the next moment at which someone wakes."""

    def __init__(self) -> None:
        self.at = 1000.0
        self.slept: list[float] = []
        self._waiting: list[tuple[float, int, asyncio.Future[None]]] = []

    def now(self) -> float:
        return self.at

    def wall(self) -> float:
        return 1_800_000_000.0 + self.at

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._waiting, (self.at + seconds, len(self.slept), future))
        await future

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Run to the end without sleeping."""
        return asyncio.run(self._drive(work))

    async def _drive(self, work: Coroutine[Any, Any, T]) -> T:
        task = asyncio.ensure_future(work)
        idle = 0
        while not task.done():
            await asyncio.sleep(0)
            idle += 1
            if idle > TURNS and self._waiting:
                due, _, future = heapq.heappop(self._waiting)
                self.at, idle = max(self.at, due), 0
                if not future.done():
                    future.set_result(None)
        return await task
