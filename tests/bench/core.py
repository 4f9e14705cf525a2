"""One row through the core against the libraries people use for the same numbers."""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable
from time import perf_counter

from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu
from nltk.translate.gleu_score import sentence_gleu
from rouge_score import rouge_scorer
from sacrebleu.metrics.bleu import BLEU

from jeval_core import explain, get_evaluator
from jeval_core.service import inputs

WORDS = (
    "the model returns a calibrated probability rather than text and it was not moved to another ward in time".split()
)


def pairs(n: int, length: int) -> list[tuple[str, str]]:
    """Random pairs of about `length` words that share three quarters of them."""
    rng = random.Random(3)
    out = []
    for _ in range(n):
        a = rng.choices(WORDS, k=length)
        out.append((" ".join(a), " ".join(w if rng.random() < 0.75 else rng.choice(WORDS) for w in a)))
    return out


def best(function: Callable[[str, str], object], data: list[tuple[str, str]]) -> float:
    """Seconds for one pass over the data."""
    start = perf_counter()
    for output, expected in data:
        function(output, expected)
    return perf_counter() - start


def measured(id: str, **options: str | bool) -> Callable[[str, str], object]:
    one = get_evaluator(id, options)

    def run(output: str, expected: str) -> float:
        return one.score_one(one.measure(inputs(output, expected)).counts)

    return run


def run() -> None:
    """Print the table."""
    warnings.simplefilter("ignore")
    method2, scorer = SmoothingFunction().method2, rouge_scorer.RougeScorer(["rouge1", "rouge2", "rougeL"])
    sacre = BLEU(effective_order=True)
    rows: list[tuple[str, Callable[[str, str], object], str, Callable[[str, str], object]]] = [
        (
            "bleu",
            measured("bleu"),
            "nltk method2",
            lambda o, e: sentence_bleu([e.split()], o.split(), smoothing_function=method2),
        ),
        (
            "bleu sacrebleu",
            measured("bleu", variant="sacrebleu"),
            "sacrebleu",
            lambda o, e: sacre.sentence_score(o, [e]),
        ),
        ("gleu", measured("gleu"), "nltk", lambda o, e: sentence_gleu([e.split()], o.split())),
        ("rouge_n + rouge_l", _both, "rouge-score 1, 2, L", lambda o, e: scorer.score(e, o)),
        (
            "explain bleu",
            lambda o, e: explain("bleu", output=o, expected=e, extras=False),
            "evaluate bleu",
            measured("bleu"),
        ),
    ]
    print("| ours | against | µs a pair | their µs | theirs ÷ ours |\n|---|---|---|---|---|")
    data = pairs(300, 17)
    for name, ours, other, theirs in rows:
        times = [(best(ours, data), best(theirs, data)) for _ in range(5)]
        a, b = (min(side) * 1e6 / len(data) for side in zip(*times, strict=True))
        print(f"| {name} | {other} | {a:.0f} | {b:.0f} | {b / a:.2f} |")


_n, _l = measured("rouge_n"), measured("rouge_l")


def _both(output: str, expected: str) -> tuple[object, object]:
    return _n(output, expected), _l(output, expected)
