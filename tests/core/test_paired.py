"""Two runs on the same rows: tests and intervals against scipy, published examples and simulations."""

from __future__ import annotations

import json
import os
from math import log
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, ttest_rel

from jeval_core.evaluators import bleu_rules
from jeval_core.ngrams import ngrams, overlap
from jeval_core.stats import paired, resample
from jeval_core.stats.why_bleu import split

FOLDER = os.environ.get("JEVAL_TEST_DATA")
R = np.random.default_rng(1)


@given(st.integers(2, 40), st.integers(0, 2**32 - 1))
def test_means_are_those_of_a_paired_t_test(n: int, seed: int) -> None:
    r = np.random.default_rng(seed)
    a, b = r.random(n), r.random(n)
    found, wanted = paired.mean_change(a, b), ttest_rel(b, a).confidence_interval()
    assert found.ci == (pytest.approx(wanted.low), pytest.approx(wanted.high))
    assert found.delta == pytest.approx(found.b - found.a) and found.mde > 0
    other = paired.mean_change(b, a)
    assert other.delta == pytest.approx(-found.delta) and other.ci[0] == pytest.approx(-found.ci[1])


def test_one_row_has_no_interval_and_none_is_refused() -> None:
    one = paired.mean_change(np.array([0.2]), np.array([0.5]))
    assert (one.delta, one.ci, one.mde) == (pytest.approx(0.3), None, None)
    for a, b in (([], []), ([1.0], [1.0, 2.0])):
        with pytest.raises(ValueError, match="Pairs are needed"):
            paired.mean_change(np.array(a), np.array(b))


@given(st.integers(0, 60), st.integers(0, 60))
def test_mcnemar_is_the_exact_binomial_test(lost: int, gained: int) -> None:
    wanted = binomtest(lost, lost + gained, 0.5).pvalue if lost + gained else 1.0
    assert paired.mcnemar(lost, gained) == pytest.approx(wanted)
    if max(lost, gained) < paired.LEAST_FLIPS and not min(lost, gained):
        assert paired.mcnemar(lost, gained) > 0.05


# Newcombe 1998, Statistics in Medicine 17, 2635, table II: (both, only first, only second, neither) → method 10
NEWCOMBE = [((36, 12, 2, 0), (0.0569, 0.3404)), ((20, 12, 2, 16), (0.0562, 0.3292))]


@pytest.mark.parametrize(("cells", "wanted"), NEWCOMBE)
def test_newcombe(cells: tuple[int, int, int, int], wanted: tuple[float, float]) -> None:
    both, first, second, neither = cells
    low, high = paired.newcombe_paired(both, second, first, neither)
    assert (round(low, 4), round(high, 4)) == wanted


@given(st.integers(0, 30), st.integers(0, 30), st.integers(0, 30), st.integers(1, 30))
def test_rates_hold_their_delta_and_turn_round(both: int, lost: int, gained: int, neither: int) -> None:
    a = np.repeat([True, True, False, False], [both, lost, gained, neither])
    b = np.repeat([True, False, True, False], [both, lost, gained, neither])
    found, other = paired.rate_change(a, b), paired.rate_change(b, a)
    for low, high in (found.ci, found.newcombe):
        assert -1 <= low < high <= 1
    assert found.newcombe[0] - 1e-9 <= found.delta <= found.newcombe[1] + 1e-9
    assert found.ci == (pytest.approx(-other.ci[1]), pytest.approx(-other.ci[0]))
    assert (found.lost, found.gained, found.p) == (other.gained, other.lost, other.p)


