"""Columns of numbers and of yes or no; what is neither is listed and counts as missing."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from jeval_core.data.arrow import pa, pc
from jeval_core.data.cells import number, yes_or_no
from jeval_core.data.errors import column_name
from jeval_core.data.findings import Findings
from jeval_core.data.records import Lines

Numbers = NDArray[np.float64]


def numbers(
    name: str,
    column: pa.ChunkedArray,
    lines: Lines,
    findings: Findings,
    *,
    bounds: tuple[float, float] | None = None,
    decimal_comma: bool = False,
    missing: bool = True,
) -> Numbers:
    """Parse a column; nan where a cell is blank, no number, or outside `bounds` (each listed with its line)."""
    values = _plain(column)
    if values is None:
        values = np.full(len(lines), np.nan)
        for i, cell in enumerate(column.to_pylist()):
            if cell and not cell.isspace():
                value = number(cell, decimal_comma=decimal_comma)
                if value is None:
                    reason = f"`{column_name(name)}` is not a number: {_short(cell)}. Write digits with a point: 0.75."
                    findings.note(int(lines[i]), "not_a_number", reason)
                else:
                    values[i] = value
    if missing:
        blank = pc.fill_null(pc.equal(pc.utf8_trim_whitespace(column), ""), True).to_numpy()
        for line in lines[blank]:
            findings.note(int(line), "no_gold", f"`{column_name(name)}` is empty, so this row has no human score.")
    if bounds:
        low, high = bounds
        outside = (values < low) | (values > high)
        for i in np.flatnonzero(outside).tolist():
            reason = (
                f"`{column_name(name)}` is {values[i]:g}, outside {low:g} to {high:g}. Correct it, or say the scale."
            )
            findings.note(int(lines[i]), "out_of_range", reason)
        values[outside] = np.nan
    return values


def _plain(column: pa.ChunkedArray) -> Numbers | None:
    """The fast way, for a column of nothing but plain numbers and blanks."""
    filled = pc.if_else(pc.equal(column, ""), pa.scalar(None, pa.string()), column)
    try:
        values: Numbers = pc.fill_null(filled.cast(pa.float64()), np.nan).to_numpy().copy()
    except pa.ArrowInvalid:
        return None
    return values if int(np.isfinite(values).sum()) == len(column) - filled.null_count else None


def answers(name: str, column: pa.ChunkedArray, lines: Lines, findings: Findings) -> pa.Array:
    """A column of yes or no as booleans; null where it is blank or something else."""
    distinct = {c: yes_or_no(c) for c in pc.drop_null(column.unique()).to_pylist()}
    cells = column.to_pylist()
    for i, cell in enumerate(cells):
        if cell and not cell.isspace() and distinct[cell] is None:
            reason = f"`{column_name(name)}` is neither yes nor no: {_short(cell)}. Write yes, no, true, false, 1 or 0."
            findings.note(int(lines[i]), "not_yes_or_no", reason)
    return pa.array([None if c is None else distinct[c] for c in cells], pa.bool_())


def _short(cell: str) -> str:
    """A small piece of a cell that should have been a number: enough to find it."""
    clean = "".join(c if c.isprintable() else "?" for c in cell.strip())
    return clean if len(clean) <= 20 else clean[:19] + "…"
