"""The texts that the page holds for one row."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from jeval_core.card import Card

EXTRA = ("input", "criteria", "conversation")
"""Fields beside output and expected that some evaluators take."""


@dataclass(frozen=True)
class Fields:
    """A row as typed; a field without text is blank."""

    output: str = ""
    expected: tuple[str, ...] = ("",)
    input: str = ""
    criteria: str = ""
    conversation: str = ""

    def size(self) -> int:
        """Characters of all texts."""
        return len(self.output) + sum(map(len, self.expected)) + sum(len(getattr(self, name)) for name in EXTRA)

    def given(self, card: Card) -> dict[str, Any]:
        """What an evaluator takes of it, as arguments of `evaluate`: optional fields only where they have text."""
        out: dict[str, Any] = {"output": self.output}
        if "expected" in card.required or ("expected" in card.optional and any(t.strip() for t in self.expected)):
            out["expected"] = self.expected
        for name in EXTRA:
            text = getattr(self, name)
            if name in card.required or (name in card.optional and text.strip()):
                out[name] = text
        return out

    def fits(self, card: Card) -> bool:
        """Whether there is text in every field that the evaluator needs; an empty output is an answer."""
        texts = {"expected": "".join(self.expected), **{name: getattr(self, name) for name in EXTRA}}
        return all(texts[name].strip() for name in card.required if name != "output")

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON data; blank fields beside output and expected are left out."""
        return {name: value for name, value in asdict(self).items() if value or name not in EXTRA}

    @classmethod
    def from_dict(cls, data: Any) -> Fields:
        """The opposite of `to_dict`. Raises KeyError or TypeError for anything else."""
        texts = {name: data[name] for name in ("output", *EXTRA) if name in data}
        if "output" not in texts or not all(isinstance(text, str) for text in (*texts.values(), *data["expected"])):
            raise TypeError("not the texts of a row")
        return cls(**texts, expected=tuple(data["expected"]))


def shown(card: Card) -> tuple[str, ...]:
    """Fields that the page offers for an evaluator, in the order in which it asks for them."""
    order = ("input", "conversation", "output", "criteria", "expected")
    return tuple(name for name in order if name in card.required or name in card.optional)
