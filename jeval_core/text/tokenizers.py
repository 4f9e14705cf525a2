"""Every tokenizer by id. The id goes into the signature of each score that uses it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version as version_of
from typing import NamedTuple

from jeval_core.text import words as words_1
from jeval_core.text.treebank import JS_SPACE, treebank
from jeval_core.text.unicode import UNICODE

_JS_WORD = re.compile(f"[^{JS_SPACE}]+")
_ROUGE_WORD = re.compile("[a-z0-9]+")


class Span(NamedTuple):
    """A token and its half-open code point range in the text as given (empty where the text has no such token)."""

    token: str
    start: int
    end: int


SACREBLEU = ("13a", "intl", "zh", "char")
"""Tokenizers that are sacrebleu's own; their signature names its version."""


@cache
def library_version(name: str) -> str:
    """Version of an installed library."""
    return version_of(name)


@dataclass(frozen=True)
class Tokenizer:
    """How a text becomes tokens.

    `words` gives the tokens; `locate` gives them with their place, for frames. Both give the same tokens.
    """

    id: str
    about: str
    words: Callable[[str], list[str]]
    locate: Callable[[str], list[Span]]

    @property
    def signature(self) -> tuple[tuple[str, str], ...]:
        """Its parts of a signature."""
        version = {"words/1": ("uni", UNICODE)}.get(self.id)
        if self.id in SACREBLEU:
            version = ("sacrebleu", library_version("sacrebleu"))
        return (("tok", self.id), *([version] if version else []))


def align(text: str, tokens: Iterable[str]) -> list[Span]:
    """Place `tokens` in `text`, left to right, ignoring case; one that the text does not hold gets an empty range."""
    low = text.lower()
    if len(low) != len(text):  # a lower case that is longer would shift every position
        low = "".join(c.lower() if len(c.lower()) == 1 else c for c in text)
    out: list[Span] = []
    at = 0
    for token in tokens:
        found = low.find(token.lower(), at, at + _REACH)
        if found < 0:
            found = _further(low, token.lower(), at)
        if found < 0:  # rewritten by the tokenizer (an entity, a quote): keep the order
            out.append(Span(token, at, at))
        else:
            at = found + len(token)
            out.append(Span(token, found, at))
    return out


_REACH = 64
_LETTERS = re.compile(r"[^\W_]{2,}")


def _further(low: str, token: str, at: int) -> int:
    """A word may stand far off, behind what the tokenizer drops; a mark or a single letter is not looked for there."""
    return low.find(token, at) if _LETTERS.search(token) else -1


def _aligned(id: str, about: str, words: Callable[[str], list[str]]) -> Tokenizer:
    return Tokenizer(id, about, words, lambda text: align(text, words(text)))


def _promptfoo(text: str) -> list[str]:
    return _JS_WORD.findall(text.lower())


def _undotted(text: str) -> list[str]:
    words = [word.rstrip(".") for word in _promptfoo(text)]
    return words if any(words) else []


def _rouge(text: str) -> list[str]:
    return _ROUGE_WORD.findall(text.lower())


@cache
def _sacrebleu_tokenizer(name: str) -> Callable[[str], str]:
    from sacrebleu.metrics.bleu import _get_tokenizer

    tokenizer: Callable[[str], str] = _get_tokenizer(name)()
    return tokenizer


def _sacrebleu(name: str) -> Callable[[str], list[str]]:
    # the library strips trailing white space and splits on spaces after tokenizing
    return lambda text: _sacrebleu_tokenizer(name)(text.rstrip()).split()


def _locate_words(text: str) -> list[Span]:
    return [Span(*span) for span in words_1.spans(text)]


TOKENIZERS: dict[str, Tokenizer] = {
    t.id: t
    for t in (
        Tokenizer("words/1", "words in every script, lower-cased, punctuation dropped", words_1.words, _locate_words),
        _aligned("promptfoo", "lower-cased, split on white space, punctuation kept", _promptfoo),
        _aligned("promptfoo-gleu", "as promptfoo, without the full stops that end a word", _undotted),
        _aligned("treebank", "lower-cased Penn Treebank", lambda text: treebank(text.lower())),
        _aligned("rouge", "runs of a-z and 0-9, lower-cased", _rouge),
        _aligned("13a", "sacrebleu's default (mteval-v13a), case kept", _sacrebleu("13a")),
        _aligned("intl", "sacrebleu's international tokenizer, case kept", _sacrebleu("intl")),
        _aligned("zh", "sacrebleu's Chinese tokenizer, case kept", _sacrebleu("zh")),
        _aligned("char", "one token per character, case kept", _sacrebleu("char")),
    )
}


@cache
def _porter() -> Callable[[str], str]:
    from nltk.stem.porter import PorterStemmer

    stem: Callable[[str], str] = PorterStemmer().stem
    return stem


def stemmed(tokens: Iterable[str]) -> Iterator[str]:
    """Tokens with those of more than three letters cut to their Porter stem, as rouge-score does."""
    stem = _porter()
    return (stem(token) if len(token) > 3 else token for token in tokens)
