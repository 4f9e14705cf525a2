"""Intervals, summaries and correlations against scipy, statsmodels-style formulas and hand-made cases."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats as sp

from jeval_core.batch.engine import score_columns
from jeval_core.stats import bootstrap_mean, by_group, correlate, mean_interval, rate_interval, summarise

pa = pytest.importorskip("pyarrow")
NEAR = pytest.approx


def scored(pairs: list[tuple[str | None, str | None]], **more: object):
    output, expected = (pa.array(column, pa.string()) for column in zip(*pairs, strict=True))
    return score_columns(["bleu", "rouge_n"], output, [expected], **more)


def test_mean_interval_is_students() -> None:
    values = np.random.default_rng(1).random(40)
    want = sp.t.interval(0.95, 39, values.mean(), sp.sem(values))
    assert mean_interval(values) == NEAR(want, abs=1e-12)
    assert mean_interval(values[:1]) is None and mean_interval(values[:0]) is None


@pytest.mark.parametrize(("k", "n", "low", "high"), [(0, 25, 0.0, 0.1332), (25, 25, 0.8668, 1.0), (1, 2, 0.0945, 0.9055)])
def test_rate_interval_is_wilsons(k: int, n: int, low: float, high: float) -> None:
    assert rate_interval(k, n) == NEAR((low, high), abs=1e-4)
    assert rate_interval(0, 0) is None


def test_bootstrap_keeps_its_bits() -> None:
    values = np.random.default_rng(2).random(200)
    one, two = bootstrap_mean(values), bootstrap_mean(values)
    assert one == two and one[0] < values.mean() < one[1]
    assert one == NEAR(mean_interval(values), abs=0.01)


def test_unscored_rows_are_neither_zero_nor_lost() -> None:
    s = summarise(scored([("same text here", "same text here"), ("", "some words"), ("x", ""), (None, "x")])["bleu"])
    assert (s.mean, s.n, s.pass_rate, s.n_skipped) == (0.5, 2, 0.5, 2)
    assert s.to_dict()["pass_rate_ci"] == NEAR([*rate_interval(1, 2)])


def test_one_row_has_no_interval_and_says_so() -> None:
    d = summarise(scored([("a", "a")])["bleu"]).to_dict()
    assert (d["n"], d["mean"], d["mean_ci"], d["note"]) == (1, 1.0, None, "one row has no interval")


def test_nothing_scored_is_not_zero() -> None:
    d = summarise(scored([("a", "")])["bleu"]).to_dict()
    assert (d["n"], d["mean"], d["mean_ci"], d["pass_rate"], d["pass_rate_ci"]) == (0, None, None, None, None)


def test_threshold_0_passes_everything() -> None:
    s = scored([("yes", "no"), ("a b", "a c")], thresholds={"bleu": 0.0, "rouge_n": 0.0})
    assert [summarise(x).pass_rate for x in s.values()] == [1.0, 1.0]


def test_row_thresholds() -> None:
    s = scored([("a b", "a c"), ("a b", "a c")], row_thresholds=np.array([0.4, np.nan]))
    assert s["rouge_n"].passed.tolist() == [True, False]


def test_mean_and_pass_rate_are_two_figures() -> None:
    pairs = [("a b c d", "a b c d")] * 3 + [("x", "a b c d")]
    s = summarise(scored(pairs)["rouge_n"])
    assert (s.mean, s.pass_rate) == (0.75, 0.75) and s.mean_ci != s.pass_rate_ci


def test_groups() -> None:
    s = scored([("a", "a"), ("b", "a"), ("a", "a")])
    found = by_group(s, np.array([0, 1, 2]), ["x", "y", " "])
    assert {k: v["bleu"].mean for k, v in found.items()} == {"x": 1.0, "y": 0.0, "(none)": 1.0}
    assert by_group(s, np.arange(3), [str(i) for i in range(3)])["0"]["bleu"].n == 1


def test_numbers_near_the_largest_correlate_too() -> None:
    x = np.arange(9.0)
    assert correlate(x * 2e307, x).spearman == correlate(x, x).spearman


def test_correlations() -> None:
    rng = np.random.default_rng(3)
    x = rng.normal(size=300)
    y = x + rng.normal(size=300)
    found = correlate(np.append(x, np.nan), np.append(y, 1.0))
    assert found.n == 300
    assert found.pearson[0] == NEAR(sp.pearsonr(x, y).statistic)
    assert found.pearson[1] == NEAR([*sp.pearsonr(x, y).confidence_interval()], abs=1e-9)
    assert found.spearman[0] == NEAR(sp.spearmanr(x, y).statistic)
    assert found.kendall[0] == NEAR(sp.kendalltau(x, y).statistic)
    assert correlate(np.ones(10), x[:10]).pearson is None
