"""OpenAI-evals samples: `input` (a text or chat messages) and `ideal` (a text or a list)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def is_sample(record: Mapping[str, Any]) -> bool:
    """Whether a record is a sample of such a data set."""
    return {"input", "ideal"} <= record.keys()


def to_record(record: Mapping[str, Any]) -> dict[str, Any]:
    """The sample with its messages as one text."""
    return {**record, "input": chat_text(record["input"])} if "input" in record else dict(record)


def chat_text(value: Any) -> Any:
    """Chat messages as text: one alone by its content, several with their roles in front."""
    if not isinstance(value, Sequence) or isinstance(value, str):
        return value
    if not value or not all(isinstance(m, Mapping) and "content" in m for m in value):
        return value
    said = [(str(m.get("role", "")), content_text(m["content"])) for m in value]
    return said[0][1] if len(said) == 1 else "\n\n".join(f"{role}: {text}" for role, text in said)


def content_text(content: Any) -> str:
    """The text of a message's content, whose parts may be of several kinds."""
    if isinstance(content, list):
        return "\n".join(str(p.get("text") or "") for p in content if isinstance(p, Mapping) and p.get("text"))
    return "" if content is None else str(content)
