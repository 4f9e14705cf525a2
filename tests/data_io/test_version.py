"""A data set's version depends on its cases and on nothing else."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from jeval_core.data import dataset_version, to_csv, to_jsonl, to_parquet
from tests.data_io.files import csv_text, jsonl, load, write

TABLE = [
    ["id", "input", "output", "expected", "expected_2", "criteria", "note"],
    ["a", "say, hi", "hi", "hi", "hello", "be kind", "x"],
    ["b", "count", "-2", "=2+2", "", "", "y"],
    ["c", "", "z", "zürich\nost", "", "", ""],
]


@pytest.fixture
def version(tmp_path: Path) -> str:
    return dataset_version(load(write(tmp_path, "t.csv", csv_text(TABLE))))


def test_known_value(version: str) -> None:
    assert version == "8fbd0eceba248f703051f5c1d275cf8a6b2cd55b32967ef7a38d40ec9d3c85a4"


def test_same_in_every_layout_and_format(tmp_path: Path, version: str) -> None:
    records = [{k: v or None for k, v in zip(TABLE[0], r, strict=True)} for r in TABLE[1:]]
    lists = [
        {
            **{k: v for k, v in r.items() if k != "expected_2"},
            "expected": [t for t in (r["expected"], r["expected_2"]) if t],
        }
        for r in records
    ]
    turned = [[r[i] for i in (3, 2, 6, 0, 5, 1, 4)] for r in TABLE]
    files = {
        "semicolon.csv": csv_text(TABLE, delimiter=";", lineterminator="\r\n"),
        "wide.csv": csv_text(TABLE, delimiter="\t").encode("utf-16"),
        "old.csv": csv_text(TABLE).encode("cp1252"),
        "order.csv": csv_text(turned),
        "names.csv": csv_text([["ID", "Prompt", "Response", "expected", "expected_2", "rubric", "other"], *TABLE[1:]]),
        "fewer.csv": csv_text([r[:6] for r in TABLE]),
        "t.jsonl": jsonl(records),
        "lists.jsonl": jsonl(lists),
        "t.json": json.dumps(records),
    }
    for name, content in files.items():
        assert dataset_version(load(write(tmp_path, name, content))) == version, name


@pytest.mark.parametrize("column", ["id", "input", "expected", "expected_2", "criteria"])
def test_every_field_of_a_case_counts(tmp_path: Path, version: str, column: str) -> None:
    changed = [TABLE[0], [*TABLE[1]], *TABLE[2:]]
    changed[1][TABLE[0].index(column)] += "!"
    assert dataset_version(load(write(tmp_path, "t.csv", csv_text(changed)))) != version
    if column.startswith("expected"):
        named = [[{column: "ref" if column == "expected" else "ref_2"}.get(n, n) for n in TABLE[0]], *TABLE[1:]]
        path = write(tmp_path, "t.csv", csv_text(named))
        assert (
            dataset_version(
                load(path, {"expected": ",".join(n for n in named[0] if n.startswith(("expected", "ref")))})
            )
            != version
        )


def test_a_conversation_counts_where_there_is_one(tmp_path: Path, version: str) -> None:
    found = {}
    for name, cells in {
        "none": ["", "", ""],
        "one": ["", "user: hi", ""],
        "other": ["", "user: ho", ""],
        "moved": ["user: hi", "", ""],
    }.items():
        table = [[*TABLE[0], "conversation"], *([*r, c] for r, c in zip(TABLE[1:], cells, strict=True))]
        found[name] = dataset_version(load(write(tmp_path, "t.csv", csv_text(table))))
        named = [["messages" if n == "conversation" else n for n in table[0]], *table[1:]]
        assert dataset_version(load(write(tmp_path, "t.csv", csv_text(named)))) == found[name]
    assert found.pop("none") == version and len({version, *found.values()}) == 4


def test_ids_from_content_hold_the_conversation(tmp_path: Path) -> None:
    plain = {"input": "hi", "output": "x", "expected": "y"}
    rows = [plain, {**plain, "conversation": "a"}, {**plain, "conversation": "b"}]
    ids = load(write(tmp_path, "t.jsonl", jsonl(rows))).id.to_pylist()
    assert len({*ids}) == 3 and ids[0] == load(write(tmp_path, "p.jsonl", jsonl([plain]))).id[0].as_py()


@pytest.mark.parametrize("column", ["output", "note"])
def test_outputs_and_other_columns_do_not(tmp_path: Path, version: str, column: str) -> None:
    changed = [TABLE[0], *([*r] for r in TABLE[1:])]
    changed[1][TABLE[0].index(column)] += "!"
    assert dataset_version(load(write(tmp_path, "t.csv", csv_text(changed)))) == version


def test_text_cannot_slip_from_one_cell_to_the_next(tmp_path: Path) -> None:
    one = load(write(tmp_path, "a.csv", csv_text([["id", "output", "expected"], ["ab", "x", "c"], ["d", "x", "e"]])))
    two = load(write(tmp_path, "b.csv", csv_text([["id", "output", "expected"], ["a", "x", "bc"], ["d", "x", "e"]])))
    three = load(write(tmp_path, "c.csv", csv_text([["id", "output", "expected"], ["ab", "x", "ce"], ["d", "x", ""]])))
    assert len({dataset_version(r) for r in (one, two, three)}) == 3


def test_chunks_do_not_count(tmp_path: Path, version: str) -> None:
    data = load(write(tmp_path, "t.csv", csv_text(TABLE)))

    def chopped(column: pa.ChunkedArray | None) -> pa.ChunkedArray | None:
        if column is None:
            return None
        large = pa.array(["pad", *column.to_pylist()], pa.large_string())
        return pa.chunked_array([large.slice(1, 1), large.slice(2, 0), large.slice(2)])

    parts = {n: chopped(getattr(data, n)) for n in ("id", "input", "criteria", "conversation")}
    assert dataset_version(replace(data, **parts, references=[(n, chopped(c)) for n, c in data.references])) == version


def test_samples_and_systems_share_a_data_set(tmp_path: Path, version: str) -> None:
    head, *body = TABLE
    systems = [["model_version", *head], *(["m1", *r] for r in body), *(["m2", *r] for r in body)]
    assert dataset_version(load(write(tmp_path, "t.csv", csv_text(systems)))) == version
    conflict = [head, *body, ["a", "say, hi", "hi", "OTHER", "", "", ""]]
    assert dataset_version(load(write(tmp_path, "t.csv", csv_text(conflict)))) != version


CHAT = [{"role": "user", "content": '=1+1, "quoted"'}, {"role": "assistant", "content": "zwei\nüber"}]
HARD: list[dict[str, Any]] = [
    {"id": "=cmd", "input": "+1", "messages": CHAT, "output": "-x", "expected": ["@ref", "=2", "'third"], "criteria": "=A1"},
    {"id": "b", "input": None, "messages": "=user: hi", "output": None, "expected": "\ttab", "criteria": ""},
    {"id": "c", "input": "", "messages": None, "output": "", "expected": None, "criteria": None},
    {"id": "d", "input": "lists as texts", "expected": ['["a", "b"]', "['a']", '["cut off', "[1]", ' ["é"] ']},
    {"id": "-3", "input": "'= quoted already", "messages": "", "output": "-3", "expected": ["", "NA"], "criteria": "null"},
]  # fmt: skip


@pytest.mark.parametrize("write_table", [to_csv, to_jsonl, to_parquet], ids=lambda f: f.__name__)
@pytest.mark.parametrize("drop", [(), ("id",), ("messages",), ("id", "input", "criteria")], ids=",".join)
def test_hard_cells_survive_an_export(tmp_path: Path, write_table, drop: tuple[str, ...]) -> None:
    data = load(write(tmp_path, "t.jsonl", jsonl({k: v for k, v in r.items() if k not in drop} for r in HARD)))
    assert len(data) == len(HARD) and ("messages" in drop) == (data.conversation is None)
    path = tmp_path / f"out.{write_table.__name__[3:]}"
    write_table(data.table(), path)
    again = load(path)
    assert dataset_version(again) == dataset_version(data)
    for i in range(len(data)):
        one, two = data.case(i), again.case(i)
        assert [t or "" for t in (one.input, one.criteria, one.conversation)] == [
            t or "" for t in (two.input, two.criteria, two.conversation)
        ]
        assert (one.id, one.references) == (two.id, two.references)


CELL = (
    st.none()
    | st.text(st.sampled_from([*"ab =+-@'\"\t\r\n,;[]{}é\u200b0"]), max_size=6)
    | st.sampled_from(['["a"]', "['a', 'b']", '["', "[]"])
)
NAMED = st.fixed_dictionaries({f: CELL for f in ("input", "criteria", "conversation", "expected", "expected_2")})


@pytest.mark.slow
@pytest.mark.parametrize("write_table", [to_csv, to_jsonl, to_parquet], ids=lambda f: f.__name__)
@settings(max_examples=150, deadline=None)
@given(rows=st.lists(NAMED, min_size=1, max_size=4))
def test_any_cases_survive_an_export(tmp_path_factory, write_table, rows: list[dict]) -> None:
    folder = tmp_path_factory.mktemp("t")
    named = [{"id": f"c{i}", "output": "x", **r} for i, r in enumerate(rows)]
    data = load(write(folder, "t.jsonl", jsonl(named)))
    assume(len(data))  # a list that is cut off rejects its row
    path = folder / f"out.{write_table.__name__[3:]}"
    write_table(data.table(), path)
    assert dataset_version(load(path)) == dataset_version(data)


@pytest.mark.parametrize("write_table", [to_csv, to_jsonl, to_parquet], ids=lambda f: f.__name__)
@pytest.mark.parametrize("drop", [None, "id"])
def test_export_reads_back_as_the_same_data_set(tmp_path: Path, write_table, drop: str | None) -> None:
    keep = [i for i, n in enumerate(TABLE[0]) if n != drop]
    table = [[r[i] for i in keep] for r in TABLE]
    table += [table[1]] if drop else []
    data = load(write(tmp_path, "t.csv", csv_text(table)))
    path = tmp_path / f"out.{write_table.__name__[3:]}"
    write_table(data.table(), path)
    again = load(path)
    assert dataset_version(again) == dataset_version(data)
    assert again.output.to_pylist() == data.output.to_pylist()
