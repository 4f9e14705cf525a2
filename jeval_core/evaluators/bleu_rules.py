"""From counts to BLEU: one vectorised chain per smoothing, its steps kept for the frames.

Papineni et al. 2002, "BLEU: a Method for Automatic Evaluation of Machine Translation"; add-one smoothing for n > 1 is
Lin and Och 2004 (nltk's method 2); a score of 0 without any shared word is ours.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from jeval_core.types import Columns, OptionValue

Array = NDArray[np.float64]
ORDERS = (1, 2, 3, 4)
FLOOR = 1e-7
"""What promptfoo puts for a precision of 0."""


@dataclass(frozen=True)
class Steps:
    """Every step for `rows` rows: `kept`, `num`, `den`, `p`, `ln` of shape (4, rows), the others (rows,).

    `num`/`den` are the smoothed fraction where smoothing is one, the raw counts elsewhere.
    """

    kept: NDArray[np.bool_]
    num: Array
    den: Array
    p: Array
    ln: Array
    mean_ln: Array
    geo: Array
    bp: Array
    score: Array
    inverted: bool = False


def stack(counts: Columns) -> tuple[Array, Array]:
    """Matches and totals of shape (4, rows)."""
    return tuple(np.stack([counts[f"{k}_{n}"] for n in ORDERS]) for k in ("match", "total"))  # type: ignore[return-value]


def brevity(c: Array, r: Array, *, inverted: bool = False) -> Array:
    """1 where the output is at least as long as the reference, else exp(1 − r/c); 0 for an empty output.

    `inverted` is promptfoo's formula before June 2026, exp(1 − c/r), which rewards brevity.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = c / r if inverted else r / c
        return np.where(c == 0, 0.0, np.where(c >= r, 1.0, np.exp(1 - ratio)))


def smooth(match: Array, total: Array, how: OptionValue) -> tuple[Array, Array, Array]:
    """Numerator, denominator and precision, shape (4, rows) each; nan where an order has no n-grams."""
    plus = {"add1": [0, 1, 1, 1], "add1-all": [1, 1, 1, 1]}.get(str(how), [0, 0, 0, 0])
    bonus = np.array(plus, dtype=np.float64)[:, None]
    num, den = match + bonus, total + bonus
    with np.errstate(divide="ignore", invalid="ignore"):
        p = np.where(total > 0, num / den, np.nan)
    if how == "floor":
        p = np.where(p == 0, FLOOR, p)
    return num, den, p


def steps(counts: Columns, smoothing: OptionValue, *, inverted: bool = False, zero: bool = True) -> Steps:
    """The whole chain. `zero`: an output without a shared word scores 0 whatever the smoothing."""
    match, total = stack(counts)
    kept = total > 0
    num, den, p = smooth(match, total, smoothing)
    with np.errstate(divide="ignore", invalid="ignore"):
        ln = np.log(p)
        sums = np.zeros_like(ln[0])
        for row, use in zip(ln, kept, strict=True):  # a fixed order of addition, whatever the number of rows
            sums = sums + np.where(use, row, 0.0)
        mean_ln = sums / kept.sum(axis=0)
    geo = np.where(kept.any(axis=0), np.exp(mean_ln), 0.0)
    if zero:
        geo = np.where(match[0] == 0, 0.0, geo)
    bp = brevity(counts["output_tokens"], counts["reference_tokens"], inverted=inverted)
    return Steps(kept, num, den, p, ln, mean_ln, geo, bp, np.minimum(geo * bp, 1.0), inverted)


def library_steps(counts: Columns, options: Mapping[str, OptionValue], *, effective_order: bool = True) -> Steps:
    """The same from sacrebleu's own score, row by row; `effective_order` is for sentences."""
    from sacrebleu.metrics.bleu import BLEU

    match, total = stack(counts)
    rows = match.shape[1]
    p, score, bp = np.full((4, rows), np.nan), np.zeros(rows), np.zeros(rows)
    for i in range(rows):
        # the library adds to the lists it is given, so they are made anew
        one = BLEU.compute_bleu(
            correct=[int(v) for v in match[:, i]],
            total=[int(v) for v in total[:, i]],
            sys_len=int(counts["output_tokens"][i]),
            ref_len=int(counts["reference_tokens"][i]),
            smooth_method=str(options["smoothing"]),
            effective_order=effective_order,
        )
        bp[i] = one.bp
        score[i] = min(one.score / 100, 1.0)  # it can return 100.00000000000004
        if match[:, i].any():
            p[:, i] = np.array(one.precisions) / 100
    kept = ~np.isnan(p) & ((total > 0) | (p > 0))
    with np.errstate(divide="ignore", invalid="ignore"):
        ln = np.log(p)
        mean_ln = np.where(kept, ln, 0.0).sum(axis=0) / kept.sum(axis=0)
    return Steps(kept, match, total, p, ln, mean_ln, np.where(kept.any(axis=0), np.exp(mean_ln), 0.0), bp, score)
