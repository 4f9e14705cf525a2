"""Columns of scores are bit for bit those of `evaluate`."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jeval_core import BadInput, MissingField, UnknownEvaluator, UnknownOption, evaluate, list_evaluators
from jeval_core.batch import jit
from jeval_core.batch.engine import MAX_ROWS, SLOW_ROWS, Cancelled, block_rows, score_columns
from jeval_core.batch.frame import _array
from jeval_core.batch.scored import FAILED, SCORED, SKIPPED, Scored
from tests.core.test_invariants import text

CODE = [card for card in list_evaluators() if card.kind == "code"]
EVERY = [card.id for card in CODE]
SETTINGS = [(card.id, dict(preset.options)) for card in CODE for preset in card.presets]
SETTINGS += [
    ("rouge_n", {"references": "mean"}),
    ("rouge_l", {"references": "mean"}),
    ("bleu", {"smoothing": "none"}),
    ("bleu", {"tokens": "13a"}),
]
WORDS = "the a cat dog sat on mat 5mg 0.5 not is very good 漢 é 👍🏽 -5".split()


def random_rows(n: int, seed: int, references: int = 3) -> list[tuple[str, list[str]]]:
    rng = random.Random(seed)
    out = []
    for _ in range(n):
        tokens = rng.choices(WORDS, k=rng.choice([0, 1, 3, 8, 20, 90]))
        near = [
            " ".join(w if rng.random() < 0.75 else rng.choice(WORDS) for w in tokens)
            for _ in range(rng.randint(1, references))
        ]
        out.append((" ".join(tokens), near))
    return out


def columns(rows: Sequence[tuple[str | None, Sequence[str]]]) -> tuple[pa.Array, list[pa.Array]]:
    width = max((len(r) for _, r in rows), default=1) or 1
    return _array([o for o, _ in rows]), [_array([r[k] if k < len(r) else None for _, r in rows]) for k in range(width)]


def assert_same(
    scored: Scored, i: int, id: str, options: dict, output: str, expected: Sequence[str], **more: float
) -> None:
    """Row i is what `evaluate` says, to the last bit."""
    want = evaluate(id, output=output, expected=[*expected], options=options, **more)
    if want.status == "skipped":
        assert (scored.status[i], scored.reasons[scored.reason[i]], bool(scored.passed[i])) == (
            SKIPPED,
            want.reason,
            False,
        )
        assert np.isnan(scored.score[i])
        return
    assert (scored.status[i], scored.reason[i]) == (SCORED, 0)
    assert scored.score[i].hex() == float(want.score).hex()
    assert bool(scored.passed[i]) == want.passed
    counts = {name: column[i] for name, column in scored.counts.items()}
    assert counts == {name: want.evidence[name] for name in counts} and counts


@settings(deadline=None)  # the first call compiles
@given(
    st.sampled_from(SETTINGS), st.lists(st.tuples(text, st.lists(text, min_size=1, max_size=3)), min_size=1, max_size=6)
)
def test_every_setting_is_evaluate(setting: tuple[str, dict], rows: list[tuple[str, list[str]]]) -> None:
    id, options = setting
    scored = score_columns([id], *columns(rows), options={id: options}, workers=1)[id]
    for i, (output, expected) in enumerate(rows):
        assert_same(scored, i, id, options, output, expected)


@pytest.mark.parametrize(("id", "options"), SETTINGS, ids=str)
def test_longer_rows_are_evaluate(id: str, options: dict) -> None:
    rows = random_rows(120, seed=len(str(options)))
    scored = score_columns([id], *columns(rows), options={id: options}, workers=2)[id]
    for i, (output, expected) in enumerate(rows):
        assert_same(scored, i, id, options, output, expected)


def test_rows_for_the_reference_are_evaluate() -> None:
    rows = [
        *random_rows(3, seed=1),
        ("x " * 10_001, ["x y", "x " * 500]),
        ("\ud800 a b", ["a b"]),
        ("é" * 3, ["e\u0301" + "\u0300\u0301" * 30]),
    ]
    scored = score_columns(EVERY, *columns(rows))
    for id in EVERY:
        for i, (output, expected) in enumerate(rows):
            assert_same(scored[id], i, id, {}, output, expected)


def test_native() -> None:
    rows = columns(random_rows(3, seed=0))
    for id in EVERY:
        assert score_columns([id], *rows)[id].native
    for id, options in [
        ("bleu", {"variant": "promptfoo"}),
        ("gleu", {"tokens": "13a"}),
        ("rouge_l", {"split": "lines"}),
        ("rouge_n", {"stemmer": True}),
        ("levenshtein", {"variant": "promptfoo"}),
    ]:
        assert not score_columns([id], *rows, options={id: options})[id].native


@pytest.mark.parametrize("workers", [1, 2, 3, 7, 64])
def test_any_number_of_workers_gives_the_same_bits(workers: int) -> None:
    output, references = columns(random_rows(9000, seed=5))
    one, many = (score_columns(EVERY, output, references, workers=w) for w in (1, workers))
    for id in EVERY:
        for name in ("score", "passed", "status", "reason"):
            assert getattr(one[id], name).tobytes() == getattr(many[id], name).tobytes()
        assert {k: v.tobytes() for k, v in one[id].counts.items()} == {
            k: v.tobytes() for k, v in many[id].counts.items()
        }


def test_nulls_and_blanks() -> None:
    output = pa.array(["a b", None, "", "a b", "a b", None])
    references = [pa.array(["a b", "a", "a", None, " ", None]), pa.array([None, "a", None, None, "…", None])]
    for id, scored in score_columns(EVERY, output, references).items():
        says = [scored.reasons[code] for code in scored.reason]
        last = "" if id == "levenshtein" else evaluate(id, output="a b", expected=[" ", "…"]).reason
        assert says == ["", "no output", "", "no expected text", last, "no output"]
        assert scored.score[0] == 1 and scored.score[2] == 0
        assert np.isnan(scored.score).tolist() == (scored.status != SCORED).tolist() == [bool(s) for s in says]
        assert all(not column[1] and not column[3] for column in scored.counts.values())


@pytest.mark.parametrize("options", [{}, {"bleu": {"variant": "sacrebleu"}, "levenshtein": {"variant": "promptfoo"}}])
def test_bytes_that_are_no_text_fail_alone(options: dict) -> None:
    output, reference = pa.array([b"a b", b"a \xff b", b"a"]), pa.array([b"a b", b"a b", b"\xc0\x80"])
    for scored in score_columns(EVERY, output, [reference], options=options).values():
        assert scored.status.tolist() == [SCORED, FAILED, FAILED] and scored.score[0] == 1
        assert scored.reasons[scored.reason[1]] == "the text is not UTF-8"


def test_a_row_that_the_evaluator_refuses_fails_alone() -> None:
    lines = "\n".join(f"w{i}" for i in range(300))
    scored = score_columns(
        ["rouge_l"], pa.array(["a", lines]), [pa.array(["a", lines])], options={"rouge_l": {"split": "lines"}}
    )
    assert scored["rouge_l"].status.tolist() == [SCORED, FAILED]
    assert "lines" in scored["rouge_l"].reasons[scored["rouge_l"].reason[1]]


def test_no_rows() -> None:
    for column in (pa.array([], pa.string()), pa.chunked_array([], pa.string()), pa.nulls(0)):
        for scored in score_columns(EVERY, column, [column, column]).values():
            assert len(scored) == 0 and scored.counts


def test_thresholds() -> None:
    rows = [("a b c", ["a b d"])] * 4
    row = np.array([np.nan, 0.0, 1.0, 0.3])
    given = {"rouge_n": 0.9, "levenshtein": 0}
    scored = score_columns(EVERY, *columns(rows), thresholds=given, row_thresholds=row)
    for id in EVERY:
        for i in range(4):
            limit = given.get(id) if np.isnan(row[i]) or id == "levenshtein" else float(row[i])
            assert scored[id].passed[i] == evaluate(id, output="a b c", expected="a b d", threshold=limit).passed
    assert scored["rouge_n"].passed.tolist() == [False, True, False, True]
    assert not scored["levenshtein"].passed.any()


@pytest.mark.parametrize("id", EVERY)
def test_thresholds_at_the_score(id: str) -> None:
    rows = random_rows(60, seed=8, references=1)
    first = score_columns([id], *columns(rows))[id]
    if id != "levenshtein":
        assert (
            score_columns([id], *columns(rows), row_thresholds=first.score)[id].passed.sum()
            == (first.status == 0).sum()
        )


ONE = pa.array(["a"])


@pytest.mark.parametrize(
    ("call", "error"),
    [
        ({"evaluators": ["blue"]}, UnknownEvaluator),
        ({"evaluators": ["bleu"], "options": {"bleu": {"tokenz": "13a"}}}, UnknownOption),
        ({"evaluators": ["bleu"], "options": {"gleu": {}}}, UnknownOption),
        ({"evaluators": ["bleu"], "thresholds": {"gleu": 0.5}}, UnknownOption),
        ({"evaluators": ["bleu"], "thresholds": {"bleu": 2}}, BadInput),
        ({"evaluators": ["bleu"], "references": []}, MissingField),
        ({"evaluators": ["bleu"], "output": pa.array([1])}, BadInput),
        ({"evaluators": ["bleu"], "references": [pa.array([1.5])]}, BadInput),
        ({"evaluators": ["bleu"], "references": [pa.array(["a", "b"])]}, BadInput),
        ({"evaluators": ["bleu"], "row_thresholds": np.array([0.5, 0.5])}, BadInput),
        ({"evaluators": ["bleu"], "row_thresholds": np.array([1.5])}, BadInput),
        ({"evaluators": ["bleu"], "row_thresholds": np.array([np.inf])}, BadInput),
    ],
)
def test_errors(call: dict, error: type[Exception]) -> None:
    with pytest.raises(error):
        score_columns(**{"output": ONE, "references": [ONE], **call})


@pytest.mark.parametrize("workers", [1, 2])
def test_progress_and_cancelling(workers: int) -> None:
    output, references = columns(random_rows(1200, seed=2))
    slow = {"bleu": {"tokens": "promptfoo"}}  # row by row, in small blocks
    seen: list[int] = []
    score_columns(["bleu"], output, references, options=slow, workers=workers, progress=seen.append)
    assert seen == sorted(seen) and seen[-1] == 1200 and len(seen) > 1
    with pytest.raises(Cancelled):
        score_columns(["bleu"], output, references, workers=workers, cancelled=lambda: True)


def test_sizes_of_blocks() -> None:
    assert block_rows(0, 0, 2) == 1 and block_rows(100, 10_000, 2) == 100
    assert block_rows(10_000, 1_800_000, 2) == 5_000 and block_rows(100_000, 18_000_000, 2) == 12_500
    assert block_rows(1_000_000, 180_000_000, 2) == MAX_ROWS and block_rows(1000, 100_000_000, 2) == 125
    assert block_rows(1_000_000, 180_000_000, 2, SLOW_ROWS) == block_rows(800, 1_000, 2, SLOW_ROWS) == SLOW_ROWS


def test_a_cache_that_cannot_be_written(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError("read-only")

    jit.cache_folder.cache_clear()
    try:
        monkeypatch.setattr(jit.Path, "mkdir", refuse)
        assert jit.cache_folder() is None

        def double(x: int) -> int:
            return 2 * x

        assert jit.entry(double)(4) == 8
    finally:
        jit.cache_folder.cache_clear()


def test_a_cache_that_fails_while_saving() -> None:
    calls = []

    def once(x: int) -> int:
        calls.append(x)
        if len(calls) == 1:
            raise OSError("no space left")
        return 2 * x

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jit.numba, "njit", lambda **_: lambda function: once)
        assert jit.entry(once)(4) == 8 and calls == [4, 4]


def test_the_cache_is_outside_the_package() -> None:
    folder = jit.cache_folder()
    assert folder is None or "site-packages" not in folder.parts and jit.Path(jit.__file__).parent not in folder.parents
