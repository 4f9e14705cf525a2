"""What the cases of rows hold, as columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jeval_core.data.arrow import pa, pc

if TYPE_CHECKING:
    from jeval_core.data.rows import Rows

FIELDS = ("input", "criteria", "conversation")


def content(rows: Rows) -> dict[str, pa.ChunkedArray]:
    """Name → texts, references as `reference:expected`; a missing text is an empty one. The id is not among them."""
    named = {f: getattr(rows, f) for f in FIELDS} | {f"reference:{n.strip()}": c for n, c in rows.references}
    return {n: pc.fill_null(c, "") if c.null_count else c for n, c in named.items() if c is not None}
