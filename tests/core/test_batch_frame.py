"""Data frames in, the same rows with scores out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jeval_core import (
    BadInput,
    BadOption,
    MissingField,
    UnknownEvaluator,
    UnknownOption,
    evaluate,
    explain,
    list_evaluators,
)
from jeval_core.batch.frame import evaluate_frame
from tests.core.test_batch_engine import random_rows
from tests.core.test_invariants import text

EVERY = [card.id for card in list_evaluators() if card.kind == "code"]
PAIR = {
    "output": "The model returns calibrated probabilities, not text.",
    "expected": "The model returns calibrated probabilities rather than text.",
}


def objects(values: list[Any]) -> np.ndarray:
    column = np.empty(len(values), dtype=object)
    column[:] = values
    return column


def frame(outputs: list[Any], expected: list[Any], **more: Any) -> pd.DataFrame:
    """A frame that holds cells of any type."""
    index = pd.RangeIndex(len(outputs))
    cells = {"output": objects(outputs), "expected": objects(expected)}
    return pd.DataFrame({k: pd.Series(v, index=index, dtype=object) for k, v in cells.items()}).assign(**more)


def test_the_example() -> None:
    out = evaluate_frame(pd.DataFrame([PAIR]), EVERY, evidence=True)
    assert list(out)[:6] == ["output", "expected", "bleu.score", "bleu.passed", "bleu.status", "bleu.reason"]
    assert out["bleu.score"].round(6).tolist() == [0.609824]
    assert out.iloc[0][["bleu.match_1", "bleu.total_1", "rouge_l.lcs", "gleu.match"]].tolist() == [6, 7, 6, 15]
    assert out["bleu.passed"].dtype == "boolean" and out["bleu.status"].tolist() == ["scored"]
    assert out["bleu.reason"].isna().all()
    assert out["bleu.match_1"].dtype == "Int32"


@settings(deadline=None)  # the first call compiles
@given(
    st.sampled_from(EVERY),
    st.lists(st.tuples(text, text | st.lists(text, min_size=1, max_size=3)), min_size=1, max_size=4),
)
def test_evaluate_frame_is_evaluate_is_explain(id: str, rows: list[tuple[str, Any]]) -> None:
    out = evaluate_frame(frame([o for o, _ in rows], [e for _, e in rows]), id)
    for i, (output, expected) in enumerate(rows):
        one = evaluate(id, output=output, expected=expected)
        assert explain(id, output=output, expected=expected, extras=False).result.score == one.score
        if one.score is None:
            assert np.isnan(out[f"{id}.score"][i]) and out[f"{id}.passed"].isna()[i]
            assert (out[f"{id}.status"][i], out[f"{id}.reason"][i]) == (one.status, one.reason)
        else:
            assert out[f"{id}.score"][i].hex() == float(one.score).hex()
            assert (out[f"{id}.passed"][i], out[f"{id}.status"][i]) == (one.passed, "scored")


INDEXES = {
    "range": pd.RangeIndex(4),
    "duplicates": pd.Index([3, 3, 1, 1]),
    "text": pd.Index(["b", "a", "c", "b"], name="id"),
    "several levels": pd.MultiIndex.from_tuples([("x", 1), ("x", 1), ("y", 2), ("z", 0)], names=["a", "b"]),
    "dates": pd.date_range("2026-01-01", periods=4)[::-1],
    "missing": pd.Index([1.0, np.nan, np.nan, 2.0]),
}


@pytest.mark.parametrize("name", INDEXES)
def test_order_and_index_are_kept(name: str) -> None:
    df = pd.DataFrame(
        {"output": ["a", "b", "c", "d"], "expected": ["a", "x", "c", "y"], "n": range(4)}, index=INDEXES[name]
    )
    before = df.copy(deep=True)
    out = evaluate_frame(df, ["bleu", "levenshtein"], evidence=True, warnings=True)
    assert out.index.equals(df.index) and out.index.names == df.index.names
    pd.testing.assert_frame_equal(out[list(df)], df)
    pd.testing.assert_frame_equal(df, before)
    assert out["bleu.score"].tolist() == [1, 0, 1, 0]


def test_filtered_and_empty_frames() -> None:
    df = pd.DataFrame({"output": ["a", "b", "c"], "expected": ["a", "x", "c"]})
    assert evaluate_frame(df[df.output != "a"], "bleu")["bleu.score"].tolist() == [0, 1]
    assert evaluate_frame(df[::-1], "bleu").index.tolist() == [2, 1, 0]
    empty = evaluate_frame(df[:0], ["suite:everything"], evidence=True, warnings=True)
    assert len(empty) == 0 and empty["bleu.score"].dtype == np.float64 and "levenshtein.distance" in empty


MISSING = [None, np.nan, pd.NA, pd.NaT]


@pytest.mark.parametrize("missing", MISSING, ids=str)
def test_missing_cells_are_not_given(missing: Any) -> None:
    out = evaluate_frame(frame(["a b", missing, "a b"], [missing, "a b", "a b"]), EVERY)
    for id in EVERY:
        assert out[f"{id}.status"].tolist() == ["skipped", "skipped", "scored"]
        assert out[f"{id}.reason"][:2].tolist() == ["no expected text", "no output"]
        assert out[f"{id}.passed"].isna().tolist() == [True, True, False]
    alone = evaluate_frame(frame([missing], [missing]), "bleu")
    assert alone["bleu.reason"].tolist() == ["no output"]


@pytest.mark.parametrize("dtype", ["str", "object", "string[python]", "string[pyarrow]", "category"])
def test_types_of_columns(dtype: str) -> None:
    df = pd.DataFrame({"output": ["a b", None, "漢 字"], "expected": ["a c", "x", "漢 x"]}).astype(dtype)
    assert evaluate_frame(df, "rouge_n")["rouge_n.score"].fillna(-1).tolist() == [0.5, -1, 0.5]


def test_references_in_cells_and_in_columns() -> None:
    rows = random_rows(40, seed=3)
    cells = evaluate_frame(frame([o for o, _ in rows], [tuple(r) if len(r) > 1 else r[0] for _, r in rows]), EVERY)
    wide = pd.DataFrame([[o, *r, None, None][:4] for o, r in rows], columns=["output", "expected", "e2", "e3"])
    columns = evaluate_frame(wide, EVERY, expected=["expected", "e2", "e3"])
    arrays = evaluate_frame(frame([o for o, _ in rows], [np.array(r, dtype=object) for _, r in rows]), EVERY)
    for id in EVERY:
        pd.testing.assert_series_equal(cells[f"{id}.score"], columns[f"{id}.score"], check_exact=True)
        pd.testing.assert_series_equal(cells[f"{id}.score"], arrays[f"{id}.score"], check_exact=True)


def test_options_thresholds_and_other_names() -> None:
    df = pd.DataFrame({"answer": [PAIR["output"]], "gold": [PAIR["expected"]]})
    out = evaluate_frame(
        df,
        ["bleu", "gleu"],
        output="answer",
        expected="gold",
        options={"bleu": {"variant": "promptfoo"}},
        thresholds={"bleu": 0.1},
    )
    assert out["bleu.score"].round(6).tolist() == [0.37685] and out["bleu.passed"].tolist() == [True]
    assert out["gleu.passed"].tolist() == [True]


def test_evidence_where_not_scored() -> None:
    df = frame(["a b", "a b"], [["a", "b c"], None])
    out = evaluate_frame(df, "rouge_n", evidence=True, options={"rouge_n": {"references": "mean"}})
    assert out["rouge_n.match_1"].tolist() == [1, pd.NA] and out["rouge_n.match_1"].dtype == "Int32"
    assert out["rouge_n.mean_f_1"][0] == out["rouge_n.score"][0] == (2 / 3 + 0.5) / 2
    assert out["rouge_n.mean_f_1"].dtype == "Float64" and out["rouge_n.mean_f_1"].isna()[1]


def test_scoring_again_replaces_the_columns() -> None:
    df = pd.DataFrame([PAIR])
    again = evaluate_frame(evaluate_frame(df, "bleu"), "bleu", thresholds={"bleu": 0.9})
    assert list(again) == list(evaluate_frame(df, "bleu")) and not again["bleu.passed"][0]


def test_warnings() -> None:
    df = frame(["take 5 mg", "same", None, "5", "\ud800 5"], ["take 50 mg", "same", "a", None, ["6", "5"]])
    out = evaluate_frame(df, "bleu", warnings=True)
    assert [[w.code for w in found] for found in out["warnings"]] == [["number"], [], [], [], []]
    assert "warnings" not in evaluate_frame(df, "bleu")


def test_suites() -> None:
    assert [c for c in evaluate_frame(pd.DataFrame([PAIR]), "suite:promptfoo") if c.endswith(".score")] == [
        f"{c.id}.score" for c in list_evaluators("promptfoo")
    ]
    out = evaluate_frame(pd.DataFrame({"output": ["a", "b"]}), "suite:promptfoo", warnings=True)
    assert (
        out["bleu.status"].tolist() == ["skipped"] * 2 and out["bleu.reason"].tolist() == ["bleu needs `expected`."] * 2
    )
    assert out["bleu.score"].isna().all() and out["bleu.passed"].isna().all() and out["warnings"].tolist() == [(), ()]


@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        ({"evaluators": "blue"}, UnknownEvaluator, "bleu"),
        ({"evaluators": "suite:x"}, UnknownEvaluator, "suite"),
        ({"options": {"bleu": {"variant": "x"}}}, BadOption, "variant"),
        ({"options": {"gleu": {}}}, UnknownOption, "options"),
        ({"thresholds": {"bleu": -1}}, BadInput, "between"),
        ({"output": "outptu"}, MissingField, "Did you mean `output`"),
        ({"expected": "gold"}, MissingField, "no column `gold`"),
        ({"expected": ["expected", "expected_2"]}, MissingField, "no column `expected_2`"),
        ({"df": frame(["a", 5], ["a", "b"])}, BadInput, "row 2: `output` must be text, not int"),
        ({"df": frame(["a", b"a"], ["a", "b"])}, BadInput, "row 2: `output` must be text, not bytes"),
        ({"df": frame(["a", ["a"]], ["a", "b"])}, BadInput, "row 2: `output` must be text, not list"),
        (
            {"df": frame(["a"], [["a", None]])},
            BadInput,
            "row 1: `expected` must be text or a list of texts, not NoneType",
        ),
        ({"df": frame(["a"], [{"a": 1}])}, BadInput, "row 1: `expected` must be text or a list of texts, not dict"),
        (
            {"df": pd.DataFrame({"output": [1.5], "expected": ["a"]})},
            BadInput,
            "row 1: `output` must be text, not float",
        ),
        ({"df": pd.DataFrame([["a", "b", "c"]], columns=["output", "expected", "expected"])}, BadInput, "2 columns"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_errors(call: dict, error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says.replace("`", ".")):
        evaluate_frame(**{"df": pd.DataFrame([PAIR]), "evaluators": "bleu", **call})


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_workers(workers: int) -> None:
    rows = random_rows(300, seed=9)
    df = frame([o for o, _ in rows], [e for _, e in rows])
    pd.testing.assert_frame_equal(
        evaluate_frame(df, EVERY, workers=workers), evaluate_frame(df, EVERY), check_exact=True
    )
