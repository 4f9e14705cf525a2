"""Results of many rows as one line: mean, pass rate, intervals, and what was not scored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jeval_core.batch.scored import FAILED, SCORED, SKIPPED, Scored
from jeval_core.stats.intervals import Interval, mean_interval, rate_interval

MOST_GROUPS = 200
"""Values of a group column that get a line of their own; the rest are said to be too many."""


@dataclass(frozen=True, slots=True)
class Summary:
    """`n` rows were scored; mean and rate are None when none was, `mean_ci` is None below two."""

    n: int
    n_skipped: int
    n_failed: int
    mean: float | None
    mean_ci: Interval | None
    pass_rate: float | None
    pass_rate_ci: Interval | None
    corpus: tuple[float, str] | None = None

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON data; `corpus` only where there is one."""
        out: dict[str, Any] = {
            "n": self.n,
            "mean": self.mean,
            "mean_ci": self.mean_ci and [*self.mean_ci],
            "pass_rate": self.pass_rate,
            "pass_rate_ci": self.pass_rate_ci and [*self.pass_rate_ci],
            "n_skipped": self.n_skipped,
            "n_failed": self.n_failed,
        }
        if self.n == 1:
            out["note"] = "one row has no interval"
        if self.corpus:
            out["corpus"] = {"score": self.corpus[0], "signature": self.corpus[1]}
        return out


def summarise(
    scored: Scored, rows: NDArray[np.bool_] | None = None, corpus: tuple[float, str] | None = None
) -> Summary:
    """Summary of all rows or of those that the mask of shape (n,) picks."""
    pick = slice(None) if rows is None else rows
    status = scored.status[pick]
    kept = status == SCORED
    score, passed = scored.score[pick][kept], int(scored.passed[pick][kept].sum())
    n = len(score)
    return Summary(
        n,
        int((status == SKIPPED).sum()),
        int((status == FAILED).sum()),
        float(score.mean()) if n else None,
        mean_interval(score),
        passed / n if n else None,
        rate_interval(passed, n),
        corpus if n else None,
    )


def by_group(scored: Mapping[str, Scored], column: Sequence[str | None]) -> dict[str, dict[str, Summary]]:
    """Value → evaluator → summary, values in order of first appearance; rows without a value are under "(none)".

    Above 200 values the result is empty: such a column names rows, not groups.
    """
    names = np.array(["(none)" if v is None or not v.strip() else v for v in column], dtype=object)
    values = list(dict.fromkeys(names.tolist()))
    if len(values) > MOST_GROUPS:
        return {}
    return {value: {id: summarise(s, names == value) for id, s in scored.items()} for value in values}
