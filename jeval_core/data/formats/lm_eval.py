"""lm-eval `samples_*.jsonl`: what `--log_samples` writes, one line for each document and filter."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

KEYS = ("doc_id", "doc", "target", "resps", "filtered_resps")
OWN = {*KEYS, "arguments", "filter", "metrics", "doc_hash", "prompt_hash", "target_hash"}


def is_sample(record: Mapping[str, Any]) -> bool:
    """Whether a record is a logged sample."""
    return record.keys() >= {*KEYS}


def to_record(record: Mapping[str, Any]) -> dict[str, Any]:
    """A sample as fields; its metrics become `lm_eval.<metric>`."""
    if not is_sample(record):
        return dict(record)
    row = {
        "id": record["doc_id"],
        "input": _prompt(record.get("arguments")),
        "output": _first(record["filtered_resps"]) or _first(record["resps"]),
        "expected": record["target"],
        "filter": record.get("filter"),
        "doc_hash": record.get("doc_hash"),
    }
    return row | {f"lm_eval.{k}": v for k, v in record.items() if k not in OWN}


def _prompt(arguments: Any) -> Any:
    """The first argument of the first request: a dict in newer versions, nested lists in older ones."""
    while isinstance(arguments, Mapping | list) and arguments:
        arguments = next(iter(arguments.values())) if isinstance(arguments, Mapping) else arguments[0]
    return arguments if isinstance(arguments, str) else None


def _first(answers: Any) -> Any:
    """The first answer; a log-likelihood request has pairs there, which stay as they are."""
    while isinstance(answers, list) and len(answers) > 0 and not _is_pair(answers):
        answers = answers[0]
    return answers if answers != [] else None


def _is_pair(value: list[Any]) -> bool:
    return len(value) == 2 and str(value[1]) in ("True", "False")
