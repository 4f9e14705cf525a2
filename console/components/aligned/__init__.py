"""Two outputs to one case, word by word beside each other: what both say is quiet, what one says alone is marked."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from functools import cache
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
WORD = re.compile(r"\s+|[^\W_]+|.", re.DOTALL)
MOST = 4_000
"""Words of both texts that are aligned; longer ones stand beside each other unmarked."""
Run = tuple[str, bool]


@cache
def _component() -> Any:
    import streamlit as st

    return st.components.v2.component(
        "jeval_aligned",
        html='<div class="pair"></div>',
        css=(HERE / "aligned.css").read_text("utf-8"),
        js=(HERE / "aligned.js").read_text("utf-8"),
    )


def aligned(a: str, b: str, titles: tuple[str, str], *, key: str) -> None:
    """Draw both texts."""
    both = zip(titles, runs(a, b), strict=True)
    sides = [{"title": title, "runs": [list(run) for run in side]} for title, side in both]
    _component()(data={"sides": sides}, key=key, height="content")


def runs(a: str, b: str) -> tuple[list[Run], list[Run]]:
    """Each text as (text, whether it is this side's alone), in order."""
    left, right = WORD.findall(a), WORD.findall(b)
    if len(left) + len(right) > MOST:
        return [(a, False)], [(b, False)]
    found: tuple[list[Run], list[Run]] = ([], [])
    for kind, i, i_end, j, j_end in SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
        for side, part in zip(found, (left[i:i_end], right[j:j_end]), strict=True):
            if part:
                side.append(("".join(part), kind != "equal"))
    return found
