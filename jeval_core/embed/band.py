"""What cosines mean on somebody's own rows: matched pairs beside pairs that do not belong together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

ENOUGH = 30
"""Pairs of either kind from which on there is a band."""
MOST = 200
"""Pairs that do not belong together are made of so many rows at most."""
SHARES = (5, 50, 95)
"""Percentiles of a band: its ends and its middle."""
Spread = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Band:
    """Percentiles 5, 50 and 95 of the cosines of `rows` matched pairs, and of `others` that do not belong together."""

    matched: Spread
    unrelated: Spread
    rows: int
    others: int

    @classmethod
    def of(cls, matched: NDArray[np.float64], unrelated: Sequence[float]) -> Band | None:
        """From cosines; None where there are too few of either."""
        if min(len(matched), len(unrelated)) < ENOUGH:
            return None
        return cls(_spread(matched), _spread(unrelated), len(matched), len(unrelated))

    @classmethod
    def from_dict(cls, data: Mapping[str, Any] | None) -> Band | None:
        """The opposite of `to_dict`, after JSON too."""
        if not data:
            return None
        return cls(tuple(data["matched"]), tuple(data["unrelated"]), int(data["rows"]), int(data["others"]))

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON data."""
        return asdict(self)


def _spread(values: NDArray[np.float64] | Sequence[float]) -> Spread:
    low, middle, high = (round(float(v), 4) for v in np.percentile(values, SHARES))
    return low, middle, high
