"""The stage: draws a trace frame by frame, inside the console or as one page that works from disk.

The browser part is plain files joined in order into one module and one style sheet; see README.md.
"""

import base64
import hashlib
import html
import json
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from streamlit.components.v2.bidi_component import ComponentResult
    from streamlit.components.v2.types import ComponentRenderer

_HERE = Path(__file__).parent

SCRIPTS = (
    "10-dom", "12-words", "20-model", "22-link", "30-rows", "32-lanes", "34-aside", "40-bars", "42-tables", "44-texts",
    "46-balance", "48-curve", "50-pool", "52-grid", "54-alignment", "56-extras", "58-answers", "59-vectors", "60-gauge",
    "62-editor", "70-slide", "72-header", "74-keys", "80-stage", "82-page", "90-component",
)  # fmt: skip
STYLES = (
    "10-base", "20-head", "30-scene", "40-bars", "42-tables", "50-blocks", "55-answers", "57-vectors", "60-gauge",
    "70-views",
)  # fmt: skip


@cache
def script() -> str:
    """The browser module: every file of js/ in order."""
    return "\n".join((_HERE / "js" / f"{name}.js").read_text("utf-8") for name in SCRIPTS)


@cache
def style() -> str:
    """The style sheet: every file of css/ in order."""
    return "\n".join((_HERE / "css" / f"{name}.css").read_text("utf-8") for name in STYLES)


def _digest(text: str) -> str:
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


_START = """
const trace = JSON.parse(document.getElementById("trace").textContent);
mount(document.getElementById("stage"), { trace, title: document.title });
document.querySelector(".stage").focus({ preventScroll: true });
"""

_PAGE_STYLE = """
:root { color-scheme: light dark; background: light-dark(#fdfdfc, #14171a); }
body { margin: 0; padding: 16px; }
main { max-width: 1300px; margin: 0 auto; }
noscript pre { white-space: pre-wrap; font: 14px/1.5 sans-serif; }
@media print { :root { color-scheme: light; background: none; } body { padding: 0; } }
"""


def _visible(text: str) -> str:
    """Text for the page itself: a lone surrogate cannot be encoded and is shown as a replacement mark."""
    return html.escape(text.encode("utf-8", "replace").decode("utf-8"))


def export_html(trace: Mapping[str, Any], *, title: str) -> str:
    """One self-contained page that steps offline: no request leaves it, and its policy forbids any."""
    code, sheet = script() + _START, style() + _PAGE_STYLE
    data = json.dumps(trace, ensure_ascii=True, allow_nan=False, separators=(",", ":")).replace("<", "\\u003c")
    policy = "default-src 'none'; base-uri 'none'; form-action 'none'; "
    policy += f"script-src {_digest(code)}; style-src {_digest(sheet)}"
    words = "\n\n".join(_visible(str(frame.get("text", ""))) for frame in trace.get("frames", ()))
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{_visible(title)}</title>\n<style>{sheet}</style>\n</head>\n<body>\n"
        f'<main id="stage"></main>\n<noscript><pre>{words}</pre></noscript>\n'
        f'<script type="application/json" id="trace">{data}</script>\n'
        f'<script type="module">{code}</script>\n</body>\n</html>\n'
    )


@cache
def _component() -> "ComponentRenderer":
    import streamlit as st  # here, so that an export needs no Streamlit

    return st.components.v2.component("jeval_stage", html='<div class="stage-root"></div>', css=style(), js=script())


def signature(trace: Mapping[str, Any]) -> str:
    """What the picture depends on: inputs, options and result. Cheap, so that it can run at every rerun."""
    scene = trace.get("scene") or {}
    frames = trace.get("frames") or []
    parts: list[Any] = [trace.get("evaluator"), trace.get("result"), trace.get("gauge")]
    parts += [row["text"] for row in scene.get("rows", ())]
    parts += [[frame["id"], frame["title"], frame["note"]] for frame in frames]
    parts += [frames[0]["blocks"] if frames else None]
    return hashlib.blake2b(json.dumps(parts, sort_keys=True).encode(), digest_size=12).hexdigest()


def _nothing() -> None:
    """Streamlit lists a state or trigger on the result only when it has a callback."""


def stage(
    trace: Mapping[str, Any],
    *,
    key: str,
    frame: int = 0,
    order: int = 1,
    view: Literal["step", "all"] = "step",
    present: bool = False,
    height: int | Literal["content"] = 512,
    whatif: bool = False,
    address: bool = False,
    on_change: Callable[[], None] | None = None,
    on_edit: Callable[[], None] | None = None,
) -> "ComponentResult":
    """Show a trace. `frame` (from 0), `order` and `view` say where a newly scored trace opens.

    A step costs no server message. With `on_change`, `result.frame`, `.order` and `.view` follow 300 ms after the last
    step; with `address`, the page's own address does (`?frame=2&order=3`). With `whatif`, an edit of a token arrives as
    `result.edit` = {"kind": "delete" | "replace" | "insert", "index": token, "text": …} for one rerun.
    """
    data = {"trace": trace, "sig": signature(trace), "frame": frame, "order": order, "view": view, "present": present}
    data |= {"whatif": whatif, "address": address, "sync": on_change is not None}
    data["height"] = None if height == "content" else height
    names = ("on_frame_change", "on_order_change", "on_view_change") if on_change else ()
    states: dict[str, Any] = dict.fromkeys(names, on_change)
    return _component()(key=key, data=data, height=height, on_edit_change=on_edit or _nothing, **states)
