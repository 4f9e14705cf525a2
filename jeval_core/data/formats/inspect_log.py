"""Inspect logs: a `.json` document, or an `.eval` archive with one file for each sample."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator, Mapping
from typing import Any

from jeval_core.data.errors import UnreadableFile
from jeval_core.data.formats.openai_evals import chat_text, content_text
from jeval_core.data.formats.parts import child, children
from jeval_core.data.jsonish import parse_json, said_error
from jeval_core.data.raw import BROKEN_ARCHIVE

ATTACHED = "attachment://"


def is_log(content: Mapping[str, Any]) -> bool:
    """Whether a document is a log."""
    return isinstance(content.get("eval"), Mapping) and {"status", "plan"} <= content.keys()


def records(log: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The samples of a JSON log."""
    samples = log.get("samples")
    if not isinstance(samples, list) or not samples:
        raise _no_samples()
    model = _model(log)
    return [_record(s, model) if isinstance(s, Mapping) else s for s in samples]


def archive_records(archive: zipfile.ZipFile) -> list[dict[str, Any]]:
    """The samples of an `.eval` archive in the order of their numbers."""
    names = sorted((n for n in archive.namelist() if re.fullmatch(r"samples/.+\.json", n)), key=_natural)
    if not names:
        raise _no_samples()
    head = next((n for n in ("header.json", "_journal/start.json") if n in archive.namelist()), None)
    model = _model(_member(archive, head)) if head else None
    return [_record(_member(archive, name), model) for name in names]


def _member(archive: zipfile.ZipFile, name: str) -> Mapping[str, Any]:
    try:
        content = parse_json(archive.read(name).decode("utf-8"))
    except UnicodeDecodeError:
        raise UnreadableFile(f"`{name}` in the log is not UTF-8.") from None
    except BROKEN_ARCHIVE as e:
        reason = said_error(e) if isinstance(e, ValueError) else "damaged"
        raise UnreadableFile(f"`{name}` in the log cannot be read: {reason}.") from None
    if not isinstance(content, Mapping):
        raise UnreadableFile(f"`{name}` in the log is not an object.")
    return content


def _record(sample: Mapping[str, Any], model: str | None) -> dict[str, Any]:
    texts = child(sample, "attachments")
    row = {
        "id": sample.get("id"),
        "epoch": sample.get("epoch"),
        "model_version": model,
        "input": _resolved(chat_text(sample.get("input")), texts),
        "output": _resolved(_completion(sample.get("output")), texts),
        "expected": sample.get("target"),
    }
    for key, value in child(sample, "metadata").items():
        row[f"metadata.{key}"] = value
    return row | dict(_scores(sample))


def _scores(sample: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, score in child(sample, "scores").items():
        yield f"inspect.{name}", score.get("value") if isinstance(score, Mapping) else score


def _completion(output: Any) -> str | None:
    """The text of the first choice; None when the model gave none."""
    choices = children(output, "choices")
    message = child(choices[0], "message") if choices else None
    return content_text(message.get("content")) if message else None


def _resolved(text: Any, attached: Mapping[str, Any]) -> Any:
    """Long texts stand once among the attachments; here they take their place again."""
    if not isinstance(text, str) or ATTACHED not in text:
        return text
    return re.sub(f"{ATTACHED}([0-9a-f]+)", lambda m: str(attached.get(m[1], m[0])), text)


def _model(log: Mapping[str, Any]) -> str | None:
    model = child(log, "eval").get("model")
    return model if isinstance(model, str) else None


def _natural(name: str) -> list[tuple[int, str]]:
    return [(int(p), "") if p.isdigit() and len(p) < 19 else (-1, p) for p in re.split(r"(\d+)", name)]


def _no_samples() -> UnreadableFile:
    return UnreadableFile(
        "The Inspect log has no samples, only its summary.",
        hint="Give the log that Inspect wrote itself, with `--log-samples`.",
    )
