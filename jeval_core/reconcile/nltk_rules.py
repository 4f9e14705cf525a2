"""nltk's sentence BLEU with its smoothing methods, and its GLEU."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from functools import cache
from itertools import product
from typing import Any

from jeval_core.reconcile.rule import Rule, Tokens, Value, quoted
from jeval_core.text.tokenizers import TOKENIZERS, library_version

METHODS = (0, 1, 2, 3, 4, 7)


@cache
def _treebank() -> Any:
    from nltk.tokenize.treebank import TreebankWordTokenizer

    return TreebankWordTokenizer()


TOKENS: dict[str, Tokens] = {
    "white space, case kept": str.split,
    "white space, lower-cased": lambda text: text.lower().split(),
    "Penn Treebank, case kept": lambda text: list(_treebank().tokenize(text)),
    "Penn Treebank, lower-cased": lambda text: list(_treebank().tokenize(text.lower())),
    "words, lower-cased": TOKENIZERS["words/1"].words,
}


def _guarded(compute: Callable[[list[str], list[list[str]]], float], tokens: Tokens) -> Value:
    def value(output: str, expected: tuple[str, ...]) -> float | None:
        said, wanted = tokens(output), [tokens(text) for text in expected]
        if not said:
            return 0.0
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                found = float(compute(said, wanted))
        except (
            ValueError,
            ZeroDivisionError,
            KeyError,
            IndexError,
            OverflowError,
        ):  # the library does not take the pair
            return None
        return found if 0 <= found <= 1 else None

    return value


def _bleu(method: int) -> Callable[[list[str], list[list[str]]], float]:
    def compute(said: list[str], wanted: list[list[str]]) -> float:
        from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu

        smooth = getattr(SmoothingFunction(), f"method{method}")
        return float(sentence_bleu(wanted, said, smoothing_function=smooth))

    return compute


def _gleu(said: list[str], wanted: list[list[str]]) -> float:
    from nltk.translate.gleu_score import sentence_gleu

    return float(sentence_gleu(wanted, said))


def _rules() -> Iterator[Rule]:
    version = library_version("nltk")
    for (words, tokens), method in product(TOKENS.items(), METHODS):
        parts = (("smooth", f"method{method}"), ("tok", words))
        quote = quoted("nltk", version, "sentence_bleu", parts)
        value = _guarded(_bleu(method), tokens)
        yield Rule(
            "BLEU", "nltk", words, f"method {method}", "clipped against all, nearest length", value, quote, method == 0
        )
    for words, tokens in TOKENS.items():
        quote = quoted("nltk", version, "sentence_gleu", (("tok", words),))
        yield Rule("GLEU", "nltk", words, "–", "the best one", _guarded(_gleu, tokens), quote, tokens is str.split)


RULES = tuple(_rules())
