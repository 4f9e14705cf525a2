"""Layouts, encodings, JSON shapes and archives: what is read, and what is refused by name."""

from __future__ import annotations

import gzip
import io
import json
import zipfile
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet
import pytest

from jeval_core.data import LimitExceeded, Limits, UnreadableFile, read, sniff
from jeval_core.errors import BadOption
from tests.data_io.files import cells, csv_text, jsonl, write

ROWS = [["id", "output", "expected"], ["a", "one, two; three", 'say "hi"'], ["b", "deux\nlignes", "NA"]]
RECORDS = [dict(zip(ROWS[0], r, strict=True)) for r in ROWS[1:]]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"], ids=["comma", "semicolon", "tab", "pipe"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=["lf", "crlf", "cr"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252"])
def test_every_layout(tmp_path: Path, delimiter: str, end: str, encoding: str) -> None:
    table = [*ROWS, ["c", "café €", "x"]]
    path = write(tmp_path, "t.csv", csv_text(table, delimiter=delimiter, lineterminator=end).encode(encoding))
    found = read(path)
    assert cells(found) == [*RECORDS, {"id": "c", "output": "café €", "expected": "x"}]
    assert found.lines.tolist() == [2, 3, 5]
    assert (found.source.delimiter, found.source.header_row) == (delimiter, 1)
    assert sniff(path).delimiter == delimiter


def test_what_is_given_is_not_guessed(tmp_path: Path) -> None:
    path = write(tmp_path, "t.csv", "title\nid;output,x\na;b,c\n".encode("cp1250"))
    assert read(path, delimiter=";", header_row=2).names == ["id", "output,x"]
    assert read(path, delimiter=",", header_row=2).names == ["id;output", "x"]
    polish = write(tmp_path, "p.csv", "id,output\na,zażółć\n".encode("cp1250"))
    assert cells(read(polish, encoding="cp1250")) == [{"id": "a", "output": "zażółć"}]
    assert read(polish).source.encoding == "cp1252" and read(polish).problems[0].code == "not_utf8"
    with pytest.raises(UnreadableFile, match="no text encoding called `klingon`"):
        read(path, encoding="klingon")
    with pytest.raises(UnreadableFile, match="is not utf-8 text"):
        read(polish, encoding="utf-8")


def test_lines_above_the_header(tmp_path: Path) -> None:
    body = csv_text(ROWS)
    for above in ("Report of June\n\n", "Report of June,,\n", "\n\n"):
        found = read(write(tmp_path, "t.csv", above + body))
        assert cells(found) == RECORDS and found.source.header_row == above.count("\n") + 1
        assert found.lines.tolist() == [above.count("\n") + 2, above.count("\n") + 3]
    hinted = read(write(tmp_path, "t.csv", "sep=;\n" + csv_text(ROWS, delimiter=";")))
    assert cells(hinted) == RECORDS and hinted.source.header_row == 2


def test_header_over_two_lines(tmp_path: Path) -> None:
    found = read(write(tmp_path, "t.csv", 'id,"out\nput"\na,b\n'))
    assert found.names == ["id", "out\nput"] and found.lines.tolist() == [3]


def test_quotation_marks_between_tabs(tmp_path: Path) -> None:
    found = read(write(tmp_path, "t.tsv", 'id\toutput\texpected\na\t"Yes" he said\t"No\nb\tx\ty\n'))
    assert cells(found)[0] == {"id": "a", "output": '"Yes" he said', "expected": '"No'}
    assert not found.source.quotes and len(found) == 2


def test_an_open_quote_costs_one_row(tmp_path: Path) -> None:
    found = read(write(tmp_path, "t.csv", 'id,output\na,"open\nb,two\nc,three\n'))
    assert cells(found) == [{"id": "b", "output": "two"}, {"id": "c", "output": "three"}]
    assert [(p.line, p.code, p.rejected) for p in found.problems] == [(2, "unclosed_quote", True)]


