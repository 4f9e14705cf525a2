"""sacrebleu's own BLEU, by the settings that people use, as one sentence and as a corpus of one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import product
from typing import Any

from jeval_core.reconcile.rule import Rule, Value

TOKENS = ("13a", "intl", "zh", "char", "none")
SMOOTHING = ("exp", "none", "floor", "add-k")


@cache
def _scorer(tokens: str, smoothing: str, lowercase: bool, sentence: bool) -> Any:
    from sacrebleu.metrics.bleu import BLEU

    return BLEU(tokenize=tokens, smooth_method=smoothing, lowercase=lowercase, effective_order=sentence)


def _value(tokens: str, smoothing: str, lowercase: bool, sentence: bool) -> Value:
    def value(output: str, expected: tuple[str, ...]) -> float | None:
        scorer = _scorer(tokens, smoothing, lowercase, sentence)
        if sentence:
            return min(1.0, float(scorer.sentence_score(output, [*expected]).score) / 100)
        return min(1.0, float(scorer.corpus_score([output], [[text] for text in expected]).score) / 100)

    return value


def _quote(tokens: str, smoothing: str, lowercase: bool, sentence: bool) -> Callable[[int], str]:
    def quote(references: int) -> str:
        scorer = _scorer(tokens, smoothing, lowercase, sentence)
        scorer.corpus_score(["a"], [["a"]] * references)  # the library knows the number of references afterwards
        return str(scorer.get_signature())

    return quote


def _rules() -> Iterator[Rule]:
    for sentence, lowercase, tokens, smoothing in product((True, False), (False, True), TOKENS, SMOOTHING):
        settings = tokens, smoothing, lowercase, sentence
        yield Rule(
            "BLEU",
            "sacrebleu, sentence" if sentence else "sacrebleu, corpus of this pair",
            tokens + (", lower-cased" if lowercase else ", case kept"),
            smoothing,
            "clipped against all, nearest length",
            _value(*settings),
            _quote(*settings),
            (tokens, smoothing, lowercase) == ("13a", "exp", False),
        )


RULES = tuple(_rules())
