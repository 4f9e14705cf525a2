"""Regression sets: rows worth keeping, appended to a file that is opened like any other."""

from __future__ import annotations

import streamlit as st

from console.components import ui
from jeval_core.data.errors import JevalError
from jeval_core.harness import sets
from jeval_core.harness.results import Results


def offer(found: Results, at: int) -> None:
    """A button that adds the row, and the name of the set it goes to."""
    with st.popover("Add to a regression set"):
        with st.container(width=300, gap="xsmall"):
            name = st.text_input("Set", value=next(iter(sets.names()), "regression"), key="set-name")
            st.caption("The case and this output are added. A set is a data set: its version changes with each case.")
            if st.button("**Add the case**", key="add-case"):
                try:
                    added = sets.append(name, found.row(at))
                except (JevalError, OSError) as error:
                    ui.failed(error)
                    return
                st.text(
                    f"{'Added' if added.new else 'It was there already'}: {ui.count(added.cases, 'case')}, "
                    f"version {added.version[:8]}."
                )
