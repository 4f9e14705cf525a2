"""Columns ready for scoring, with an account of every row of the file they came from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from jeval_core.data.arrow import pa, plain
from jeval_core.data.cases import Case, Response
from jeval_core.data.numeric import Numbers
from jeval_core.data.records import Lines, Problem
from jeval_core.data.references import References, as_cells


@dataclass(frozen=True)
class Rows:
    """Columns of equal length. `rows_in_file` = len(self) + `rejected` + `blank`.

    A null output is missing (an empty one is an answer); a null reference is one that the row does not have.
    """

    output: pa.ChunkedArray
    references: References
    id: pa.ChunkedArray
    input: pa.ChunkedArray | None
    criteria: pa.ChunkedArray | None
    conversation: pa.ChunkedArray | None
    model_version: pa.ChunkedArray | None
    gold: dict[str, Numbers]
    threshold: Numbers
    groups: dict[str, pa.ChunkedArray]
    tags: dict[str, pa.Array]
    extra: pa.Table
    lines: Lines
    problems: list[Problem]
    rows_in_file: int
    blank: int = 0

    def __len__(self) -> int:
        return len(self.lines)

    @property
    def rejected(self) -> int:
        """How many rows of the file were left out because something is wrong with them."""
        return sum(p.rejected for p in self.problems)

    def account(self) -> dict[str, int]:
        """Where every row of the file went."""
        return {
            "rows_in_file": self.rows_in_file, "kept": len(self), "rejected": self.rejected, "blank": self.blank,
        }  # fmt: skip

    def table(self) -> pa.Table:
        """Everything as one table under the fields' own names; a file written from it reads back as the same cases."""
        fields = {"id": self.id, "model_version": self.model_version, "input": self.input, "output": self.output}
        columns = {n: c for n, c in fields.items() if c is not None} | dict(as_cells(self.references))
        later = {"criteria": self.criteria, "conversation": self.conversation}
        columns |= {n: c for n, c in later.items() if c is not None}
        columns |= self.groups | self.tags | self.gold
        columns |= {"threshold": self.threshold} if not np.isnan(self.threshold).all() else {}
        columns = {n: plain(c) if isinstance(c, pa.ChunkedArray) else c for n, c in columns.items()}
        return pa.table(columns | {n: self.extra[n] for n in self.extra.column_names if n not in columns})

    def case(self, i: int) -> Case:
        """The case of row `i`."""
        references = tuple((n, c[i].as_py()) for n, c in self.references if c[i].is_valid)
        groups = {n: c[i].as_py() for n, c in self.groups.items()}
        texts = [_at(column, i) for column in (self.criteria, self.conversation)]
        return Case(self.id[i].as_py(), _at(self.input, i), references, *texts, **groups)

    def responses(self) -> Iterator[Response]:
        """Every row as a response to its case."""
        seen: dict[tuple[str, str | None], int] = {}
        for i in range(len(self)):
            case_id, system = self.id[i].as_py(), _at(self.model_version, i)
            sample = seen.get((case_id, system), -1) + 1
            seen[(case_id, system)] = sample
            yield Response(
                case_id,
                self.output[i].as_py(),
                sample,
                system,
                {n: float(v[i]) for n, v in self.gold.items() if not np.isnan(v[i])},
                {n: t[i].as_py() for n, t in self.tags.items() if t[i].is_valid},
                None if np.isnan(self.threshold[i]) else float(self.threshold[i]),
                {n: self.extra[n][i].as_py() for n in self.extra.column_names if self.extra[n][i].is_valid},
            )


def _at(column: pa.ChunkedArray | None, i: int) -> Any:
    return None if column is None else column[i].as_py()
