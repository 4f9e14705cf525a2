"""Bins, threshold curves, detectable changes and agreement with people, against plain loops, simulation and scipy."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy import stats as sp

from jeval_core.labels import EPSILON
from jeval_core.stats import (
    bin_rows,
    correlate,
    detectable_change,
    gold_agreement,
    histogram,
    rate_interval,
    threshold_at,
    threshold_curve,
)

NEAR = pytest.approx
NAN = np.nan
SCORE = st.one_of(
    st.floats(0, 1), st.integers(0, 200).map(lambda i: i / 200), st.just(NAN), st.sampled_from([-1e-12, 1 + 1e-12])
)
SCORES = st.lists(SCORE, max_size=60).map(lambda x: np.array(x, np.float64))
CELL = st.tuples(SCORE, st.sampled_from([0.0, 1.0, NAN]))


def columns(cells: list[tuple[float, float]]) -> tuple[np.ndarray, np.ndarray]:
    return np.array([c[0] for c in cells], np.float64), np.array([c[1] for c in cells], np.float64)


@given(SCORES, st.integers(1, 60))
@example(np.array([0.0, 0.29, 0.3, 0.35, 1.0, NAN, 1 + 1e-12]), 20)
def test_every_bar_opens_the_rows_it_counts(scores: np.ndarray, bins: int) -> None:
    found = histogram(scores, bins)
    rows = [bin_rows(scores, *found.bounds(i)) for i in range(bins)]
    assert [len(r) for r in rows] == found.counts.tolist()
    assert sorted(np.concatenate(rows).tolist()) == np.flatnonzero(~np.isnan(scores)).tolist()
    assert found.n + found.left_out == len(scores)


@given(SCORES, st.integers(1, 60))
def test_histogram_is_numpys(scores: np.ndarray, bins: int) -> None:
    found = histogram(scores, bins)
    kept = np.clip(scores[~np.isnan(scores)], 0, 1)
    assert found.counts.tolist() == np.histogram(kept, found.edges)[0].tolist()


@pytest.mark.parametrize(("score", "bin"), [(0.0, 0), (0.3, 12), (0.35, 14), (0.575, 23), (1.0, 39), (0.99999, 39), (-1e-10, 0)])
def test_a_score_on_an_edge_belongs_to_the_bin_above(score: float, bin: int) -> None:
    assert np.flatnonzero(histogram(np.array([score])).counts).tolist() == [bin]


def test_histogram_counts_what_passed() -> None:
    scores, passed = np.array([0.1, 0.11, 0.12, NAN, 0.9]), np.array([True, False, True, False, True])
    found = histogram(scores, 4, passed)
    assert (found.counts.tolist(), found.passed.tolist(), found.left_out) == ([3, 0, 0, 1], [2, 0, 0, 1], 1)


@pytest.mark.parametrize("score", [1.1, -0.01, np.inf])
def test_a_score_outside_is_no_silent_loss(score: float) -> None:
    with pytest.raises(ValueError, match="outside 0 to 1"):
        histogram(np.array([0.5, score]))


def by_loop(scores: np.ndarray, labels: np.ndarray, at: float) -> tuple[float | None, float | None, float | None]:
    """Pass rate, agreement and kappa as their definitions say."""
    rows = [(s >= at - EPSILON, y) for s, y in zip(scores, labels, strict=True) if not np.isnan(s)]
    said = [(p, y == 1) for p, y in rows if not np.isnan(y)]
    rate = sum(p for p, _ in rows) / len(rows) if rows else None
    if not said:
        return rate, None, None
    agree = sum(p == y for p, y in said) / len(said)
    p, y = (sum(x) / len(said) for x in zip(*said, strict=True))
    chance = p * y + (1 - p) * (1 - y)
    return rate, agree, (agree - chance) / (1 - chance) if 0 < y < 1 else None


@given(st.lists(CELL, max_size=40))
def test_curve_is_the_definition_at_every_point(cells: list[tuple[float, float]]) -> None:
    scores, labels = columns(cells)
    curve = threshold_curve(scores, labels, points=21)
    for i, at in enumerate(curve.at):
        got = [None if c is None else c[i] for c in (curve.pass_rate, curve.agreement, curve.kappa)]
        one = threshold_at(scores, float(at), labels)
        for a, b, c in zip(got, by_loop(scores, labels, at), (one.pass_rate, one.agreement, one.kappa), strict=True):
            assert (a is None) == (b is None) == (c is None)
            assert a is None or (a == NEAR(b, abs=1e-12) and a == NEAR(c, abs=1e-12))
    if curve.best is not None:
        assert curve.agreement[curve.at.tolist().index(curve.best)] == curve.agreement.max()


@given(st.lists(CELL, min_size=1, max_size=40))
def test_pass_rate_falls_from_all(cells: list[tuple[float, float]]) -> None:
    rate = threshold_curve(columns(cells)[0]).pass_rate
    assert rate is None or (rate[0] == 1 and (np.diff(rate) <= 0).all())


def test_a_hair_below_the_threshold_passes() -> None:
    curve = threshold_curve(np.array([0.7499999999999999, 0.2]))
    assert curve.pass_rate[75] == 0.5 and curve.pass_rate[76] == 0


def test_kappa_known_by_hand() -> None:  # 20 both yes, 5 pass only, 10 label only, 15 neither: p_o .7, p_e .5
    scores = np.repeat([0.9, 0.9, 0.1, 0.1], [20, 5, 10, 15])
    labels = np.repeat([1.0, 0.0, 1.0, 0.0], [20, 5, 10, 15])
    one = threshold_at(scores, 0.5, labels)
    assert (one.agreement, one.kappa) == (0.7, NEAR(0.4)) and one.agreement_ci == rate_interval(35, 50)


def test_one_label_only_has_no_kappa() -> None:
    curve = threshold_curve(np.array([0.2, 0.8]), np.array([True, True]))
    assert curve.kappa is None and curve.agreement is not None and curve.best == 0.1


@pytest.mark.parametrize("labels", [np.array([NAN, NAN]), None])
def test_no_labels_no_agreement(labels: np.ndarray | None) -> None:
    curve = threshold_curve(np.array([0.2, 0.8]), labels)
    assert (curve.agreement, curve.kappa, curve.best, curve.n, curve.n_labelled) == (None, None, None, 2, 0)


def test_nothing_scored_has_no_curve() -> None:
    curve = threshold_curve(np.array([NAN]), np.array([1.0]))
    assert (curve.pass_rate, curve.agreement, curve.n, curve.n_labelled) == (None, None, 0, 0)


def test_labels_are_yes_or_no() -> None:
    with pytest.raises(ValueError, match="A label is 3"):
        threshold_curve(np.array([0.2]), np.array([3.0]))


def test_best_is_the_middle_of_a_plateau() -> None:
    assert threshold_curve(np.array([0.2, 0.8]), np.array([0.0, 1.0])).best == 0.5


@pytest.mark.parametrize("correlation", [0.0, 0.5, 0.9])
def test_a_detectable_change_is_found_four_times_in_five(correlation: float) -> None:
    rng, n, trials = np.random.default_rng(3), 200, 4000
    first = rng.normal(0.5, 0.1, n)
    found = detectable_change(first, correlation=correlation)
    sd = float(first.std(ddof=1))

    def z(a: np.ndarray, b: np.ndarray, change: float, r: float) -> float:
        return float((np.abs((b + change - a).mean(axis=1) / sqrt(sd * sd * 2 * (1 - r) / n)) > 1.96).mean())

    a, other = rng.normal(0, sd, (trials, n)), rng.normal(0, sd, (trials, n))
    paired = correlation * a + sqrt(1 - correlation**2) * other
    assert z(a, paired, found.mean.paired, correlation) == NEAR(0.8, abs=0.03)
    assert z(a, other, found.mean.independent, 0) == NEAR(0.8, abs=0.03)


def test_detectable_change_is_280_sd_over_root_n() -> None:
    values = np.random.default_rng(1).random(400)
    found = detectable_change(values, values > 0.3)
    assert found.mean.paired == NEAR(2.8016 * values.std(ddof=1) / 20, rel=1e-4)
    assert found.mean.independent == NEAR(found.mean.paired * sqrt(2))
    p = (values > 0.3).mean()
    assert found.pass_rate.paired == NEAR(2.8016 * sqrt(p * (1 - p)) / 20, rel=0.02)


def test_no_false_certainty_about_change() -> None:
    same = np.full(25, 0.5)
    found = detectable_change(same, np.zeros(25, np.bool_))
    assert found.mean is None and found.pass_rate.paired > 0.1
    assert detectable_change(same[:1], np.ones(1, np.bool_)).pass_rate is None
    with pytest.raises(ValueError, match="below 1"):
        detectable_change(same, correlation=1)


def test_unscored_rows_do_not_count_as_failed() -> None:
    values, passed = np.array([0.9, 0.8, 0.7, NAN, NAN]), np.array([True, True, True, False, False])
    assert detectable_change(values, passed) == detectable_change(values[:3], passed[:3])


def test_gold_agreement_is_scipys() -> None:
    rng = np.random.default_rng(4)
    gold = rng.integers(1, 6, 300).astype(np.float64)
    scores = np.clip(gold / 6 + rng.normal(0, 0.2, 300), 0, 1)
    scores[:20], gold[10:40] = NAN, NAN
    kept = ~np.isnan(scores + gold)
    found = gold_agreement(scores, gold)
    assert (found.n, found.n_gold, found.n_scored, found.levels, found.reason) == (260, 270, 280, 5, None)
    assert found.correlation.spearman[0] == NEAR(sp.spearmanr(scores[kept], gold[kept]).statistic)
    assert found.correlation.kendall[0] == NEAR(sp.kendalltau(scores[kept], gold[kept]).statistic)
    assert found.correlation == correlate(scores, gold)
    assert gold_agreement(scores, gold * 20 - 3).correlation.kendall == found.correlation.kendall


@pytest.mark.parametrize(
    ("scores", "gold", "reason"),
    [
        ([0.1, 0.2, 0.3, 0.4, NAN], [1, 2, 3, 4, 5], "4 rows have both"),
        ([0.1, 0.2, 0.3, 0.4, 0.5], [2] * 5, "people gave every row the same score"),
        ([0.5] * 5, [1, 2, 3, 4, 5], "every row has the same score"),
    ],
)
def test_no_agreement_has_a_reason(scores: list[float], gold: list[float], reason: str) -> None:
    found = gold_agreement(np.array(scores), np.array(gold, np.float64))
    assert found.correlation.spearman is None and reason in found.reason and reason in found.to_dict()["reason"]
