"""Which runs are compared: a baseline and one or more against it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import streamlit as st

from console import stored
from console.components import ui
from console.components.compare.place import Place, change, go, here
from console.components.controlled import controlled
from console.sample_sets import SETS
from jeval_core.compare import Comparison
from jeval_core.data.errors import JevalError
from jeval_core.harness.spec import Spec

ALONE = "every case on its own"
MOST_RUNS = 200
"""Runs that are offered, the newest."""
MOST_SIDES = 6
"""Runs held against one baseline."""


def known() -> dict[str, str]:
    """Runs that can be chosen: id → what they are called. Of a run with several systems each is one too."""
    out: dict[str, str] = {}
    systems = stored.store().all_systems()
    for run in stored.store().runs(limit=MOST_RUNS):
        own = f"{run.name}{f' · {run.model_version}' if run.model_version else ''}"
        out[run.id] = f"{own} ({run.id[:6]}, {run.created[5:16].replace('T', ' ')})"
        for id, system in systems.get(run.id, {}).items():
            out[id] = f"{system} · {run.name} ({id[:6]})"
    return out


def draw(place: Place) -> None:
    """The choice; what cannot be chosen is said."""
    runs = known()
    if len(runs) < 2:
        _empty(len(runs))
        return
    shown = runs | {id: f"{id[:6]} (not here)" for id in (place.a, *place.b) if id and id not in runs}
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        _choice("Baseline (A)", shown, place.a, lambda id: change(a=id), "choose-a")
        for i, id in enumerate(place.b or (None,)):
            label = "Against it (B)" if len(place.b) < 2 else f"Against it ({i + 1})"
            _choice(label, shown, id, lambda id, i=i: _set(i, id), f"choose-b-{i}")
        if place.a and place.b:
            if len(place.b) == 1:
                st.button("Swap", icon=":material/swap_horiz:", key="swap", on_click=_swap)
            if len(place.b) < MOST_SIDES:
                rest = {id: name for id, name in runs.items() if id not in (place.a, *place.b)}
                with st.popover("Add a run", icon=":material/add:", key="add-run", disabled=not rest):
                    _choice("One more against the baseline", rest, None, _add, f"add-{len(place.b)}")
            if len(place.b) > 1:
                st.button("Remove the last", key="remove-run", on_click=_remove, type="tertiary")


def options(place: Place, found: Comparison) -> None:
    """What changes the intervals: a column whose rows were sampled together."""
    columns = [ALONE, *found.pairs.columns]
    with st.popover("Options", icon=":material/tune:", key="options"):
        controlled(
            st.selectbox,
            "Rows that belong together",
            columns,
            place.cluster if place.cluster in columns else ALONE,
            lambda column: change(cluster=None if column == ALONE else column),
            key="cluster",
            hidden=False,
        )
        st.caption("Rows with the same value, such as sentences of one document, count once for intervals and tests.")


def _choice(label: str, runs: dict[str, str], now: str | None, take: Callable[[Any], None], key: str) -> None:
    # without `index=None` there is nothing to clear: a chosen run is only replaced
    controlled(
        st.selectbox, label, [*runs], now, take, key=key, hidden=False, placeholder="Choose a run",
        index=None if now is None else 0, width=300, format_func=lambda id: runs.get(id, id),
    )  # fmt: skip


def _set(i: int, id: str | None) -> None:
    b = [*here().b]
    b[i : i + 1] = [id] if id else []
    change(b=tuple(dict.fromkeys(b)), of=0)


def _add(id: str | None) -> None:
    place = here()
    if id:
        go(replace(place, b=(*place.b, id), of=len(place.b), pair=None, page=0))


def _remove() -> None:
    change(b=here().b[:-1], of=0)


def _swap() -> None:
    place = here()
    if place.a and place.b:
        go(replace(place, a=place.b[0], b=(place.a,), pair=None, page=0, of=0))


def _empty(n: int) -> None:
    with st.container(border=True, gap="small"):
        there = "There is one run." if n else "There is no run yet."
        note = "Score a file of each version: the cases they share are compared."
        ui.section(f"{there} A comparison needs two", note)
        st.caption(
            "Bring both files to Datasets, one after the other or together: several files are several systems. "
            "Or on the command line: jeval compare may.csv june.csv --evaluators bleu,rouge_l."
        )
        with st.container(horizontal=True, gap="small", vertical_alignment="center"):
            st.button("**Compare the two systems of an example**", key="example", on_click=_example)
            st.page_link("views/datasets.py", label="Open Datasets", width="content")


def _example() -> None:
    """Callback: score the example translations, keep the run, and hold its second system against its first."""
    sample = SETS[0]
    spec = Spec(((str(sample.path), sample.path.name),), sample.evaluators, group_by=sample.group_by)
    try:
        store = stored.store()
        first, second, *_ = store.systems(store.save_run(spec.run(), spec))
    except JevalError as error:
        ui.failed(error)
        return
    go(Place(first, (second,)))
