"""The blocks of judges: what was asked, and the distribution that came back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from jeval_core.blocks import OMIT, Block, say


@dataclass(frozen=True, kw_only=True)
class Question(Block):
    """The request's words: `options` are {label, text|null}, in the order of the distribution.

    `label` is the level's number in the wording ("1" is level 0), yes or no, or the option's name.
    """

    kind: Literal["score", "yes_no", "choice"]
    instructions: str
    options: tuple[Mapping[str, Any], ...]

    def describe(self) -> list[str]:
        each = (f"{o['label']}: {o['text']}" if o["text"] else str(o["label"]) for o in self.options)
        return [self.instructions, *each]


@dataclass(frozen=True, kw_only=True)
class LevelBars(Block):
    """A weight on every level, its mean, and one standard deviation to each side.

    `levels` are {index, worded, p}; `expected`, `sd` and `threshold` are in levels counted from 0. `bound`: a level
    with `missing` has at most this weight, of which nothing was said. `flag`: {word, text} of what is unusual.
    `lead`: the mean falls into the gauge.
    """

    levels: tuple[Mapping[str, Any], ...]
    expected: float
    sd: float
    threshold: float
    mode: int
    flag: Mapping[str, str] | None = None
    bound: float | None = field(default=None, metadata=OMIT)
    missing: tuple[int, ...] | None = field(default=None, metadata=OMIT)
    lead: bool | None = field(default=None, metadata=OMIT)

    def describe(self) -> list[str]:
        lines = [f"level {x['index']} (worded {x['worded']}): {say(x['p'])}" for x in self.levels]
        if self.bound is not None and self.missing:
            lines.append(f"not named by the judge: {', '.join(map(str, self.missing))}, at most {say(self.bound)} each")
        lines.append(f"expected level {say(self.expected)}, standard deviation {say(self.sd)}")
        lines.append(f"passes from level {say(self.threshold)}")
        return lines + ([f"{self.flag['word']}: {self.flag['text']}"] if self.flag else [])


@dataclass(frozen=True, kw_only=True)
class OptionBars(Block):
    """A weight on every option, or on yes alone: `options` are {name, text|null, p, passes}.

    `threshold` is the weight that the passing options together have to reach, `sum` what they have, on 0..1. `flag`,
    `bound`, `missing` and `lead` as in LevelBars.
    """

    options: tuple[Mapping[str, Any], ...]
    sum: float
    threshold: float
    flag: Mapping[str, str] | None = None
    bound: float | None = field(default=None, metadata=OMIT)
    missing: tuple[int, ...] | None = field(default=None, metadata=OMIT)
    lead: bool | None = field(default=None, metadata=OMIT)

    def describe(self) -> list[str]:
        lines = [f"{o['name']}: {say(o['p'])}, counts as {'pass' if o['passes'] else 'fail'}" for o in self.options]
        lines.append(f"together those that pass {say(self.sum)}, passes from {say(self.threshold)}")
        if self.bound is not None and self.missing:
            names = ", ".join(str(self.options[i]["name"]) for i in self.missing if i < len(self.options))
            lines.append(f"not named by the judge: {names}, at most {say(self.bound)} each")
        return lines + ([f"{self.flag['word']}: {self.flag['text']}"] if self.flag else [])
