"""What the store lists: runs and data sets, without their rows."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class StoredRun:
    """A run as a list shows it. `rows` counts those stored; times are UTC, ISO 8601."""

    id: str
    dataset: str
    name: str
    model_version: str | None
    evaluators: tuple[str, ...]
    signatures: dict[str, str]
    submitter: str | None
    created: str
    rows: int
    asked: tuple[str, ...] = ()
    """Suites and evaluators as they were asked for; empty where nobody wrote them down."""

    @classmethod
    def of(cls, row: Any) -> StoredRun:
        """From a row of the table."""
        return cls(
            row.id,
            row.dataset,
            row.name,
            row.model_version,
            tuple(json.loads(row.evaluators)),
            json.loads(row.signatures),
            row.submitter,
            row.created,
            row.rows,
            tuple(json.loads(row.spec)["evaluators"]) if row.spec else (),
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON data."""
        return {
            "run_id": self.id,
            "dataset": {"name": self.name, "version": self.dataset},
            "model_version": self.model_version,
            "evaluators": [*self.evaluators],
            "asked": [*self.asked],
            "signatures": self.signatures,
            "rows": self.rows,
            "submitter": self.submitter,
            "created": self.created,
        }


@dataclass(frozen=True, slots=True)
class StoredDataset:
    """A version of a data set that some run has scored; `runs` counts those."""

    version: str
    name: str
    cases: int
    created: str
    runs: int
