"""Groups down, figures across: every change with what may be said of it; cells with too few rows are hatched."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Cell:
    """`text` is the change, `claim` one of `Change.claim` (empty where nothing was scored), `more` says the rest."""

    text: str
    claim: str
    more: str


@dataclass(frozen=True, slots=True)
class Group:
    """A line of the table; `cells` are in the order of its columns."""

    name: str
    n: str
    cells: tuple[Cell, ...]


@cache
def _component() -> Any:
    import streamlit as st

    return st.components.v2.component(
        "jeval_crossed",
        html='<div class="wrap" tabindex="0" role="region"></div>',
        css=(HERE / "crossed.css").read_text("utf-8"),
        js=(HERE / "crossed.js").read_text("utf-8"),
    )


def crossed(
    first: str,
    columns: Sequence[str],
    groups: Sequence[Group],
    *,
    alt: str,
    key: str,
    on_pick: Callable[[str], None],
    picked: str | None = None,
) -> None:
    """Draw the table; `on_pick` gets the name of a group that was clicked."""
    data = {"first": first, "columns": [*columns], "groups": [asdict(group) for group in groups], "alt": alt}

    def take() -> None:
        import streamlit as st

        name = st.session_state[key].get("picked")
        if name is not None:
            on_pick(str(name))

    _component()(data=data | {"picked": picked}, key=key, height="content", on_picked_change=take)
