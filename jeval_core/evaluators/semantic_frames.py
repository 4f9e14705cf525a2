"""The story of a cosine: texts, vectors, the angle between them, and where it lies among others."""

from __future__ import annotations

from math import acos, degrees
from typing import TYPE_CHECKING

import numpy as np

from jeval_core.blocks import Field, Table, TextFields
from jeval_core.embed.band import ENOUGH
from jeval_core.labels import number
from jeval_core.trace import Frame, Gauge, Storyboard
from jeval_core.types import Counts, Verdict
from jeval_core.vector_blocks import AngleDial, RangeStrip, Stripes

if TYPE_CHECKING:
    from jeval_core.evaluators.semantic_similarity import SemanticDetail

SHOWN = 32
"""Dimensions that are drawn."""


def story(d: SemanticDetail, counts: Counts, v: Verdict, gauge: Gauge) -> Storyboard:
    """The four frames."""
    cosine = counts["cosine"]
    return Storyboard(d.scene, gauge, (_inputs(d), _vectors(d, cosine), _angle(d, cosine), _range(d, cosine, v)))


def _labels(d: SemanticDetail) -> tuple[str, str]:
    return d.scene.rows[0].label, d.scene.rows[1].label


def _inputs(d: SemanticDetail) -> Frame:
    pairs = zip(d.extents, _labels(d), strict=True)
    left = [f"{e.tokens - e.read} of {e.tokens} tokens of {label}" for e, label in pairs if e.read < e.tokens]
    read = " and ".join(str(e.read) for e in d.extents)
    note = f"{d.model} reads each text as a whole, {read} tokens of its own kind."
    note += f" It stops after {d.reads - 2}: {' and '.join(left)} do not count." if left else " Nothing was left out."
    if d.references > 1:
        note += f" Of {d.references} references the nearest is shown."
    fields = tuple(
        Field(r.label, r.text, () if e.end >= len(r.text) else ((e.end, len(r.text)),))
        for r, e in zip(d.scene.rows, d.extents, strict=True)
    )
    rows = tuple((r.label, e.tokens, e.read) for r, e in zip(d.scene.rows, d.extents, strict=True))
    table = Table(
        area="side",
        caption="Tokens of the model",
        columns=({"label": "text", "head": True}, {"label": "tokens", "num": 0}, {"label": "read", "num": 0}),
        rows=rows,
    )
    caption = "As sent. Struck out: what the model does not read." if left else "As sent."
    lines = tuple((f"|{name}|", f"tokens read, of {n}", read) for name, n, read in rows)
    return Frame("inputs", "the two inputs", note, "none", (TextFields(caption=caption, fields=fields), table), lines)


def _vectors(d: SemanticDetail, cosine: float) -> Frame:
    output, expected = d.vectors
    dims = len(output)
    each = (*zip(_labels(d), d.vectors, strict=True), ("product", output * expected))
    own = [max(1e-6, float(np.abs(vector[:SHOWN]).max())) for _, vector in each]
    tops = (max(own[:2]), max(own[:2]), own[2])  # the two texts on one scale
    rows = tuple(
        {"label": label, "values": tuple(round(float(x), 5) for x in vector[:SHOWN]), "top": round(top, 5)}
        for (label, vector), top in zip(each, tops, strict=True)
    )
    part = float((output * expected)[:SHOWN].sum())
    note = (
        f"Each text becomes {dims} numbers, a vector of length 1; the first {SHOWN} are drawn. "
        "Where both have the same sign their product is positive, and all products add up to the cosine."
    )
    lines = (
        (f"Σ of the first {SHOWN} products", "output · expected", part),
        (f"Σ of all {dims} products", "output · expected", cosine),
    )
    block = Stripes(id="stripes", area="wide", caption=f"Numbers 1 to {SHOWN} of {dims}", rows=rows, dims=dims)
    return Frame("vectors", "two vectors", note, "none", (block,), lines)


def _angle(d: SemanticDetail, cosine: float) -> Frame:
    angle = degrees(acos(cosine))
    note = f"The vectors stand at {angle:.1f}° to each other; the cosine of that is {cosine:.4f}. ".replace("-", "−")
    note += "Parallel ones have 1, ones at right angles 0." if cosine >= 0 else "A negative cosine counts as 0."
    lines = (("cosine", "cos of the angle", cosine), ("score", "max(0, cosine)", max(0.0, cosine)))
    block = AngleDial(area="main", cosine=cosine, degrees=angle, labels=_labels(d))
    return Frame("angle", "the angle between them", note, "none", (block,), lines)


def _range(d: SemanticDetail, cosine: float, v: Verdict) -> Frame:
    bands: tuple[dict[str, object], ...] = ()
    if d.band is not None:
        pairs = (("matched pairs", d.band.matched, d.band.rows), ("unrelated pairs", d.band.unrelated, d.band.others))
        bands = tuple(
            {"label": label, "low": low, "middle": middle, "high": high, "n": n}
            for label, (low, middle, high), n in pairs
        )
        where = _where(cosine, d.band.matched[0], d.band.unrelated[2])
        note = f"{v.reason} Among the rows of this file it lies {where}."
        caption = "Nine in ten pairs of this file lie within their band."
    else:
        note = (
            f"{v.reason} Uncalibrated: how high a good pair gets depends on model and texts, "
            f"and only a file of at least {ENOUGH} rows can tell."
        )
        caption = "Uncalibrated: no rows to compare with."
    block = RangeStrip(area="wide", caption=caption, value=cosine, threshold=v.threshold, bands=bands)
    lines = (("score", f"max(0, cosine), passes from {number(v.threshold)}", v.score),)
    return Frame("range", "where it lies", note, "none", (block,), lines, filled=True)


def _where(cosine: float, least_matched: float, most_unrelated: float) -> str:
    matched, unrelated = cosine >= least_matched, cosine <= most_unrelated
    if matched and unrelated:
        return "where the bands of matched and unrelated pairs overlap"
    if matched:
        return "among the matched pairs"
    return "among the unrelated pairs" if unrelated else "between the unrelated and the matched pairs"
