"""A comparison taken along: a link, the report, the numbers."""

from __future__ import annotations

import json
from collections.abc import Sequence

import streamlit as st

from console.components.copy_link import copy_link
from console.report.compared import report_of_comparison
from jeval_core.compare import Comparison


def menu(each: Sequence[Comparison]) -> None:
    """The menu. Its files are made while it is open, since a file made at the click can be lost to another visitor."""
    menu = st.popover("Export", icon=":material/download:", key="export", on_change="rerun")
    if not menu.open:
        return
    name = f"compare-{each[0].pairs.a.id[:8]}-{'-'.join(one.pairs.b.id[:8] for one in each)}"[:100]
    with menu, st.container(width=260, gap="xsmall"):
        copy_link(key="copy-link")
        for label, ending, mime, content in (
            ("HTML report", "html", "text/html", report_of_comparison(each).encode()),
            ("Numbers (JSON)", "json", "application/json", numbers(each).encode("ascii")),
        ):
            st.download_button(
                label, content, f"{name}.{ending}", mime, on_click="ignore", width="stretch", key=f"export-{ending}"
            )


def numbers(each: Sequence[Comparison]) -> str:
    """What `jeval compare --json` prints."""
    whole = each[0].to_dict() if len(each) == 1 else {"comparisons": [one.to_dict() for one in each]}
    return json.dumps(whole, ensure_ascii=True, allow_nan=False)
