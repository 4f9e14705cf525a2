"""BLEU, GLEU and ROUGE by the rules of Hugging Face evaluate and of torchmetrics, which are not installed for it.

Hugging Face evaluate takes its BLEU from the reference code of Google's NMT tutorial: 13a tokens with case kept, the
shortest reference for the brevity penalty, and with `smooth` one added on every order. torchmetrics gives 0 as soon as
an order has no match, adds one from n = 2 with `smooth`, and takes all ROUGE types from the reference that is best by
the first of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from math import exp, log

from jeval_core.ngrams import lcs_length, most, ngrams, overlap
from jeval_core.reconcile.nltk_rules import _gleu, _guarded
from jeval_core.reconcile.rule import Rule, Tokens, Value, quoted
from jeval_core.text.tokenizers import TOKENIZERS, stemmed

ORDERS = range(1, 5)
Pair = Callable[[list[str], list[list[str]]], float]


def _matches(said: list[str], wanted: list[list[str]]) -> tuple[list[int], list[int]]:
    """Clipped matches and totals for n = 1 to 4."""
    own = [ngrams(said, n) for n in ORDERS]
    limits = [most([ngrams(tokens, n) for tokens in wanted]) for n in ORDERS]
    return [overlap(a, b) for a, b in zip(own, limits, strict=True)], [sum(grams.values()) for grams in own]


def hf_bleu(smooth: bool) -> Pair:
    """`evaluate.load("bleu")` on one pair."""

    def compute(said: list[str], wanted: list[list[str]]) -> float:
        plus = 1 if smooth else 0
        p = [(m + plus) / (t + plus) if t + plus else 0.0 for m, t in zip(*_matches(said, wanted), strict=True)]
        if min(p) <= 0 or not said:
            return 0.0
        ratio = len(said) / min(map(len, wanted))
        return (1.0 if ratio > 1 else exp(1 - 1 / ratio)) * exp(sum(map(log, p)) / 4)

    return compute


def torchmetrics_bleu(smooth: bool) -> Pair:
    """`BLEUScore(smooth=…)` on one pair."""

    def compute(said: list[str], wanted: list[list[str]]) -> float:
        match, total = _matches(said, wanted)
        if min(match) == 0:
            return 0.0
        p = [(m + 1) / (t + 1) if smooth and n else m / t for n, (m, t) in enumerate(zip(match, total, strict=True))]
        nearest = min((len(tokens) for tokens in wanted), key=lambda r: abs(r - len(said)))  # the first of equals
        bp = 1.0 if len(said) > nearest else exp(1 - nearest / len(said))
        return bp * exp(sum(map(log, p)) / 4)

    return compute


def _rouge_tokens(stemmer: bool) -> Tokens:
    def tokens(text: str) -> list[str]:
        found = [token for token in re.split(r"[^a-z0-9]+", text.lower()) if token]
        return [*stemmed(found)] if stemmer else found

    return tokens


def _prf(said: list[str], wanted: list[str], kind: str) -> tuple[float, float, float]:
    if kind == "L":
        match, output, reference = lcs_length(said, wanted), len(said), len(wanted)
    else:
        own, other = ngrams(said, int(kind)), ngrams(wanted, int(kind))
        match, output, reference = overlap(own, other), sum(own.values()), sum(other.values())
    if not output or not reference or not match:
        return 0.0, 0.0, 0.0
    p, r = match / output, match / reference
    return p, r, 2 * p * r / (p + r)


def torchmetrics_rouge(kind: str, part: int, first: str = "1") -> Pair:
    """`ROUGEScore(accumulate="best")` on one pair; `part`: 0 precision, 1 recall, 2 F1."""

    def compute(said: list[str], wanted: list[list[str]]) -> float:
        best = max(wanted, key=lambda tokens: _prf(said, tokens, first)[2])
        return _prf(said, best, kind)[part]

    return compute


def _rules() -> Iterator[Rule]:
    clipped = "clipped against all, "
    for smooth, said in ((False, "none"), (True, "add one on every order")):
        quote = quoted("evaluate", "bleu", "compute", (("smooth", str(smooth)), ("tok", "13a"), ("ref_length", "min")))
        value = _guarded(hf_bleu(smooth), TOKENIZERS["13a"].words)
        yield Rule(
            "BLEU",
            "Hugging Face evaluate",
            "13a, case kept",
            said,
            f"{clipped}shortest length",
            value,
            quote,
            not smooth,
        )
    quote = quoted("evaluate", "google_bleu", "compute", (("tok", "13a"),))
    yield Rule(
        "GLEU",
        "Hugging Face evaluate",
        "13a, case kept",
        "–",
        "the best one",
        _guarded(_gleu, TOKENIZERS["13a"].words),
        quote,
    )
    for name, words, tokens in (
        ("BLEUScore", "white space, case kept", str.split),
        ("SacreBLEUScore", "13a, case kept", TOKENIZERS["13a"].words),
    ):
        for smooth, said in ((False, "none"), (True, "add one from n = 2")):
            quote = quoted("torchmetrics", name, "sentence", (("smooth", str(smooth)), ("tok", words)))
            value = _guarded(torchmetrics_bleu(smooth), tokens)
            yield Rule(
                "BLEU", f"torchmetrics {name}", words, said, f"{clipped}nearest length", value, quote, not smooth
            )
    yield from _torchmetrics_rouge()


def _torchmetrics_rouge() -> Iterator[Rule]:
    parts: tuple[tuple[int, str], ...] = ((2, "F1"), (0, "precision"), (1, "recall"))
    for stemmer in (False, True):
        words = "a-z and 0-9, lower-cased" + (", Porter stems" if stemmer else "")
        for kind in ("1", "2", "L"):
            for part, name in parts:
                value: Value = _guarded(torchmetrics_rouge(kind, part), _rouge_tokens(stemmer))
                call = (("use_stemmer", str(stemmer)), ("part", name))
                quote = quoted("torchmetrics", "ROUGEScore", f"rouge{kind}", call)
                rule = "the one that is best by ROUGE-1"
                yield Rule(f"ROUGE-{kind}", f"torchmetrics, {name}", words, "–", rule, value, quote)


RULES = tuple(_rules())
