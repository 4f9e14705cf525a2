"""What is wrong with a data set as a whole."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path

import pyarrow as pa
import pytest
import regex
from hypothesis import example, given, settings
from hypothesis import strategies as st

from jeval_core.data import Quality, quality
from jeval_core.data.loose import loose
from tests.data_io.files import MESSY, jsonl, load, messy_files, write

TEXT = st.text(st.sampled_from([*"aBß 12.,;:!?-_()[]'\"\t\n+<=>$~éE\u0301\u00a0\u3000。「」ÅåΣς\u200b"]), max_size=10)


def of(folder: Path, rows: list[dict]) -> Quality:
    return quality(load(write(folder, "t.jsonl", jsonl(rows)), require=()))


def cases(*inputs: str, **more: str) -> list[dict]:
    return [{"id": f"c{i}", "input": text, **more} for i, text in enumerate(inputs, 1)]


# name → rows, exact twins, near twins (ids by group)
TWINS = {
    "none": (cases("one", "two"), [], []),
    "exact": (cases("one", "two", "one", "one"), [("c1", "c3", "c4")], []),
    "case": (cases("One two", "one TWO"), [], [("c1", "c2")]),
    "spaces": (cases("one two", " one\n\ttwo "), [], [("c1", "c2")]),
    "punctuation": (cases("one, two!", "one two", "one - two?"), [], [("c1", "c2", "c3")]),
    "exact and near": (cases("one", "one", "One."), [("c1", "c2")], [("c1", "c2", "c3")]),
    "words do not join": (cases("onetwo", "one two"), [], []),
    "signs stay": (cases("2 + 2", "2 = 2", "2 < 2"), [], []),
    "not only ASCII": (cases("Straße", "STRASSE", "café", "cafe\u0301", "你好。", "你好"), [], [("c1", "c2"), ("c3", "c4"), ("c5", "c6")]),
    "vowel signs are no punctuation": (cases("नमस्ते", "नमसत"), [], []),
    "the references count": ([*cases("one", expected="1"), {"id": "x", "input": "one", "expected": "2"}], [], []),
    "so does the conversation": ([*cases("one", chat="a: b"), {"id": "x", "input": "one", "chat": "a: c"}], [], []),
    "several samples of a case": ([*cases("one"), *cases("one")], [], []),
    "nothing in them": ([{"id": "a", "output": "x"}, {"id": "b", "output": "x"}], [], []),
    "without ids": ([{"input": "one"}, {"input": "one"}], [("4b3e25a33d9fcc79", "4b3e25a33d9fcc79-2")], []),
}  # fmt: skip


@pytest.mark.parametrize("name", TWINS)
def test_twins(tmp_path: Path, name: str) -> None:
    rows, exact, near = TWINS[name]
    found = of(tmp_path, rows)
    for twins, groups in ((found.duplicates, exact), (found.near_duplicates, near)):
        assert [*twins.examples] == groups
        assert (twins.cases, twins.groups) == (sum(map(len, groups)), len(groups))


def test_examples_are_few(tmp_path: Path) -> None:
    found = of(tmp_path, [{"id": str(i), "input": str(i % 30)} for i in range(900)]).duplicates
    assert (found.cases, found.groups, len(found.examples), {*map(len, found.examples)}) == (900, 30, 10, {10})
    assert found.examples[1][:2] == ("1", "31")


SAME, OTHER = {"output": "a b", "expected": " a b\n"}, {"output": "a", "expected": "b"}
# name → rows, leaks as (column, value, rows)
LEAKS = {
    "all": ([SAME] * 5, [(None, None, 5)]),
    "too few": ([SAME] * 4, []),
    "all but one": ([SAME] * 9 + [OTHER], []),
    "any reference": ([{"output": "b", "expected": ["a", "b"]}] * 6, [(None, None, 6)]),
    "rows without a reference do not count": ([SAME] * 5 + [{"output": "a", "expected": ""}], [(None, None, 5)]),
    "empty texts are no answers": ([{"output": "", "expected": ""}] * 6, []),
    "a missing output is none": ([SAME] * 5 + [{"output": None, "expected": "b"}], [(None, None, 5)]),
    "a system": ([{**SAME, "model": "m1"}] * 5 + [{**OTHER, "model": "m2"}] * 5, [("model_version", "m1", 5)]),
    "a group": ([{**SAME, "category": ""}] * 5 + [{**OTHER, "category": "qa"}] * 5, [("task_type", "(none)", 5)]),
    "a small group": ([{**SAME, "category": "x"}] * 4 + [{**OTHER, "category": "qa"}] * 5, []),
}  # fmt: skip


@pytest.mark.parametrize("name", LEAKS)
def test_leaks(tmp_path: Path, name: str) -> None:
    rows, leaks = LEAKS[name]
    found = of(tmp_path, [{"id": str(i), **r} for i, r in enumerate(rows)])
    assert [(leak.column, leak.value, leak.rows) for leak in found.leaks] == leaks


REFERENCES = [
    ([{"input": "a", "expected": "a "}, {"input": "b", "expected": ["c", "b"]}, {"input": "", "expected": ""}, {"input": "d", "expected": "D"}], 2, 3, 2, 2 / 3),
    ([{"input": "a", "expected": ["b", "c", "d"]}], 0, 1, 0, 0.0),
    ([{"input": "a", "output": "b"}], 0, 0, 0, None),
    ([{"output": "b", "expected": "b"}], 0, 1, 1, 1.0),
]  # fmt: skip


@pytest.mark.parametrize(("rows", "echoes", "referenced", "single", "share"), REFERENCES)
def test_references(
    tmp_path: Path, rows: list[dict], echoes: int, referenced: int, single: int, share: float | None
) -> None:
    found = of(tmp_path, [{"id": f"c{i}", **r} for i, r in enumerate(rows)])
    assert (found.echoes, found.referenced, found.single_reference) == (echoes, referenced, single)
    assert found.single_reference_share == share
    assert found.echo_examples == ("c0", "c1")[:echoes]


@pytest.mark.parametrize(
    "path", [p for p in messy_files() if not p.name.startswith(("08", "16"))], ids=lambda p: p.name
)
def test_every_file_gets_a_report(path: Path) -> None:
    json.dumps(quality(load(path)).to_dict(), allow_nan=False)


def test_repeated_ids_of_a_file() -> None:
    found = quality(load(MESSY / "27_duplicate_ids.csv"))
    assert (found.cases, found.duplicates.cases) == (2, 0)  # the third row is the first one again


def plainly(text: str) -> str:
    """The same one text at a time: what `loose` must give."""
    folded = unicodedata.normalize("NFC", text.casefold())
    return regex.sub(r"[\p{P}\p{Z}\t-\r\x1c-\x1f\x85]+", " ", folded).strip(" ")


@settings(max_examples=300, deadline=None)
@given(st.lists(st.none() | TEXT, max_size=8))
@example([*(chr(i) * 2 + "x" for i in range(1, 128))])
@example(["", ".", " a", "", "b ", "...", None, "é."])
def test_loose_texts(texts: list[str | None]) -> None:
    for kind in (pa.string(), pa.large_string()):
        column = pa.chunked_array([pa.array(["pad", *texts], kind).slice(1), pa.array(texts, kind)])
        assert loose(column).to_pylist() == [plainly(t or "") for t in texts] * 2