@pytest.mark.skipif(not FOLDER, reason="needs JEVAL_TEST_DATA, the folder of real files")
def test_hallucination_rates_of_two_models() -> None:
    def said(name: str) -> dict[str, bool]:
        lines = (Path(FOLDER or "") / f"halluqa_zh_{name}.jsonl").read_text("utf-8").splitlines()
        return {row["prompt_id"]: row["is_hallucination"] for row in map(json.loads, lines)}

    a, b = said("qwen-7b-chat"), said("gpt-4-0613")
    ids = sorted(a.keys() & b.keys())
    found = paired.rate_change(np.array([a[i] for i in ids]), np.array([b[i] for i in ids]))
    assert found.delta == pytest.approx(-0.213, abs=5e-4)
    assert found.ci[1] == pytest.approx(-0.162, abs=1e-3) and found.newcombe[1] == pytest.approx(-0.162, abs=1e-3)


def test_randomisation() -> None:
    d = np.array([0.1] * 5)
    assert paired.randomisation(d) == pytest.approx(2 / 32, abs=0.01)
    assert paired.randomisation(d) == paired.randomisation(d)
    assert paired.randomisation(np.zeros(9)) == 1.0 == paired.randomisation(np.zeros(0))
    shifted = R.normal(0.5, 1, 200)
    assert paired.randomisation(shifted) == pytest.approx(ttest_rel(shifted, np.zeros(200)).pvalue, abs=0.002)


def test_holm() -> None:
    assert paired.holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert paired.holm([]) == [] and paired.holm([0.9, 0.8]) == [1.0, 1.0]


@pytest.mark.parametrize("n", [500, 30_000], ids=["multinomial", "blocks"])
def test_resampled_means_spread_as_the_mean_does(n: int) -> None:
    x = R.normal(0.3, 0.2, (n, 2))
    sums = resample.resampled_sums([*x.T], 2000)
    means = sums[:, :2] / sums[:, 2:]
    assert means.mean(axis=0) == pytest.approx(x.mean(axis=0), abs=0.2 / np.sqrt(n) / 8)
    assert means.std(axis=0) == pytest.approx(x.std(axis=0) / np.sqrt(n), rel=0.08)
    low, high = resample.percentile_interval(means[:, 0])
    assert low < x[:, 0].mean() < high


def test_same_seed_same_bits_whatever_the_workers() -> None:
    x = R.random((30_000, 3))
    one, four = (resample.resampled_sums([*x.T], 200, workers=w) for w in (1, 4))
    assert (one == four).all() and (resample.resampled_sums([*x.T], 200, seed=1) != one).any()
    both = resample.resampled_sums([x[:, 0], x[:, 0]], 100)
    assert (both[:, 0] == both[:, 1]).all()  # the same weights on every column: pairs stay pairs
    with pytest.raises(ValueError, match="no row"):
        resample.resampled_sums([np.zeros(0)])


def counted(rows: list[tuple[list[int], list[int]]]) -> dict[str, np.ndarray]:
    """Counts of BLEU of (output, expected) token lists, summed."""
    out = {name: 0 for name in ("output_tokens", "reference_tokens", *(f"{k}_{n}" for n in range(1, 5) for k in ("match", "total")))}
    for output, expected in rows:
        out["output_tokens"] += len(output)
        out["reference_tokens"] += len(expected)
        for n in range(1, 5):
            own, other = ngrams(output, n), ngrams(expected, n)
            out[f"match_{n}"] += overlap(own, other)
            out[f"total_{n}"] += sum(own.values())
    return {name: np.array([float(value)]) for name, value in out.items()}


TOKENS = st.lists(st.integers(0, 3), min_size=1, max_size=12)


@given(st.lists(st.tuples(TOKENS, TOKENS, TOKENS), min_size=1, max_size=4), st.sampled_from(["add1", "none"]))
def test_the_split_of_log_bleu_adds_up(rows: list[tuple[list[int], list[int], list[int]]], smoothing: str) -> None:
    a, b = (bleu_rules.steps(counted([(row[i], row[2]) for row in rows]), smoothing) for i in (0, 1))
    found = split(a, b)
    if found is None:
        assert min(a.score[0], b.score[0]) == 0
        return
    assert found.delta == pytest.approx(log(b.score[0]) - log(a.score[0]), abs=1e-12)
    assert sum(found.orders.values()) + found.brevity == pytest.approx(found.delta, abs=1e-12)
