"""promptfoo results as JSON (version 3 and later) or JSONL; the scores in them come along as `promptfoo.<metric>`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jeval_core.data.aliases import field_of
from jeval_core.data.formats.assertions import expected_texts, rubric
from jeval_core.data.formats.openai_evals import chat_text
from jeval_core.data.formats.parts import child, children
from jeval_core.data.jsonish import as_text, parse_json


def is_export(content: Mapping[str, Any]) -> bool:
    """Whether a document is what `promptfoo eval --output results.json` writes."""
    inner = content.get("results")
    return isinstance(inner, Mapping) and isinstance(inner.get("results"), list)


def is_result(record: Mapping[str, Any]) -> bool:
    """Whether a record is one result of such a run."""
    return {"promptIdx", "provider", "vars"} <= record.keys() or {"gradingResult", "testCase"} <= record.keys()


def records(content: Mapping[str, Any]) -> list[Any]:
    """Every result of a document."""
    return [to_record(r) if isinstance(r, Mapping) else r for r in content["results"]["results"]]


def to_record(result: Mapping[str, Any]) -> dict[str, Any]:
    """One result as fields: a row for each test and prompt."""
    test, variables = child(result, "testCase"), child(result, "vars")
    response, grading = child(result, "response"), child(result, "gradingResult")
    prompt, provider = child(result, "prompt"), child(result, "provider")
    components = children(grading, "componentResults")
    checks = _assertions(test, components)
    expected = expected_texts(checks, variables)
    optional = {"criteria": rubric(checks, variables), "threshold": test.get("threshold")}
    return {
        "id": test.get("description") or _number(result.get("testIdx")),
        "model_version": system(provider.get("label") or provider.get("id"), prompt.get("label")),
        "input": case_input(variables),
        "output": response.get("output"),
        "expected": expected if len(expected) > 1 else next(iter(expected), None),
        **{k: v for k, v in optional.items() if v is not None},
        **{f"vars.{k}": v for k, v in variables.items()},
        **{f"metadata.{k}": v for k, v in child(test, "metadata").items() if not k.startswith("_")},
        "promptfoo.prompt": _prompt(prompt.get("raw")),
        "promptfoo.score": grading.get("score", result.get("score")),
        "promptfoo.passed": grading.get("pass", result.get("success")),
        "promptfoo.reason": result.get("error") or grading.get("reason"),
        **_scores(components),
        **{f"promptfoo.{k}": v for k, v in child(result, "namedScores").items()},
    }


def case_input(variables: Mapping[str, Any]) -> str | None:
    """What a test asks, whatever prompt it is put into: the variable with an input's name, else all variables."""
    named = [k for k in variables if field_of(k) == "input"]
    if len(named) == 1 or len(variables) == 1:
        return as_text(variables[named[0] if named else next(iter(variables))])
    return as_text(dict(variables)) if variables else None


def system(provider: Any, prompt: Any) -> str:
    """The name of the system under test as promptfoo's tables head its column: `[provider] prompt`."""
    return f"[{provider or ''}] {prompt or ''}".strip()


def _assertions(test: Mapping[str, Any], components: list[Mapping[str, Any]]) -> list[tuple[str, Any]]:
    graded = [child(c, "assertion") for c in components]
    flat = [b for a in children(test, "assert") for b in (children(a, "assert") or [a])]
    return [(str(a.get("type")), a.get("value")) for a in [*flat, *graded]]


def _scores(components: list[Mapping[str, Any]]) -> dict[str, Any]:
    """Each graded assertion under its metric's name, else its type; a repeated one gets a number."""
    found: dict[str, Any] = {}
    for component in components:
        assertion = child(component, "assertion")
        name = base = f"promptfoo.{assertion.get('metric') or assertion.get('type') or 'check'}"
        number = 1
        while name in found:
            number += 1
            name = f"{base}_{number}"
        found[name] = component.get("score")
    return found


def _prompt(raw: Any) -> Any:
    """A prompt; a chat is kept as JSON there."""
    if isinstance(raw, str) and raw.lstrip().startswith("["):
        try:
            text = chat_text(parse_json(raw))
        except ValueError:
            return raw
        return text if isinstance(text, str) else raw
    return raw


def _number(index: Any) -> str | None:
    return f"test-{index + 1}" if isinstance(index, int) else None
