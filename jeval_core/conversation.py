"""A conversation from text: JSON as chat APIs write it, or one line for each turn."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from jeval_core.errors import BadInput
from jeval_core.types import Turn

ROLES = ("system", "user", "assistant", "tool")
_ALIASES = {"human": "user", "customer": "user", "ai": "assistant", "bot": "assistant", "model": "assistant"}
_LINE = re.compile(rf"^\s*({'|'.join((*ROLES, *_ALIASES))})\s*:\s?", re.IGNORECASE)
HINT = 'Write a JSON list like [{"role": "user", "content": "…"}], or a line "user: …" for each turn.'


def turns(value: str | Iterable[Turn | Mapping[str, Any]]) -> tuple[Turn, ...]:
    """The turns of a conversation; a blank text has none.

    `value` is a list of turns, or text: JSON, or lines that begin with a role and a colon (a line without one goes on
    with its turn). Raises BadInput.
    """
    if not isinstance(value, str):
        return tuple(_turn(one) for one in value)
    text = value.strip()
    if not text:
        return ()
    if text[0] == "[":
        try:
            return tuple(_turn(one) for one in json.loads(text))
        except (ValueError, RecursionError) as error:
            raise error if isinstance(error, BadInput) else _unclear() from None
    return _lines(text)


def _turn(one: Any) -> Turn:
    if isinstance(one, Turn):
        return one
    content = one.get("content") if isinstance(one, Mapping) else None
    role = one.get("role") if isinstance(one, Mapping) else None
    if not isinstance(content, str) or not isinstance(role, str) or _role(role) is None:
        raise BadInput(
            "A turn of the conversation is an object with `role` and `content`.",
            field="conversation",
            hint=f"Roles: {', '.join(ROLES)}.",
        )
    return Turn(str(_role(role)), content)


def _role(name: str) -> str | None:
    plain = name.strip().lower()
    plain = _ALIASES.get(plain, plain)
    return plain if plain in ROLES else None


def _lines(text: str) -> tuple[Turn, ...]:
    found: list[list[str]] = []
    for line in text.splitlines():
        start = _LINE.match(line)
        if start:
            found.append([str(_role(start[1])), line[start.end() :]])
        elif found:
            found[-1][1] += "\n" + line
        else:
            raise _unclear()
    return tuple(Turn(role, content.strip()) for role, content in found)


def _unclear() -> BadInput:
    return BadInput("The conversation is no list of turns.", field="conversation", hint=HINT)
