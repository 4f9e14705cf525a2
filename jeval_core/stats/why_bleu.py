"""Why a BLEU moved: the change of its logarithm, split exactly among the orders and the brevity penalty.

ln BLEU = Σ wₙ ln pₙ + ln BP (Papineni et al. 2002), so that a difference of two is a sum of differences.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from jeval_core.evaluators.bleu_rules import Steps


@dataclass(frozen=True, slots=True)
class Split:
    """`delta` of ln BLEU; `orders`: by n the part of its precision, `brevity` the part of the penalty."""

    delta: float
    orders: Mapping[int, float]
    brevity: float


def split(a: Steps, b: Steps) -> Split | None:
    """How ln BLEU came from a to b, of one row or of corpus counts; None where either score is 0.

    An order that only one of them has counts with the weight that it has there.
    """
    if a.score[0] <= 0 or b.score[0] <= 0:
        return None
    parts = {n + 1: _part(b, n) - _part(a, n) for n in range(len(a.p)) if a.kept[n, 0] or b.kept[n, 0]}
    brevity = float(np.log(b.bp[0]) - np.log(a.bp[0]))
    return Split(float(np.log(b.score[0]) - np.log(a.score[0])), parts, brevity)


def _part(steps: Steps, n: int) -> float:
    """wₙ ln pₙ, 0 for an order that is left out."""
    return float(steps.ln[n, 0]) / int(steps.kept[:, 0].sum()) if steps.kept[n, 0] else 0.0
