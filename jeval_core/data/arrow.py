"""pyarrow, which ships no type information: imported in this one place, with what its text columns are made of."""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.compute as pc  # type: ignore[import-untyped]
import pyarrow.csv as pacsv  # type: ignore[import-untyped]
import pyarrow.parquet as parquet  # type: ignore[import-untyped]
from numpy.typing import NDArray

__all__ = [
    "coded",
    "codes_of",
    "edges",
    "empty_as_null",
    "pa",
    "pacsv",
    "parquet",
    "pc",
    "plain",
    "release",
    "save_memory",
    "text_bytes",
    "text_column",
    "without_null",
]


def text_column(cells: Sequence[str | None]) -> pa.ChunkedArray:
    """A column of text; pyarrow makes several chunks of it by itself where it is very large."""
    column = pa.array(cells, pa.string())
    return column if isinstance(column, pa.ChunkedArray) else pa.chunked_array([column])


def save_memory() -> None:
    """For a whole program: let Arrow use the system's allocator, which needs 120 MB less for a file of 300 MB."""
    pa.set_memory_pool(pa.system_memory_pool())


def release() -> None:
    """Give memory that was freed back to the system, after work that needed much of it for a while."""
    for pool in (pa.default_memory_pool(), pa.system_memory_pool()):
        pool.release_unused()


def edges(chunk: pa.Array) -> NDArray[np.int64]:
    """Where the cells of an array of text start and the last one stops, shape (rows + 1,), in bytes."""
    wide = pa.types.is_large_string(chunk.type) or pa.types.is_large_binary(chunk.type)
    kind = np.dtype("<i8" if wide else "<i4")
    if not len(chunk):
        return np.zeros(1, np.int64)
    return np.frombuffer(chunk.buffers()[1], kind, len(chunk) + 1, chunk.offset * kind.itemsize).astype(np.int64)


def text_bytes(chunk: pa.Array) -> memoryview:
    """The bytes of all cells of an array of text, one after the other, without copying them."""
    ends, data = edges(chunk), chunk.buffers()[2]
    return memoryview(b"" if data is None else data)[ends[0] : ends[-1]]


def coded(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """The same texts as numbers with one dictionary, which takes little memory where few texts come again and again."""
    return column if pa.types.is_dictionary(column.type) else column.dictionary_encode()


def plain(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """The opposite of `coded`."""
    return column.cast(pa.string()) if pa.types.is_dictionary(column.type) else column


def codes_of(column: pa.ChunkedArray | pa.Array) -> tuple[NDArray[np.int64], list[str | None]]:
    """For each row which of the texts it has, shape (rows,), and the texts; a missing text is None, the last."""
    whole = coded(column if isinstance(column, pa.ChunkedArray) else pa.chunked_array([column]))
    texts = whole.chunks[0].dictionary.to_pylist() if whole.num_chunks else []
    parts = [pc.fill_null(chunk.indices, len(texts)).to_numpy() for chunk in whole.chunks]
    return np.concatenate([np.empty(0, np.int64), *parts]).astype(np.int64), [*texts, None]


def without_null(chunk: pa.Array) -> pa.Array:
    """The same as plain texts, the missing ones empty; chunk by chunk, since a whole column would be a copy."""
    chunk = chunk.dictionary_decode() if pa.types.is_dictionary(chunk.type) else chunk
    return pc.fill_null(chunk, "") if chunk.null_count else chunk


def empty_as_null(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """The same texts, the empty ones missing; no text is copied."""
    return pa.chunked_array([_empty_as_null(chunk) for chunk in column.chunks], column.type)


def _empty_as_null(chunk: pa.Array) -> pa.Array:
    sizes = np.diff(edges(chunk))
    if sizes.all():
        return chunk
    keep = pc.and_(chunk.is_valid(), pa.array(sizes > 0))
    offsets, data = chunk.buffers()[1:]
    start = chunk.offset * (8 if pa.types.is_large_string(chunk.type) else 4)
    return pa.Array.from_buffers(chunk.type, len(chunk), [keep.buffers()[1], offsets.slice(start), data])
