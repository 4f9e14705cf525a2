"""Time as the client sees it, and a limit of so much a minute."""

from __future__ import annotations

import asyncio
import time
from threading import Lock

MINUTE = 60.0


class Clock:
    """The clocks of this machine. A test puts its own in their place."""

    def now(self) -> float:
        """Seconds that never go back."""
        return time.monotonic()

    def wall(self) -> float:
        """Seconds since 1970."""
        return time.time()

    async def sleep(self, seconds: float) -> None:
        """Wait without holding up others."""
        await asyncio.sleep(seconds)


class Pace:
    """At most `limit` units in any minute, a tenth of them at once and the others evenly spread.

    May be shared by threads. A limit of None is none.
    """

    def __init__(self, limit: float | None, clock: Clock) -> None:
        self._clock = clock
        self._lock = Lock()
        self._limit = limit
        self._burst = max(1.0, (limit or 0) // 10)
        spare = 0.0 if self._burst == 1 else self._burst + 1
        self._rate = ((limit or 0) - spare) / MINUTE
        self._left = self._burst
        self._at = clock.now()

    def reserve(self, units: float = 1) -> float:
        """Take units and return the seconds to wait before using them; whoever comes later waits longer."""
        if self._limit is None or units <= 0:
            return 0.0
        with self._lock:
            now = self._clock.now()
            self._left = min(self._burst, self._left + (now - self._at) * self._rate)
            self._at = now
            wait = max(0.0, (min(units, self._burst) - self._left) / self._rate)
            self._left -= units
            return wait
