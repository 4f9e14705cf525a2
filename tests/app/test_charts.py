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
from jeval_core import Edit, WhatIf, what_if
from jeval_core.stats import Histogram, correlate, histogram, threshold_curve

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


DEGENERATE = {
    "nothing scored": ([NAN, NAN], 0.5, [0, 0], []),
    "no rows at all": ([], 0.5, [0, 0], []),
    "one row": ([0.7], 0.5, [0, 1], [28]),
    "all equal, at the threshold": ([0.5] * 9, 0.5, [0, 9], [20]),
    "all equal, a hair below it": ([0.5 - 1e-12] * 9, 0.5, [0, 9], [19]),
    "all zero, threshold 0": ([0.0] * 5, 0.0, [0, 5], [0]),
    "all one, threshold 1": ([1.0] * 4 + [NAN], 1.0, [0, 4], [39]),
    "all fail": ([0.1, 0.2], 0.9, [2, 0], [4, 8]),
}  # fmt: skip


@pytest.mark.parametrize("name", DEGENERATE)
def test_histogram_at_its_edges(name: str) -> None:
    values, threshold, totals, bins = DEGENERATE[name]
    scores = np.array(values, np.float64)
    passed = scores >= threshold - 1e-9
    figure = charts.histogram(histogram(scores, passed=passed), threshold, None)
    assert [(t.name, t.marker.color) for t in figure.data] == [("fail", look.FAIL), ("pass", look.PASS)]
    heights = [np.array(t.y) for t in figure.data]
    assert [h.sum() for h in heights] == totals and np.flatnonzero(sum(heights)).tolist() == bins
    assert [(s.x0, s.x1, s.line.color) for s in figure.layout.shapes] == [(threshold, threshold, look.INK)]
    low, high = figure.layout.yaxis.range
    assert low == 0 and high >= max(1, *sum(heights))
    for trace in figure.data:  # a bar covers its own bin, and a little less
        assert np.allclose(np.array(trace.x), (np.arange(40) + 0.5) / 40) and (np.array(trace.width) < 1 / 40).all()


@pytest.mark.parametrize("at", [0.0, 0.005, 0.41, 0.5, 1.0])
def test_explorer_draws_the_shares(at: float) -> None:
    labels = np.where(SCORES > 0.55, 1.0, 0.0)
    labels[::5] = NAN
    known = ~np.isnan(labels)
    figure = charts.explorer(threshold_curve(SCORES, labels), at)
    rate, agreement, dot_rate, dot_agreement, best = figure.data
    for x, y, z in zip(rate.x, rate.y, agreement.y, strict=True):
        assert y == pytest.approx((SCORES >= x - 1e-9).mean())
        assert z == pytest.approx(((SCORES >= x - 1e-9)[known] == (labels[known] == 1)).mean())
    assert [s.x0 for s in figure.layout.shapes] == [at] and dot_rate.x == dot_agreement.x == (at,)
    assert dot_rate.y[0] == pytest.approx(np.interp(at, rate.x, rate.y)) and "pass" in dot_rate.hovertext[0]
    assert best.y[0] == max(agreement.y) == agreement.y[round(best.x[0] * 100)] and best.marker.color == look.PAPER
    assert (rate.line.color, rate.line.dash, agreement.line.color, agreement.line.dash) == (look.INK, "solid", look.MID, "2px,3px")


@pytest.mark.parametrize(
    ("values", "at", "lines", "first", "last"),
    [([0.5] * 7, 0.5, 1, 1, 0), ([1.0], 0.0, 1, 1, 1), ([0.0] * 3, 0.0, 1, 1, 0), ([0.2, NAN], 5, 0, 1, 0)],
)  # fmt: skip
def test_explorer_at_its_edges(values: list[float], at: float, lines: int, first: float, last: float) -> None:
    figure = charts.explorer(threshold_curve(np.array(values)), at)
    assert len(figure.layout.shapes) == lines == len(figure.data) - 1
    assert (figure.data[0].y[0], figure.data[0].y[-1]) == (first, last) and "NaN" not in figure.to_json()


