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
    scored: Scored, rows: NDArray[np.int64] | None = None, corpus: tuple[float, str] | None = None
) -> Summary:
    """Summary of all rows or of those at some positions, in order."""
    status = scored.status if rows is None else scored.status[rows]
    score = scored.score if rows is None else scored.score[rows]
    passed = scored.passed if rows is None else scored.passed[rows]
    kept = status == SCORED
    if not kept.all():
        score, passed = score[kept], passed[kept]
    n, hits = len(score), int(passed.sum())
    return Summary(
        n,
        int((status == SKIPPED).sum()),
        int((status == FAILED).sum()),
        float(score.mean()) if n else None,
        mean_interval(score),
        hits / n if n else None,
        rate_interval(hits, n),
        corpus if n else None,
    )


def by_group(
    scored: Mapping[str, Scored], codes: NDArray[np.int64], values: Sequence[str | None]
) -> dict[str, dict[str, Summary]]:
    """Value → evaluator → summary, values in order of first appearance; rows without a value are under "(none)".

    Row i has the value `values[codes[i]]`. Above 200 values the result is empty: such a column names rows, not groups.
    """
    names = ["(none)" if v is None or not v.strip() else v for v in values]
    merged = {name: at for at, name in reversed([*enumerate(names)])}
    whole = np.array([merged[name] for name in names], np.int64)[codes]
    found, first = np.unique(whole, return_index=True)
    if len(found) > MOST_GROUPS:
        return {}
    order = np.argsort(whole, kind="stable")
    rows = dict(zip(found.tolist(), np.split(order, np.cumsum(np.bincount(whole)[found])[:-1]), strict=True))
    return {
        names[code]: {id: summarise(s, rows[code]) for id, s in scored.items()}
        for code in found[np.argsort(first)].tolist()
    }
