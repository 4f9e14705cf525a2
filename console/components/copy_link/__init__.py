"""A button that copies the address of what is on the screen."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

HERE = Path(__file__).parent
HTML = """<div class="row"><button type="button">Copy link</button>
<input aria-label="Address" readonly hidden><span role="status"></span></div>"""

_component = st.components.v2.component(
    "jeval_copy_link",
    html=HTML,
    css=(HERE / "copy_link.css").read_text("utf-8"),
    js=(HERE / "copy_link.js").read_text("utf-8"),
)


def copy_link(*, key: str) -> None:
    """Draw the button."""
    _component(key=key, height="content")