def test_many_open_quotes_are_plain_characters(tmp_path: Path) -> None:
    body = "".join(f'{i},"open {i}\n' if i % 2 == 0 else f"{i},x\n" for i in range(2_001))
    found = read(write(tmp_path, "t.csv", "id,output\n" + body))
    assert found.rows_in_file == len(found) + found.rejected


def test_stray_bytes_reject_their_row_only(tmp_path: Path) -> None:
    found = read(write(tmp_path, "t.csv", "id,output\na,éé\nb,".encode() + b"\xff\nc,\xc3\xa9\n"))
    assert [r["id"] for r in cells(found)] == ["a", "c"] and found.source.encoding == "utf-8"
    assert [(p.line, p.code, p.rejected) for p in found.problems] == [(3, "bad_bytes", True)]


def test_neither_utf8_nor_windows(tmp_path: Path) -> None:
    text = "id,output\na,日本語の文章です。今日は天気がいい。\n".encode("shift_jis")
    with pytest.raises(UnreadableFile, match="Name its encoding"):
        read(write(tmp_path, "t.csv", text))
    assert cells(read(tmp_path / "t.csv", encoding="shift_jis"))[0]["output"].startswith("日本語")


JSON = {
    "list": RECORDS,
    "list in an object": {"meta": {"n": 2}, "data": RECORDS},
    "columns": {k: [r[k] for r in RECORDS] for k in RECORDS[0]},
}


@pytest.mark.parametrize("shape", JSON)
@pytest.mark.parametrize("indent", [None, 2])
def test_json_shapes(tmp_path: Path, shape: str, indent: int | None) -> None:
    found = read(write(tmp_path, "t.json", json.dumps(JSON[shape], indent=indent)))
    assert cells(found) == RECORDS and found.source.format == "json" and found.lines.tolist() == [1, 2]


def test_json_lines_under_any_name(tmp_path: Path) -> None:
    for name in ("t.jsonl", "t.json", "t.ndjson", "t.txt", "t"):
        found = read(write(tmp_path, name, jsonl(RECORDS)))
        assert cells(found) == RECORDS and found.source.format == "jsonl", name
    assert cells(read(write(tmp_path, "t.jsonl", json.dumps(RECORDS, indent=1)))) == RECORDS
    assert cells(read(write(tmp_path, "t.json", json.dumps(RECORDS[0])))) == RECORDS[:1]


def test_values_keep_their_digits(tmp_path: Path) -> None:
    found = read(
        write(
            tmp_path,
            "t.jsonl",
            '{"a": 3.0, "b": 1e5, "c": 007}\n{"a": true, "b": [1.50, "x"], "c": {"k": 0.10, "n": null}, "d": ""}\n{"a": null}',
        )
    )
    assert [p.code for p in found.problems] == ["bad_json"]
    assert cells(found) == [
        {"a": "true", "b": '[1.5, "x"]', "c.k": "0.10", "c.n": None, "d": ""},
        {"a": None, "b": None, "c.k": None, "c.n": None, "d": None},
    ]
    assert cells(read(write(tmp_path, "u.jsonl", '{"a": 3.0, "b": 1e5}'))) == [{"a": "3.0", "b": "1e5"}]


def test_json_that_is_broken(tmp_path: Path) -> None:
    for content, words in (
        ('[{"a": 1},\n {"a": }]', "line 2, column 8"),
        ("[" * 200_000, "nested too deeply"),
        ("17", "single value"),
        ('{"a": ' + "9" * 5000 + "}", "cannot|not|JSON"),
    ):
        with pytest.raises(UnreadableFile, match=words):
            read(write(tmp_path, "t.json", content))
    lone = read(write(tmp_path, "t.jsonl", '{"a": "\\ud800"}\n{"a": "b\\u0000c"}\n'))
    assert [(p.line, p.code) for p in lone.problems] == [(1, "bad_unicode"), (2, "nul_byte")]
    assert cells(lone) == [{"a": "bc"}]


