"""The fast reader and the patient one see the same rows, whatever is written."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jeval_core.data import Limits, Table, read, reading
from jeval_core.data.columnar import read_columnar
from jeval_core.data.dialect import find_dialect
from jeval_core.data.raw import Raw
from tests.data_io.files import cells, csv_text, messy_files, real_files, write

CELL = st.text(st.sampled_from('ab é日,;"\n\t\u00a0\u2028'), max_size=6)


def tables(cell: st.SearchStrategy[str], rows: int = 6) -> st.SearchStrategy[list[list[str]]]:
    return st.integers(1, 4).flatmap(lambda n: st.lists(st.lists(cell, min_size=n, max_size=n), max_size=rows))


def both(path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Table, Table]:
    fast = read(path)
    with monkeypatch.context() as m:
        m.setattr(reading, "read_columnar", lambda *_: None)
        return fast, read(path)


def same(a: Table, b: Table) -> None:
    assert a.names == b.names and cells(a) == cells(b)
    assert a.lines.tolist() == b.lines.tolist() and a.problems == b.problems
    assert (a.rows_in_file, a.blank, a.source) == (b.rows_in_file, b.blank, b.source)


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(tables(CELL), st.sampled_from(["\n", "\r\n"]), st.booleans(), st.booleans())
def test_on_written_tables(
    tmp_path_factory: pytest.TempPathFactory, body: list[list[str]], end: str, mark: bool, last: bool
) -> None:
    width = len(body[0]) if body else 2
    text = csv_text([[f"c{i}" for i in range(width)], *body], lineterminator=end)
    text = text if last else text.removesuffix(end)
    path = write(tmp_path_factory.mktemp("t"), "t.csv", ("\ufeff" if mark else "") + text)
    with pytest.MonkeyPatch.context() as m:
        same(*both(path, m))


@pytest.mark.slow
@settings(max_examples=500, deadline=None)
@given(st.text(st.sampled_from('ab,"\n\r'), max_size=30))
def test_on_raw_text(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    path = write(tmp_path_factory.mktemp("t"), "t.csv", "c1,c2\n" + text)
    with pytest.MonkeyPatch.context() as m:
        same(*both(path, m))


@pytest.mark.parametrize("path", [*messy_files(), *real_files()], ids=lambda p: p.name)
def test_on_files(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if path.suffix in (".csv", ".tsv"):
        same(*both(path, monkeypatch))


def test_the_fast_reader_is_used_on_clean_files() -> None:
    body = [["a", 'x "y"'], ["b", "two\nlines"]]
    text = csv_text([["id", "output"], *body])
    found = read_columnar(Raw.of("t.csv", text.encode()), find_dialect(text, ".csv", Limits()), Limits())
    assert (
        found is not None and found.columns[1].to_pylist() == ['x "y"', "two\nlines"] and found.lines.tolist() == [2, 3]
    )


def test_the_fast_reader_names_rows_of_another_width() -> None:
    text = 'a,b\n1,"x\ny"\n2\n3,z\n4,5,6\n \n7,8\n'
    found = read_columnar(Raw.of("t.csv", text.encode()), find_dialect(text, ".csv", Limits()), Limits())
    assert found is not None and found.columns[0].to_pylist() == ["1", "3", "7"] and found.lines.tolist() == [2, 5, 8]
    assert [(p.line, p.code) for p in found.problems] == [(4, "too_few_cells"), (6, "too_many_cells"), (7, "blank_row")]
    assert (found.rows_in_file, found.blank) == (6, 1)


@pytest.mark.parametrize(
    "text", ["a,b\r1,2\r", "a,b\n1,\x002\n", "a,b\n1,2,\n", "a,b,\n1,2\n", "a,b\n\n1,2\n", 'a,b\n1,"2\n']
)
def test_the_fast_reader_gives_up_where_it_should(text: str) -> None:
    assert read_columnar(Raw.of("t.csv", text.encode()), find_dialect(text, ".csv", Limits()), Limits()) is None
