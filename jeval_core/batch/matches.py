"""The kernel over one output column and its reference columns, and what each evaluator makes of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from jeval_core.batch.cells import Cells, Flags
from jeval_core.batch.kernel import COLUMNS, count
from jeval_core.batch.table import arrays
from jeval_core.evaluators.base import Evaluator
from jeval_core.evaluators.rouge import f1
from jeval_core.types import Columns, Scores

Numbers = NDArray[np.float64]
ORDERS = (1, 2, 3, 4)
LCS = 6


@dataclass(frozen=True)
class Matches:
    """Counts of n rows against each of R references.

    `pairs` of shape (R, n, 7) as the kernel fills them; `clipped` of shape (n, 4): matches of order 1 to 4, clipped
    over all references; `output` of shape (n,): tokens of the output. `kept` of shape (R, n): the reference has a
    token; `scored` of shape (n,): one of them has. `hard`: rows that the kernel has not counted, or not in full.
    """

    pairs: NDArray[np.int32]
    clipped: NDArray[np.int32]
    output: Numbers
    kept: Flags
    scored: Flags
    hard: Flags

    def column(self, reference: int, k: int) -> Numbers:
        """One of the kernel's numbers for one reference, shape (n,)."""
        return self.pairs[reference, :, k].astype(np.float64)


def match(output: Cells, references: Sequence[Cells]) -> Matches:
    """Run the kernel; cells as `cells.prepared` gives them, at least one reference column."""
    n = len(output)
    table, lower = arrays()
    pairs = np.zeros((len(references), n, COLUMNS), np.int32)
    many = len(references) > 1
    hits = np.zeros(len(output.data) if many else 0, np.uint8)
    clipped = np.zeros((n if many else 0, 4), np.int32)
    hard = output.hard.copy()
    for reference, counts in zip(references, pairs, strict=True):
        count(
            output.data,
            output.start,
            output.stop,
            reference.data,
            reference.start,
            reference.stop,
            table,
            lower,
            counts,
            hits,
            clipped,
        )
        hard |= reference.hard | (counts[:, 4] < 0)
    if hard.any():
        pairs[:, hard] = 0
    kept = pairs[:, :, 5] > 0
    lengths = pairs[0, :, 4].astype(np.float64)
    return Matches(pairs, clipped if many else pairs[0, :, :4], lengths, kept, np.asarray(kept.any(axis=0)), hard)


def total(length: Numbers, n: int) -> Numbers:
    """Number of n-grams in texts of so many tokens."""
    return np.maximum(length - (n - 1), 0.0)


def bleu(m: Matches, one: Evaluator) -> Columns:
    """Matches clipped over all references, totals, and the reference length closest to the output's."""
    counts = {f"match_{n}": m.clipped[:, n - 1].astype(np.float64) for n in ORDERS}
    counts |= {f"total_{n}": total(m.output, n) for n in ORDERS}
    lengths = m.column(0, 5)
    if len(m.pairs) > 1:
        every = np.where(m.kept, m.pairs[:, :, 5].astype(np.float64), np.inf)
        away = np.abs(every - m.output)
        lengths = np.where(away == away.min(axis=0), every, np.inf).min(axis=0)
        lengths = np.where(m.scored, lengths, 0.0)
    return counts | {"output_tokens": m.output, "reference_tokens": lengths}


def gleu(m: Matches, one: Evaluator) -> Columns:
    """The pools against the reference with the best score."""

    def pool(reference: int) -> Columns:
        lengths = m.column(reference, 5)
        return {
            "match": m.pairs[reference, :, :4].sum(axis=1, dtype=np.int64).astype(np.float64),
            "output_ngrams": sum((total(m.output, n) for n in ORDERS), start=np.zeros_like(lengths)),
            "reference_ngrams": sum((total(lengths, n) for n in ORDERS), start=np.zeros_like(lengths)),
        }

    return _best(m, [pool(reference) for reference in range(len(m.pairs))], one.score)


def rouge_n(m: Matches, one: Evaluator) -> Columns:
    """Matches and lengths of order 1 and 2, each against its own best reference; the mean F1 when asked for."""
    counts: dict[str, Numbers] = {}
    for n in (1, 2):
        names = (f"match_{n}", f"output_{n}", f"reference_{n}")
        found = [(m.column(r, n - 1), total(m.output, n), total(m.column(r, 5), n)) for r in range(len(m.pairs))]
        counts |= _rouge(m, one, found, names, f"mean_f_{n}")
    return counts


def rouge_l(m: Matches, one: Evaluator) -> Columns:
    """Length of the subsequence and both texts' lengths, for the best reference; the mean F1 when asked for."""
    found = [(m.column(r, LCS), m.output, m.column(r, 5)) for r in range(len(m.pairs))]
    return _rouge(m, one, found, ("lcs", "output_tokens", "reference_tokens"), "mean_f")


def _rouge(
    m: Matches,
    one: Evaluator,
    found: Sequence[tuple[Numbers, Numbers, Numbers]],
    names: tuple[str, str, str],
    mean: str,
) -> dict[str, Numbers]:
    columns: list[Columns] = [dict(zip(names, numbers, strict=True)) for numbers in found]

    def score(counts: Columns) -> Scores:
        return f1(*(counts[name] for name in names))

    best = dict(_best(m, columns, score))
    if one.options["references"] == "mean":
        best[mean] = _mean([score(counts) for counts in columns], m.kept)
    return best


def _best(m: Matches, found: Sequence[Columns], score: Callable[[Columns], Scores]) -> Columns:
    """Per row the counts of the reference with the highest score, the first of equals."""
    if len(found) == 1:
        return found[0]
    with np.errstate(divide="ignore", invalid="ignore"):  # references without a token
        scores = np.stack([score(counts) for counts in found])
    at = np.where(m.kept, scores, -1.0).argmax(axis=0)[None]
    return {name: np.take_along_axis(np.stack([c[name] for c in found]), at, axis=0)[0] for name in found[0]}


def _mean(scores: Sequence[Scores], kept: Flags) -> Numbers:
    """The mean over the references that count, added up as one row is: some Pythons sum with a correction."""
    if len(scores) == 1:
        return scores[0]
    rows = zip(np.stack(scores, axis=1).tolist(), kept.T.tolist(), strict=True)
    chosen = ([s for s, use in zip(row, uses, strict=True) if use] for row, uses in rows)
    return np.array([sum(row) / len(row) if row else 0.0 for row in chosen], dtype=np.float64)
