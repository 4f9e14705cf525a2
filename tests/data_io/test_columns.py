"""Columns without copies: equal rows, missing texts, counted streams."""

from __future__ import annotations

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

from jeval_core.data.arrow import codes_of, edges, empty_as_null, plain, text_bytes, without_null
from jeval_core.data.codes import distinct, first_equal, numbered
from jeval_core.data.tally import Tally
from jeval_core.stats import rate_interval

TEXT = pa.string()
CELL = st.none() | st.text(st.sampled_from("ab é日"), max_size=20)
TABLE = st.lists(st.tuples(CELL, CELL), max_size=40)


def chunked(cells: list[str | None], cut: int, kind: pa.DataType = TEXT) -> pa.ChunkedArray:
    """A column in two chunks, the first of them a slice that does not start at its buffer's start."""
    whole = pa.array(["before", *cells], kind)
    return pa.chunked_array([whole[1 : 1 + cut], whole[1 + cut :]], kind)


@settings(deadline=None)
@given(TABLE, st.integers(0, 40), st.sampled_from([pa.string(), pa.large_string()]))
def test_equal_rows(table: list[tuple[str | None, str | None]], cut: int, kind: pa.DataType) -> None:
    first = first_equal([chunked([row[k] for row in table], cut, kind) for k in (0, 1)])
    seen: dict[tuple[str, str], int] = {}
    want = [seen.setdefault((a or "", b or ""), i) for i, (a, b) in enumerate(table)]
    assert first.tolist() == want
    assert distinct(first).tolist() == [*seen.values()]
    assert numbered(first).tolist() == [[*seen.values()].index(i) for i in want]


def test_rows_that_differ_where_their_texts_are_cut() -> None:
    sides = [("ab", "c"), ("a", "bc"), ("", "abc"), ("abc", "")], [("\0", ""), ("", "\0")], [("a" * 7, "a"), ("a" * 8, "")]
    for rows in sides:
        assert len(distinct(first_equal([chunked([r[k] for r in rows], 1) for k in (0, 1)]))) == len(rows)


@settings(deadline=None)
@given(st.lists(CELL, max_size=30), st.integers(0, 30))
def test_texts_without_copies(cells: list[str | None], cut: int) -> None:
    column = chunked(cells, cut)
    assert empty_as_null(column).to_pylist() == [c or None for c in cells]
    for chunk in map(without_null, column.chunks):
        data, ends = bytes(text_bytes(chunk)), edges(chunk) - edges(chunk)[0]
        assert [data[a:b].decode() for a, b in zip(ends, ends[1:], strict=False)] == chunk.to_pylist()
    codes, texts = codes_of(column)
    assert [texts[code] for code in codes] == cells
    assert plain(column.dictionary_encode()).to_pylist() == cells


@settings(deadline=None)
@given(st.lists(st.sampled_from([b"a", b"\n", b"\r", b"\r\n", b"\0", b"\xff"]), max_size=30), st.integers(1, 5))
def test_tally(pieces: list[bytes], block: int) -> None:
    data = b"".join(pieces)
    tally = Tally(pa.BufferReader(data))
    read = b""
    while some := tally.read(block):
        read += some
    text = data.rstrip(b"\r\n")
    assert (read, tally.size, tally.end) == (data, len(data), len(text))
    assert (tally.lines, tally.inner_lines) == (data.count(b"\n"), text.count(b"\n"))
    assert (tally.nul, tally.plain_ends) == (b"\0" in data, data.count(b"\r") == data.count(b"\r\n"))


@pytest.mark.parametrize("n", [1, 2, 7, 25, 1000])
def test_rate_interval_is_scipys(n: int) -> None:
    for k in {0, 1, n // 2, n}:
        for confidence in (0.9, 0.95, 0.99):
            want = binomtest(k, n).proportion_ci(confidence, method="wilson")
            assert rate_interval(k, n, confidence) == pytest.approx((want.low, want.high), abs=1e-12)
