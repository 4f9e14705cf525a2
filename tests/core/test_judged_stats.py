"""Judges beside gold labels: hand-made cases, scipy's intervals, and what holds for any numbers."""

from __future__ import annotations

import json
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats as sp

from jeval_core.stats import (
    choice_agreement,
    guessed_scale,
    level_agreement,
    levels,
    pass_probability,
    pass_truth,
    yes_no_agreement,
)

NEAR = pytest.approx
NAN = np.nan


def numbers(*values: float) -> np.ndarray:
    return np.array(values, np.float64)


def one_hot(at: list[int], n: int = 5) -> np.ndarray:
    return np.eye(n)[at]


@pytest.mark.parametrize(
    ("gold", "scale", "n", "want"),
    [
        ([1, 2, 3, 4, 5], (1, 5), 5, [0, 1, 2, 3, 4]), ([0, 0.5, 1], (0, 1), 5, [0, 2, 4]),
        ([1, 10], (1, 10), 5, [0, 4]), ([3.5], (1, 5), 5, [2.5]), ([NAN, 0.9, 5.1, np.inf], (1, 5), 5, [NAN] * 4),
        ([1 - 1e-12, 5 + 1e-12], (1, 5), 5, [0, 4]), ([0, 1], (0, 1), 2, [0, 1]), ([], (1, 5), 5, []),
    ],
)  # fmt: skip
def test_levels(gold: list[float], scale: tuple[float, float], n: int, want: list[float]) -> None:
    np.testing.assert_allclose(levels(numbers(*gold), scale, n), want, atol=1e-15)


@pytest.mark.parametrize(("scale", "n"), [((1, 1), 5), ((5, 1), 5), ((0, 1), 1), ((NAN, 1), 5)])
def test_a_scale_runs_up(scale: tuple[float, float], n: int) -> None:
    with pytest.raises(ValueError, match="scale"):
        levels(numbers(1), scale, n)


@pytest.mark.parametrize(
    ("gold", "n", "want"),
    [
        ([1, 2, 3, 4, 5], 5, ((1, 5), False)), ([2, 3, 4], 5, ((1, 5), True)), ([0, 3, 4], 5, ((0, 4), False)),
        ([0, 1, 2], 5, ((0, 4), False)), ([0, 1], 5, ((0, 1), True)), ([0, 0.25, 1], 5, ((0, 1), False)),
        ([3.5, 2.5], 5, ((1, 5), True)), ([0.5, 3], 5, ((0, 4), False)), ([1, 1], 5, ((0, 1), True)),
        ([0, 5], 5, None), ([-1, 1], 5, None), ([6], 5, None), ([], 5, None), ([NAN, np.inf], 5, None),
        ([NAN, 5, np.inf], 5, ((1, 5), False)), ([0, 1], 2, ((0, 1), False)), ([1, 2], 2, ((1, 2), False)),
        ([-0.5, 0.5], 5, None),
    ],
)  # fmt: skip
def test_the_scale_is_guessed_and_says_so(gold: list[float], n: int, want: object) -> None:
    assert guessed_scale(numbers(*gold), n) == want


@given(st.lists(st.integers(0, 10), min_size=1), st.integers(2, 10))
def test_a_guessed_scale_loses_no_row(gold: list[int], n: int) -> None:
    found = guessed_scale(numbers(*gold), n)
    if found is not None:
        at = levels(numbers(*gold), found[0], n)
        assert at.min() >= 0 and at.max() <= n - 1


def test_a_judge_that_is_always_right() -> None:
    gold = [0, 1, 2, 3, 4, 4]
    found = level_agreement(one_hot(gold), numbers(*gold))
    assert (found.n, found.mae, found.exact) == (6, 0.0, 1.0)
    assert found.confusion.tolist() == np.diag([1, 1, 1, 1, 2]).tolist()
    assert found.mae_ci is None and found.reason == "every row has the same error: no interval"
    assert found.exact_ci == NEAR((6 / (6 + 1.959964**2), 1.0), abs=1e-6)


def test_level_agreement_by_hand() -> None:
    p = np.array([[0.1, 0.2, 0.7], [0.5, 0.5, 0.0], [0, 0, 2.0], [NAN] * 3, [1, 0, 0]])
    found = level_agreement(p, numbers(2, 1, 1, 1, NAN))
    errors = [0.4, 0.5, 1.0]
    assert (found.n, found.n_scored, found.n_gold) == (3, 4, 4)
    assert found.mae == NEAR(1.9 / 3) and found.exact == NEAR(1 / 3)
    assert found.confusion.tolist() == [[0, 0, 0], [1, 0, 1], [0, 0, 1]]
    low, high = sp.t.interval(0.95, 2, np.mean(errors), sp.sem(errors))
    assert low < 0 and found.mae_ci == NEAR((0, high))
    assert found.exact_ci == NEAR([*sp.binomtest(1, 3).proportion_ci(method="wilson")])
    assert found.reason is None


