"""The outcome of one evaluator on many rows, as columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

STATUSES = ("scored", "skipped", "failed")
SCORED, SKIPPED, FAILED = range(3)
Numbers: TypeAlias = "NDArray[np.unsignedinteger] | NDArray[np.float64]"
REASONS = ("", "no expected text", "no output", "the text is not UTF-8")
NO_REASON, NO_EXPECTED, NO_OUTPUT, NO_TEXT = range(4)


@dataclass(frozen=True)
class Scored:
    """Columns of shape (n,).

    `score`: in 0..1, nan unless `status` is SCORED; `passed`: False there. `status`: codes into STATUSES. `reason`:
    codes into `reasons`, of which the first is empty and stands for scored rows. `counts`: what was counted, integers
    just wide enough but for means, 0 where not scored; empty when not asked for. `native`: many rows at a time.
    """

    signature: str
    native: bool
    score: NDArray[np.float64]
    passed: NDArray[np.bool_]
    status: NDArray[np.uint8]
    reason: NDArray[np.uint8]
    reasons: tuple[str, ...] = REASONS
    counts: dict[str, Numbers] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.score)

    @classmethod
    def none(cls, signature: str, rows: int, reason: str) -> Scored:
        """No row was scored, all for one reason."""
        return cls(
            signature,
            True,
            np.full(rows, np.nan),
            np.zeros(rows, np.bool_),
            np.full(rows, SKIPPED, np.uint8),
            np.ones(rows, np.uint8),
            ("", reason),
        )


def joined(parts: Sequence[Scored]) -> Scored:
    """The rows of all parts, in order."""
    first = parts[0]
    if len(parts) == 1:
        return first
    reasons = tuple(dict.fromkeys(reason for part in parts for reason in part.reasons))
    codes = {part.reasons: np.array([reasons.index(r) for r in part.reasons], np.uint8) for part in parts}
    names = dict.fromkeys(name for part in parts for name in part.counts)

    def count(part: Scored, name: str) -> Numbers:
        return part.counts[name] if name in part.counts else np.zeros(len(part), np.uint8)

    return Scored(
        first.signature,
        first.native,
        np.concatenate([part.score for part in parts]),
        np.concatenate([part.passed for part in parts]),
        np.concatenate([part.status for part in parts]),
        np.concatenate([codes[part.reasons][part.reason] for part in parts]),
        reasons,
        {name: np.concatenate([count(part, name) for part in parts]) for name in names},
    )


def account(statuses: Sequence[NDArray[np.uint8]], *, blank: int = 0, rejected: int = 0) -> dict[str, int]:
    """How many rows were scored, skipped, failed and rejected, adding up to those `in_file`.

    `statuses` are those of each evaluator, shape (rows,); a row that any of them scored is scored.
    """
    status = np.stack(statuses)
    scored = int((status == SCORED).any(axis=0).sum())
    failed = int((status == FAILED).all(axis=0).sum())
    skipped = status.shape[1] - scored - failed + blank
    counts = {"scored": scored, "skipped": skipped, "failed": failed, "rejected": rejected}
    return {"in_file": sum(counts.values()), **counts}
