"""Whose export a file looks like, judged by its shape and not by its name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jeval_core.data.dialect import Dialect, physical_lines
from jeval_core.data.errors import UnreadableFile
from jeval_core.data.formats import helm, inspect_log, lm_eval, openai_evals, promptfoo, promptfoo_csv
from jeval_core.data.jsonish import parse_json
from jeval_core.data.records import Format

_LINES: tuple[tuple[Format, Any], ...] = (
    ("promptfoo-results-jsonl", promptfoo.is_result),
    ("lm-eval", lm_eval.is_sample),
    ("openai-evals", openai_evals.is_sample),
)


def of_document(content: Any) -> Format:
    """The format of a JSON document."""
    if isinstance(content, Mapping):
        if promptfoo.is_export(content):
            return "promptfoo-results-json"
        if inspect_log.is_log(content):
            return "inspect-json"
        if helm.is_state(content):
            return "helm"
        _refuse_without_rows(content)
    if isinstance(content, list) and content and isinstance(content[0], Mapping):
        if helm.is_stats(content):
            return "helm"
        return next((name for name, fits in _LINES if fits(content[0])), "json")
    return "json"


def of_lines(text: str) -> Format:
    """The format of JSON Lines, judged by the first lines that can be read."""
    for line in physical_lines(text[: 1 << 20])[:20]:
        try:
            record = parse_json(line) if line.strip() else None
        except ValueError:
            continue
        if isinstance(record, Mapping):
            return next((name for name, fits in _LINES if fits(record)), "jsonl")
    return "jsonl"


def of_header(dialect: Dialect) -> Format:
    """The format of a text table, judged by its header."""
    names = [n.strip() for n in dialect.names]
    if promptfoo_csv.is_results(names, dialect.example):
        return "promptfoo-results-csv"
    if any(n.startswith("__expected") for n in names):
        return "promptfoo-tests-csv"
    if "actual_output" in names and {"input", "expected_output"} & {*names}:
        return "deepeval-csv"
    return "tsv" if dialect.delimiter == "\t" else "csv"


def _refuse_without_rows(content: Mapping[str, Any]) -> None:
    """Files that people give by mistake: they belong to an evaluation, and hold no rows of it."""
    if {"results", "configs", "n-shot"} <= content.keys():
        raise UnreadableFile(
            "This is the summary of an lm-eval run; it has no outputs.",
            hint="Give the `samples_*.jsonl` beside it (run with --log_samples).",
        )
    if {"prompts", "providers", "tests"} <= content.keys() and "results" not in content:
        raise UnreadableFile(
            "This is a promptfoo configuration; it has no outputs.",
            hint="Give the results file that `promptfoo eval --output results.json` writes.",
        )
