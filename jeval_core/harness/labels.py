"""Columns of a run in which people said yes or no about a row."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from jeval_core.data.arrow import pa, pc
from jeval_core.data.cells import yes_or_no
from jeval_core.harness.results import Results

FEW = 8
"""Different texts of a column in which only yes and no are looked for."""
_BAD = re.compile("hallucinat|error|wrong|incorrect|toxic|unsafe|fail|bad|refus|harm", re.IGNORECASE)


def says_bad(name: str) -> bool:
    """Whether a yes in a column of this name says that something is wrong."""
    return bool(_BAD.search(name))


def yes_no_columns(found: Results) -> list[str]:
    """Unmapped columns and groups in which every text is a yes or a no, and both are there."""
    out = []
    for name in [*found.columns["groups"], *found.columns["extra"]]:
        _, values = found.codes(name)
        if len(values) <= FEW and {_yes(v) for v in values if v is not None and v.strip()} == {True, False}:
            out.append(name)
    return out


def flags(found: Results, name: str) -> NDArray[np.float64]:
    """What a tag or such a column says of each row, shape (n,): 1 yes, 0 no, nan unknown."""
    if name in found.tags:
        said: NDArray[np.float64] = pc.fill_null(found.tags[name].cast(pa.float64()), np.nan).to_numpy()
        return said
    codes, values = found.codes(name)
    return np.array([np.nan if (yes := _yes(value)) is None else float(yes) for value in values])[codes]


def _yes(value: str | None) -> bool | None:
    return None if value is None else yes_or_no(value)
