"""Plotly figures, each with an `…_alt` that says the same in words and numbers."""

from console.charts.correlation import Cell, cells, correlation, correlation_alt
from console.charts.histogram import histogram, histogram_alt, picked_bin
from console.charts.look import FAIL, INK, LINE, MID, PAPER, PASS, base, percent, plain, show
from console.charts.thresholds import explorer, explorer_alt, explorer_note
from console.charts.what_if import SHOWN, ranked, what_if, what_if_alt

__all__ = [
    "Cell",
    "FAIL",
    "INK",
    "LINE",
    "MID",
    "PAPER",
    "PASS",
    "SHOWN",
    "base",
    "cells",
    "correlation",
    "correlation_alt",
    "explorer",
    "explorer_alt",
    "explorer_note",
    "histogram",
    "histogram_alt",
    "percent",
    "picked_bin",
    "plain",
    "ranked",
    "show",
    "what_if",
    "what_if_alt",
]
