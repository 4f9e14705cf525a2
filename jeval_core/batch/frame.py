"""The door for data frames."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
import pandas as pd  # type: ignore[import-untyped]
import pyarrow as pa  # type: ignore[import-untyped]
from numpy.typing import NDArray

from jeval_core.asked import Chosen, judge_of, kept_answers
from jeval_core.batch.engine import Column, score_columns
from jeval_core.batch.judged import Judging, Texts, judge_columns
from jeval_core.batch.scored import SCORED, STATUSES, Scored
from jeval_core.checks import text_warnings
from jeval_core.errors import BadInput, MissingField, nearest, said
from jeval_core.evaluators.base import Evaluator
from jeval_core.evaluators.judged import Judged, judge_in
from jeval_core.registry import expand, get_evaluator, settled
from jeval_core.service import Options, check_keys

TEXT = pa.large_string()


def evaluate_frame(
    df: pd.DataFrame,
    evaluators: str | Sequence[str],
    *,
    output: str = "output",
    expected: str | Sequence[str] = "expected",
    input: str = "input",
    criteria: str = "criteria",
    conversation: str = "conversation",
    options: Mapping[str, Options] | None = None,
    thresholds: Mapping[str, float] | None = None,
    judge: Chosen = None,
    evidence: bool = False,
    warnings: bool = False,
    workers: int | None = None,
) -> pd.DataFrame:
    """Score every row of a frame: its columns with the evaluators' beside them, same order, same index.

    `output` and the other fields name columns; `expected` may name several, and its cells may be lists of texts. A
    missing cell (None, NaN, NA) is a text that was not given: a row without a text that an evaluator needs is skipped.
    `evaluators` are ids or suites (`suite:promptfoo`); `options` and `thresholds` are by id; `judge` is as `evaluate`
    takes it, and is asked about many rows at once.

    Adds for each evaluator `<id>.score` (float64 in 0..1, nan where not scored), `<id>.passed` (nullable boolean),
    `<id>.status` and `<id>.reason` (categories; no reason where scored), for judge evaluators `<id>.judge` (who
    answered), with `evidence` the counts `<id>.<name>` (missing where not scored), and with `warnings` one column of
    tuples of `TextWarning`. Columns of the frame with such a name are replaced. Scores are bit for bit those of
    `evaluate`, whatever the number of `workers` (default: one for each processor).

    Raises UnknownEvaluator, UnknownOption, BadOption, BadInput (a cell that is no text, named by its row),
    MissingField (a named evaluator needs a column that the frame lacks; one that a suite brought in is skipped), and
    BadSetting or BadRecording of the judge.
    """
    names = [expected] if isinstance(expected, str) else [*expected]
    asked = dict(expand([evaluators] if isinstance(evaluators, str) else [*evaluators]))
    check_keys([*asked], thresholds or {}, "thresholds")
    check_keys([*asked], options or {}, "options")
    options = settled([evaluators] if isinstance(evaluators, str) else evaluators, options)
    texts = _Texts(df, {"output": output, "input": input, "criteria": criteria, "conversation": conversation}, names)
    ones = {id: get_evaluator(id, options.get(id)) for id in asked}
    lacking = {id: one for id, one in ones.items() if texts.lacks(one, suite=asked[id])}
    held = {id: one.card.check_threshold((thresholds or {}).get(id)) for id, one in ones.items()}
    judges = {id: (one, held[id]) for id, one in ones.items() if isinstance(one, Judged) and id not in lacking}
    code = [id for id in ones if id not in lacking and id not in judges]
    scored = {id: Scored.none(one.signature(), len(df), texts.lack(one)) for id, one in lacking.items()}
    if code:
        scored |= score_columns(
            code,
            texts.single("output"),
            texts.references,
            options={id: ones[id].options for id in code},
            thresholds={id: held[id] for id in code},
            counts=evidence,
            workers=workers,
        )
    if judges:
        who = judge_of(judge)
        rows = Texts(texts.single("output"), texts.references, *map(texts.maybe, ("input", "criteria", "conversation")))
        scored |= judge_columns(judges, rows, Judging(who, kept_answers(who)))[0]
    added: dict[str, Any] = {}
    for id in asked:
        added |= _columns(id, scored[id], evidence)
    if warnings:
        added["warnings"] = _warnings(texts.single("output"), texts.references)
    replaced = [name for name in added if name in df.columns]
    kept = df.drop(columns=replaced) if replaced else df
    return pd.concat([kept, pd.DataFrame(added, index=df.index, copy=False)], axis=1)


class _Texts:
    """The columns of a frame that hold texts, read when they are asked for. MissingField for a name it lacks."""

    def __init__(self, df: pd.DataFrame, named: Mapping[str, str], expected: Sequence[str]) -> None:
        self._df, self._named, self._expected = df, named, expected
        for field, name in named.items():
            if name != field and name not in df.columns:  # a name of the caller's own
                raise _no_column(df, name, field)
        self._read: dict[str, Column] = {"output": _texts(df, named["output"], "output")[0]}

    @cached_property
    def references(self) -> list[Column]:
        """Every reference column of the frame."""
        given = [name for name in self._expected if name in self._df.columns]
        return [column for name in given for column in _texts(self._df, name, "expected")]

    def single(self, field: str) -> Column:
        """The column of a field."""
        if field not in self._read:
            self._read[field] = _texts(self._df, self._named[field], field)[0]
        return self._read[field]

    def maybe(self, field: str) -> Column | None:
        """The column of a field, None where the frame has none."""
        return self.single(field) if self._named[field] in self._df.columns else None

    def lacks(self, one: Evaluator, *, suite: bool) -> bool:
        """Whether the frame lacks a column that the evaluator needs; MissingField unless a suite brought it in."""
        field = self._missing(one)
        if field is None:
            return False
        partly = field == "expected" and any(name in self._df.columns for name in self._expected)
        if not suite or partly:
            absent = [n for n in self._expected if n not in self._df.columns] if field == "expected" else []
            raise _no_column(self._df, next(iter(absent), self._named.get(field, field)), field)
        return True

    def lack(self, one: Evaluator) -> str:
        """Why no row could be scored."""
        return f"{one.card.id} needs `{self._missing(one)}`."

    def _missing(self, one: Evaluator) -> str | None:
        for field in one.card.required:
            names = self._expected if field == "expected" else [self._named[field]]
            if not names or any(name not in self._df.columns for name in names):
                return field
        return None


def _no_column(df: pd.DataFrame, name: str, field: str) -> MissingField:
    return MissingField(
        f"The frame has no column `{said(name)}`.", field=field, hint=nearest(name, map(str, df.columns))
    )


def _texts(df: pd.DataFrame, name: str, field: str) -> list[Column]:
    """The texts of a column as Arrow columns, nulls for missing cells; several when cells hold lists."""
    if name not in df.columns:
        raise _no_column(df, name, field)
    series = df[name]
    if isinstance(series, pd.DataFrame):
        raise BadInput(f"The frame has {series.shape[1]} columns `{said(name)}`.", field=field, hint="Rename them.")
    if series.isna().all():
        return [pa.nulls(len(df), TEXT)]
    try:
        found = pa.array(series, from_pandas=True)
    except (pa.ArrowInvalid, pa.ArrowTypeError, UnicodeEncodeError):  # cells of several types, lone surrogates
        return _from_cells(series, field)
    kind = found.type.value_type if pa.types.is_dictionary(found.type) else found.type
    plain = pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind)
    return [found] if plain else _from_cells(series, field)


def _from_cells(series: pd.Series, field: str) -> list[pa.Array]:
    """The same, cell by cell."""
    rows = [[*_cell(cell, i, field)] for i, cell in enumerate(series)]
    width = max(map(len, rows))
    return [_array([row[k] if k < len(row) else None for row in rows]) for k in range(width)]


def _cell(cell: Any, row: int, field: str) -> Iterator[str]:
    many = field == "expected" and isinstance(cell, (list, tuple, np.ndarray))
    for text in cell if many else [cell]:
        if isinstance(text, str):
            yield text
        elif many or not pd.api.types.is_scalar(text) or not pd.isna(text):
            what = "text or a list of texts" if field == "expected" else "text"
            raise BadInput(
                f"row {row + 1}: `{field}` must be {what}, not {type(text).__name__}.",
                field=field,
                hint="Read the file with all columns as text.",
            )


def _array(texts: Sequence[str | None]) -> pa.Array:
    try:
        return pa.array(texts, TEXT)
    except UnicodeEncodeError:  # Arrow has no lone surrogates in text
        return pa.array([None if t is None else t.encode("utf-8", "surrogatepass") for t in texts], pa.large_binary())


def _columns(id: str, scored: Scored, evidence: bool) -> dict[str, Any]:
    """What one evaluator adds to the frame."""
    absent = scored.status != SCORED
    columns = {
        f"{id}.score": scored.score,
        f"{id}.passed": pd.arrays.BooleanArray(scored.passed, absent),
        f"{id}.status": _coded(scored.status, STATUSES),
        f"{id}.reason": _coded(scored.reason - 1, scored.reasons[1:]),
    }
    judge = judge_in(scored.signature)
    if judge is not None:
        columns[f"{id}.judge"] = judge
    for name, numbers in scored.counts.items() if evidence else ():
        kind = pd.Int32Dtype() if numbers.dtype.kind == "u" else pd.Float64Dtype()
        values = numbers.astype(kind.numpy_dtype, copy=False)
        columns[f"{id}.{name}"] = kind.construct_array_type()(values, absent)
    return columns


def _coded(codes: NDArray[np.uint8], categories: tuple[str, ...]) -> pd.Categorical:
    return pd.Categorical.from_codes(codes.view(np.int8), dtype=_categories(categories), validate=False)


@lru_cache(maxsize=64)
def _categories(names: tuple[str, ...]) -> pd.CategoricalDtype:
    return pd.CategoricalDtype(names)


def _warnings(output: pa.Array, references: Sequence[pa.Array]) -> pd.Series:
    """The text checks of every row, one row at a time: they take longer than the scores."""
    rows = zip(_strings(output), *map(_strings, references), strict=True)
    found = [text_warnings(o, [r for r in rest if r is not None]) if o is not None else () for o, *rest in rows]
    column = np.empty(len(found), dtype=object)
    column[:] = found
    return column


def _strings(column: Column) -> Iterator[str | None]:
    for cell in column.to_pylist():
        yield cell.decode("utf-8", "surrogatepass") if isinstance(cell, bytes) else cell
