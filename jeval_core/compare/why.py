"""Why a score moved: the parts of a BLEU, n-grams won and lost, where the levels of a judge went."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from jeval_core.compare.pairs import Measured, Pairs, Rows
from jeval_core.evaluators.base import Evaluator, one_row
from jeval_core.evaluators.bleu import Bleu
from jeval_core.evaluators.bleu_rules import ORDERS
from jeval_core.evaluators.judged import Judged
from jeval_core.evaluators.tokens import TokenEvaluator
from jeval_core.ngrams import Gram, most, ngrams
from jeval_core.stats.why_bleu import Split, split
from jeval_core.types import Counts

MOST_ROWS = 2_000
"""Rows whose n-grams are counted for a whole run: those that moved furthest."""


@dataclass(frozen=True, slots=True)
class Grams:
    """Matches with the references that one run has and the other has not: (n-gram, how many), longest first.

    Of n-grams inside each other only the longest is listed, unless the shorter one was moved more often.
    """

    lost: tuple[tuple[Gram, int], ...]
    gained: tuple[tuple[Gram, int], ...]


def corpus_split(found: Measured) -> Split | None:
    """The change of ln BLEU over all rows together; None for other evaluators, and where a score is 0."""
    if not isinstance(found.one, Bleu) or not found.counts[0]:
        return None
    sides = [{name: np.array([float(c.sum())]) for name, c in side.items()} for side in found.counts]
    scores = [found.one.corpus_scores(side) for side in sides]
    a, b = (found.one.corpus_steps(side) for side in sides)
    if a is None or b is None or any(score is None or score[0] <= 0 for score in scores):
        return None
    return split(a, b)


def item_split(one: Evaluator, a: Counts, b: Counts) -> Split | None:
    """The same of one row, from its counts."""
    return split(one.steps_of(one_row(a)), one.steps_of(one_row(b))) if isinstance(one, Bleu) else None


def item_grams(one: Evaluator, a: str, b: str, references: Iterable[str]) -> Grams | None:
    """n-grams of 1 to 4 tokens shared with the references by one output alone; None for evaluators without tokens."""
    if not isinstance(one, TokenEvaluator):
        return None
    lost, gained = _moved(one, a, b, [*references])
    return Grams(_longest(lost), _longest(gained))


def run_grams(pairs: Pairs, found: Measured) -> Grams | None:
    """The same summed over the rows that moved furthest, at most MOST_ROWS."""
    if not isinstance(found.one, TokenEvaluator):
        return None
    d = np.abs(found.score[1] - found.score[0])
    moved = np.argsort(-d, kind="stable")[:MOST_ROWS]
    rows = found.rows[moved[d[moved] > 0]]
    lost: Counter[Gram] = Counter()
    gained: Counter[Gram] = Counter()
    for a, b, references in _texts(pairs, rows):
        for total, part in zip((lost, gained), _moved(found.one, a, b, references), strict=True):
            total.update(part)
    both = lost & gained  # what one row lost another won
    return Grams(_longest(lost - both), _longest(gained - both))


def level_shift(found: Measured, pairs: Pairs) -> dict[str, tuple[float, float]]:
    """Answer of a judge → its mean probability in a and in b; empty for other evaluators."""
    if not isinstance(found.one, Judged):
        return {}
    means = []
    for run, rows in pairs.sides:
        counts = run.scored(found.id).counts
        given = np.stack([counts[name][rows[found.rows]].astype(np.float64) for name in found.one.columns])
        means.append((given / given.sum(axis=0)).mean(axis=1))
    return {name: (float(means[0][i]), float(means[1][i])) for i, name in enumerate(found.one.columns)}


def item_levels(one: Evaluator, a: Counts, b: Counts) -> dict[str, tuple[float, float]]:
    """The same of one row, from its counts."""
    if not isinstance(one, Judged):
        return {}
    sides = [np.array([float(side.get(name, 0.0)) for name in one.columns]) for side in (a, b)]
    left, right = (side / (side.sum() or 1.0) for side in sides)
    return {name: (float(left[i]), float(right[i])) for i, name in enumerate(one.columns)}


def movers(found: Measured, most: int | None = None) -> tuple[Rows, Rows]:
    """Pairs with the biggest drops and with the biggest gains, the biggest first; rows that stayed are in neither."""
    d = found.score[1] - found.score[0]
    order = np.argsort(d, kind="stable")
    drops, gains = order[d[order] < 0], order[::-1][d[order[::-1]] > 0]
    return found.rows[drops[:most]], found.rows[gains[:most]]


def _texts(pairs: Pairs, rows: Rows) -> list[tuple[str, str, list[str]]]:
    roles = pairs.a.columns
    names = [*roles["output"], *roles["references"]]
    left = pairs.a.take(pairs.alignment.a[rows], names).to_pylist()
    right = pairs.b.take(pairs.alignment.b[rows], pairs.b.columns["output"]).to_pylist()
    return [_row(a, b) for a, b in zip(left, right, strict=True)]


def _row(a: Mapping[str, Any], b: Mapping[str, Any]) -> tuple[str, str, list[str]]:
    output, *references = (_text(cell) for cell in a.values())
    return output, _text(next(iter(b.values()))), [text for text in references if text]


def _text(cell: Any) -> str:
    return cell.decode("utf-8", "replace") if isinstance(cell, bytes) else cell or ""


def _moved(one: TokenEvaluator, a: str, b: str, references: list[str]) -> tuple[Counter[Gram], Counter[Gram]]:
    sides = [one.tokens(text) for text in (a, b, *references)]
    lost: Counter[Gram] = Counter()
    gained: Counter[Gram] = Counter()
    for n in ORDERS:
        left, right, *others = (ngrams(tokens, n) for tokens in sides)
        limit = most(others)
        before, after = left & limit, right & limit
        lost.update(before - after)
        gained.update(after - before)
    return lost, gained


def _longest(found: Counter[Gram]) -> tuple[tuple[Gram, int], ...]:
    covered: Counter[Gram] = Counter()
    out = []
    for gram, count in sorted(found.items(), key=lambda one: (-len(one[0]), -one[1], one[0])):
        if count <= covered[gram]:
            continue
        out.append((gram, count))
        for n in range(1, len(gram)):
            for inner in zip(*(gram[i:] for i in range(n)), strict=False):
                covered[inner] = max(covered[inner], count)
    return tuple(sorted(out, key=lambda one: (-one[1], -len(one[0]), one[0])))
