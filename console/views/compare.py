"""Compare: two or more runs on the cases they share, down to the row and to how both of its scores arise."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from console import compared
from console.components import ui
from console.components.compare import export, item, movers, overview, pick, place, why, words
from console.names import name_of
from jeval_core.compare import Comparison, Incomparable
from jeval_core.data.errors import JevalError


def main() -> None:
    """The choice of runs, and what comparing them says."""
    here = place.here()
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.title("Compare", anchor=False, width="content")
        st.space("stretch")
        menu = st.container(width="content")
    try:
        pick.draw(here)
        if here.a and here.b:
            _compared(here, menu)
    except Incomparable as error:
        ui.failed(error)
        if error.alike:
            names = ", ".join(name_of(id) for id in error.alike)
            st.button(f"**Compare only {names}**", key="only", on_click=place.change, kwargs={"only": error.alike})
    except JevalError as error:
        ui.failed(error)


def _compared(here: place.Place, menu: st.delta_generator.DeltaGenerator) -> None:
    if here.a in here.b:
        st.caption("A and B are the same run: there is nothing to compare.")
        return
    each = compared.wait(compared.Key(here.a or "", here.b, here.cluster, here.only, here.sets or None))
    here = _possible(here, each)
    found = each[here.of]
    with menu, st.container(horizontal=True, gap="small"):
        pick.options(here, found)
        export.menu(each)
    if here.pair is not None:
        item.draw(here, found)
        return
    if len(each) > 1:
        overview.against(here, each)
        st.space("small")
        ui.section(f"A against {here.of + 1} · {words.title(found.pairs.b)}")
    if here.only:
        names = ", ".join(name_of(id) for id in here.only)
        st.button(
            f"Only {names}", icon=":material/close:", key="drop-only", on_click=place.change, kwargs={"only": ()}
        )
    overview.warnings(found)
    overview.account(found)
    overview.changed(here, found)
    overview.sets(here, found)
    overview.groups(here, found)
    why.of_run(found, here.metric or "")
    movers.draw(here, found)


def _possible(here: place.Place, each: list[Comparison]) -> place.Place:
    """The place without what these runs do not have."""
    here = replace(here, of=min(here.of, len(each) - 1))
    ids = each[here.of].evaluators
    return here if here.metric in ids else replace(here, metric=ids[0])


main()
