"""Take it away: a link, one HTML file that steps offline, the trace as data, the frames as text."""

from __future__ import annotations

import json
from typing import Any

import streamlit as st

from console.components.copy_link import copy_link
from console.components.stage import export_html
from jeval_core import Trace


def share(trace: Trace, data: dict[str, Any]) -> None:
    """The menu. Its files are made while it is open.

    Not at the click: a file that Streamlit makes then is lost when another visitor's run ends in that moment.
    """
    menu = st.popover("Share", key="share", on_change="rerun")
    if not menu.open:
        return
    with menu, st.container(width=260, gap="xsmall"):
        copy_link(key="copy-link")
        if trace.result.judge is not None:
            st.caption("A link does not choose a judge; whoever opens it asks their own. Files hold this answer.")
        for label, ending, mime, content in (
            ("HTML that steps offline", "html", "text/html", export_html(data, title=_title(trace)).encode("utf-8")),
            ("Frames as data (JSON)", "json", "application/json", json.dumps(data).encode("ascii")),
            ("Frames as text", "txt", "text/plain", as_text(trace).encode("utf-8", "replace")),
        ):
            name = f"jeval-{trace.evaluator['id']}.{ending}"
            st.download_button(label, content, name, mime, on_click="ignore", width="stretch")
        st.link_button("Present full screen", present_address(), width="stretch")


def _title(trace: Trace) -> str:
    gauge = trace.gauge
    verdict = f" {gauge.label}, {'pass' if gauge.passed else 'fail'}" if gauge else ""
    return f"{trace.evaluator['name']}{verdict}: how the score arises"


def as_text(trace: Trace) -> str:
    """All frames in words."""
    return (
        "\n\n".join(frame.describe() for frame in trace.frames)
        + f"\n\n{trace.result.reason}\n{trace.result.signature}\n"
    )


def present_address() -> str:
    """The address of the stage alone, in large type."""
    from urllib.parse import urlencode

    params = [(k, v) for k in st.query_params for v in st.query_params.get_all(k) if k not in ("present", "embed")]
    return "?" + urlencode([*params, ("present", "1"), ("embed", "true")])