def test_a_mae_of_many_rows_has_students_interval() -> None:
    rng = np.random.default_rng(5)
    p, gold = rng.dirichlet(np.ones(5), 80), rng.integers(0, 5, 80).astype(float)
    errors = np.abs(p @ np.arange(5) - gold)
    found = level_agreement(p * rng.uniform(0.5, 2, (80, 1)), gold)
    assert found.mae == NEAR(errors.mean()) and found.mae_ci == NEAR(
        sp.t.interval(0.95, 79, errors.mean(), sp.sem(errors))
    )


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=40))
def test_of_one_hots_the_error_is_the_distance(pairs: list[tuple[int, int]]) -> None:
    said, gold = (list(side) for side in zip(*pairs, strict=True))
    found = level_agreement(one_hot(said), numbers(*gold))
    assert found.mae == NEAR(float(np.mean([abs(i - g) for i, g in pairs])))
    assert found.exact == sum(i == g for i, g in pairs) / len(pairs)
    assert found.confusion.sum() == len(pairs) and all(found.confusion[g, i] == pairs.count((i, g)) for i, g in pairs)


@given(
    st.lists(st.tuples(st.lists(st.floats(0.01, 1), min_size=4, max_size=4), st.floats(0, 3)), min_size=2, max_size=30)
)
def test_levels_turned_around_agree_as_well(rows: list[tuple[list[float], float]]) -> None:
    p, gold = np.array([r for r, _ in rows]), numbers(*(g for _, g in rows))
    one, two = level_agreement(p, gold), level_agreement(p[:, ::-1], 3 - gold)
    assert one.mae == NEAR(two.mae) and 0 <= one.mae <= 3
    if one.mae_ci and two.mae_ci:
        assert 0 <= one.mae_ci[0] <= one.mae <= one.mae_ci[1] <= 3 and one.mae_ci == NEAR(two.mae_ci, abs=1e-6)


@pytest.mark.parametrize(("gold", "level"), [(2.5, 3), (2.4, 2), (0.5, 1), (2.5 - 1e-12, 3), (4.0, 4)])
def test_a_gold_level_between_two_is_rounded_up_from_the_half(gold: float, level: int) -> None:
    assert level_agreement(one_hot([level]), numbers(gold)).exact == 1


def test_of_equals_the_lowest_is_the_level_said() -> None:
    assert level_agreement(np.full((1, 5), 0.2), numbers(0)).exact == 1


EMPTY = {
    "no rows": (np.empty((0, 5)), [], "no row has a gold label"),
    "no gold": (one_hot([1, 2]), [NAN, NAN], "no row has a gold label"),
    "no answers": (np.full((2, 5), NAN), [1, 2], "no row has an answer"),
    "never both": (np.array([[NAN] * 5, [1, 0, 0, 0, 0]]), [1, NAN], "no row has both an answer and a gold label"),
}


@pytest.mark.parametrize("name", EMPTY)
def test_without_rows_there_is_a_reason(name: str) -> None:
    p, gold, reason = EMPTY[name]
    found = level_agreement(p, numbers(*gold))
    assert (found.n, found.mae, found.mae_ci, found.exact, found.exact_ci, found.reason) == (
        0,
        None,
        None,
        None,
        None,
        reason,
    )
    assert not found.confusion.any() and found.confusion.shape == (5, 5)
    yes_no = yes_no_agreement(p[:, 0], numbers(*gold) % 2)
    assert (yes_no.n, yes_no.brier, yes_no.within, yes_no.bins, yes_no.reason) == (0, None, None, (), reason)


def test_one_row_has_no_interval_of_its_error() -> None:
    found = level_agreement(one_hot([1]), numbers(3))
    assert (found.mae, found.mae_ci, found.exact, found.reason) == (2.0, None, 0.0, "one row has no interval")


@pytest.mark.parametrize(
    ("row", "gold"), [([-0.1, 1.1], 0), ([np.inf, 0], 0), ([0, 0], 0), ([1, 0], 2), ([1, 0], -1), ([1, 0], np.inf)]
)
def test_what_is_no_distribution_or_no_level_is_refused(row: list[float], gold: float) -> None:
    with pytest.raises(ValueError, match="distribution|gold level"):
        level_agreement(np.array([row], np.float64), numbers(gold))


def test_choices_by_hand() -> None:
    p = np.array([[0.6, 0.4, 0], [0.1, 0.2, 0.7], [0, 1, 0], [1, 0, 0], [NAN] * 3, [0, 0, 1], [1, 0, 0]])
    found = choice_agreement(p, ["a", "b", "b", None, "c", "other", ""], ["a", "b", "c"])
    assert (found.n, found.n_scored, found.n_gold, found.n_unknown) == (3, 6, 4, 1)
    assert found.exact == NEAR(2 / 3) and found.confusion.tolist() == [[1, 0, 0], [0, 1, 1], [0, 0, 0]]
    assert found.exact_ci == NEAR([*sp.binomtest(2, 3).proportion_ci(method="wilson")]) and found.reason is None


