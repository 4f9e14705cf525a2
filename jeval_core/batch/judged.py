"""Many rows through judge evaluators: what each row asks, asked at once, and what came back as columns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from jeval_core.asked import packed
from jeval_core.batch.engine import Cancelled
from jeval_core.batch.judge_texts import Row, Texts
from jeval_core.batch.scored import FAILED, NO_OUTPUT, REASONS, SCORED, SKIPPED, Numbers, Scored
from jeval_core.evaluators.judged import Judged, answered_by
from jeval_core.judge.answers import Answers
from jeval_core.judge.asking import Asking, Outcome, Request, ask_all
from jeval_core.judge.base import Judge
from jeval_core.judge.cache import Cache
from jeval_core.judge.progress import Progress
from jeval_core.judge.questions import Question, State
from jeval_core.judge.recorded import Recorder
from jeval_core.judge.suspect import addresses_judge
from jeval_core.labels import EPSILON

MOST_REASONS = 90
"""Different reasons that are kept in full, after so many only their codes; with those fewer than the 127 of an int8."""
MOST_CODES, OTHER = 30, "another reason"
MOST_SUSPECTS = 100
Judges: TypeAlias = Mapping[str, tuple[Judged, float]]
"""Evaluator and threshold by id."""


@dataclass(frozen=True)
class Judging:
    """Who is asked in a run, and within which limits."""

    judge: Judge
    cache: Cache | None = None
    recorder: Recorder | None = None
    max_usd: float | None = None


@dataclass(frozen=True)
class Report:
    """What asking took.

    `kind` is that of the answers, None where none came. `suspected` outputs speak to their judge; `suspects`: the
    rows of the first hundred.
    """

    judge: Judge
    kind: str | None
    calibrated: bool
    progress: Progress
    suspected: int
    suspects: list[int]

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON data, the same whenever the same was asked and answered."""
        p = self.progress
        return {
            "backend": self.judge.backend,
            "model": self.judge.model,
            "answered_by": sorted(p.models),
            "kind": self.kind,
            "calibrated": self.calibrated,
            "requests": p.done,
            "cached": p.cached,
            "retried": p.retried,
            "input_tokens": p.input_tokens,
            "usd": p.usd,
            "failed": {code: n for code, n in sorted(p.statuses.items()) if code != "answered"},
            "addresses_judge": self.suspected,
        }


@dataclass
class _Answered:
    """Columns of one evaluator while answers come in."""

    one: Judged
    rows: int
    status: NDArray[np.uint8] = field(init=False)
    reason: NDArray[np.uint8] = field(init=False)
    weights: dict[str, NDArray[np.float64]] = field(init=False)
    reasons: list[str] = field(default_factory=lambda: [*REASONS])

    def __post_init__(self) -> None:
        self.status = np.full(self.rows, SKIPPED, np.uint8)
        self.reason = np.zeros(self.rows, np.uint8)
        self.weights = {name: np.zeros(self.rows) for name in self.one.columns}

    def leave(self, row: int, status: int, why: str) -> None:
        """A row that gets no score."""
        if why not in self.reasons:
            full, codes = len(self.reasons) >= MOST_REASONS, len(self.reasons) >= MOST_REASONS + MOST_CODES
            why = OTHER if codes else why.partition(":")[0] if full else why
            self.reasons += [] if why in self.reasons else [why]
        self.status[row], self.reason[row] = status, self.reasons.index(why)

    def take(self, row: int, answers: Answers) -> None:
        """The answer to a row's question."""
        id = self.one.card.id
        if id in answers.failed:
            error = answers.failed[id]
            self.leave(row, FAILED, f"{error.code}: {error}")
            return
        for name, value in self.one.counts(answers[id]).items():
            self.weights.setdefault(name, np.zeros(self.rows))[row] = value
        self.status[row] = SCORED

    def scored(self, threshold: float, limits: NDArray[np.float64] | None, judge: str | None) -> Scored:
        """The columns as they are kept."""
        done = self.status == SCORED
        score, passed = np.full(self.rows, np.nan), np.zeros(self.rows, np.bool_)
        if done.any():
            score[done] = self.one.score({name: column[done] for name, column in self.weights.items()})
            held = np.full(self.rows, threshold) if limits is None else np.where(np.isnan(limits), threshold, limits)
            passed[done] = score[done] >= held[done] - EPSILON
        counts: dict[str, Numbers] = {**self.weights}
        signature = self.one.signature(judge=judge)
        return Scored(signature, False, score, passed, self.status, self.reason, tuple(self.reasons), counts)


