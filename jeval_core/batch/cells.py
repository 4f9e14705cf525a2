"""Text columns as bytes and positions, the form in which the kernel reads them."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa  # type: ignore[import-untyped]
from numpy.typing import NDArray

from jeval_core.batch.kernel import MAX_BYTES
from jeval_core.batch.kernel_words import COMPOSE, HARD, Bytes, Offsets, scan
from jeval_core.batch.table import arrays
from jeval_core.errors import BadInput

Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Cells:
    """One column: the text of row i is `data[start[i]:stop[i]]` in UTF-8; `given[i]` is False for a null.

    `hard`: rows that the kernel must not read. They, as nulls, are empty here.
    """

    data: Bytes
    start: Offsets
    stop: Offsets
    given: Flags
    hard: Flags

    def __len__(self) -> int:
        return len(self.start)

    def raw(self, row: int) -> bytes:
        """The bytes of one cell."""
        return self.data[self.start[row] : self.stop[row]].tobytes()


def check_type(column: pa.Array | pa.ChunkedArray, name: str) -> None:
    """BadInput unless the column holds text or nothing (bytes are taken for UTF-8)."""
    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    tests = ("string", "large_string", "string_view", "binary", "large_binary", "null")
    if not any(getattr(pa.types, f"is_{test}")(kind) for test in tests):
        raise BadInput(f"`{name}` must be a column of text, not of {kind}.", field=name)


def cells(column: pa.Array | pa.ChunkedArray) -> Cells:
    """The cells of an Arrow column of text, its buffers shared where the layout allows it."""
    if isinstance(column, pa.ChunkedArray):
        chunks = [_plain(chunk) for chunk in column.chunks] or [pa.nulls(0, pa.large_string())]
        column = chunks[0] if len(chunks) == 1 else pa.concat_arrays(chunks)
    column = _plain(column)
    n = len(column)
    _, offsets, data = column.buffers()
    wide = pa.types.is_large_string(column.type) or pa.types.is_large_binary(column.type)
    edges = np.zeros(1, np.int64)
    if n:
        found = np.frombuffer(offsets, np.int64 if wide else np.int32, n + 1, column.offset * (8 if wide else 4))
        edges = found.astype(np.int64)
    given = column.is_valid().to_numpy(zero_copy_only=False) if column.null_count else np.ones(n, np.bool_)
    contents = np.frombuffer(data, np.uint8) if data is not None and data.size else np.zeros(0, np.uint8)
    contents, edges = contents[edges[0] : edges[-1]], edges - edges[0]
    stop = np.where(given, edges[1:], edges[:-1]) if column.null_count else edges[1:]
    return Cells(_frozen(contents), edges[:-1], stop, given, np.zeros(n, np.bool_))


def _plain(array: pa.Array) -> pa.Array:
    """The array in one of the four layouts with offsets."""
    kinds = ("string", "large_string", "binary", "large_binary")
    if any(getattr(pa.types, f"is_{kind}")(array.type) for kind in kinds):
        return array
    return array.cast(pa.large_string())


def _frozen(data: Bytes) -> Bytes:
    """Read-only, as Arrow's buffers are: the kernel is compiled for one kind of array."""
    data = data.view()
    data.flags.writeable = False
    return data


def prepared(column: Cells) -> Cells:
    """The same texts, ready for the kernel: in NFC where that is simple; what is not, marked `hard` and emptied."""
    data, start, stop = column.data, column.start.copy(), column.stop.copy()
    hard = stop - start > MAX_BYTES
    if not hard.any() and (not len(data) or data.max() < 128):
        return column
    verdicts = np.zeros(len(column), np.uint8)
    scan(data, start, stop, arrays()[0], verdicts)
    hard |= verdicts == HARD
    compose = np.flatnonzero((verdicts == COMPOSE) & ~hard)
    if len(compose):
        # without a character younger than the table this is what `text.unicode.nfc` does
        texts = [unicodedata.normalize("NFC", column.raw(i).decode()).encode() for i in compose.tolist()]
        edges = len(data) + np.cumsum([0, *map(len, texts)], dtype=np.int64)
        data = np.concatenate([data, np.frombuffer(b"".join(texts), np.uint8)])
        start[compose], stop[compose] = edges[:-1], edges[1:]
    stop[hard] = start[hard]
    return replace(column, data=_frozen(data), start=start, stop=stop, hard=hard)
