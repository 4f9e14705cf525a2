"""Columns of texts in, columns of scores out: blocks of rows on a pool of threads."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from threading import Lock
from typing import TypeAlias, TypeVar

import numpy as np
import pyarrow as pa  # type: ignore[import-untyped]
from numpy.typing import NDArray

from jeval_core import scoring
from jeval_core.batch.cells import check_type
from jeval_core.batch.native import Block, reads_matches
from jeval_core.batch.rows import Plan, score_block
from jeval_core.batch.scored import Scored, joined
from jeval_core.data.arrow import release
from jeval_core.errors import BadInput
from jeval_core.evaluators.judged import Judged
from jeval_core.registry import get_evaluator
from jeval_core.service import Options, check_keys
from jeval_core.types import Inputs

MAX_ROWS = 20_000
"""Rows of a block at most, so that its arrays stay in the processor's cache."""
SLOW_ROWS = 500
"""The same where an evaluator goes row by row, so that progress is seen and cancelling is quick."""
MANY = 100_000
"""Rows from which on memory in use counts more than the milliseconds it takes to give some back."""
MIN_BYTES = 1_000_000
"""Text that is worth a block of its own: below that, setting one up costs more than the balance between workers."""

T = TypeVar("T")
Column: TypeAlias = "pa.Array | pa.ChunkedArray"


SHARED = "counting n-grams"
"""What several evaluators need of a block is counted once."""


class Cancelled(Exception):
    """Raised by `score_columns` when its `cancelled` said so; nothing was kept."""