def test_gold_names_that_are_no_option() -> None:
    found = choice_agreement(one_hot([0, 1], 2), ["A", None], ["a", "b"])
    assert (found.n, found.n_unknown, found.exact, found.reason) == (0, 1, None, "no gold label names an option")
    assert choice_agreement(one_hot([0], 2), [None], ["a", "b"]).reason == "no row has a gold label"


def test_brier_by_hand() -> None:
    """Two probabilities, five rows each, so that two bins hold one probability each: in fractions by Murphy's formula."""
    p = numbers(*[0.8] * 5, *[0.2] * 5)
    truth = numbers(1, 1, 1, 0, 0, 1, 0, 0, 0, 0)
    found = yes_no_agreement(p, truth)
    base, rel = Fraction(4, 10), (Fraction(1, 5) ** 2 * 5 + 0) / 10
    res = (5 * (Fraction(3, 5) - base) ** 2 + 5 * (Fraction(1, 5) - base) ** 2) / 10
    assert (found.reliability, found.resolution, found.uncertainty) == NEAR(
        (float(rel), float(res), float(base * (1 - base)))
    )
    assert found.brier == NEAR(float(rel - res + base * (1 - base))) and found.within == NEAR(0, abs=1e-15)
    assert found.brier == NEAR(0.22) and found.base_rate == 0.4
    squares = (p - truth) ** 2
    assert found.brier_ci == NEAR(np.clip(sp.t.interval(0.95, 9, squares.mean(), sp.sem(squares)), 0, 1))
    low, high = found.bins
    assert (low.mean_p, low.rate, low.n, low.low, low.high) == (NEAR(0.2), 0.2, 5, 0.2, 0.2)
    assert high.rate_ci == NEAR([*sp.binomtest(3, 5).proportion_ci(method="wilson")])


@pytest.mark.parametrize(
    ("p", "truth", "brier", "parts"),
    [
        ([0.0] * 5 + [1.0] * 5, [0] * 5 + [1] * 5, 0, (0, 0.25, 0.25)),  # always right
        ([1.0] * 5 + [0.0] * 5, [0] * 5 + [1] * 5, 1, (1, 0.25, 0.25)),  # always wrong
        ([0.5] * 10, [0] * 5 + [1] * 5, 0.25, (0, 0, 0.25)),  # knows the base rate only
        ([1.0] * 6, [1] * 6, 0, (0, 0, 0)),
    ],
)  # fmt: skip
def test_brier_at_its_ends(p: list[float], truth: list[int], brier: float, parts: tuple[float, ...]) -> None:
    found = yes_no_agreement(numbers(*p), np.array(truth, bool))
    assert (found.brier, found.reliability, found.resolution, found.uncertainty) == NEAR((brier, *parts))
    assert found.brier_ci is None and found.within == NEAR(0, abs=1e-15)


ROWS = st.lists(
    st.tuples(st.one_of(st.floats(0, 1), st.integers(0, 100).map(lambda x: x / 100)), st.booleans()),
    min_size=1,
    max_size=120,
)


@given(ROWS)
def test_brier_is_the_sum_of_its_parts(rows: list[tuple[float, bool]]) -> None:
    p, truth = numbers(*(r[0] for r in rows)), np.array([r[1] for r in rows])
    found = yes_no_agreement(p, truth)
    assert found.brier == NEAR(sum((a - b) ** 2 for a, b in rows) / len(rows))
    whole = found.reliability - found.resolution + found.uncertainty
    assert found.brier == NEAR(whole + found.within, abs=1e-12)
    ends = [b for b in found.bins if b.high > b.low]
    widest = max((b.high - b.low for b in ends), default=0.0)
    assert abs(found.within) <= widest**2 / 4 + widest / 2 + 1e-9  # variance less twice the covariance inside a bin
    assert (
        found.reliability >= 0 and found.uncertainty <= 0.25 and -1e-12 <= found.resolution <= found.uncertainty + 1e-12
    )


