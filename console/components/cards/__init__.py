"""Evaluators beside each other, a card each: score, verdict, why, and the picture of its key frame in small."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Bar:
    """A bar of the small picture: `share` of its full length, 0..1."""

    label: str
    share: float
    text: str


@dataclass(frozen=True)
class Card:
    """What a card shows. `share` and `tick` are places of score and threshold on its scale, None without a score.

    `left`: it passes on the left of the threshold. `apart`: its verdict is that of the few.
    """

    id: str
    name: str
    href: str
    label: str
    passed: bool | None
    why: str
    share: float | None = None
    tick: float | None = None
    left: bool = False
    apart: bool = False
    caution: str | None = None
    warnings: tuple[str, ...] = ()
    caption: str = ""
    bars: tuple[Bar, ...] = field(default=())


@cache
def _component() -> Any:
    return st.components.v2.component(
        "jeval_cards",
        html='<ul class="cards"></ul>',
        css=(HERE / "cards.css").read_text("utf-8"),
        js=(HERE / "cards.js").read_text("utf-8"),
    )


def cards(found: Sequence[Card], *, key: str) -> None:
    """Draw them in this order, as many in a row as there is room for."""
    _component()(data={"cards": [asdict(card) for card in found]}, key=key, height="content")