def score_columns(
    evaluators: Sequence[str],
    output: Column,
    references: Sequence[Column],
    *,
    options: Mapping[str, Options] | None = None,
    thresholds: Mapping[str, float] | None = None,
    row_thresholds: NDArray[np.float64] | None = None,
    counts: bool = True,
    workers: int | None = None,
    progress: Callable[[int], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
    seconds: dict[str, float] | None = None,
) -> dict[str, Scored]:
    """Score n rows with every evaluator: id → columns of shape (n,), bit for bit what `evaluate` gives each row.

    `output` and each of `references` are Arrow columns of text with n rows. A null reference is one that the row does
    not have; a row without any, or with blank ones only, is skipped, as is a row with a null output. An output
    without a word is scored 0. A row whose bytes are not UTF-8 has failed.

    `options` and `thresholds` are by evaluator id. `row_thresholds`, shape (n,), are for evaluators whose threshold
    is a score in 0..1; they beat `thresholds`, and nan stands for "none given". `counts=False` leaves out the counts.
    `progress` is called in this thread with the rows done so far, `cancelled` is asked between blocks. The number of
    `workers` (default: one for each processor) changes no number. `seconds` is filled with the time that each
    evaluator took, summed over workers; what BLEU, GLEU and ROUGE share is counted under SHARED.

    Raises UnknownEvaluator, UnknownOption, BadOption, BadInput (a threshold out of range, a column that is no text,
    columns of different length), MissingField (no reference column at all) and Cancelled.
    """
    plans = _plans(evaluators, options or {}, thresholds or {}, len(references))
    _check_columns(output, references)
    if row_thresholds is not None:
        row_thresholds = _check_thresholds(row_thresholds, len(output))

    def run(block: Block) -> list[Scored]:
        limits = None if row_thresholds is None else row_thresholds[block.first : block.first + len(block)]
        if any(reads_matches(plan.one, plan.native) for plan in plans):
            with took(SHARED):
                block.matches  # noqa: B018 - made here, so that it is nobody's own time
        out = []
        for plan in plans:
            with took(plan.one.card.id):
                out.append(score_block(plan, block, limits, counts=counts))
        return out

    took = _Stopwatch({} if seconds is None else seconds)

    most = MAX_ROWS if all(plan.native for plan in plans) else SLOW_ROWS
    blocks = blocks_of(run, output, references, workers, progress, cancelled, most)
    out = {}
    for plan in plans:
        out[plan.one.card.id] = joined([block.pop(0) for block in blocks])  # popped: a column is never held twice
        if len(output) > MANY:
            release()
    return out


def blocks_of(
    work: Callable[[Block], T],
    output: Column,
    references: Sequence[Column],
    workers: int | None = None,
    progress: Callable[[int], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
    most: int = MAX_ROWS,
) -> list[T]:
    """What `work` makes of each block of at most `most` rows, in order; at least one block.

    Other arguments as for `score_columns`.
    """
    rows, workers = len(output), max(1, workers or os.cpu_count() or 1)
    columns = [_chunked(column) for column in (output, *references)]
    size = block_rows(rows, sum(column.nbytes for column in columns), workers, most)

    def run(first: int) -> T:
        return work(Block.of(first, *(column.slice(first, size) for column in columns)))

    watch = _Watch(rows, size, progress, cancelled)
    return _run(run, range(0, max(1, rows), size), workers, watch)


def block_rows(rows: int, size: int, workers: int, most: int = MAX_ROWS) -> int:
    """Rows of a block, for so many rows with `size` bytes of text in all.

    Four blocks for each worker, fewer where they would be small, more where they would have over `most` rows.
    """
    each = min(4, max(1, size // (workers * MIN_BYTES)))
    blocks = each * workers if size > MIN_BYTES else 1
    return max(1, min(most, -(-rows // blocks)))


def _plans(
    evaluators: Sequence[str], options: Mapping[str, Options], thresholds: Mapping[str, float], references: int
) -> list[Plan]:
    check_keys(evaluators, thresholds, "thresholds")
    check_keys(evaluators, options, "options")
    plans = []
    for name in dict.fromkeys(evaluators):
        one = get_evaluator(name, options.get(name))
        if isinstance(one, Judged):
            raise BadInput(f"{name} asks a judge, which has columns of its own (judge_columns).", field="evaluators")
        scoring.check_fields(one, Inputs("", ("",) * references))
        plans.append(Plan.of(one, one.card.check_threshold(thresholds.get(name)), references))
    return plans


def _check_columns(output: Column, references: Sequence[Column]) -> None:
    check_type(output, "output")
    for reference in references:
        check_type(reference, "expected")
        if len(reference) != len(output):
            raise BadInput(f"`expected` has {len(reference)} rows, `output` has {len(output)}.", field="expected")


def _check_thresholds(given: NDArray[np.float64], rows: int) -> NDArray[np.float64]:
    given = np.asarray(given, dtype=np.float64)
    if given.shape != (rows,):
        raise BadInput(f"There are {rows} rows and thresholds of shape {given.shape}.", field="threshold")
    wrong = np.flatnonzero(~np.isnan(given) & ~((given >= 0) & (given <= 1)))
    if len(wrong):
        raise BadInput(
            f"row {wrong[0] + 1}: the threshold must be between 0 and 1.",
            field="threshold",
            hint="Correct it, or leave it blank to use the evaluator's.",
        )
    return given


def _chunked(column: Column) -> pa.ChunkedArray:
    return column if isinstance(column, pa.ChunkedArray) else pa.chunked_array([column])


class _Stopwatch:
    """Adds up what workers took, by name."""

    def __init__(self, seconds: dict[str, float]) -> None:
        self._seconds, self._lock = seconds, Lock()

    @contextmanager
    def __call__(self, name: str) -> Iterator[None]:
        begun = time.perf_counter()
        yield
        with self._lock:
            self._seconds[name] = self._seconds.get(name, 0.0) + time.perf_counter() - begun


@dataclass
class _Watch:
    """Tells how far the work is and asks whether to go on."""

    rows: int
    size: int
    progress: Callable[[int], None] | None
    cancelled: Callable[[], bool] | None
    blocks: int = 0

    def check(self) -> None:
        if self.cancelled and self.cancelled():
            raise Cancelled

    def done(self, blocks: int) -> None:
        self.blocks += blocks
        if self.progress:
            self.progress(min(self.blocks * self.size, self.rows))


def _run(run: Callable[[int], T], starts: range, workers: int, watch: _Watch) -> list[T]:
    """The blocks' results in order. At most a few blocks wait in the pool, so that cancelling is quick."""
    done: dict[int, T] = {}
    if workers == 1 or len(starts) == 1:
        for start in starts:
            watch.check()
            done[start] = run(start)
            watch.done(1)
        return [done[start] for start in starts]
    with ThreadPoolExecutor(workers, "jeval-batch") as pool:
        left = iter(starts)
        running: dict[Future[T], int] = {}
        try:
            while True:
                running |= {pool.submit(run, start): start for start in islice(left, 2 * workers - len(running))}
                if not running:
                    return [done[start] for start in starts]
                finished, _ = wait(running, timeout=0.2, return_when=FIRST_COMPLETED)
                done.update((running.pop(future), future.result()) for future in finished)
                watch.check()
                watch.done(len(finished))
        finally:
            for future in running:
                future.cancel()