def test_tiny_shares_are_escaped_in_a_hover() -> None:
    scores = np.append(np.zeros(9_999), 1.0)
    hovers = [h for t in charts.explorer(threshold_curve(scores), 0.5).data if t.hovertext for h in t.hovertext]
    assert hovers == ["at 0.5, &lt;0.1% pass"]


def test_correlation_draws_the_lower_triangle() -> None:
    names = [f"m{i}" for i in range(8)]
    matrix = [[(round(0.1 * i - 0.11 * j, 3), (-0.9, 0.9)) if i != j else (1.0, (1.0, 1.0)) for j in range(8)] for i in range(8)]
    matrix[5][2] = None
    heat = charts.correlation(names, matrix).data[0]
    for i in range(1, 8):
        for j in range(7):
            drawn = j < i and (i, j) != (5, 2)
            assert heat.z[i - 1][j] == (matrix[i][j][0] if drawn else None)
            assert heat.text[i - 1][j] == (f"{matrix[i][j][0]:.2f}".replace("0.", ".").replace("-", "−") if drawn else "")
    assert heat.zmin == -heat.zmax and [(a.text, a.x, a.y) for a in charts.correlation(names, matrix).layout.annotations] == [("–", 2, 4)]
    assert heat.hovertext[0][0] == "m0 × m1<br>ρ 0.100, 95% −0.900 to 0.900" and heat.hovertext[4][2].endswith("undefined")
    assert charts.cells(["a", "b"], {}) == [[None, None], [None, None]]


@pytest.mark.parametrize(("names", "numbered"), [(["a", "b", "c"], False), (["Semantic similarity"] * 3, True), ([f"metric {i}" for i in range(9)], True)])
def test_names_that_would_collide_are_numbered(names: list[str], numbered: bool) -> None:
    figure = charts.correlation(names, [[(0.5, (0.4, 0.6))] * len(names)] * len(names))
    assert figure.layout.xaxis.ticktext[1] == ("2" if numbered else names[1])
    assert len(figure.layout.xaxis.ticktext) == len(figure.layout.yaxis.ticktext) == len(names) - 1


def test_what_if_draws_the_changes() -> None:
    changes = what_if("bleu", output="the cat sat on the mat", expected="the cat sat on a mat today")
    figure = charts.what_if(changes)
    (bars,) = figure.data
    ordered = sorted(changes, key=lambda c: (abs(c.delta), -c.edit.index))
    assert [*bars.x] == [c.delta for c in ordered] and [*bars.customdata] == [c.token for c in ordered]
    assert {c.passed for c in ordered} == {True, False}
    for change, color, label in zip(ordered, bars.marker.color, figure.layout.annotations, strict=True):
        assert color == (look.INK if change.passed else look.FAIL) and ("✗ fail" in label.text) != change.passed
        assert label.text.startswith(f"{change.delta:+.3f}".replace("-", "−"))
    low, high = figure.layout.xaxis.range
    assert low <= min(bars.x) and high >= max(bars.x) and low <= 0 <= high
    assert f"{ordered[-1].token} {ordered[-1].delta:+.3f}" in charts.what_if_alt(changes)


def test_what_if_of_hostile_and_of_many_words() -> None:
    figure = charts.what_if([WhatIf(Edit("delete", 0), HOSTILE[:10], 0.5, -0.1, True)])
    shown = "&lt;img src=x"
    assert [*figure.data[0].customdata] == [shown] and [*figure.layout.yaxis.ticktext] == [f"without “{shown}”"]
    many = charts.what_if(what_if("bleu", output=" ".join(f"w{i}" for i in range(40)), expected="w1 w2 w3 w4 w5"))
    assert len(many.data[0].x) == charts.SHOWN
    assert charts.what_if([]).data[0].x == ()
