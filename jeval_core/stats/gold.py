"""How far scores go together with what people said."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jeval_core.stats.correlation import Correlation, correlate


@dataclass(frozen=True, slots=True)
class GoldAgreement:
    """Spearman, Kendall τ-b and Pearson in `correlation`, each with an interval, over the `n` rows that have both.

    `n_gold` rows have a human score, `n_scored` a score. `reason` says why there are no coefficients, else None.
    """

    n: int
    n_gold: int
    n_scored: int
    levels: int
    correlation: Correlation
    reason: str | None

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON data."""
        more = {"n_gold": self.n_gold, "n_scored": self.n_scored, "levels": self.levels}
        return self.correlation.to_dict() | more | ({} if self.reason is None else {"reason": self.reason})


def gold_agreement(scores: NDArray[np.float64], gold: NDArray[np.float64]) -> GoldAgreement:
    """Rank and linear correlation of scores with human scores, both of shape (n,) with nan where there is none.

    The scale of `gold` does not matter: no coefficient here changes when it is stretched or moved. `levels` counts the
    different human scores among the rows used; with few levels many rows tie, which Kendall's τ-b allows for. Intervals
    and the limit of 20,000 sampled rows are those of `correlate`.
    """
    has_gold, has_score = ~np.isnan(gold), ~np.isnan(scores)
    both = has_gold & has_score
    x, y = scores[both], gold[both]
    found = correlate(scores, gold)
    levels = len(np.unique(y))
    return GoldAgreement(len(x), int(has_gold.sum()), int(has_score.sum()), levels, found, _reason(found, x, levels))


def _reason(found: Correlation, scores: NDArray[np.float64], levels: int) -> str | None:
    if found.spearman is not None:
        return None
    if len(scores) < 5:
        return f"{len(scores)} rows have both a score and a human score; a correlation needs five"
    if levels == 1:
        return "people gave every row the same score"
    return "every row has the same score" if np.ptp(scores) == 0 else "the rows sampled have the same score"
