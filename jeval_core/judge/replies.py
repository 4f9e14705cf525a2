"""What an HTTP answer means: its JSON, or the error that its status stands for."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from email.utils import parsedate_to_datetime
from typing import Any

from jeval_core.judge import errors
from jeval_core.judge.errors import JudgeError, MalformedAnswer

LONGEST = 200
"""Characters of a host's own words in a message."""
ECHO = 24
MOST_DIGITS = 18
"""So many characters in a row of a text under evaluation are an echo of it."""

_BY_STATUS: dict[int, tuple[type[JudgeError], str, str | None]] = {
    401: (errors.Unauthorised, "the key is missing or wrong", None),
    403: (errors.Forbidden, "this is not allowed", "Is the key set, and may it use this model?"),
    404: (errors.NotFound, "there is no such route or model", "Check the base URL and the name of the model."),
    408: (errors.TimedOut, "it waited too long", None),
    413: (errors.TooLarge, "the request is too large", "Shorten the texts of this row."),
    422: (errors.RefusedQuestion, "it does not take this question", None),
    501: (errors.NotFound, "it has no such function", "Is this the right kind of judge for this host and model?"),
    429: (errors.RateLimited, "too many requests", "Ask fewer at once, or lower the limit per minute."),
    529: (errors.Overloaded, "it has too much to do", "Try again later."),
}


def error_of(
    status: int, body: Any, headers: Mapping[str, str], host: str, hidden: Iterable[str], now: float
) -> JudgeError:
    """The error of a status that is not 200. `hidden`: texts that no message may repeat; `now`: seconds since 1970."""
    cls, meaning, hint = _BY_STATUS.get(status, (errors.BadRequest, "it refused the request", None))
    if status >= 500 and status not in _BY_STATUS:
        cls, meaning, hint = errors.ServerFault, "it failed", "Try again later."
    elif 300 <= status < 400:
        meaning, hint = "it is at another address", "Set the base URL to the host's own; a redirect is not followed."
    words = told(body, hidden)
    said = f"{host} answered {status}: {meaning}" + (f" (“{words}”)." if words else ".")
    return cls(said, hint=hint, status=status, retry_after=wait_of(headers, now))


def parse(raw: bytes, host: str) -> Any:
    """The JSON value of a body; MalformedAnswer when it is none."""
    try:
        return loaded(raw)
    except (ValueError, RecursionError):
        raise MalformedAnswer(f"{host} did not answer with JSON.", hint="Is the base URL that of the API?") from None


def loaded(raw: bytes | str) -> Any:
    """A JSON value; whole numbers that no float holds are infinite, so that they are refused like any other."""
    return json.loads(raw, parse_int=lambda digits: int(digits) if len(digits) < MOST_DIGITS else float(digits))


def loosely(raw: bytes) -> Any:
    """The JSON value of an error's body, else its text."""
    try:
        return json.loads(raw)
    except (ValueError, RecursionError):
        return raw[:4000].decode("utf-8", "replace")


def status_within(body: Any) -> int | None:
    """The status that a host wrapped into a 200: `{"error": {"code": 429, …}}`; None when there is none."""
    error = body.get("error") if isinstance(body, dict) else None
    if not error or "answers" in body or "choices" in body:
        return None
    code = error.get("code") if isinstance(error, dict) else None
    return code if isinstance(code, int) and 400 <= code < 600 else 500


def told(body: Any, hidden: Iterable[str]) -> str:
    """A host's own words about an error, one short line; empty when they repeat a hidden text."""
    words = " ".join("".join(c if c.isprintable() else " " for c in _message(body)).split())
    if any(_echoes(_squeezed(words), _squeezed(text)) for text in hidden):
        return ""
    return words if len(words) <= LONGEST else words[: LONGEST - 1] + "…"


def wait_of(headers: Mapping[str, str], now: float) -> float | None:
    """Seconds that `retry-after-ms` or `retry-after` (seconds, or a date) ask to wait; None when they do not."""
    for name, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        text = headers.get(name, "")
        try:
            seconds = float(text) / unit
        except ValueError:
            try:
                seconds = max(0.0, parsedate_to_datetime(text).timestamp() - now)
            except (ValueError, TypeError, OverflowError):
                continue
        if math.isfinite(seconds) and seconds >= 0:
            return seconds
    return None


def texts_of(data: Any) -> Iterable[str]:
    """Every text within JSON data."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, Mapping):
        for value in data.values():
            yield from texts_of(value)
    elif isinstance(data, (list, tuple)):
        for value in data:
            yield from texts_of(value)


def _message(body: Any) -> str:
    if isinstance(body, str):
        return "" if body.lstrip().startswith("<") else body  # a web page
    if isinstance(body, list):
        return "; ".join(_message(part) for part in body)
    if not isinstance(body, dict):
        return ""
    if "msg" in body:  # {"loc": ["body", "questions", "q"], "msg": "…", "type": "…"}
        where = body.get("loc")
        at = ".".join(str(part) for part in where) if isinstance(where, list) else ""
        return f"{at}: {body['msg']}" if at else str(body["msg"])
    for name in ("detail", "error", "message"):
        if body.get(name):
            return _message(body[name])
    return ""


def _squeezed(text: str) -> str:
    """Letters and digits alone: an echo may be escaped, quoted or wrapped otherwise."""
    return "".join(c for c in text.replace("\\n", " ").replace("\\t", " ") if c.isalnum())


def _echoes(words: str, text: str) -> bool:
    if len(text) <= ECHO:
        return len(text) >= 4 and text in words
    return any(words[i : i + ECHO] in text for i in range(len(words) - ECHO + 1))
