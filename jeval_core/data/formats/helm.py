"""HELM runs: `scenario_state.json` with prompts and completions, `per_instance_stats.json` with its metrics."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jeval_core.data.formats.parts import child, children


def is_state(content: Mapping[str, Any]) -> bool:
    """Whether a document holds prompts and completions."""
    return {"adapter_spec", "request_states"} <= content.keys() and isinstance(content["request_states"], list)


def is_stats(content: list[Any]) -> bool:
    """Whether a document holds metrics for each instance."""
    return isinstance(content[0], Mapping) and {"instance_id", "stats"} <= content[0].keys()


def records(content: Any) -> list[Any]:
    """Rows of either document; one for each completion."""
    if isinstance(content, list):
        return [_stats(r) if isinstance(r, Mapping) else r for r in content]
    model = child(content, "adapter_spec").get("model")
    return [row for state in content["request_states"] for row in _state(state, model)]


def joined(states: list[Any], stats: list[Any]) -> list[Any]:
    """Completions with the metrics of their instance beside them."""
    metrics = {_key(r): r for r in stats if isinstance(r, Mapping)}
    return [{**metrics.get(_key(r), {}), **r} if isinstance(r, Mapping) else r for r in states]


def _key(row: Mapping[str, Any]) -> str:
    return repr((row.get("id"), row.get("train_trial_index")))


def _state(state: Any, model: Any) -> list[Any]:
    instance = child(state, "instance")
    if not instance:
        return [state]
    right = [_text(r.get("output")) for r in children(instance, "references") if "correct" in _tags(r)]
    row = {
        "id": instance.get("id"),
        "model_version": model,
        "input": _text(instance.get("input")),
        "output": None,
        "expected": [r for r in right if r is not None] or None,
        "train_trial_index": state.get("train_trial_index"),
        "split": instance.get("split"),
    }
    completions = children(child(state, "result"), "completions")
    return [{**row, "output": _text(c)} for c in completions] or [row]


def _tags(reference: Mapping[str, Any]) -> list[Any]:
    tags = reference.get("tags")
    return tags if isinstance(tags, list) else []


def _stats(record: Mapping[str, Any]) -> dict[str, Any]:
    row: dict[str, Any] = {"id": record.get("instance_id"), "train_trial_index": record.get("train_trial_index")}
    for stat in children(record, "stats"):
        name = child(stat, "name")
        if name and not name.get("perturbation"):
            row[f"helm.{name.get('name')}"] = stat.get("mean")
    return row


def _text(holder: Any) -> Any:
    return holder.get("text") if isinstance(holder, Mapping) else None
