"""Groups as rows with intervals, and the span that their axis runs over."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from console.components.ranges import Row, rows_of, span_of
from jeval_core.stats import rate_interval

HOSTILE = '<img src=x onerror="alert(1)">&<b>'


def test_rows_of_groups() -> None:
    def one(n: int, k: int) -> dict:
        return {"m": {"n": n, "pass_rate": k / n if n else None, "pass_rate_ci": rate_interval(k, n), "mean": 0.5 if n else None, "mean_ci": None}}

    groups = {"none": one(0, 0), "low": one(25, 0), HOSTILE: one(50, 49)}
    rows = rows_of(groups, "m")
    assert [(r.label, r.n, r.text) for r in rows] == [(HOSTILE, "50", "98.0%"), ("low", "25", "0.0%"), ("none", "0", "–")]
    assert rows[2] == Row("none", "0", None, None, None, "–", "none scored") and rows[1].interval == "0.0% – 13.3%"
    assert span_of(rows) == (0.0, 1.0) and span_of(rows[:1], 0.85) == (0.8, 1.0) and span_of(rows[2:]) == (0.0, 1.0)
    assert rows_of({"x": one(1, 1)}, "m", "mean")[0].interval == "one row"


SPANS = [
    ([], None, (0.0, 1.0)),
    ([(0.5, None, None)], None, (0.4, 0.6)),
    ([(0.0, 0.0, 0.0)], None, (0.0, 0.1)),
    ([(1.0, 1.0, 1.0)], 1.0, (0.9, 1.0)),
    ([(0.55, 0.52, 0.58)], None, (0.5, 0.6)),
    ([(0.55, 0.52, 0.58)], 0.0, (0.0, 0.6)),
    ([(-0.2, -0.4, 1.3)], None, (0.0, 1.0)),
]


@pytest.mark.parametrize(("rows", "ref", "span"), SPANS)
def test_span_of_an_axis(rows: list[tuple], ref: float | None, span: tuple[float, float]) -> None:
    low, high = span_of([Row("g", "1", v, lo, hi, "", "") for v, lo, hi in rows], ref)
    assert (low, high) == span


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1)).map(sorted), min_size=1, max_size=5))
def test_a_span_holds_every_interval(found: list[list[float]]) -> None:
    low, high = span_of([Row("g", "1", v, lo, hi, "", "") for lo, v, hi in found])
    assert 0 <= low < high <= 1
    assert all(low - 1e-9 <= x <= high + 1e-9 for row in found for x in row)


def test_groups_are_ranked_by_the_figure_asked_for() -> None:
    def one(rate: float, mean: float) -> dict:
        return {"m": {"n": 1234, "pass_rate": rate, "pass_rate_ci": (rate - 0.1, rate + 0.1), "mean": mean, "mean_ci": (mean - 0.01, mean + 0.01)}}

    groups = {"a": one(0.2, 0.9), "b": one(0.8, 0.3)}
    assert [r.label for r in rows_of(groups, "m")] == ["b", "a"] and [r.label for r in rows_of(groups, "m", "mean")] == ["a", "b"]
    row = rows_of(groups, "m", "mean")[0]
    assert row == Row("a", "1,234", 0.9, 0.89, 0.91, "0.900", "0.890 – 0.910")
