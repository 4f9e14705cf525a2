"""The evaluators of this package, promptfoo's rules and rouge-score's among them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from jeval_core import scoring
from jeval_core.embed.errors import EncoderError
from jeval_core.evaluators.base import Evaluator, NotScored
from jeval_core.reconcile.rule import MEAN, Rule, Value
from jeval_core.registry import get_evaluator
from jeval_core.types import Inputs, OptionValue

NAMES = {
    "jeval": "jeval", "promptfoo": "promptfoo", "promptfoo-2025": "promptfoo before June 2026", "minilm": "jeval",
    "rouge": "rouge-score, Hugging Face evaluate",
}  # fmt: skip
SMOOTHING = {
    "add1": "add one from n = 2", "add1-all": "add one on every order", "none": "none",
    "floor": "a precision of 0 becomes 1e-7",
}  # fmt: skip
TOKENS = {
    "words/1": "words, lower-cased", "promptfoo": "white space, lower-cased", "rouge": "a-z and 0-9, lower-cased",
    "treebank": "Penn Treebank, lower-cased", "promptfoo-gleu": "white space, final full stops cut", "13a": "13a",
    "intl": "intl", "zh": "zh", "char": "characters",
}  # fmt: skip


def _value(one: Evaluator, part: str | None = None) -> Value:
    """The score, or the part of the evidence beside it."""

    def value(output: str, expected: tuple[str, ...]) -> float | None:
        try:
            found = scoring.score(one, Inputs(output, expected), one.card.threshold)
        except (NotScored, EncoderError):
            return None
        if part is None:
            return found.verdict.score
        counts = found.evidence.counts
        got = {**counts, **one.beside(counts)}.get(part)
        return None if got is None else float(got)

    return value


def _rule(id: str, metric: str, options: Mapping[str, OptionValue], part: str | None = None, what: str = "") -> Rule:
    one = get_evaluator(id, options)
    set_to = one.options
    tokens = str(set_to.get("tokens", ""))
    library = NAMES["rouge" if id.startswith("rouge") and tokens == "rouge" else one.variant]
    references = {"bleu": "clipped against all", "gleu": "the best one"}.get(id, "the best one")
    if one.variant.startswith("promptfoo"):
        references = "the best single one for each order" if id == "bleu" else "the first one"
    if set_to.get("references") == "mean":
        references = MEAN
    words = TOKENS.get(tokens, {"levenshtein": "characters", "semantic_similarity": "all-MiniLM-L6-v2"}.get(id, tokens))
    words += ", Porter stems" if set_to.get("stemmer") else ""
    smoothing = SMOOTHING.get(str(set_to.get("smoothing", "")), "–") if id == "bleu" else "–"
    quote = lambda references: one.signature(references) + (f" ({what})" if what else "")  # noqa: E731
    label = f"{library}, {what}" if what else library
    usual = one.variant.startswith("promptfoo") or options in ({}, {"tokens": "rouge", "stemmer": False})
    return Rule(metric, label, words, smoothing, references, _value(one, part), quote, usual)


def _rules() -> Iterator[Rule]:
    plain = ("words/1", "promptfoo", "13a", "rouge", "treebank", "char")
    for variant in ("promptfoo", "promptfoo-2025"):
        yield _rule("bleu", "BLEU", {"variant": variant})
    yield _rule("gleu", "GLEU", {"variant": "promptfoo"})
    yield _rule("rouge_n", "ROUGE-1", {"variant": "promptfoo"})
    for stemmer in (False, True):
        for tokens in ("rouge", "words/1"):
            both: dict[str, OptionValue] = {"tokens": tokens, "stemmer": stemmer}
            yield from _rouge(both)
            yield from _rouge({**both, "references": "mean"})
    for tokens in plain:
        for smoothing in ("add1", "add1-all", "none"):
            yield _rule("bleu", "BLEU", {"tokens": tokens, "smoothing": smoothing})
        yield _rule("gleu", "GLEU", {"tokens": tokens})
    yield _rule("levenshtein", "Levenshtein", {})
    yield _rule("levenshtein", "Levenshtein", {"variant": "promptfoo"})
    yield _rule("semantic_similarity", "cosine", {})


def _rouge(options: dict[str, OptionValue]) -> Iterator[Rule]:
    lines: dict[str, OptionValue] = {**options, "split": "lines"}
    for id, metric, given in (
        ("rouge_n", "ROUGE-1", options),
        ("rouge_l", "ROUGE-L", options),
        ("rouge_l", "ROUGE-Lsum", lines),
    ):
        tail = "_1" if id == "rouge_n" else ""
        yield _rule(id, metric, given, None, "F1")
        yield _rule(id, metric, given, f"precision{tail}", "precision")
        yield _rule(id, metric, given, f"recall{tail}", "recall")
    yield _rule("rouge_n", "ROUGE-2", options, "rouge_2", "F1")


RULES = tuple(_rules())
