"""The batch kernel counts as the readable reference, on every text."""

from __future__ import annotations

import csv
import json
import os
import random
import re
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from jeval_core.batch.cells import cells, prepared
from jeval_core.batch.kernel import MAX_BYTES, MAX_TOKENS
from jeval_core.batch.matches import match
from jeval_core.ngrams import lcs_length, most, ngrams, overlap
from jeval_core.text.unicode import tables
from jeval_core.text.words import words
from tests.core.test_words import TABLE
from tests.data import golden

ORDERS = (1, 2, 3, 4)
DATA = os.environ.get("JEVAL_TEST_DATA")


def reference(output: str, expected: str) -> list[int]:
    """What the kernel has to give for one pair."""
    a, b = words(output), words(expected)
    return [*(overlap(ngrams(a, n), ngrams(b, n)) for n in ORDERS), len(a), len(b), lcs_length(a, b)]


def clipped(output: str, expected: Sequence[str]) -> list[int]:
    a, rest = words(output), [words(e) for e in expected]
    return [overlap(ngrams(a, n), most([ngrams(b, n) for b in rest])) for n in ORDERS]


def check(outputs: Sequence[str], *references: Sequence[str], hard: Sequence[int] = ()) -> None:
    """All rows at once; the rows in `hard`, and no others, are left to the evaluators."""
    found = match(*((prepared(cells(pa.array(outputs))), [prepared(cells(pa.array(r))) for r in references])))
    assert np.flatnonzero(found.hard).tolist() == [*hard]
    for i, output in enumerate(outputs):
        if i not in hard:
            for k, texts in enumerate(references):
                assert found.pairs[k, i].tolist() == reference(output, texts[i]), (output, texts[i])
            assert found.clipped[i].tolist() == clipped(output, [texts[i] for texts in references])