def test_gzip(tmp_path: Path) -> None:
    packed = gzip.compress(csv_text(ROWS).encode())
    for name in ("t.csv.gz", "t.csv"):
        found = read(write(tmp_path, name, packed))
        assert cells(found) == RECORDS and found.source.compressed
    assert cells(read(write(tmp_path, "t.jsonl.gz", gzip.compress(jsonl(RECORDS).encode())))) == RECORDS
    with pytest.raises(UnreadableFile, match="cut off or damaged"):
        read(write(tmp_path, "t.csv.gz", packed[:-9]))


def test_parquet(tmp_path: Path) -> None:
    table = pa.table({
        "id": pa.array([7, None]), "output": ["NA", None], "score": [3.0, float("nan")], "ok": [True, None],
        "expected": [["a", "b"], []], "kind": pa.array(["x", "y"]).dictionary_encode(), "nested": [{"k": [1]}, None],
    })  # fmt: skip
    pyarrow.parquet.write_table(table, tmp_path / "t.parquet")
    found = read(tmp_path / "t.parquet")
    assert cells(found) == [
        {
            "id": "7",
            "output": "NA",
            "score": "3.0",
            "ok": "true",
            "expected": '["a", "b"]',
            "kind": "x",
            "nested": '{"k": [1]}',
        },
        {"id": None, "output": None, "score": None, "ok": None, "expected": "[]", "kind": "y", "nested": None},
    ]
    assert found.source.unit == "record" and found.lines.tolist() == [1, 2]
    damaged = (tmp_path / "t.parquet").read_bytes()[:-30]
    with pytest.raises(UnreadableFile, match="Parquet"):
        read(write(tmp_path, "t.parquet", damaged))


def test_workbook_sheet_and_header(tmp_path: Path) -> None:
    from tests.data_io.files import MESSY

    assert read(MESSY / "36_workbook.xlsx", sheet="Notes").names == ["read me"]
    with pytest.raises(UnreadableFile, match="Sheets: `Cases`, `Notes`"):
        read(MESSY / "36_workbook.xlsx", sheet="Cast")
    assert read(MESSY / "36_workbook.xlsx", header_row=2).names[:2] == ["s1", "one two #2"]
    whole = (MESSY / "36_workbook.xlsx").read_bytes()
    with pytest.raises(UnreadableFile, match="damaged"):
        read(write(tmp_path, "t.xlsx", whole[:3000]))


