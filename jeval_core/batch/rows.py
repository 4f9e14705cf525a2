"""One evaluator on one block: measure, score, verdict, as `scoring.py` does with one row."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from jeval_core.batch.cells import Flags
from jeval_core.batch.native import Block, Measured, Native, native
from jeval_core.batch.scored import FAILED, NO_EXPECTED, NO_OUTPUT, NO_TEXT, REASONS, SCORED, SKIPPED, Numbers, Scored
from jeval_core.embed.errors import EncoderError
from jeval_core.errors import JevalError
from jeval_core.evaluators.base import Evaluator, NotScored
from jeval_core.labels import EPSILON
from jeval_core.types import Columns, Scores


@dataclass(frozen=True)
class Plan:
    """An evaluator with its threshold, its signature, and how to measure many rows (None: row by row)."""

    one: Evaluator
    threshold: float
    signature: str
    native: Native | None

    @classmethod
    def of(cls, one: Evaluator, threshold: float, references: int) -> Plan:
        """For rows with so many reference columns."""
        return cls(one, threshold, one.signature(references), native(one))


def score_block(plan: Plan, block: Block, limits: NDArray[np.float64] | None, *, counts: bool) -> Scored:
    """The rows of the block. `limits`, shape (rows,): their own thresholds, nan where there is none."""
    n = len(block)
    measured = plan.native(block, plan.one) if plan.native else _unmeasured(n)
    status = np.where(measured.scored, SCORED, SKIPPED).astype(np.uint8)
    reason = np.where(measured.scored, 0, NO_EXPECTED).astype(np.uint8)
    given = block.output.given
    unclear = ~measured.scored & block.has_expected  # blank, or without a token: the evaluator knows what to call it
    left = np.flatnonzero((measured.hard | unclear) & given)
    columns = {name: column.copy() if len(left) else column for name, column in measured.columns.items()}
    status[~given], reason[~given] = SKIPPED, NO_OUTPUT
    reasons = [*REASONS]
    one = plan.one if plan.native else _prepared(plan.one, block, left)
    for row in left:
        status[row], why, own = _measure(one, block, int(row))
        if why not in reasons:
            reasons.append(why)
        reason[row] = reasons.index(why)
        for name, value in own.items():
            columns.setdefault(name, np.zeros(n))[row] = value
    scored = status == SCORED
    score, passed = _judge(plan, columns, scored, _thresholds(plan, limits))
    found = columns if counts else {}
    kept = {name: _compact(column, scored, _is_real(plan.one, name)) for name, column in found.items()}
    return Scored(plan.signature, plan.native is not None, score, passed, status, reason, tuple(reasons), kept)


def _unmeasured(n: int) -> Measured:
    return Measured({}, np.zeros(n, np.bool_), np.ones(n, np.bool_))


def _prepared(one: Evaluator, block: Block, rows: NDArray[np.int64]) -> Evaluator:
    """The evaluator, made ready for rows that it may take together; a fault shows in the rows themselves."""
    if type(one).prepared is Evaluator.prepared:
        return one
    ready = []
    for row in rows:
        with suppress(UnicodeDecodeError):
            ready.append(block.inputs(int(row)))
    try:
        return one.prepared(ready)
    except JevalError:
        return one


def _measure(one: Evaluator, block: Block, row: int) -> tuple[int, str, Mapping[str, float]]:
    """Status, reason and counts of one row, by the evaluator itself."""
    try:
        return SCORED, REASONS[0], one.measure(block.inputs(row)).counts
    except UnicodeDecodeError:
        return FAILED, REASONS[NO_TEXT], {}
    except NotScored as why:
        return SKIPPED, str(why), {}
    except EncoderError as error:
        return FAILED, f"{error.code}: {error}", {}
    except JevalError as error:  # a text that the evaluator does not take
        return FAILED, error.message, {}


def _thresholds(plan: Plan, limits: NDArray[np.float64] | None) -> float | NDArray[np.float64]:
    if limits is None or plan.one.card.max_threshold != 1:
        return plan.threshold
    return np.where(np.isnan(limits), plan.threshold, limits)


def _judge(
    plan: Plan, columns: Columns, scored: Flags, thresholds: float | NDArray[np.float64]
) -> tuple[Scores, Flags]:
    """Scores (nan where not scored) and verdicts (False there) from the evaluator's own formula."""
    if scored.all():
        return _verdicts(plan, columns, thresholds) if len(scored) else (np.zeros(0), np.zeros(0, np.bool_))
    score, passed = np.full(len(scored), np.nan), np.zeros(len(scored), np.bool_)
    if scored.any():
        some = {name: column[scored] for name, column in columns.items()}
        limits = thresholds[scored] if isinstance(thresholds, np.ndarray) else thresholds
        score[scored], passed[scored] = _verdicts(plan, some, limits)
    return score, passed


def _verdicts(plan: Plan, columns: Columns, thresholds: float | NDArray[np.float64]) -> tuple[Scores, Flags]:
    one, scores = plan.one, plan.one.score(columns)
    if type(one).verdict is Evaluator.verdict:
        return scores, scores >= thresholds - EPSILON
    if plan.native:  # Levenshtein
        return scores, columns["distance"] <= thresholds + EPSILON
    limits = np.broadcast_to(thresholds, scores.shape)
    rows = ({name: float(column[i]) for name, column in columns.items()} for i in range(len(scores)))
    verdicts = [one.verdict(c, float(s), float(t)) for c, s, t in zip(rows, scores, limits, strict=True)]
    return np.array([v.score for v in verdicts]), np.array([v.passed for v in verdicts])


def _is_real(one: Evaluator, name: str) -> bool:
    return name.startswith("mean") or name in one.real_counts


def _compact(column: NDArray[np.float64], scored: Flags, real: bool) -> Numbers:
    """The smallest integers that hold them, where they are none; 0 where not scored."""
    values = column if scored.all() else np.where(scored, column, 0.0)
    return values if real else values.astype(np.min_scalar_type(int(values.max(initial=0))))
