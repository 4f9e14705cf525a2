"""What BLEU, GLEU and ROUGE share: tokens of the output and of every reference that has some."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from jeval_core.evaluators.base import Evaluator, NotScored
from jeval_core.scene import row
from jeval_core.text.tokenizers import TOKENIZERS, Span, Tokenizer, align, library_version, stemmed
from jeval_core.trace import Row
from jeval_core.types import Inputs

WORDS_AND_LIBRARIES = ("words/1", "promptfoo", "13a", "intl", "zh", "char", "rouge", "treebank")


@dataclass(frozen=True)
class Sides:
    """Tokens of the output and of the references; `kept` are the references' positions in `Inputs.expected`."""

    output: list[str]
    references: list[list[str]]
    kept: list[int]


class TokenEvaluator(Evaluator):
    """An evaluator over tokens. References without a token are ignored; without any the row is not scored."""

    @property
    def tokenizer(self) -> Tokenizer:
        """The tokenizer that the options name."""
        return TOKENIZERS[str(self.options["tokens"])]

    def prepare(self, text: str) -> str:
        """What happens to a text before it is tokenized."""
        return text

    def signature_parts(self) -> list[tuple[str, object]]:
        rest = [(k, v) for k, v in self.options.items() if k not in ("variant", "tokens")]
        stems = [("nltk", library_version("nltk"))] if self.options.get("stemmer") else []
        return [*self.tokenizer.signature, *rest, *stems]

    def tokens(self, text: str) -> list[str]:
        """Tokens of one text as they are compared."""
        words = self.tokenizer.words(self.prepare(text))
        return [*stemmed(words)] if self.options.get("stemmer") else words

    def locate(self, text: str) -> list[Span]:
        prepared = self.prepare(text)
        return self.tokenizer.locate(text) if prepared == text else align(text, self.tokenizer.words(prepared))

    def sides(self, x: Inputs) -> Sides:
        """Both sides' tokens; NotScored when no reference has any."""
        tokens = [(i, self.tokens(text)) for i, text in enumerate(x.expected)]
        kept = [(i, t) for i, t in tokens if t]
        if not kept:
            blank = not any(text.strip() for text in x.expected)
            raise NotScored("no expected text" if blank else f"the expected text has no token of {self.tokenizer.id}")
        return Sides(self.tokens(x.output), [t for _, t in kept], [i for i, _ in kept])

    def rows(self, x: Inputs, kept: Sequence[int]) -> tuple[Row, ...]:
        """The scene's rows: the output, then the references that count."""
        many = len(x.expected) > 1
        out = [self._row("output", "output", x.output)]
        out += [self._row(f"expected.{i}", f"expected {i + 1}" if many else "expected", x.expected[i]) for i in kept]
        return tuple(out)

    def _row(self, id: str, label: str, text: str) -> Row:
        spans = self.locate(text)
        shown = [*stemmed(s.token for s in spans)] if self.options.get("stemmer") else None
        return row(id, label, text, spans, shown)
