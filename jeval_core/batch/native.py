"""Which evaluators, with which options, are measured many rows at a time; the others go row by row."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pyarrow as pa  # type: ignore[import-untyped]
from rapidfuzz.distance import Levenshtein as rf
from rapidfuzz.process import cpdist

from jeval_core.batch import matches
from jeval_core.batch.cells import Cells, Flags, cells, prepared
from jeval_core.batch.matches import Matches, Numbers, match
from jeval_core.evaluators.base import Evaluator
from jeval_core.evaluators.bleu import Bleu
from jeval_core.evaluators.gleu import Gleu
from jeval_core.evaluators.levenshtein import Levenshtein
from jeval_core.evaluators.rouge_l import RougeL
from jeval_core.evaluators.rouge_n import RougeN
from jeval_core.types import Columns, Inputs


@dataclass
class Block:
    """Consecutive rows from `first` on: the output column and the reference columns.

    What is derived is made once, by the one thread that works on the block (the standard library's cached properties
    share a lock between blocks).
    """

    first: int
    output: Cells
    references: tuple[Cells, ...]
    _ready: tuple[Cells, ...] | None = None
    _matches: Matches | None = None

    @classmethod
    def of(cls, first: int, output: pa.ChunkedArray, *references: pa.ChunkedArray) -> Block:
        """The rows of Arrow columns."""
        return cls(first, cells(output), tuple(cells(reference) for reference in references))

    def __len__(self) -> int:
        return len(self.output)

    @property
    def has_expected(self) -> Flags:
        """Rows in which some reference is not empty."""
        return np.asarray(np.logical_or.reduce([column.stop > column.start for column in self.references]))

    def inputs(self, row: int) -> Inputs:
        """One row as an evaluator takes it; UnicodeDecodeError for bytes that are no text."""
        given = [reference for reference in self.references if reference.given[row]]
        return Inputs(_text(self.output.raw(row)), tuple(_text(reference.raw(row)) for reference in given))

    @property
    def ready(self) -> tuple[Cells, ...]:
        """Output and references as the kernel reads them."""
        if self._ready is None:
            self._ready = tuple(prepared(column) for column in (self.output, *self.references))
        return self._ready

    @property
    def matches(self) -> Matches:
        """The kernel's counts."""
        if self._matches is None:
            self._matches = match(self.ready[0], self.ready[1:])
        return self._matches


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "surrogatepass")  # a lone surrogate separates words, as in `evaluate`


@dataclass(frozen=True)
class Measured:
    """Counts of all rows; rows that are neither `scored` nor `hard` have no reference to compare with.

    `hard`: rows still to be measured by the evaluator itself.
    """

    columns: Columns
    scored: Flags
    hard: Flags


COLUMNS: dict[type[Evaluator], Callable[[Matches, Evaluator], Columns]] = {
    Bleu: matches.bleu,
    Gleu: matches.gleu,
    RougeN: matches.rouge_n,
    RougeL: matches.rouge_l,
}
Native = Callable[[Block, Evaluator], Measured]


def native(one: Evaluator) -> Native | None:
    """How to measure many rows at once as the evaluator does with its options; None: row by row."""
    if type(one) is Levenshtein:
        return _levenshtein if one.variant == "jeval" else None
    columns = COLUMNS.get(type(one))
    plain = {"variant": "jeval", "tokens": "words/1", "stemmer": False, "split": "none"}
    if columns is None or any(one.options.get(name, value) != value for name, value in plain.items()):
        return None

    def measure(block: Block, one: Evaluator) -> Measured:
        m = block.matches
        return Measured(columns(m, one), m.scored, m.hard)

    return measure


def reads_matches(one: Evaluator, measure: Native | None) -> bool:
    """Whether an evaluator is measured by the counts that a block makes once."""
    return measure is not None and type(one) in COLUMNS


def _levenshtein(block: Block, one: Evaluator) -> Measured:
    """Distance to the nearest reference; of equally near ones the longest pair."""
    output, *references = block.ready
    hard = np.logical_or.reduce([column.hard for column in block.ready])
    texts, sizes = _strings(output)
    best = longest = np.zeros(len(block))
    scored = np.zeros(len(block), np.bool_)
    for reference in references:
        others, lengths = _strings(reference)
        kept = np.fromiter((bool(text.strip()) for text in others), np.bool_, len(block))
        distance: Numbers = cpdist(texts, others, scorer=rf.distance, dtype=np.int64).astype(np.float64)
        longer = np.maximum(sizes, lengths)
        nearer = kept & (~scored | (distance < best) | ((distance == best) & (longer > longest)))
        best, longest = np.where(nearer, distance, best), np.where(nearer, longer, longest)
        scored |= kept
    return Measured({"distance": best, "longest": longest}, scored & ~hard, hard)


def _strings(column: Cells) -> tuple[list[str], Numbers]:
    """The texts and their lengths in code points."""
    edges = zip(column.start.tolist(), column.stop.tolist(), strict=True)
    data = column.data.tobytes()
    texts = [data[a:b].decode() for a, b in edges]
    return texts, np.fromiter(map(len, texts), np.float64, len(texts))
