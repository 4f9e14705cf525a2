"""Figures: what they count, how they treat edges and hostile names, and their words. Looks are checked by eye."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import plotly.graph_objects as go
import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.elements.lib import streamlit_plotly_theme as theme

import console
from console import charts
from console.charts import look
from console.components.ranges import Row, rows_of, span_of
from jeval_core.stats import Histogram, correlate, histogram, rate_interval, threshold_curve

NAN = np.nan
HOSTILE = '<img src=x onerror="alert(1)">&<b>'
SCORES = np.random.default_rng(1).beta(3, 2, 400)


def words(figure: go.Figure) -> str:
    return " ".join(a.text for a in figure.layout.annotations)


def test_slots_are_streamlits() -> None:
    ours = [look.INK, look.PASS, look.FAIL, look.MID, look.LINE, look.PAPER]
    theirs = [getattr(theme, f"CATEGORY_{i}") for i in (0, 1, 2, 7, 8, 9)]
    assert ours == theirs
    assert look.SEQUENTIAL == [getattr(theme, f"SEQUENTIAL_{i}") for i in range(10)]
    assert look.DIVERGING == [getattr(theme, f"DIVERGING_{i}") for i in range(10)]


def test_slots_are_named_in_one_place() -> None:
    for path in Path(console.__file__).parent.rglob("*.py"):
        if path.name != "look.py":
            assert not re.search(r"#0000\d\d", path.read_text("utf-8")), path


FIGURES = {
    "histogram": lambda: charts.histogram(histogram(SCORES, passed=SCORES > 0.41), 0.41, 0.8, selected=3),
    "histogram without verdicts": lambda: charts.histogram(histogram(SCORES), 0.41, 0.8),
    "explorer": lambda: charts.explorer(threshold_curve(SCORES, SCORES > 0.5), 0.41),
    "correlation": lambda: charts.correlation(["a", "b"], [[None, None], [(-0.5, (-0.6, -0.4)), None]]),
}  # fmt: skip


@pytest.mark.parametrize("name", FIGURES)
def test_every_colour_is_a_slot(name: str) -> None:
    figure = FIGURES[name]()
    figure.layout.template = None
    text = figure.to_json()
    assert not [c for c in re.findall(r"#[0-9a-fA-F]{6}|rgba?\(", text) if not re.fullmatch(r"#0000[0-3]\d", c)]
    assert "NaN" not in text


@given(st.lists(st.floats(0, 1), max_size=50), st.floats(0, 1))
def test_stacked_bars_hold_every_row(values: list[float], threshold: float) -> None:
    scores = np.array(values, np.float64)
    passed = scores >= threshold - 1e-9
    figure = charts.histogram(histogram(scores, passed=passed), threshold, None)
    fail, good = (np.array(trace.y) for trace in figure.data)
    assert (fail.sum(), good.sum()) == ((~passed).sum(), passed.sum()) and (fail >= 0).all()


def test_a_threshold_inside_a_bin_shares_its_bar() -> None:
    scores = np.array([0.40, 0.405, 0.41, 0.42])
    figure = charts.histogram(histogram(scores, passed=scores >= 0.41), 0.41, 0.5)
    assert [trace.y[16] for trace in figure.data] == [2, 2]
    assert "✓ 2 pass, ✗ 2 fail" in figure.data[0].hovertext[16] and "0.400 to below 0.425: 4 rows" in figure.data[0].hovertext[16]


@pytest.mark.parametrize(("threshold", "colours"), [(0.5, {look.FAIL, look.PASS}), (0.3, {look.FAIL, look.PASS}), (0.41, {look.FAIL, look.PASS, look.MID})])
def test_without_verdicts_only_the_bar_in_doubt_is_grey(threshold: float, colours: set[str]) -> None:
    color = charts.histogram(histogram(SCORES), threshold, None).data[0].marker.color
    assert set(color) == colours and color.count(look.MID) == (len(colours) == 3)


def test_a_threshold_off_the_scale_draws_no_line() -> None:
    figure = charts.histogram(histogram(SCORES, passed=SCORES > 0.5), None, 0.25)
    assert not figure.layout.shapes and "fail 75.0%" in words(figure)


@pytest.mark.parametrize("threshold", [0.0, 0.1, 0.5, 0.9, 1.0, None])
def test_verdict_labels_stay_inside(threshold: float | None) -> None:
    figure = charts.histogram(histogram(SCORES), threshold, 0.647)
    assert "✗ fail 35.3%" in words(figure) and "✓ pass 64.7%" in words(figure)
    for a in figure.layout.annotations:
        assert (a.xanchor == "left" and a.x <= 0.7) or (a.xanchor == "right" and a.x >= 0.3)


@pytest.mark.parametrize(
    ("counts", "cut"),
    [([900, 10, 12, 9], 1), ([900, 10, 9, 800], 2), ([90, 80, 70, 60], 0), ([900, 0, 0, 10], 0), ([500, 0, 0, 500], 0), ([0] * 4, 0), ([900, 10, 12, 0], 1)],
)  # fmt: skip
def test_towers_are_cut_and_labelled(counts: list[int], cut: int) -> None:
    figure = charts.histogram(Histogram(np.array(counts), np.arange(5) / 4), None, None)
    top = figure.layout.yaxis.range[1]
    assert sum(c > top for c in counts) == cut == len(figure.layout.annotations)
    assert [f"{c:,}" for c in sorted(counts, reverse=True)[:cut]] == [a.text for a in figure.layout.annotations]


def test_a_bar_says_which_it_is() -> None:
    figure = charts.histogram(histogram(SCORES, 10, SCORES > 0.5), 0.5, 0.5, selected=7)
    for trace in figure.data:
        assert [*trace.customdata] == [*range(10)]
        assert [i for i, strength in enumerate(trace.marker.opacity) if strength == 1] == [7]


@pytest.mark.parametrize(
    ("event", "bin"),
    [({"selection": {"points": [{"customdata": [7]}]}}, 7), ({"selection": {"points": [{"customdata": 0}]}}, 0), ({"selection": {"points": []}}, None), (None, None), ({}, None)],
)  # fmt: skip
def test_picked_bin(event: dict | None, bin: int | None) -> None:
    assert charts.picked_bin(event) == bin


@pytest.mark.parametrize(("share", "text"), [(0, "0.0%"), (1, "100.0%"), (0.99999, ">99.9%"), (0.0001, "<0.1%"), (0.647, "64.7%"), (0.9994, "99.9%")])
def test_a_few_rows_are_not_rounded_away(share: float, text: str) -> None:
    assert charts.percent(share) == text


def test_explorer_draws_what_there_is() -> None:
    with_people, without = threshold_curve(SCORES, SCORES > 0.5), threshold_curve(SCORES)
    assert "agrees with" in words(charts.explorer(with_people, 0.5)) and "agrees" not in words(charts.explorer(without, 0.5))
    assert charts.explorer(threshold_curve(np.array([NAN])), 0.5).data == ()
    labels = [a.y for a in charts.explorer(threshold_curve(SCORES, SCORES < 0.02), 0.5).layout.annotations]
    assert abs(labels[0] - labels[1]) >= 0.14


def test_correlation_matrix_from_objects_and_from_json() -> None:
    rng = np.random.default_rng(2)
    a, b, c = rng.random(60), rng.random(60), np.full(60, 0.5)
    found = {"a": {"b": correlate(a, b), "c": correlate(a, c)}, "b": {"c": correlate(b, c)}}
    plain = json.loads(json.dumps({x: {y: v.to_dict() for y, v in each.items()} for x, each in found.items()}))
    ids = ["a", "b", "c"]
    one, two = charts.cells(ids, found), charts.cells(ids, plain)
    assert one == two and one[1][0] == found["a"]["b"].spearman and one[2][0] is None
    figure = charts.correlation(ids, one)
    assert figure.data[0].z[0][0] == found["a"]["b"].spearman[0]
    assert "95%" in figure.data[0].hovertext[0][0] and "undefined" in figure.data[0].hovertext[1][0]
    with pytest.raises(ValueError, match="two"):
        charts.correlation(["a"], [[None]])


def test_negative_and_positive_have_other_colours() -> None:
    scale = dict(charts.correlation(["a", "b"], [[None] * 2, [(0.1, (0, 0.2)), None]]).data[0].colorscale)
    assert set(scale.values()) & set(look.DIVERGING[:5]) and scale[0.5] == look.SEQUENTIAL[0]


def test_hostile_names_are_text() -> None:
    names = [HOSTILE, "b", "x" * 80]
    matrix = [[(0.5, (0.4, 0.6))] * 3] * 3
    text = charts.correlation(names, matrix).to_json()
    assert "<img" not in text and "<b>" not in text and "x" * 40 not in text


ALT = {
    "histogram": (lambda: charts.histogram_alt(histogram(np.array([0.05, 0.55, 0.56]), passed=None), 0.5, 2 / 3), ["3 scores", "66.7% pass", "33.3% fail", "threshold 0.5", "1 from 0,", "2 from 0.5"]),
    "no rows": (lambda: charts.histogram_alt(histogram(np.array([NAN])), 0.5, None), ["no row has a score"]),
    "explorer": (lambda: charts.explorer_alt(threshold_curve(np.array([0.2, 0.8]), np.array([0.0, 1.0])), 0.5), ["2 rows", "100.0% at 0", "50.0% at 0.75", "At 0.5, 50.0% pass", "2 human labels", "highest 100.0% at 0.5"]),
    "correlation": (lambda: charts.correlation_alt(["a-b", "c"], [[None] * 2, [(-0.5, (-0.6, -0.4)), None]]), ["a-b and c −0.50 (−0.60 to −0.40)"]),
}  # fmt: skip


@pytest.mark.parametrize("name", ALT)
def test_alt_texts_carry_the_numbers(name: str) -> None:
    make, parts = ALT[name]
    said = make()
    assert [part for part in parts if part not in said] == []


def test_rows_of_groups() -> None:
    def one(n: int, k: int) -> dict:
        return {"m": {"n": n, "pass_rate": k / n if n else None, "pass_rate_ci": rate_interval(k, n), "mean": 0.5 if n else None, "mean_ci": None}}

    groups = {"none": one(0, 0), "low": one(25, 0), HOSTILE: one(50, 49)}
    rows = rows_of(groups, "m")
    assert [(r.label, r.n, r.text) for r in rows] == [(HOSTILE, "50", "98.0%"), ("low", "25", "0.0%"), ("none", "0", "–")]
    assert rows[2] == Row("none", "0", None, None, None, "–", "none scored") and rows[1].interval == "0.0% – 13.3%"
    assert span_of(rows) == (0.0, 1.0) and span_of(rows[:1], 0.85) == (0.8, 1.0) and span_of(rows[2:]) == (0.0, 1.0)
    assert rows_of({"x": one(1, 1)}, "m", "mean")[0].interval == "one row"
