"""pyarrow, which ships no type information: imported in this one place."""

from collections.abc import Sequence

import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.compute as pc  # type: ignore[import-untyped]
import pyarrow.csv as pacsv  # type: ignore[import-untyped]
import pyarrow.parquet as parquet  # type: ignore[import-untyped]

__all__ = ["pa", "pacsv", "parquet", "pc", "text_column"]


def text_column(cells: Sequence[str | None]) -> pa.ChunkedArray:
    """A column of text; pyarrow makes several chunks of it by itself where it is very large."""
    column = pa.array(cells, pa.string())
    return column if isinstance(column, pa.ChunkedArray) else pa.chunked_array([column])
