"""One line of a comparison: how a figure changed from one run to the other, with interval, test and claim."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from jeval_core.stats.intervals import BOOTSTRAP_BELOW, SEED, Interval
from jeval_core.stats.paired import (
    POWERFUL,
    holm,
    mean_change,
    randomisation,
    rate_change,
    skewness,
    swap_p,
)
from jeval_core.stats.resample import MULTINOMIAL, percentile_interval, resampled_sums, swapped_sums

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Rows = NDArray[np.int64]
Columns = Mapping[str, Floats]
Claim = Literal["improved", "regressed", "no evidence", "too few"]
ALPHA = 0.05
SKEW = 25
"""Rows are enough for an interval of a mean at 25 times the squared skewness of the differences (Cochran 1977)."""
RANDOMISATION, T_TEST, MCNEMAR = "approximate randomisation", "t test", "McNemar, exact"
BIG = 0.3
"""A row whose score falls by more than this is a big drop."""


@dataclass(frozen=True, slots=True)
class Rules:
    """`resamples` and `seed` are those of bootstrap and randomisation; the least numbers of rows are for a claim."""

    min_items: int = 100
    min_items_corpus: int = 200
    resamples: int = 10_000
    seed: int = SEED


@dataclass(frozen=True, slots=True)
class Change:
    """A figure of two runs on the same `n` rows: `delta` = b − a, in 0..1 but for human scores.

    `id` is `<evaluator>.mean`, `.pass_rate`, `.corpus`, or the name of a tag or a human score. `by` and `group` are a
    column and one of its values, None for all rows. `ci` is by `method`, None where there is no interval; `ci_also` is
    the other one of design: bootstrap beside a mean, Newcombe's beside a rate. `mde`: smallest detectable change.
    `cases`: how many there are where several rows are of one, None where each row is one. `flips`: rows that were lost
    and gained. `drops`: rows that fell by more than 0.3, and the upper 95% bound of their share, None where rows belong
    together. `p` is two-sided, by `test`; `p_holm` is adjusted for all lines of the same table. `lower_is_better`: of
    tags.
    """

    id: str
    n: int
    a: float
    b: float
    delta: float
    ci: Interval | None
    method: str
    mde: float | None
    test: str
    p: float
    enough: bool
    cases: int | None = None
    by: str | None = None
    group: str | None = None
    ci_also: Interval | None = None
    flips: tuple[int, int] | None = None
    drops: tuple[int, float | None] | None = None
    p_holm: float = 1.0
    lower_is_better: bool = False

    @property
    def claim(self) -> Claim:
        """What may be said. A change is claimed where the adjusted test and the interval both say so."""
        if not self.enough:
            return "too few"
        if self.p_holm > ALPHA or self.ci is None or self.ci[0] <= 0 <= self.ci[1]:
            return "no evidence"
        return "improved" if (self.delta > 0) != self.lower_is_better else "regressed"

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON data; what does not apply is left out."""
        out: dict[str, Any] = {"id": self.id, "group": self.group, "n": self.n, "a": self.a, "b": self.b}
        out |= {"delta": self.delta, "ci": self.ci and [*self.ci], "method": self.method, "mde": self.mde}
        more = {
            "by": self.by,
            "cases": self.cases,
            "ci_also": self.ci_also and [*self.ci_also],
            "flips": self.flips and [*self.flips],
            "big_drops": self.drops and {"rows": self.drops[0], "upper": self.drops[1]},
        }
        out |= {name: value for name, value in more.items() if value is not None}
        out |= {"lower_is_better": True} if self.lower_is_better else {}
        return out | {"test": self.test, "p": self.p, "p_holm": self.p_holm, "claim": self.claim}


def of_mean(id: str, a: Floats, b: Floats, rules: Rules, cases: Rows | None = None, *, scale: bool = True) -> Change:
    """The change of a mean of rows of shape (n,); `cases` are codes where several rows are of one case.

    `scale`: the values are scores in 0..1, of which big drops are counted.
    """
    found, d = mean_change(a, b, cases), b - a
    summed = _per_case(d, cases)
    n = len(summed)
    p, test = found.p, T_TEST  # above so many rows it gives what randomisation gives
    if n <= MULTINOMIAL:
        p, test = randomisation(summed, rules.resamples, rules.seed), RANDOMISATION
    also = None
    if 2 <= n < BOOTSTRAP_BELOW:
        sums = resampled_sums([summed, _per_case(np.ones(len(d)), cases)], rules.resamples, rules.seed)
        also = percentile_interval(sums[:, 0] / sums[:, 1])
    drops = _drops(d, alone=cases is None) if scale else None
    method = "paired t" if cases is None else "clustered t"
    enough = n >= rules.min_items and n >= SKEW * skewness(_per_case(d - found.delta, cases)) ** 2
    return Change(
        id, found.n, found.a, found.b, found.delta, found.ci, method, found.mde or None, test, p, enough,
        None if cases is None else n, ci_also=also, drops=drops,
    )  # fmt: skip


