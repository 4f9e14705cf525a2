"""Any table written as a file reads back equal, in every layout and encoding that `read` claims."""

from __future__ import annotations

import io
import math
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from jeval_core.data import read, to_csv, to_jsonl, to_parquet
from jeval_core.data.formula import MARK
from tests.data_io.files import cells, csv_text

pytestmark = pytest.mark.slow

TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\ufeff\ufffe\uffff"), max_size=12)
PLAIN = st.text(st.sampled_from([*"abc 12,;|\t\"'\r\n-=+@"]), max_size=8)
NAME = st.text(st.sampled_from([*"abc 12,\"'\r\n-=+@"]), max_size=8)
CP1252 = st.text(
    st.sampled_from([c for c in bytes(range(1, 256)).decode("cp1252", "ignore") if c.isprintable()]), max_size=8
)


def bodies(cell: st.SearchStrategy[str]) -> st.SearchStrategy[list[list[str]]]:
    return st.integers(1, 4).flatmap(lambda n: st.lists(st.lists(cell, min_size=n, max_size=n), max_size=5))


def filled(body: list[list[str]]) -> list[list[str]]:
    """Rows that hold something: an empty row is left out and listed, by design."""
    return [r for r in body if any(c and not c.isspace() for c in r)]


def check(path: Path, content: bytes, body: list[list[str]]) -> None:
    path.write_bytes(content)
    table = read(path)
    assert [list(r.values()) for r in cells(table)] == filled(body)
    assert table.rows_in_file == len(body) and table.rejected == 0
    assert table.blank == len(body) - len(filled(body))


@settings(max_examples=400, deadline=None)
@given(
    bodies(TEXT | PLAIN),
    st.sampled_from(",;\t|"),
    st.sampled_from(["\n", "\r\n", "\r"]),
    st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-32"]),
)
@example([["", "a"]], ",", "\n", "utf-8")
@example([['"']], "\t", "\n", "utf-8")
def test_unicode(tmp_path_factory, body: list[list[str]], delimiter: str, end: str, encoding: str) -> None:
    width = len(body[0]) if body else 1
    assume(width > 1 or delimiter == ",")  # nothing in a single column tells what it would be delimited by
    text = csv_text([[f"column{i}" for i in range(width)], *body], delimiter=delimiter, lineterminator=end)
    check(tmp_path_factory.mktemp("t") / "t.csv", text.encode(encoding), body)


@settings(max_examples=200, deadline=None)
@given(bodies(CP1252 | PLAIN), st.sampled_from(",;\t|"), st.sampled_from(["\n", "\r\n", "\r"]))
def test_windows_text(tmp_path_factory, body: list[list[str]], delimiter: str, end: str) -> None:
    width = len(body[0]) if body else 1
    assume(width > 1 or delimiter == ",")
    content = csv_text([[f"column{i}" for i in range(width)], *body], delimiter=delimiter, lineterminator=end).encode(
        "cp1252"
    )
    letters = content.decode("utf-8", "surrogateescape")
    assume(all(c < "\x80" or "\udc80" <= c <= "\udcff" for c in letters))  # no two bytes happen to be UTF-8
    check(tmp_path_factory.mktemp("t") / "t.csv", content, body)


@settings(max_examples=300, deadline=None)
@given(bodies(TEXT | PLAIN), st.lists(NAME, min_size=4, max_size=4, unique_by=lambda n: n.strip()))
def test_csv_export(tmp_path_factory, body: list[list[str]], names: list[str]) -> None:
    width = len(body[0]) if body else 1
    names = [n if n.strip() else f"column{i}" for i, n in enumerate(names[:width])]
    assume(MARK not in names and not names[0].casefold().startswith(("sep=", "{", "[")))
    assume(not any(n.startswith(("[", "__")) for n in names))
    table = pa.table([pa.array([r[i] for r in body], pa.string()) for i in range(width)], names=names)
    path = tmp_path_factory.mktemp("t") / "t.csv"
    to_csv(table, path)
    found = read(path)
    assert found.names == names
    assert [list(r.values()) for r in cells(found)] == filled(body)


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.fixed_dictionaries({"a": TEXT, "b": st.none() | TEXT, "n": st.floats() | st.none()}), min_size=1, max_size=5
    )
)
def test_other_exports(tmp_path_factory, rows: list[dict]) -> None:
    table = pa.Table.from_pylist(rows, schema=pa.schema([("a", pa.string()), ("b", pa.string()), ("n", pa.float64())]))
    folder = tmp_path_factory.mktemp("t")
    to_jsonl(table, folder / "t.jsonl")
    to_parquet(table, folder / "t.parquet")
    for name in ("t.jsonl", "t.parquet"):
        found = cells(read(folder / name))
        assert [(r["a"], r["b"]) for r in found] == [(r["a"], r["b"]) for r in rows]
        for got, row in zip(found, rows, strict=True):
            finite = row["n"] is not None and math.isfinite(row["n"])
            assert float(got["n"]) == row["n"] if finite else got["n"] is None or not math.isfinite(float(got["n"]))


def test_export_to_a_stream() -> None:
    out = io.BytesIO()
    to_csv(pa.table({"a": ["x"], "n": [-3]}), out)
    assert out.getvalue() == b'"a","n"\n"x",-3\n' or out.getvalue() == b'"a","n"\nx,-3\n'
