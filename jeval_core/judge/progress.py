"""How far a run of requests is, and what it has cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from jeval_core.judge.base import Judge
from jeval_core.judge.errors import BadSetting, OverBudget
from jeval_core.judge.pace import Clock

MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Progress:
    """`done` of `total` requests; `statuses` adds up to `done`.

    `cached`: answered without asking. `sent`: tries in all, `retried`: those that were not the first. `usd` is None
    when the judge's price is not known. `seconds` since the start. `models`: those that answered.
    """

    done: int
    total: int | None
    statuses: Mapping[str, int]
    cached: int
    sent: int
    retried: int
    input_tokens: int
    usd: float | None
    seconds: float
    models: tuple[str, ...]

    @property
    def answered(self) -> int:
        """Requests whose every question was answered."""
        return self.statuses.get("answered", 0)

    def said(self) -> str:
        """How many requests there were, found in the cache, failed, and what was spent, in words."""
        parts = [f"{self.done:,} {'request' if self.done == 1 else 'requests'}"]
        parts += [f"{self.cached:,} from the cache"] if self.cached else []
        failed = self.done - self.answered
        parts += [f"{failed:,} failed"] if failed else []
        spent = "" if self.usd is None else f"${self.usd:.4f} spent" if self.usd else ""
        return ", ".join([*parts, *([spent] if spent else [])])

    @property
    def rate(self) -> float | None:
        """Requests a second so far, those from the cache left out."""
        asked = self.done - self.cached
        return asked / self.seconds if asked and self.seconds > 0 else None

    @property
    def eta(self) -> float | None:
        """Seconds to the end at this rate."""
        return (self.total - self.done) / self.rate if self.total is not None and self.rate else None


class Budget:
    """What may be spent. Money is set aside before a request and settled after it. BadSetting without a price."""

    def __init__(self, judge: Judge, max_usd: float | None) -> None:
        if max_usd is not None and not max_usd >= 0:
            raise BadSetting("A limit on spending is 0 dollars or more.", field="max_usd")
        if max_usd is not None and judge.price is None:
            raise BadSetting(
                f"The price of {judge.backend} at {judge.base_url} is not known, so no limit on spending can be kept.",
                field="max_usd",
                hint="Give it by JEVAL_JUDGE_PRICE, in dollars for a million input tokens.",
            )
        self.max_usd = max_usd
        self.price = judge.price
        self.spent = 0.0
        self.lost = 0.0
        """Of requests that broke off: the host may have charged them or not."""
        self._aside = 0.0
        self._open = 0

    def take(self, tokens: int) -> float | None:
        """Set aside the price of some tokens, in USD.

        None when it has to be seen first what others cost; OverBudget when too little is left in any case.
        """
        cost = tokens * (self.price or 0.0) / MILLION
        used = self.spent + self.lost + cost
        if self.max_usd is not None and used + self._aside > self.max_usd:
            if self._aside and used <= self.max_usd:
                return None
            raise OverBudget(
                f"The limit of {self.max_usd:g} dollars is reached ({self.spent:.4g} spent).",
                field="max_usd",
                hint="Raise it and start again: what was answered is not asked again.",
            )
        self._aside += cost
        self._open += 1
        return cost

    def settle(self, aside: float, tokens: int | None, *, broken: bool = False) -> None:
        """Turn what was set aside into what it did cost; `tokens` None: the host did not say."""
        self._open -= 1
        self._aside = self._aside - aside if self._open else 0.0  # without what rounding leaves
        if broken:
            self.lost += aside
        else:
            self.spent += aside if tokens is None else tokens * (self.price or 0.0) / MILLION


@dataclass(slots=True)
class Tally:
    """The counts behind a Progress."""

    clock: Clock
    budget: Budget
    total: int | None
    started: float
    statuses: Counter[str] = field(default_factory=Counter)
    cached: int = 0
    sent: int = 0
    retried: int = 0
    input_tokens: int = 0
    models: dict[str, None] = field(default_factory=dict)

    def progress(self) -> Progress:
        """The counts of this moment."""
        return Progress(
            self.statuses.total(),
            self.total,
            dict(self.statuses),
            self.cached,
            self.sent,
            self.retried,
            self.input_tokens,
            None if self.budget.price is None else self.budget.spent,
            self.clock.now() - self.started,
            tuple(self.models),
        )