def of_rate(id: str, a: Flags, b: Flags, rules: Rules, cases: Rows | None = None, *, lower: bool = False) -> Change:
    """The change of a share of rows, shape (n,). Where several rows are of one case its interval is that of a mean."""
    found = rate_change(a, b)
    flips = found.lost, found.gained
    if cases is None:
        enough = found.n >= rules.min_items
        error = np.sqrt(max(0.0, (found.lost + found.gained) / found.n - found.delta**2) / found.n)
        return Change(
            id, found.n, found.a, found.b, found.delta, found.ci, "Agresti-Min", POWERFUL * float(error) or None,
            MCNEMAR, found.p, enough, ci_also=found.newcombe, flips=flips, lower_is_better=lower,
        )  # fmt: skip
    mean = of_mean(id, a.astype(np.float64), b.astype(np.float64), rules, cases, scale=False)
    if not any(flips):  # without a row that turned, an interval of no width would be a false certainty
        mean = replace(mean, ci=None, mde=None)
    return replace(mean, flips=flips, ci_also=None, lower_is_better=lower)


def of_corpus(
    id: str,
    a: Columns,
    b: Columns,
    score: Callable[[Columns], Floats],
    rules: Rules,
    cases: Rows | None = None,
    *,
    enough: bool,
) -> Change:
    """The change of a corpus score, from counts of shape (n,) by name; `score` makes scores of sums of them.

    `enough`: whether the change of the mean has rows enough for its interval, beside `min_items_corpus`.
    """
    names = [*a]
    columns = [side[name] for side in (a, b) for name in names]
    columns = [_per_case(column, cases) for column in columns]
    k, n = len(names), len(columns[0])
    whole = np.array([[column.sum() for column in columns]])

    def scores(sums: Floats) -> Floats:
        left, right = (score({name: side[:, i] for i, name in enumerate(names)}) for side in (sums[:, :k], sums[:, k:]))
        return np.stack([left, right])

    (of_a,), (of_b,) = scores(whole)
    found, ci, mde, p = float(of_b - of_a), None, None, 1.0
    if n > 1:
        taken = swapped_sums(columns, rules.resamples, rules.seed)
        # above so many rows the bootstrap, too, takes each row with chance ½, and counts it twice
        sums = 2 * taken if n > MULTINOMIAL else resampled_sums(columns, rules.resamples, rules.seed)[:, :-1]
        drawn = np.diff(scores(sums), axis=0)[0]
        ci, mde = percentile_interval(drawn), POWERFUL * float(drawn.std(ddof=1))
        moved = taken[:, k:] - taken[:, :k]
        swapped = np.concatenate([whole[:, :k] + moved, whole[:, k:] - moved], axis=1)
        p = swap_p(found, np.diff(scores(swapped), axis=0)[0])
    rows = len(next(iter(a.values())))
    enough = enough and n >= rules.min_items_corpus
    return Change(
        id, rows, float(of_a), float(of_b), found, ci, "paired bootstrap", mde or None, RANDOMISATION, p, enough,
        None if cases is None else n,
    )  # fmt: skip


def adjusted(changes: Sequence[Change]) -> list[Change]:
    """The same lines, p-values adjusted by Holm's method; one with too few rows claims nothing and does not count."""
    counted = [i for i, one in enumerate(changes) if one.enough]
    found = dict(zip(counted, holm([changes[i].p for i in counted]), strict=True))
    return [replace(one, p_holm=found.get(i, 1.0)) for i, one in enumerate(changes)]


def _per_case(column: Floats, cases: Rows | None) -> Floats:
    """Sums by case, which are what is drawn and swapped; the column itself where every row is a case."""
    return column if cases is None else np.bincount(cases, column).astype(np.float64)


def _drops(d: Floats, *, alone: bool) -> tuple[int, float | None]:
    """How many rows fell by more than BIG, and the exact upper bound of their share (Clopper and Pearson 1934).

    The bound is for rows that are independent (`alone`).
    """
    from scipy.special import betaincinv

    k, n = int((d < -BIG).sum()), len(d)
    if not alone:
        return k, None
    return k, 1.0 if k == n else float(betaincinv(k + 1, n - k, 1 - ALPHA))
