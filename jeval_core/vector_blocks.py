"""The blocks of cosines: two vectors, the angle between them, and where the cosine lies among others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from jeval_core.blocks import OMIT, Block, say


@dataclass(frozen=True, kw_only=True)
class Stripes(Block):
    """The first numbers of vectors as stripes: `rows` are {label, values, top}, drawn from −`top` to `top`.

    The last row holds the products of the others. `dims`: how many numbers each vector has in all.
    """

    caption: str
    rows: tuple[Mapping[str, Any], ...]
    dims: int

    def describe(self) -> list[str]:
        return [f"{r['label']}: {', '.join(say(v) for v in r['values'][:8])}, …" for r in self.rows]


@dataclass(frozen=True, kw_only=True)
class AngleDial(Block):
    """Two arrows of length 1 with `degrees` (0..180) between them; `labels` are their names, output first."""

    cosine: float
    degrees: float
    labels: tuple[str, str]

    def describe(self) -> list[str]:
        return [f"angle {say(round(self.degrees, 1))}°, cosine {say(self.cosine)}"]


@dataclass(frozen=True, kw_only=True)
class RangeStrip(Block):
    """Where a cosine lies on −1..1: `bands` are {label, low, middle, high, n}; without any it is uncalibrated."""

    caption: str
    value: float
    threshold: float
    bands: tuple[Mapping[str, Any], ...] = field(default=(), metadata=OMIT)

    def describe(self) -> list[str]:
        each = [f"{b['label']} ({b['n']}): {say(b['low'])} to {say(b['high'])}" for b in self.bands]
        return [f"cosine {say(self.value)}, passes from {say(self.threshold)}", *(each or ["uncalibrated"])]
