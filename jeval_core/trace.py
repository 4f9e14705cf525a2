"""A trace: how a score arises, as data. `TRACE.md` is the contract; the console's stage draws it.

The core decides every fact (numbers, which occurrence is credited, the words of the notes), the stage only how it
looks. `Frame.describe()` gives the same as text.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, Literal

from jeval_core.blocks import Block, say
from jeval_core.types import Result

SCHEMA = "jeval.trace/2"
Mark = Literal["hit", "over", "miss"]
SceneState = Literal["positions", "spans", "rest", "plain", "none"]


@dataclass(frozen=True, slots=True)
class Token:
    """A token and its half-open code point range in the row's text (None: the text does not hold it as it is)."""

    t: str
    at: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class Row:
    """One text of the scene, `text` as sent."""

    id: str
    role: Literal["output", "expected"]
    label: str
    text: str
    tokens: tuple[Token, ...]


@dataclass(frozen=True, slots=True)
class Gram:
    """One distinct n-gram. `at`: row id → [(first token, status)]; `limited_by`: the row that set its limit."""

    id: str
    tokens: tuple[str, ...]
    in_output: int
    in_expected: int
    clipped: int
    limited_by: str | None
    at: Mapping[str, tuple[tuple[int, Mark], ...]]


@dataclass(frozen=True, slots=True)
class Order:
    """All n-grams of one n. `against`: the one row it is counted against; None where all references limit together."""

    n: int
    matched: int
    total: int
    ref_total: int
    against: str | None
    grams: tuple[Gram, ...]


@dataclass(frozen=True, slots=True)
class Scene:
    """The token rows that stay on the stage from frame to frame; `orders` is empty where n-grams play no part."""

    rows: tuple[Row, ...]
    orders: tuple[Order, ...] = ()


@dataclass(frozen=True, slots=True)
class Gauge:
    """The score on its scale. `value`, `threshold` are in the unit of `min`..`max`, `score` is in 0..1.

    `pass_side`: on which side of the threshold a value passes (a distance passes on the left).
    """

    min: float
    max: float
    value: float
    threshold: float
    passed: bool
    score: float
    label: str
    unit: str | None = None
    pass_side: Literal["left", "right"] = "right"
    chips: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class Frame:
    """One step: `title` completes "2 of 4: …", `note` is one or two sentences.

    `arithmetic` holds (name, expression, value) lines; `marks` row id → underlined token positions.
    """

    id: str
    title: str
    note: str
    scene: SceneState
    blocks: tuple[Block, ...] = ()
    arithmetic: tuple[tuple[str, str, float | str], ...] = ()
    filled: bool = False
    extra: bool = False
    marks: Mapping[str, tuple[int, ...]] | None = None

    def describe(self) -> str:
        """The frame as text: title, note, what its blocks show, the arithmetic. Numbers to 3 decimals."""
        lines = [self.title[:1].upper() + self.title[1:] + ". " + self.note]
        for block in self.blocks:
            lines += block.describe()
        lines += [f"{name} = {how} = {say(value)}" for name, how, value in self.arithmetic]
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON data; `text` is `describe()`."""
        out: dict[str, Any] = {"id": self.id, "title": self.title, "note": self.note, "scene": self.scene}
        if self.extra:
            out["extra"] = True
        if self.marks is not None:
            out["marks"] = plain(self.marks)
        out["gauge"] = "filled" if self.filled else "empty"
        out["blocks"] = [b.to_dict() for b in self.blocks]
        out["arithmetic"] = [[*line] for line in self.arithmetic]
        return {**out, "text": self.describe()}


@dataclass(frozen=True, slots=True)
class Storyboard:
    """What an evaluator draws for one row; the service puts the result beside it to make a `Trace`."""

    scene: Scene | None
    gauge: Gauge
    frames: tuple[Frame, ...]


@dataclass(frozen=True, slots=True)
class Trace:
    """A result and the frames that lead to it: main frames first, then extra ones.

    A row that was not scored has neither gauge nor frames; `result.reason` says why.
    """

    evaluator: Mapping[str, str]
    result: Result
    scene: Scene | None
    gauge: Gauge | None
    frames: tuple[Frame, ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON data, numbers unrounded, no NaN."""
        return {
            "schema": SCHEMA,
            "evaluator": dict(self.evaluator),
            "result": self.result.to_dict(),
            "scene": None if self.scene is None else plain(self.scene),
            "gauge": None if self.gauge is None else {"type": "Gauge", **plain(self.gauge)},
            "frames": [f.to_dict() for f in self.frames],
        }


def plain(value: Any) -> Any:
    """Dataclasses, mappings and tuples as dicts and lists."""
    if is_dataclass(value) and not isinstance(value, type):
        return {f.name: plain(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, Mapping):
        return {k: plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    return value
