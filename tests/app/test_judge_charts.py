"""Figures of judges: what they draw, their edges and hostile names, and their words. Looks are checked by eye."""

from __future__ import annotations

import re

import numpy as np
import plotly.graph_objects as go
import pytest

from console import charts
from console.charts import look
from jeval_core.stats import ReliabilityBin, yes_no_agreement

HOSTILE = '<img src=x onerror="alert(1)">&<b>'
FIVE = [*"01234"]
A, B = [0, 0, 0.05, 0.2, 0.75], [0.02, 0.08, 0.3, 0.35, 0.25]
LONG = ["none", "format", "hallucination", "instruction_following", "toxicity_safety"]
MATRIX = np.array([[12, 3, 0], [4, 1800, 7], [0, 0, 0]])
RNG = np.random.default_rng(1)
P = np.round(RNG.beta(0.3, 0.3, 300), 2)
BIN = ReliabilityBin(0.6, 0.8, 0.7, 0.5, (0.25, 0.75), 1200)
BINS = yes_no_agreement(P, RNG.random(300) < P).bins


def words(figure: go.Figure) -> str:
    return " ".join(a.text for a in figure.layout.annotations)


FIGURES = {
    "overlay": lambda: charts.overlay(A, B, FIVE, ("a", "b"), 3.7, 2.73, 0.5),
    "overlay of long names": lambda: charts.overlay(A, B, LONG, ("a", "b"), 3.7, None, 1),
    "confusion": lambda: charts.confusion(MATRIX, [*"012"], [*"012"]),
    "reliability": lambda: charts.reliability(BINS),
    "reliability of nothing": lambda: charts.reliability(()),
}


@pytest.mark.parametrize("name", FIGURES)
def test_every_colour_is_a_slot(name: str) -> None:
    figure = FIGURES[name]()
    figure.layout.template = None
    text = figure.to_json()
    assert not [c for c in re.findall(r"#[0-9a-fA-F]{6}|rgba?\(", text) if not re.fullmatch(r"#0000[0-3]\d", c)]
    assert "NaN" not in text


def test_overlay_tells_the_two_apart_without_colour() -> None:
    one, mark_one, two, mark_two, line = charts.overlay(A, B, FIVE, ("jev", "words"), 3.7, 2.73, 0.5).data
    assert (one.name, two.name, line.name) == ("jev, expected 3.70", "words, expected 2.73", "threshold level 2")
    assert [*one.x] == [*two.x] == [0, 1, 2, 3, 4] and [*one.y] == A and [*two.y] == B
    assert (one.marker.pattern.shape, two.marker.pattern.shape) == ("", "/")
    assert (
        (one.marker.color, two.marker.color) == (mark_one.marker.color, mark_two.marker.color) == (look.INK, look.PAPER)
    )
    assert (mark_one.x[0], mark_two.x[0]) == (3.7, 2.73) and mark_two.y[0] < mark_one.y[0] < 0
    assert mark_one.marker.symbol == "triangle-up" and [*line.x] == [2, 2]
    assert one.hovertext[2] == "jev, expected 3.70<br>2: 5.0%"


def test_overlay_of_options_without_an_order_has_bars_only() -> None:
    figure = charts.overlay(A, B, LONG, ("jev", "words"))
    assert [(t.type, t.orientation, t.name) for t in figure.data] == [("bar", "h", "jev"), ("bar", "h", "words")]
    assert [*figure.data[0].x] == A and [*figure.layout.yaxis.ticktext] == LONG
    assert (
        figure.layout.yaxis.range[0] > figure.layout.yaxis.range[1] and figure.layout.xaxis.range[0] == 0
    )  # first on top


def test_overlay_of_long_level_names_lies_down_with_its_marks() -> None:
    one, mark, *_, line = charts.overlay(A, B, LONG, ("a", "b"), 3.7, 2, 0.75).data
    assert (one.orientation, mark.marker.symbol, mark.y[0]) == ("h", "triangle-right", 3.7) and mark.x[0] < 0
    assert [*line.y] == [3, 3]


@pytest.mark.parametrize("n", [2, 5, 10])
@pytest.mark.parametrize("name", ["", "a long name "])
@pytest.mark.parametrize("share", [0, 0.37, 1])
def test_overlay_keeps_all_in_view(n: int, name: str, share: float) -> None:
    a, b = np.random.default_rng(n).dirichlet(np.ones(n), 2)
    at = share * (n - 1)
    figure = charts.overlay(a, b, [f"{name}{i}" for i in range(n)], ("a", "b"), at, at, share)
    (x0, x1), (y0, y1) = sorted(figure.layout.xaxis.range), sorted(figure.layout.yaxis.range)
    for trace in figure.data:
        assert all(x0 <= x <= x1 for x in trace.x) and all(y0 <= y <= y1 for y in trace.y)
    marks = [(t.x[0], t.y[0]) for t in figure.data if t.type == "scatter" and t.mode == "markers"]
    assert len(set(marks)) == 2  # one below the other, even at the same level