def judge_columns(
    judges: Judges,
    texts: Texts,
    judging: Judging,
    *,
    row_thresholds: NDArray[np.float64] | None = None,
    progress: Callable[[int, int, Progress], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> tuple[dict[str, Scored], Report]:
    """Ask about every row: id → columns of shape (n,), bit for bit what `evaluate` gives with the same answers.

    A question that got no answer leaves its row failed, with the error's code and text as the reason; the others of
    the row are scored. `row_thresholds`, shape (n,), beat those in `judges`; nan stands for "none given". `progress` is
    called with (rows done, rows, what was asked so far). Raises Cancelled, BadSetting (a limit on spending that cannot
    be kept); what was answered is in the cache by then.
    """
    columns = {id: _Answered(one, len(texts)) for id, (one, _) in judges.items()}
    asked = _Asked(columns, texts)
    asking = Asking(
        judging.judge,
        cache=judging.cache,
        recorder=judging.recorder,
        max_usd=judging.max_usd,
        cancelled=cancelled or (lambda: False),
    )

    def sink(outcome: Outcome, so_far: Progress) -> None:
        asked.take(outcome)
        if progress is not None:
            progress(asked.done, len(texts), so_far)

    ended = ask_all(asking, asked.requests(), sink)
    if cancelled is not None and cancelled():
        raise Cancelled
    judge = " + ".join(sorted(asked.names)) or None
    scored = {id: columns[id].scored(limit, row_thresholds, judge) for id, (_, limit) in judges.items()}
    kind = " + ".join(sorted(asked.kinds)) or None
    calibrated = asked.calibrated and kind is not None
    return scored, Report(judging.judge, kind, calibrated, ended, asked.suspected, asked.suspects)


class _Asked:
    """The requests of all rows, made as they are asked for, and the rows' outcomes."""

    def __init__(self, columns: Mapping[str, _Answered], texts: Texts) -> None:
        self._columns, self._texts = columns, texts
        self._open: dict[int, int] = {}
        self.done = 0
        self.names: set[str] = set()
        self.kinds: set[str] = set()
        self.calibrated = True
        self.suspected = 0
        self.suspects: list[int] = []

    def requests(self) -> Iterator[Request]:
        """A request for each different state of each row."""
        for row, texts in enumerate(self._texts.rows()):
            found = self._requests(row, texts)
            self._open[row] = len(found) + 1
            for state, questions in found:
                yield Request(row, state, questions)
            self._closed(row)

    def take(self, outcome: Outcome) -> None:
        """What became of a request."""
        row = int(outcome.request.id)
        for id in outcome.request.questions:
            if outcome.answers is None:
                self._columns[id].leave(row, FAILED, f"{getattr(outcome.error, 'code', 'failed')}: {outcome.error}")
            else:
                self._columns[id].take(row, outcome.answers)
        if outcome.answers is not None and outcome.answers.answers:
            self.names.add(answered_by(outcome.answers))
            self.kinds.add(outcome.answers.kind)
            self.calibrated = self.calibrated and outcome.answers.calibrated
        self._closed(row)

    def _closed(self, row: int) -> None:
        self._open[row] -= 1
        if not self._open[row]:
            del self._open[row]
            self.done += 1

    def _requests(self, row: int, texts: Row) -> list[tuple[State, dict[str, Question]]]:
        """What a row asks; says why it asks nothing for an evaluator, and notes an output that speaks to its judge."""
        x, columns = texts.x, self._columns.values()
        if x is None:
            for column in columns:
                column.leave(row, SKIPPED, REASONS[NO_OUTPUT])
            return []
        wrong = {c.one.card.id: error for c in columns if (error := texts.why_not(c.one))}
        for id, error in wrong.items():
            self._columns[id].leave(row, FAILED, str(error))
        found, left = packed((c.one for c in columns if c.one.card.id not in wrong), x)
        for id, why in left.items():
            self._columns[id].leave(row, SKIPPED, why)
        if addresses_judge(x.output):
            self.suspected += 1
            self.suspects += [row] if self.suspected <= MOST_SUSPECTS else []
        return found


__all__ = ["Judges", "Judging", "Report", "Texts", "judge_columns"]
