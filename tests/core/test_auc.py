"""The area under the ROC curve against scipy, and its interval."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import mannwhitneyu, norm

from jeval_core.stats import auc


@given(st.lists(st.tuples(st.integers(0, 9), st.booleans()), min_size=2, max_size=60))
def test_equal_to_mann_whitney(rows: list[tuple[int, bool]]) -> None:
    scores, labels = (np.array(column, float) for column in zip(*rows, strict=True))
    found = auc(scores / 9, labels)
    good, bad = scores[labels == 1], scores[labels == 0]
    if not len(good) or not len(bad):
        assert found is None
        return
    assert found.value == pytest.approx(mannwhitneyu(good, bad).statistic / (len(good) * len(bad)), abs=1e-12)
    low, high = found.ci
    assert 0 <= low <= found.value <= high <= 1 and high - low > 0
    other = auc(1 - scores / 9, labels)
    assert other.value == pytest.approx(1 - found.value) and other.ci == (pytest.approx(1 - high), pytest.approx(1 - low))


def test_rows_without_score_or_label_are_left_out() -> None:
    nan = np.nan
    found = auc(np.array([0.9, 0.1, nan, 0.5]), np.array([1, 0, 1, nan]))
    assert (found.value, found.good, found.bad) == (1.0, 1, 1)


@pytest.mark.long
@pytest.mark.parametrize("shift", [0.0, 0.8, 2.0])
@pytest.mark.parametrize(("m", "n"), [(20, 20), (10, 60)])
def test_coverage(shift: float, m: int, n: int) -> None:
    r, true, labels = np.random.default_rng(5), norm.cdf(shift / np.sqrt(2)), np.r_[np.ones(m), np.zeros(n)]
    hits = 0
    for _ in range(2000):
        low, high = auc(np.r_[r.normal(shift, 1, m), r.normal(0, 1, n)], labels).ci
        hits += low <= true <= high
    assert 0.93 <= hits / 2000 <= 0.985