def test_confusion_draws_each_count_once() -> None:
    figure = charts.confusion(MATRIX, [*"012"], [*"012"])
    some, none = figure.data
    for i in range(3):
        for j in range(3):
            here, empty = (some, none) if MATRIX[i, j] else (none, some)
            assert here.text[i][j] == f"{MATRIX[i, j]:,}" and here.z[i][j] is not None
            assert empty.text[i][j] == "" and empty.z[i][j] is None
    assert some.z[0][0] == 12 / 15 and some.z[1][1] == 1800 / 1811
    assert some.hovertext[0][1] == "gold 0, judge 1<br>3 rows, 20.0% of gold 0"
    assert some.hovertext[2][0] == "gold 2, judge 0<br>0 rows" and figure.layout.yaxis.autorange == "reversed"
    assert [(s.x0, s.y0) for s in figure.layout.shapes] == [(i - 0.5, i - 0.5) for i in range(3)]
    assert charts.confusion(MATRIX.tolist(), [*"012"], [*"012"]).to_json() == figure.to_json()


def test_confusion_numbers_names_that_would_collide() -> None:
    alike = ["the same beginning of a name, one", "the same beginning of a name, two"]
    axes = charts.confusion(np.eye(5), LONG, LONG).layout
    assert [*axes.xaxis.ticktext] == [*"12345"] and axes.yaxis.ticktext[2] == "hallucination &nbsp;3"
    axes = charts.confusion(np.eye(2), alike, alike).layout
    assert [name[-1] for name in axes.yaxis.ticktext] == ["1", "2"]
    assert [*charts.confusion(np.eye(2), ["no", "yes"], ["no", "yes"]).layout.xaxis.ticktext] == ["no", "yes"]


def test_confusion_outlines_the_same_name_wherever_it_is() -> None:
    figure = charts.confusion([[1, 2, 3]], ["b"], [*"abc"])
    assert [(s.x0, s.y0) for s in figure.layout.shapes] == [(0.5, -0.5)]


def test_reliability_draws_the_bins() -> None:
    figure = charts.reliability(BINS)
    diagonal, dots, sizes = figure.data
    assert [*diagonal.x] == [*diagonal.y] == [0, 1]
    assert [*dots.x] == [*sizes.x] == [b.mean_p for b in BINS] and [*dots.y] == [b.rate for b in BINS]
    for b, up, down in zip(BINS, dots.error_y.array, dots.error_y.arrayminus, strict=True):
        assert (b.rate - down, b.rate + up) == pytest.approx(b.rate_ci) and min(up, down) >= 0
    assert [*sizes.y] == [b.n for b in BINS] and sizes.yaxis == "y2"
    assert figure.layout.yaxis2.domain[1] < figure.layout.yaxis.domain[0] and figure.layout.yaxis2.range[1] > max(
        sizes.y
    )
    assert "calibrated" in words(figure)
    both = charts.reliability([ReliabilityBin(0.5, 0.5, 0.5, 0, (0, 0.79), 1), BIN]).data[1].hovertext
    assert both[0] == "1 row given 0.50<br>0.0% yes, 95% 0.0% to 79.0%"
    assert both[1] == "1,200 rows given 0.60 to 0.80, mean 0.70<br>50.0% yes, 95% 25.0% to 75.0%"


def test_reliability_of_nothing_is_a_diagonal() -> None:
    _, dots, sizes = charts.reliability(()).data
    assert not dots.x and not sizes.y


def test_bins_come_back_from_json() -> None:
    again = [ReliabilityBin(**b.to_dict()) for b in BINS]
    assert charts.reliability(again).to_json() == charts.reliability(BINS).to_json()


def test_hostile_names_are_text() -> None:
    names = [HOSTILE, "b", "x" * 80]
    figures = [
        charts.overlay(A[2:], B[2:], names, (HOSTILE, "x" * 80), 1, 1, 0.5),
        charts.confusion(MATRIX, names, names),
    ]
    for figure in figures:
        text = figure.to_json()
        assert "<img" not in text and "<b>" not in text and "x" * 40 not in text


def test_tiny_shares_are_escaped_in_a_hover() -> None:
    assert "&lt;0.1%" in charts.overlay([0.0001, 0.9999], [0.5, 0.5], ["no", "yes"], ("a", "b")).data[0].hovertext[0]
    assert "&gt;99.9%" in charts.confusion([[1, 9999]], ["a"], ["a", "b"]).data[0].hovertext[0][1]


ALT = {
    "overlay": (lambda: charts.overlay_alt(A, B, FIVE, ("jev", "words"), 3.7, 2.73, 0.5), ["jev: 0.0% 0,", "75.0% 4, expected 3.70", "words: 2.0% 0", "expected 2.73", "Threshold 0.5, at 2."]),
    "choices": (lambda: charts.overlay_alt(A, B, LONG, ("jev", "words")), ["75.0% toxicity_safety. words: 2.0% none"]),
    "confusion": (lambda: charts.confusion_alt(MATRIX, [*"012"], [*"012"]), ["1,812 of 1,826 rows agree", "Gold 0: 12 judged 0, 3 judged 1", "Gold 1: 4 judged 0, 1,800 judged 1, 7 judged 2."]),
    "reliability": (lambda: charts.reliability_alt([BIN]), ["0.70 given, 50.0% yes (25.0% to 75.0%, 1,200 rows)"]),
    "no bins": (lambda: charts.reliability_alt(()), ["no row has both a probability and a gold label"]),
}  # fmt: skip


@pytest.mark.parametrize("name", ALT)
def test_alt_texts_carry_the_numbers(name: str) -> None:
    make, parts = ALT[name]
    said = make()
    assert [part for part in parts if part not in said] == []
    assert "expected" not in said if name == "choices" else True
