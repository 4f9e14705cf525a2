"""The closed set of blocks: what a frame can show. One dataclass here, one drawing function in the stage.

Every block says itself as text in `describe()`, with numbers to 3 decimals and fractions as "6/7".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal

Area = Literal["main", "side", "wide"]
OMIT: dict[str, Any] = {"omit": True}  # metadata: the field is left out of the JSON when it is None


def say(value: float | str | None) -> str:
    """A number to 3 decimals (one that would be 0.000 by its power of ten), a whole one without; "–" for none."""
    if value is None:
        return "–"
    if isinstance(value, str):
        return value
    tiny = 0 < abs(value) < 0.0005
    text = str(int(value)) if float(value).is_integer() else f"{value:.1e}" if tiny else f"{value:.3f}"
    return text.replace("-", "−")


def _plain(value: Any) -> Any:
    if isinstance(value, (Bar, Pooled, Weight, Field)):
        return _record(value)
    if isinstance(value, Mapping):
        return {k: _plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(v) for v in value]
    return value


def _record(item: Any) -> dict[str, Any]:
    pairs = ((f, getattr(item, f.name)) for f in fields(item) if not f.metadata.get("text only"))
    return {f.name: _plain(v) for f, v in pairs if not (v is None and f.metadata.get("omit"))}


@dataclass(frozen=True, kw_only=True)
class Block:
    """Common to all: the same `id` in two frames is the same picture, which changes in place."""

    id: str | None = field(default=None, metadata=OMIT)
    area: Area | None = field(default=None, metadata=OMIT)

    def describe(self) -> list[str]:
        """Lines of text that say what the block shows."""
        return []

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON data; `type` is the class name."""
        return {"type": type(self).__name__, **_record(self)}


@dataclass(frozen=True)
class Field:
    """A named text; `cut` are the half-open code point ranges that the evaluator does not see."""

    name: str
    text: str
    cut: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, kw_only=True)
class TextFields(Block):
    """Texts verbatim, cut ranges struck out."""

    caption: str
    fields: tuple[Field, ...]

    def describe(self) -> list[str]:
        return [f"{f.name}: {f.text}" for f in self.fields]


@dataclass(frozen=True, kw_only=True)
class Lengths(Block):
    """One cell per token: [{label, n, note}]."""

    caption: str
    rows: tuple[Mapping[str, Any], ...]

    def describe(self) -> list[str]:
        return [f"{r['label']}: {r['n']}" + (f", {r['note']}" if r["note"] else "") for r in self.rows]


@dataclass(frozen=True, kw_only=True)
class CountTable(Block):
    """n-gram, output, expected, counted: drawn from the scene's orders for the chosen n.

    `said` is the same as text, one line per order; it is not part of the JSON.
    """

    said: tuple[str, ...] = field(default=(), metadata={"text only": True})

    def describe(self) -> list[str]:
        return [*self.said]


@dataclass(frozen=True)
class Bar:
    """A fraction `num`/`den` (bonus included) with its value; `ghost` is the value before smoothing.

    `skipped` replaces all numbers by a reason. `cells="plain"`: cells are not n-grams of the scene.
    """

    key: str
    label: str
    order: int | None = None
    num: int = 0
    den: int = 0
    bonus: int = 0
    value: float | None = None
    ghost: float | None = None
    tag: str | None = None
    skipped: str | None = None
    cells: Literal["plain"] | None = field(default=None, metadata=OMIT)
    state: Literal["on", "off"] | None = field(default=None, metadata=OMIT)

    def describe(self) -> str:
        """One line of text."""
        if self.skipped:
            return f"{self.label}: skipped, {self.skipped}"
        return f"{self.label}: {self.num}/{self.den} = {say(self.value)}" + (f" ({self.tag})" if self.tag else "")


@dataclass(frozen=True, kw_only=True)
class FractionBars(Block):
    """One bar per order: counted cells over all cells."""

    bars: tuple[Bar, ...]

    def describe(self) -> list[str]:
        return [bar.describe() for bar in self.bars]


@dataclass(frozen=True, kw_only=True)
class TwoBars(Block):
    """Two fractions on the axis of the gauge; one that is `off` loses its colour."""

    bars: tuple[Bar, ...]
    mean: Mapping[str, Any] | None = field(default=None, metadata=OMIT)

    def describe(self) -> list[str]:
        mean = [f"{self.mean['label']}: {say(self.mean['value'])}"] if self.mean else []
        return [bar.describe() for bar in self.bars] + mean