@given(ROWS)
def test_bins_hold_every_row_once_and_split_no_tie(rows: list[tuple[float, bool]]) -> None:
    p, truth = numbers(*(r[0] for r in rows)), np.array([r[1] for r in rows])
    bins = yes_no_agreement(p, truth).bins
    assert sum(b.n for b in bins) == len(rows) and sum(round(b.rate * b.n) for b in bins) == truth.sum()
    assert len(bins) <= 10 and (len(bins) == 1 or min(b.n for b in bins) >= 5)
    for one, two in zip(bins, bins[1:], strict=False):
        assert one.low <= one.mean_p + 1e-12 and one.mean_p <= one.high + 1e-12 and one.high < two.low
    for b in bins:
        inside = (p >= b.low) & (p <= b.high)
        assert (inside.sum(), p[inside].mean(), truth[inside].mean()) == NEAR((b.n, b.mean_p, b.rate))
    order = np.random.default_rng(len(rows)).permutation(len(rows))
    again = yes_no_agreement(p[order], truth[order]).bins
    assert [(b.low, b.high, b.n, b.rate) for b in again] == [(b.low, b.high, b.n, b.rate) for b in bins]


def test_bins_of_many_probabilities_hold_as_many_rows() -> None:
    rng = np.random.default_rng(1)
    p = rng.beta(0.4, 0.4, 1000)
    found = yes_no_agreement(p, rng.random(1000) < p)
    assert [b.n for b in found.bins] == [100] * 10
    assert sum(b.rate_ci[0] <= b.mean_p <= b.rate_ci[1] for b in found.bins) >= 8 and found.reliability < 0.005
    assert [b.n for b in yes_no_agreement(p[:12], p[:12] > 0.5).bins] == [6, 6]


def test_few_probabilities_are_a_bin_each_and_a_small_one_joins_the_nearest() -> None:
    p = numbers(*[0.1] * 6, *[0.5] * 4, *[0.6] * 6, *[0.95] * 500)
    found = yes_no_agreement(p, p > 0.5)
    assert [(b.low, b.high, b.n) for b in found.bins] == [(0.1, 0.1, 6), (0.5, 0.6, 10), (0.95, 0.95, 500)]


@pytest.mark.parametrize(("p", "truth"), [([1.1], [1]), ([-0.1], [1]), ([0.5], [2]), ([0.5], [0.5]), ([np.inf], [1])])
def test_what_is_no_probability_or_no_truth_is_refused(p: list[float], truth: list[float]) -> None:
    with pytest.raises(ValueError, match="probability|truth"):
        yes_no_agreement(numbers(*p), numbers(*truth))


def test_rounding_outside_is_no_error() -> None:
    assert yes_no_agreement(numbers(1 + 1e-12, -1e-12), numbers(1, 0)).brier == 0


@pytest.mark.parametrize(
    ("threshold", "want"), [(0, 1), (0.5, 0.7), (0.51, 0.4), (0.75, 0.4), (0.7500000001, 0.4), (1, 0.1)]
)
def test_probability_of_a_pass(threshold: float, want: float) -> None:
    p = np.array([[0.1, 0.2, 0.3, 0.3, 0.1], [0.2, 0.4, 0.6, 0.6, 0.2], [NAN] * 5])
    assert pass_probability(p, threshold) == NEAR([want, want, NAN], nan_ok=True)


def test_gold_levels_that_pass() -> None:
    np.testing.assert_array_equal(pass_truth(numbers(0, 2, 2.8 - 1e-12, 2.7, 4, NAN), 0.7, 5), [0, 0, 1, 0, 1, NAN])


@given(st.lists(st.integers(0, 4), min_size=1, max_size=20), st.floats(0, 1))
def test_a_judge_that_is_always_right_passes_what_people_pass(gold: list[int], threshold: float) -> None:
    p, truth = pass_probability(one_hot(gold), threshold), pass_truth(numbers(*gold), threshold, 5)
    assert p.tolist() == truth.tolist() and yes_no_agreement(p, truth).brier == 0


def test_plain_data_has_no_nan() -> None:
    p = np.array([[0.5, 0.5], [NAN, NAN], [1, 0]])
    found = [
        level_agreement(p, numbers(0, 1, NAN)), level_agreement(p[:0], numbers()), choice_agreement(p, ["a", "b", "x"], ["a", "b"]),
        yes_no_agreement(p[:, 1], numbers(0, 1, 0)), yes_no_agreement(p[:0, 1], numbers()),
    ]  # fmt: skip
    for each in found:
        json.dumps(each.to_dict(), allow_nan=False)
    one, none, *_, yes_no, _ = (each.to_dict() for each in found)
    assert one == {
        "n": 1,
        "n_scored": 2,
        "n_gold": 2,
        "mae": 0.5,
        "mae_ci": None,
        "exact": 1.0,
        "exact_ci": NEAR([0.2065493, 1]),
        "confusion": [[1, 0], [0, 0]],
        "reason": "one row has no interval",
    }
    assert none["mae"] is None and none["reason"] and none["confusion"] == [[0, 0], [0, 0]]
    assert yes_no["bins"] == [
        {"low": 0.0, "high": 0.5, "mean_p": 0.25, "rate": 0.0, "rate_ci": NEAR([0, 0.6576198]), "n": 2}
    ]
