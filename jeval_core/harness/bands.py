"""What cosines mean among the rows of a run: matched pairs beside pairs that do not belong together."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from jeval_core import data
from jeval_core.batch.scored import SCORED, Scored
from jeval_core.embed.band import ENOUGH, MOST, Band
from jeval_core.embed.errors import EncoderError
from jeval_core.evaluators.base import Evaluator
from jeval_core.types import Inputs


def bands(ones: Mapping[str, Evaluator], scored: Mapping[str, Scored], rows: data.Rows) -> dict[str, Band]:
    """The band of each evaluator that compares vectors and has rows enough; by evaluator id."""
    out = {}
    for id, one in ones.items():
        if one.card.kind != "embedding" or "cosine" not in scored[id].counts:
            continue
        done = np.flatnonzero((scored[id].status == SCORED) & (scored[id].counts["cosine"] != 0))  # 0: a blank output
        if len(done) < ENOUGH:
            continue
        try:
            band = Band.of(scored[id].counts["cosine"][done].astype(np.float64), _unrelated(one, rows, done))
        except EncoderError:  # the weights went away
            continue
        if band is not None:
            out[id] = band
    return out


def _unrelated(one: Evaluator, rows: data.Rows, done: np.ndarray) -> list[float]:
    """Cosines of outputs with the reference of the next row taken, rows spread evenly over those that were scored."""
    taken = done[np.linspace(0, len(done) - 1, min(MOST, len(done))).astype(np.int64)]
    texts = [(_text(rows.output[int(i)]), _reference(rows, int(i))) for i in taken]
    pairs = []
    for (output, own), (_, other) in zip(texts, [*texts[1:], texts[0]], strict=True):
        if output.strip() and other.strip() and own != other:
            pairs.append(Inputs(output, (other,)))
    ready = one.prepared(pairs)
    return [ready.measure(x).counts["cosine"] for x in pairs]


def _reference(rows: data.Rows, i: int) -> str:
    """The first reference of a row that has one."""
    return next((text for _, column in rows.references if (text := _text(column[i])).strip()), "")


def _text(cell: object) -> str:
    value = cell.as_py()  # type: ignore[attr-defined]
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value or ""
