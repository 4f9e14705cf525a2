"""Datasets: bring a file, see what it says as a whole, and open any bar down to the row and its frames."""

from __future__ import annotations

import streamlit as st

from console.components import ui
from console.components.datasets import files, mapping, onerow, place, results, running
from jeval_core.harness.errors import StoreUnavailable


def main() -> None:
    """Draw the step that the address names."""
    try:
        draw()
    except StoreUnavailable as error:
        ui.failed(error)


def draw() -> None:
    """Draw the step."""
    here = place.here()
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.title("Datasets", anchor=False, width="content")
        st.space("stretch")
        place.steps(here)
    if here.step == "File":
        files.draw()
    elif here.step == "Mapping":
        mapping.draw(here)
    elif here.step == "Run":
        running.draw(here)
    elif here.row is not None:
        onerow.draw(here)
    else:
        results.draw(here)


main()
