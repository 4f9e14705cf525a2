"""Many rows: the batch kernel and `evaluate_frame` against the libraries, and how the time grows."""

from __future__ import annotations

import os
import random
import warnings
from collections.abc import Callable, Sequence
from time import perf_counter

import numpy as np
import pandas as pd
import pyarrow as pa
from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu
from nltk.translate.gleu_score import sentence_gleu
from rouge_score import rouge_scorer
from sacrebleu.metrics.bleu import BLEU

from jeval_core.batch.engine import blocks_of
from jeval_core.batch.frame import evaluate_frame

NGRAM = ["bleu", "gleu", "rouge_n", "rouge_l"]
SIZES = (10_000, 30_000, 100_000, 300_000, 1_000_000)
SAMPLE = 1_500
ROUNDS = 5
SHARED = 0.7
"""Part of the reference's words that are the output's."""


def vocabulary(rng: random.Random) -> list[str]:
    """2,000 words of two to nine letters, the frequent ones short."""
    return ["".join(rng.choices("etaoinshrdlucmfwypvbg", k=2 + i // 500 + rng.randint(0, 4))) for i in range(2_000)]


def table(rows: int, length: int) -> pd.DataFrame:
    """Outputs of about `length` words, drawn as in a natural text (Zipf), with references that share most of them."""
    rng = np.random.default_rng(4)
    words = np.array(vocabulary(random.Random(4)), dtype=object)
    weights = 1 / np.arange(1, len(words) + 1)
    weights /= weights.sum()
    lengths = rng.integers(max(1, length * 3 // 4), length * 5 // 4 + 1, rows)
    edges = np.cumsum(lengths)[:-1]
    ids, others = (rng.choice(len(words), lengths.sum(), p=weights) for _ in range(2))
    expected = np.where(rng.random(len(ids)) < SHARED, ids, others)
    texts = ([" ".join(part) for part in np.split(words[side], edges)] for side in (ids, expected))
    return pd.DataFrame(dict(zip(("output", "expected"), texts, strict=True)))


def seconds(function: Callable[[], object]) -> float:
    """Wall time of one call."""
    start = perf_counter()
    function()
    return perf_counter() - start


def interleaved(functions: Sequence[Callable[[], object]], rounds: int = ROUNDS) -> list[float]:
    """The best time of each, all sides taking turns."""
    times = [[seconds(function) for function in functions] for _ in range(rounds)]
    return [min(side) for side in zip(*times, strict=True)]


def kernel(df: pd.DataFrame) -> Callable[[], object]:
    """The seven counts of every row on all processors, from Arrow columns."""
    output, expected = (pa.chunked_array(pa.array(df[name])) for name in ("output", "expected"))
    return lambda: blocks_of(lambda block: block.matches, output, [expected])


def libraries(df: pd.DataFrame) -> Callable[[], object]:
    """BLEU and GLEU of nltk, ROUGE-1, -2 and -L of rouge-score."""
    method2, scorer = SmoothingFunction().method2, rouge_scorer.RougeScorer(["rouge1", "rouge2", "rougeL"])
    pairs = [*zip(df["output"], df["expected"], strict=True)]

    def run() -> None:
        for output, expected in pairs:
            tokens, references = output.split(), [expected.split()]
            sentence_bleu(references, tokens, smoothing_function=method2)
            sentence_gleu(references, tokens)
            scorer.score(expected, output)

    return run


def sacrebleu(df: pd.DataFrame) -> Callable[[], object]:
    """Sentence BLEU of sacrebleu, which keeps the tokens of texts that it has seen: from the second round on."""
    metric, pairs = BLEU(effective_order=True), [*zip(df["output"], df["expected"], strict=True)]
    return lambda: [metric.sentence_score(output, [expected]) for output, expected in pairs]


def ratios(length: int, rows: int) -> None:
    """One line for the kernel and one for the frame: microseconds a row of both sides."""
    df = table(rows, length)
    sample = df[: SAMPLE if length < 100 else SAMPLE // 10]
    ours = [kernel(df), lambda: evaluate_frame(df, NGRAM), lambda: evaluate_frame(df, "bleu")]
    for function in ours:
        function()  # compiled before the clock starts
    times = interleaved([*ours, libraries(sample), sacrebleu(sample)])
    counts, frame, bleu, stack, sacre = (
        1e6 * t / n for t, n in zip(times, (rows, rows, rows, len(sample), len(sample)), strict=True)
    )
    for name, mine, other, theirs in (
        ("kernel, all counts", counts, "nltk BLEU + GLEU, rouge-score 1, 2, L", stack),
        ("evaluate_frame, four evaluators", frame, "nltk BLEU + GLEU, rouge-score 1, 2, L", stack),
        ("evaluate_frame, bleu", bleu, "sacrebleu", sacre),
    ):
        print(f"| {length} words, {name} | {other} | {mine:.2f} | {theirs:.0f} | {theirs / mine:.0f} |")


def growth() -> None:
    """Seconds of `evaluate_frame` by rows, and the exponent of the power law through them."""
    df = table(SIZES[-1], 17)
    frames = [df[:rows] for rows in SIZES]
    evaluate_frame(frames[0], NGRAM)  # compiled before the clock starts
    rounds = [[_best(part) for part in frames] for _ in range(3)]
    times = [min(side) for side in zip(*rounds, strict=True)]
    slope = np.polyfit(np.log(SIZES), np.log(times), 1)[0]
    print("| rows | seconds | µs a row |\n|---|---|---|")
    for rows, time in zip(SIZES, times, strict=True):
        print(f"| {rows:,} | {time:.3f} | {1e6 * time / rows:.2f} |")
    print(f"\nGrows with rows to the power of {slope:.3f}.")


def _best(df: pd.DataFrame) -> float:
    """The best of several calls, the more the fewer rows: a short call is disturbed more by what else is running."""
    return min(seconds(lambda: evaluate_frame(df, NGRAM)) for _ in range(max(1, 200_000 // len(df))))


def run() -> None:
    """Print the tables."""
    warnings.simplefilter("ignore")
    print(f"{os.cpu_count()} processors\n")
    print("| ours | against | µs a row | their µs | theirs ÷ ours |\n|---|---|---|---|---|")
    ratios(17, 100_000)
    ratios(200, 10_000)
    print()
    growth()


if __name__ == "__main__":
    run()
