"""Plotly figures, each with an `…_alt` that says the same in words and numbers."""

from console.charts.correlation import Cell, cells, correlation, correlation_alt
from console.charts.differences import differences, differences_alt
from console.charts.forest import forest, forest_alt
from console.charts.histogram import histogram, histogram_alt, picked_bin
from console.charts.history import history, history_alt
from console.charts.judges import confusion, confusion_alt, overlay, overlay_alt, reliability, reliability_alt
from console.charts.look import FAIL, INK, LINE, MID, PAPER, PASS, base, percent, plain, show
from console.charts.moves import moves, moves_alt
from console.charts.split import levels, levels_alt, signed, split_alt, split_bars
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
    "confusion",
    "confusion_alt",
    "correlation",
    "correlation_alt",
    "differences",
    "differences_alt",
    "explorer",
    "explorer_alt",
    "explorer_note",
    "forest",
    "forest_alt",
    "histogram",
    "histogram_alt",
    "history",
    "history_alt",
    "levels",
    "levels_alt",
    "moves",
    "moves_alt",
    "overlay",
    "overlay_alt",
    "percent",
    "picked_bin",
    "plain",
    "ranked",
    "reliability",
    "reliability_alt",
    "show",
    "signed",
    "split_alt",
    "split_bars",
    "what_if",
    "what_if_alt",
]
