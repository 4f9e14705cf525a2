"""What the Compare page shows: all of it in the address. The only place that names this page's query parameters."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from console.address import lead_to, number, settle

PAGE = "compare"
MOVES = ("biggest drops", "biggest gains")


@dataclass(frozen=True)
class Place:
    """`a` is the baseline, `b` the runs held against it, `of` which of them is looked at (from 0).

    `metric` is an evaluator, `by` and `group` a column and one of its values, `cluster` a column whose rows belong
    together, `only` the evaluators that are compared (empty for all), `sets` asks for each reference set however many
    rows there are, `pair` counts the compared pairs from 0.
    """

    a: str | None = None
    b: tuple[str, ...] = ()
    of: int = 0
    metric: str | None = None
    by: str | None = None
    group: str | None = None
    cluster: str | None = None
    only: tuple[str, ...] = ()
    sets: bool = False
    moves: str = MOVES[0]
    page: int = 0
    pair: int | None = None

    @property
    def candidate(self) -> str | None:
        """The run that is looked at."""
        return self.b[min(self.of, len(self.b) - 1)] if self.b else None

    def params(self) -> dict[str, str | list[str]]:
        """Query parameters; what is as usual is left out."""
        out: dict[str, str | list[str]] = {"a": self.a} if self.a else {}
        out |= {"b": [*self.b]} if self.b else {}
        out |= {"only": [*self.only]} if self.only else {}
        out |= {"sets": "all"} if self.sets else {}
        texts = {"metric": self.metric, "by": self.by, "group": self.group, "cluster": self.cluster}
        out |= {name: text for name, text in texts.items() if text}
        out |= {"moves": "gains"} if self.moves == MOVES[1] else {}
        counts = {"of": self.of or None, "page": self.page or None, "pair": self.pair}
        return out | {name: str(n) for name, n in counts.items() if n is not None}


def here() -> Place:
    """The place in the address; what makes no sense in it counts as not given."""
    settle(PAGE)
    params = st.query_params
    return Place(
        params.get("a"),
        tuple(dict.fromkeys(params.get_all("b"))),
        number(params.get("of")) or 0,
        params.get("metric"),
        params.get("by"),
        params.get("group") if params.get("by") else None,
        params.get("cluster"),
        tuple(params.get_all("only")),
        params.get("sets") == "all",
        MOVES[1] if params.get("moves") == "gains" else MOVES[0],
        number(params.get("page")) or 0,
        number(params.get("pair")),
    )


def go(place: Place) -> None:
    """Callback: show another place; the address changes, and Back leads here again."""
    lead_to(PAGE, place.params())


def change(**what: Any) -> None:
    """Callback: the same place with something else."""
    go(replace(here(), **({"pair": None, "page": 0} | what)))
