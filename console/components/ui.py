"""The few shapes every page is made of. Only `literal` takes texts of users and models."""

from __future__ import annotations

from html import escape

import streamlit as st

_HEAD = "margin:0;padding:0;font-size:1.0625rem;line-height:1.3;font-weight:600;letter-spacing:0"
_NOTE = "margin:.2rem 0 0;font-size:.875rem;line-height:1.4;color:color-mix(in srgb, currentColor 66%, transparent)"


def section(title: str, note: str | None = None, *, level: int = 2) -> None:
    """A heading and its one-line reading, as escaped markup: `st.subheader` has padding that cannot go."""
    text = f'<p style="{_NOTE}">{escape(note)}</p>' if note else ""
    head = f"h{level}"
    st.html(f'<{head} style="{_HEAD}">{escape(title)}</{head}>{text}')


def chips(*texts: str) -> None:
    """Quiet facts in one wrapping row."""
    with st.container(horizontal=True, gap="xsmall", width="content", vertical_alignment="center"):
        for text in texts:
            st.badge(text, color="gray")


def verdict(passed: bool) -> str:
    """The verdict as coloured markdown, mark and word joined."""
    return ":blue[✓\u00a0pass]" if passed else ":orange[✗\u00a0fail]"


def literal(text: str) -> str:
    """A name from a file or a host, for a label that reads markdown; an address in it is no link."""
    text = text.replace("://", ":\u2060//").replace("www.", "www\u2060.")
    return "".join(f"\\{c}" if c in "\\`*_{}[]()#+-.!|~:$<>" else c for c in text)


def count(n: int, one: str) -> str:
    """How many of something: "1 row", "2 rows"."""
    return f"{n:,} {one}" if n == 1 else f"{n:,} {one}s"


def failed(error: Exception | str) -> None:
    """What went wrong, in the error's own words, which may hold names from a file."""
    st.error(literal(str(error).replace("`", "")))
