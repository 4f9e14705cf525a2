"""The plain records of reading a file: where it came from, what was in it, what was wrong with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from jeval_core.data.arrow import pa

Format = Literal[
    "csv",
    "tsv",
    "txt",
    "json",
    "jsonl",
    "parquet",
    "xlsx",
    "promptfoo-results-json",
    "promptfoo-results-jsonl",
    "promptfoo-results-csv",
    "promptfoo-tests-csv",
    "openai-evals",
    "lm-eval",
    "inspect-json",
    "inspect-eval",
    "deepeval-csv",
    "helm",
    "mt-text",
]
FORMATS: tuple[str, ...] = get_args(Format)
Lines = NDArray[np.int64]
"""Shape (rows,): where each row starts in its file, from 1."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How much a file may hold. `max_cell` counts characters; the other limits are for the whole file."""

    max_rows: int = 10_000_000
    max_columns: int = 2_000
    max_cell: int = 2_000_000
    max_references: int = 100
    max_unpacked_bytes: int = 4 << 30


@dataclass(frozen=True, slots=True)
class Source:
    """How a file is read. `header_row` counts lines from 1; a part that does not apply is None.

    `alternatives` holds other values that could be right: "encoding", "delimiter", "sheet" → values.
    `quotes` is False for tab-separated files in which quotation marks are plain characters.
    """

    format: Format
    encoding: str | None = None
    delimiter: str | None = None
    header_row: int | None = None
    alternatives: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    compressed: bool = False
    sheet: str | None = None
    quotes: bool = True

    @property
    def unit(self) -> str:
        """What `Table.lines` counts: lines of text, rows of a sheet, or records where a file has no lines."""
        if self.sheet is not None:
            return "row"
        lined = self.delimiter is not None or self.format in ("txt", "jsonl", "mt-text", "promptfoo-results-jsonl")
        return "line" if lined or self.format in ("openai-evals", "lm-eval") else "record"


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """Something wrong at one place: what, where and what to do. `line` 0 speaks of the whole file.

    `rejected` rows are not in the table; every other problem leaves its row in.
    """

    line: int
    code: str
    reason: str
    rejected: bool = False


@dataclass(frozen=True)
class Table:
    """A file as people wrote it: every cell is text, and a missing JSON value is a null.

    `rows_in_file` = rows here + rejected rows + `blank` rows (which are listed as problems too).
    """

    source: Source
    columns: pa.Table
    lines: Lines
    problems: list[Problem]
    rows_in_file: int
    blank: int = 0

    @property
    def names(self) -> list[str]:
        """Column names as written; unnamed columns that hold text are called `column N`."""
        return list(self.columns.column_names)

    @property
    def rejected(self) -> int:
        """How many rows of the file are not in the table because something is wrong with them."""
        return sum(p.rejected for p in self.problems)

    def __len__(self) -> int:
        return int(self.columns.num_rows)