REFUSED = [
    ("t.pdf", b"%PDF-1.7 ...", "is a PDF"),
    ("t.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "old Excel file"),
    ("t.zip", b"PK\x03\x04 broken", "damaged zip"),
]


@pytest.mark.parametrize(("name", "content", "words"), REFUSED, ids=lambda v: v if isinstance(v, str) else "")
def test_what_is_no_table_is_refused_by_name(tmp_path: Path, name: str, content: bytes, words: str) -> None:
    with pytest.raises(UnreadableFile, match=words):
        read(write(tmp_path, name, content))


def test_paths_that_are_no_files(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="no file `none.csv`"):
        read(tmp_path / "none.csv")
    with pytest.raises(UnreadableFile, match="is a folder"):
        read(tmp_path)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as z:
        z.writestr("a.csv", "x")
    with pytest.raises(UnreadableFile, match="Unpack it"):
        read(write(tmp_path, "t.zip", out.getvalue()))


def test_limits(tmp_path: Path) -> None:
    table = write(tmp_path, "t.csv", csv_text([["id", "output"], ["a", "x" * 50], ["b", "y"]]))
    assert [(p.line, p.code) for p in read(table, limits=Limits(max_cell=20)).problems] == [(2, "cell_too_long")]
    lines = write(tmp_path, "t.jsonl", jsonl([{"a": "x" * 50}, {"a": "y"}]))
    assert [(p.line, p.code) for p in read(lines, limits=Limits(max_cell=20)).problems] == [(1, "cell_too_long")]
    for path in (table, lines):
        with pytest.raises(LimitExceeded, match="more than 1 rows.*`max_rows`"):
            read(path, limits=Limits(max_rows=1))
    with pytest.raises(LimitExceeded, match="`max_columns`"):
        read(table, limits=Limits(max_columns=1))
    with pytest.raises(LimitExceeded, match="`max_columns`"):
        read(write(tmp_path, "t.json", json.dumps([{"a": 1, "b": 2}])), limits=Limits(max_columns=1))


def test_bombs_are_refused_by_name(tmp_path: Path) -> None:
    small = Limits(max_unpacked_bytes=1_000_000)
    zeros = b"0" * 2_000_000
    with pytest.raises(LimitExceeded, match=r"`bomb.csv.gz` unpacks to more than 1,000,000 bytes"):
        read(write(tmp_path, "bomb.csv.gz", gzip.compress(zeros)), limits=small)
    for name, inner in (("bomb.xlsx", "xl/workbook.xml"), ("bomb.eval", "header.json")):
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as z:
            z.writestr(inner, zeros)
        with pytest.raises(LimitExceeded, match=f"`{name}` unpacks to more than"):
            read(write(tmp_path, name, out.getvalue()), limits=small)


def test_spaces_only_is_empty(tmp_path: Path) -> None:
    assert [p.code for p in read(write(tmp_path, "t.csv", " \n\n")).problems] == ["empty_file"]


def test_long_files_are_judged_by_their_whole(tmp_path: Path) -> None:
    body = "".join(f"{i},{'x' * 90}\n" for i in range(50_000))
    assert len(body) > 4 << 20
    for last, encoding in (("é", "utf-8"), ("é", "utf-16"), ("é", "cp1252"), ("x", "utf-8-sig")):
        path = write(tmp_path, "t.csv", f"id,output\n{body}last,{last}\n".encode(encoding))
        found = read(path)
        assert len(found) == 50_001 and cells(found)[-1]["output"] == last
        assert found.source.encoding == encoding, encoding
    late = write(tmp_path, "t.csv", f"id,output\na,é\n{body}".encode() + b"last,\xff\nend,x\n")
    assert [(p.line, p.code) for p in read(late).problems if p.rejected] == [(50_003, "bad_bytes")]
    ragged = read(write(tmp_path, "t.csv", f"id,output\nonly\n{body}"))
    assert [(p.line, p.code) for p in ragged.problems] == [(2, "too_few_cells")] and ragged.lines[-1] == 50_002


@pytest.mark.parametrize("name", ["t.csv", "t.json", "t.jsonl"])
def test_a_long_file_cut_inside_a_character(tmp_path: Path, name: str) -> None:
    text = "日本語" * 500_000
    content = (
        f"id,output\na,{text}\n" if name == "t.csv" else json.dumps([{"id": "a", "output": text}], ensure_ascii=False)
    )
    assert cells(read(write(tmp_path, name, content))) == [{"id": "a", "output": text}]


def test_options_that_cannot_be(tmp_path: Path) -> None:
    path = write(tmp_path, "t.csv", csv_text(ROWS))
    for options in ({"delimiter": ""}, {"delimiter": '"'}, {"delimiter": ",,"}, {"header_row": 0}, {"header_row": 99}):
        with pytest.raises(BadOption):
            read(path, **options)
    assert read(write(tmp_path, "u.csv", "id§output\na§b\n"), delimiter="§").names == ["id", "output"]
    assert read(write(tmp_path, "v.csv", 'sep="\nid,output\na,b\n')).rows_in_file > 0


def test_windows_text_is_said_in_every_format(tmp_path: Path) -> None:
    json_text = json.dumps([{"output": "caf\u00e9"}], ensure_ascii=False)
    for name, text in (
        ("t.json", json_text),
        ("t.jsonl", json_text[1:-1]),
        ("hyp.txt", "caf\u00e9\n"),
        ("t.csv", "output\ncaf\u00e9\n"),
    ):
        found = read(write(tmp_path, name, text.encode("cp1252")))
        assert [p.code for p in found.problems] == ["not_utf8"], name
        assert [*cells(found)[0].values()] == ["caf\u00e9"]