def padded(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    """Reference columns from rows of references."""
    width = max(map(len, rows))
    return [[row[k] if k < len(row) else "" for row in rows] for k in range(width)]


@pytest.mark.parametrize("name", ["promptfoo", "reference"])
def test_golden(name: str) -> None:
    vectors = [v for v in golden(name)["vectors"] if isinstance(v["output"], str)]
    check([v["output"] for v in vectors], *padded([[str(r) for r in v["references"]] or [""] for v in vectors]))


def test_table_of_words() -> None:
    texts = [text for text in TABLE if "\ud800" not in text]
    check(texts, texts, texts[::-1])


def real_files() -> Iterator[tuple[str, list[str], list[list[str]]]]:
    folder = Path(DATA or "")
    for path in sorted(folder.glob("mt_ted_zhen_*.csv")) if DATA else ():
        rows = [*csv.DictReader(path.open(encoding="utf-8", newline=""))]
        yield path.name, [r["output"] for r in rows], [[r["expected"], r["expected_2"], r["source_zh"]] for r in rows]
    for path in sorted(folder.glob("halluqa_*.jsonl")) if DATA else ():
        items = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        yield path.name, [i["output"] for i in items], [i["references"] for i in items]
    for path in sorted(folder.glob("summeval_2*.csv")) if DATA else ():
        rows = [*csv.DictReader(path.open(encoding="utf-8", newline=""))]
        yield path.name, [r["output"] for r in rows], [json.loads(r["references"]) for r in rows]


@pytest.mark.slow
@pytest.mark.skipif(not DATA, reason="set JEVAL_TEST_DATA to the folder with the real files")
@pytest.mark.parametrize(("outputs", "references"), [r[1:] for r in real_files()], ids=[r[0] for r in real_files()])
def test_real_files(outputs: list[str], references: list[list[str]]) -> None:
    check(outputs, *padded(references))


CLASSES = tables().classes.decode()
SAMPLES = [
    chr(m.start()) for c in sorted(set(CLASSES)) for m in islice(re.finditer(re.escape(c), CLASSES), 0, 4000, 500)
]
ODD = [
    *SAMPLES,
    *"\u0301\u0e33\u200d\u30fc\u3099\uac00\u1100\u1161\u11a8\u0130\u03c2ΣßÅé−‰\U0001f3fd🇩👍漢กម្ម\U0001faf6\U0001e030",
]
odd_char = st.sampled_from([c for c in ODD if not "\ud800" <= c < "\ue000"] + [*"aAb5.-+,%: \n\x00"])
odd_text = st.text(odd_char, max_size=40) | st.text(st.characters(exclude_categories=["Cs"]), max_size=30)


@settings(deadline=None)  # the first call compiles
@given(odd_text, odd_text)
@example("\u0301\u0301a", "5%\u0301a")
@example("-.5 .5 +5 a+5 5%-7 x..5", "- .5, --5 +.5")
def test_odd_characters(output: str, expected: str) -> None:
    found = match(prepared(cells(pa.array([output]))), [prepared(cells(pa.array([expected])))])
    if not found.hard[0]:
        assert found.pairs[0, 0].tolist() == reference(output, expected)


@settings(deadline=None)  # the first call compiles
@given(st.lists(st.tuples(odd_text, odd_text, odd_text), min_size=1, max_size=5))
def test_several_references(rows: list[tuple[str, str, str]]) -> None:
    columns = [prepared(cells(pa.array(texts))) for texts in zip(*rows, strict=True)]
    found = match(columns[0], columns[1:])
    for i, (output, *expected) in enumerate(rows):
        if not found.hard[i]:
            assert found.pairs[:, i].tolist() == [reference(output, e) for e in expected]
            assert found.clipped[i].tolist() == clipped(output, expected)


def test_code_points() -> None:
    """Each in company of a letter, a digit and a mark, against its own tokens."""
    points = [chr(c) for c in (*range(0x3100), *range(0x3100, 0xD800, 23), *range(0xE000, 0x20000, 7))]
    outputs = ["".join(f"a{c}5{c}\u0301 {c}{c}b." for c in points[i : i + 20]) for i in range(0, len(points), 20)]
    expected = [" ".join(words(output)) for output in outputs]
    found = match(prepared(cells(pa.array(outputs))), [prepared(cells(pa.array(expected)))])
    for i in np.flatnonzero(~found.hard):
        assert found.pairs[0, i].tolist() == reference(outputs[i], expected[i])
    assert found.hard.mean() < 0.5


def long_text(rng: random.Random, length: int, kinds: int) -> str:
    return " ".join(f"w{rng.randrange(kinds)}" for _ in range(length))


@pytest.mark.parametrize("length", [1, 3, 4, 63, 64, 65, 127, 128, 129, 400, 2000])
@pytest.mark.parametrize("kinds", [1, 3, 40, 10_000])
def test_long_rows(length: int, kinds: int) -> None:
    rng = random.Random(length)
    outputs = [long_text(rng, max(1, length + rng.randint(-2, 2)), kinds) for _ in range(4)]
    check(outputs, [long_text(rng, length, kinds) for _ in outputs], [t[: len(t) // 2] for t in outputs])


def test_too_long_rows_are_left_to_the_reference() -> None:
    many, enough = "a " * (MAX_TOKENS + 1), "a " * MAX_TOKENS
    check(["a b", many, enough, "a", "b" * (MAX_BYTES + 1)], ["a", "a", "a", many, "b"], hard=[1, 3, 4])


def test_long_runs_of_lone_marks_take_linear_time() -> None:
    check(["\u093f" * 100_000 + " a", "\u0488" * 300_000], ["a", "a"])


def test_what_needs_the_reference() -> None:
    mixed = "\u0301\U0001faf6e\u0301\U0001e030" + "\U0001fadf"  # a mark beside a character younger than the table
    check(["e\u0301", mixed, "e" + "\u0301\u0300" * 40, "e" + "\u0300" * 31], ["é"] * 4, hard=[1, 2])
    broken = pa.array([b"a\xff", b"\xed\xa0\x80 a", b"\xc0\x80", b"\xe2\x82", b"\xf4\x90\x80\x80", b"a"])
    found = prepared(cells(broken))
    assert found.hard.tolist() == [True] * 5 + [False]


def layouts(texts: list[str | None]) -> dict[str, pa.Array | pa.ChunkedArray]:
    plain = pa.array(texts, pa.string())
    return {
        "sliced": pa.array(["before", *texts, "after"], pa.string()).slice(1, len(texts)),
        "large": plain.cast(pa.large_string()),
        "large sliced": pa.array(["é", None, *texts], pa.large_string())[2:],
        "view": plain.cast(pa.string_view()),
        "dictionary": plain.dictionary_encode(),
        "binary": plain.cast(pa.binary()),
        "chunked": pa.chunked_array([plain[:2], plain[2:2], plain[2:]]),
        "one chunk": pa.chunked_array([plain]),
    }


LAYOUT_TEXTS = ["a b é", None, "e\u0301 漢字 b", "", "a b c", None]


@pytest.mark.parametrize("name", layouts([]))
def test_layouts(name: str) -> None:
    want = cells(pa.array(LAYOUT_TEXTS))
    got = cells(layouts([*LAYOUT_TEXTS])[name])
    assert (
        [got.raw(i) for i in range(6)] == [want.raw(i) for i in range(6)] == [(t or "").encode() for t in LAYOUT_TEXTS]
    )
    assert got.given.tolist() == [t is not None for t in LAYOUT_TEXTS]
    ready = prepared(got)
    assert ready.raw(2) == "é 漢字 b".encode()


@pytest.mark.parametrize("name", layouts([]))
def test_empty_columns(name: str) -> None:
    empty = prepared(cells(layouts([])[name]))
    assert len(empty) == 0 and match(empty, [empty]).pairs.shape == (1, 0, 7)
