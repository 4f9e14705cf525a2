"""promptfoo's assertions: which of them hold an expected text or a rubric."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

TEXT = {
    "equals",
    "iequals",
    "similar",
    "bleu",
    "gleu",
    "rouge-n",
    "rouge-l",
    "rouge-s",
    "meteor",
    "levenshtein",
    "factuality",
    "model-graded-factuality",
}
RUBRIC = {"llm-rubric", "g-eval", "model-graded-closedqa"}
SHORT = {"grade": "llm-rubric"}
CODE = ("javascript:", "fn:", "eval:", "python:", "ruby:", "file://")
WRITTEN = re.compile(r"(not-)?([a-z][a-z0-9-]*)(?:\(([-+.0-9eE]+)\))?:\s*(.*)", re.DOTALL)
VARIABLE = re.compile(r"\{\{\s*([\w.-]+)\s*\}\}")


def parse_written(cell: str) -> tuple[str, str]:
    """The kind and the value of an assertion as a CSV cell writes it; a plain text means `equals`."""
    text = cell.strip()
    if text.startswith(CODE):
        return "code", text
    match = WRITTEN.fullmatch(text)
    if match:
        kind = SHORT.get(match[2], match[2])
        if kind in TEXT | RUBRIC or "-" in kind or kind in ("contains", "regex", "cost", "latency", "webhook"):
            return (match[1] or "") + kind, match[4]
    return "equals", cell


def expected_texts(assertions: Iterable[tuple[str, Any]], variables: Mapping[str, Any]) -> list[str]:
    """Every different expected text, in order, variables filled in."""
    found: dict[str, None] = {}
    for kind, value in assertions:
        if kind in TEXT:
            for text in value if isinstance(value, list) else [value]:
                if isinstance(text, str | int | float) and not isinstance(text, bool) and text != "":
                    found[fill(str(text), variables)] = None
    return list(found)


def rubric(assertions: Iterable[tuple[str, Any]], variables: Mapping[str, Any]) -> str | None:
    """The rubrics as one text, or None."""
    values = [v for kind, v in assertions if kind in RUBRIC]
    texts = [
        fill(t, variables) for v in values for t in (v if isinstance(v, list) else [v]) if isinstance(t, str) and t
    ]
    return "\n".join(texts) or None


def fill(template: str, variables: Mapping[str, Any]) -> str:
    """Put plain variables into a template; anything cleverer stays as it is written."""
    return VARIABLE.sub(lambda m: str(variables[m[1]]) if m[1] in variables else m[0], template)
