"""Whether the claims hold: how often intervals cover and claims are wrong, on distributions with a name.

`pytest -m long -s tests/compare/test_simulation.py` prints the table.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from jeval_core.compare.changes import Rules, adjusted, of_corpus, of_mean, of_rate
from jeval_core.registry import get_evaluator

pytestmark = pytest.mark.long
TRIALS = 4_000
RULES = Rules(resamples=400)
"""Fewer swaps than usual, as every trial needs them; p is 1/401 at least, far below 5%."""
ROWS = (50, 100, 200, 1_000)
RARE = 0.05
"""Share of the trials below which a cell makes no claims: there "too few" is what people read."""
Draw = Callable[[np.random.Generator, int], np.ndarray]


def normal(r: np.random.Generator, n: int) -> np.ndarray:
    return r.normal(0, 0.2, n)


def exponential(r: np.random.Generator, n: int) -> np.ndarray:
    """A long tail of drops; the mean is 0."""
    return 0.2 * (1 - r.exponential(1, n))


def zero_inflated(r: np.random.Generator, n: int) -> np.ndarray:
    """Four rows of five do not move."""
    return np.where(r.random(n) < 0.8, 0.0, r.normal(0, 0.3, n))


def destroyed(r: np.random.Generator, n: int) -> np.ndarray:
    """One row of twenty loses all its score, the others gain a little: the mean is 0."""
    whole = r.uniform(0.4, 0.9, n)
    return np.where(r.random(n) < 0.05, -whole, r.normal(0, 0.05, n)) + 0.05 * 0.65


@pytest.mark.parametrize("n", ROWS)
@pytest.mark.parametrize("draw", [normal, exponential, zero_inflated, destroyed], ids=lambda f: f.__name__)
def test_means(draw: Draw, n: int) -> None:
    r = np.random.default_rng([12345, n])
    low = claimed = wrong = 0
    for _ in range(TRIALS):
        (found,) = adjusted([of_mean("x.mean", np.zeros(n), draw(r, n), RULES, scale=False)])
        claimed += found.enough
        low += found.enough and found.ci[0] <= 0
        wrong += found.claim in ("improved", "regressed")
    _held(draw.__name__, n, claimed, low, wrong)


def pairs(rate: float, rho: float) -> list[float]:
    """Chances of (both, only a, only b, neither) for two rates that are the same and correlate."""
    both = rate**2 + rho * rate * (1 - rate)
    return [both, rate - both, rate - both, 1 - 2 * rate + both]


@pytest.mark.parametrize("n", ROWS)
@pytest.mark.parametrize("rate", [0.01, 0.05, 0.1, 0.25, 0.5])
def test_rates(rate: float, n: int) -> None:
    r = np.random.default_rng([12345, n, int(1000 * rate)])
    low = newcombe = claimed = wrong = 0
    for _ in range(TRIALS):
        cells = np.repeat(np.arange(4), r.multinomial(n, pairs(rate, 0.4)))
        (found,) = adjusted([of_rate("x.pass_rate", cells < 2, (cells == 0) | (cells == 2), RULES)])
        claimed += found.enough
        low += found.enough and found.ci[0] <= 0
        newcombe += found.enough and found.ci_also[0] <= 0
        wrong += found.claim in ("improved", "regressed")
    _held(f"rate {rate:.0%}", n, claimed, low, wrong)
    if claimed >= RARE * TRIALS:
        assert newcombe / claimed >= 0.93


def population(better: float) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
    """BLEU counts of 20,000 rows by two systems, of which b matches `better` more; lengths vary from row to row."""
    r, n = np.random.default_rng(7), 20_000
    reference, ease = r.integers(6, 40, n), r.beta(4, 3, n)
    sides = []
    for more in (0.0, better):
        output = np.maximum(4, reference + r.integers(-4, 5, n))
        match = r.binomial(output, np.clip(ease + more, 0, 1))
        counts = {"output_tokens": output.astype(float), "reference_tokens": reference.astype(float)}
        for order in range(1, 5):
            counts[f"match_{order}"] = match.astype(float)
            counts[f"total_{order}"] = (output - order + 1).astype(float)
            match = r.binomial(np.maximum(0, match - 1), 0.75)
        sides.append(counts)
    return sides[0], sides[1]


@pytest.mark.parametrize("n", [100, 200, 1_000])
@pytest.mark.parametrize("better", [0.0, 0.03])
def test_corpus_bleu(better: float, n: int) -> None:
    bleu = get_evaluator("bleu")
    a, b = population(better)
    deltas = [bleu.corpus_scores({name: np.array([c.sum()]) for name, c in side.items()})[0] for side in (a, b)]
    truth = deltas[1] - deltas[0] if better else 0.0
    r = np.random.default_rng([12345, n])
    low = claimed = wrong = 0
    for _ in range(TRIALS // 4):
        rows = r.integers(0, 20_000, n)
        left, right = ({name: c[rows] for name, c in side.items()} for side in (a, b))
        if not better:  # whose row is whose is a coin: no difference at all
            coin = r.random(n) < 0.5
            left, right = (
                {name: np.where(coin, one[name], other[name]) for name in one} for one, other in ((left, right), (right, left))
            )
        d = bleu.score(right) - bleu.score(left)
        enough = of_mean("bleu.mean", np.zeros(n), d, Rules(resamples=100)).enough
        (found,) = adjusted([of_corpus("bleu.corpus", left, right, bleu.corpus_scores, RULES, enough=enough)])
        claimed += found.enough
        low += found.enough and found.ci[0] <= truth
        wrong += not better and found.claim in ("improved", "regressed")
    share = claimed / (TRIALS // 4)
    said = f"{low / claimed:.3f}" if share >= RARE else "too few"
    print(f"\n| corpus BLEU {truth:+.3f} | {n:,} | {share:.1%} | {said} | {wrong / (TRIALS // 4):.4f} |", end="")
    assert wrong / (TRIALS // 4) <= 0.055 + 0.012, "of 1,000 trials a share of .055 is off by .012 once in twenty"
    if share >= RARE:
        assert low / claimed >= 0.93


def _held(name: str, n: int, claimed: int, low: int, wrong: int) -> None:
    share = claimed / TRIALS
    said = f"{low / claimed:.3f}" if claimed >= RARE * TRIALS else "too few"
    print(f"\n| {name} | {n:,} | {share:.1%} | {said} | {wrong / TRIALS:.4f} |", end="")
    assert wrong / TRIALS <= 0.055 + 0.005, "of 4,000 trials a share of .055 is off by .005 once in twelve"
    if claimed >= RARE * TRIALS:
        assert low / claimed >= 0.93
