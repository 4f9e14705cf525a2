"""The names that people give to the fields of an evaluation."""

from __future__ import annotations

import re

OPTIONAL = ("input", "criteria", "conversation", "id", "model_version", "task_type", "risk_tier", "threshold")
"""Fields of one column that need not be there. Their own name wins over other names for them."""

ALIASES: dict[str, tuple[str, ...]] = {
    "output": (
        "output", "response", "completion", "prediction", "model_output", "actual_output", "system_output",
        "model_response", "generated_text", "generation", "hypothesis", "hyp", "candidate", "mt",
    ),
    "references": (
        "expected", "reference", "references", "ref", "refs", "ground_truth", "ground_truths", "ideal", "target",
        "targets", "expected_output", "expected_answer", "gold_answer",
    ),
    "input": ("input", "prompt", "question", "query", "user_query", "source", "src"),
    "criteria": ("criteria", "rubric"),
    "conversation": ("conversation", "messages", "chat", "history", "dialogue"),
    "id": ("id", "prompt_id", "doc_id", "case_id", "sample_id"),
    "model_version": ("model_version", "model", "system", "system_id", "model_name", "model_id"),
    "task_type": ("task_type", "category"),
    "risk_tier": ("risk_tier",),
    "threshold": ("threshold",),
    "gold": ("gold", "gold_level", "human_score", "human_mqm", "rating", "label"),
}  # fmt: skip
_FIELD = {name: field for field, names in ALIASES.items() for name in names}
_NO_TEXT = {"file", "url", "uri", "id", "ids", "lang", "language", "type", "name", "path", "code", "date"}
_PLACE = re.compile(r"\s*#\d+'*$")
_NUMBERED = re.compile(r"[_. -]*\d+$")


def fold(name: str) -> str:
    """A column name without case, outer spaces and the place that a repeated name was given."""
    return re.sub(r"[\s-]+", "_", _PLACE.sub("", name).strip().casefold())


def stem(name: str) -> str:
    """The reference set's name that a column belongs to: `expected_2` and `Expected` are both `expected`."""
    plain = fold(name)
    while plain not in _FIELD and (shorter := _NUMBERED.sub("", plain)) != plain:
        plain = shorter
    return plain


def field_of(name: str) -> str | None:
    """The field that a column's name speaks of, or None."""
    plain = fold(name)
    if plain in _FIELD:
        return _FIELD[plain]
    if _FIELD.get(stem(name)) == "references":
        return "references"
    if plain.startswith("source_") and plain.rpartition("_")[2] not in _NO_TEXT:
        return "input"
    if plain.startswith(("gold_", "human_")):
        return "gold"
    return None