@dataclass(frozen=True, kw_only=True)
class Table(Block):
    """A small table. `columns`: {label, head?, num?: decimals, sign?}; `keys` link rows to the scene."""

    caption: str
    columns: tuple[Mapping[str, Any], ...]
    rows: tuple[tuple[str | float, ...], ...]
    keys: tuple[str, ...] | None = field(default=None, metadata=OMIT)

    def describe(self) -> list[str]:
        names = [c["label"] for c in self.columns]
        return ["; ".join(f"{n} {say(v)}" for n, v in zip(names, row, strict=True)) for row in self.rows]


@dataclass(frozen=True)
class Weight:
    """ln p of one order and its share of the mean."""

    key: str
    order: int
    p: float
    ln: float
    share: float


@dataclass(frozen=True, kw_only=True)
class LogBalance(Block):
    """Weights at ln p on a beam, fulcrum at their mean; no weights: nothing in common."""

    caption: str
    weights: tuple[Weight, ...]
    mean_ln: float | None
    mean: float

    def describe(self) -> list[str]:
        logs = [f"n = {w.order}: ln {say(w.p)} = {say(w.ln)}" for w in self.weights]
        return [*logs, f"geometric mean {say(self.mean)}"]


@dataclass(frozen=True, kw_only=True)
class Curve(Block):
    """A line with one reference line and one point."""

    caption: str
    x: Mapping[str, Any]
    y: Mapping[str, Any]
    points: tuple[tuple[float, float], ...]
    ref: Mapping[str, Any]
    mark: Mapping[str, Any]

    def describe(self) -> list[str]:
        return [f"{self.y['label']} at {self.mark['label']} ({self.ref['label']}): {say(self.mark['y'])}"]


@dataclass(frozen=True, kw_only=True)
class Product(Block):
    """Each factor cuts the bar; what is left falls into the gauge."""

    factors: tuple[Mapping[str, Any], ...]
    result: float

    def describe(self) -> list[str]:
        return [" × ".join(f"{f['label']} {say(f['value'])}" for f in self.factors) + f" = {say(self.result)}"]


@dataclass(frozen=True)
class Pooled:
    """One side of the pool: `groups` are {order, shared, total}."""

    label: str
    shared: int
    total: int
    groups: tuple[Mapping[str, int], ...]


@dataclass(frozen=True, kw_only=True)
class PooledSquares(Block):
    """A square per n-gram, grouped by order."""

    rows: tuple[Pooled, ...]

    def describe(self) -> list[str]:
        return [f"{r.label}: {r.shared} shared of {r.total}" for r in self.rows]


@dataclass(frozen=True, kw_only=True)
class LcsGrid(Block):
    """Equal token pairs as dots, the walk of the longest common subsequence through them.

    `dots` is None when the grid is too large to draw; `path` is None before the walk.
    """

    a: str
    b: str
    dots: tuple[tuple[int, int], ...] | None
    path: tuple[tuple[int, int], ...] | None

    def describe(self) -> list[str]:
        return [] if self.path is None else ["walk: " + " ".join(f"({i}, {j})" for i, j in self.path[:200])]


@dataclass(frozen=True, kw_only=True)
class Alignment(Block):
    """Two texts under each other, character by character: ops are (keep|substitute|insert|delete, output, expected).

    `start` is the position of the first op in the output, `hidden` how many ops follow outside the window.
    """

    caption: str
    ops: tuple[tuple[str, str, str], ...]
    start: int = 0
    hidden: int = 0

    def describe(self) -> list[str]:
        edits = [
            f"{op} {a or b!r}" + (f" → {b!r}" if op == "substitute" else "") for op, a, b in self.ops if op != "keep"
        ]
        return ["; ".join(edits) or "no edits"]


@dataclass(frozen=True, kw_only=True)
class Variants(Block):
    """The same pair by other rules: {label, detail, value, current} on one axis with the threshold."""

    threshold: float
    rows: tuple[Mapping[str, Any], ...]

    def describe(self) -> list[str]:
        return [f"{r['label']} ({r['detail']}): {say(r['value'])}" for r in self.rows]


@dataclass(frozen=True, kw_only=True)
class TokenDeltas(Block):
    """Change of the score without each token of a row: [(token position, change)]."""

    row: str
    base: float
    deltas: tuple[tuple[int, float], ...]
