"""Which judge is asked: an explicit choice, settled from the environment. Nothing is sent before it is asked.

| choice | what is needed |
|---|---|
| `heuristic` | nothing; what is used when nothing was chosen |
| `recorded:FILE`, `recorded:example` | the file |
| `systemone` | `TYPESAFE_API_KEY`; `TYPESAFE_BASE_URL`, `TYPESAFE_DEFAULT_MODEL` for other hosts |
| `chat` | `JEVAL_CHAT_BASE_URL`, `JEVAL_CHAT_MODEL`; also `JEVAL_CHAT_API_KEY`, `JEVAL_CHAT_EXTRA` (JSON) |

For hosts also `JEVAL_JUDGE_CONCURRENCY`, `…_REQUESTS_PER_MINUTE`, `…_TOKENS_PER_MINUTE`, `…_TIMEOUT` (seconds),
`…_RETRIES`, `…_PRICE` (USD for a million input tokens) and `…_HOSTS` (those that a page may name, separated by commas).
"""

from __future__ import annotations

import ipaddress
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from jeval_core.errors import nearest, said
from jeval_core.judge.answers import Answers
from jeval_core.judge.base import Judge, ask_one
from jeval_core.judge.errors import BadSetting
from jeval_core.judge.heuristic import Encoder, Heuristic
from jeval_core.judge.questions import yes_no_question
from jeval_core.judge.recorded import EXAMPLE, Recorded

CHOSEN = "JEVAL_JUDGE"
BACKENDS = ("heuristic", "recorded", "systemone", "chat")
KEYS = {"systemone": "TYPESAFE_API_KEY", "chat": "JEVAL_CHAT_API_KEY"}
BASES = {"systemone": "TYPESAFE_BASE_URL", "chat": "JEVAL_CHAT_BASE_URL"}
MODELS = {"systemone": "TYPESAFE_DEFAULT_MODEL", "chat": "JEVAL_CHAT_MODEL"}
LIMITS = "JEVAL_JUDGE_"
HOSTS = "JEVAL_JUDGE_HOSTS"
PER_MINUTE = 1200.0
"""Requests a minute that Jev's own host takes."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A backend; `file` of a recording, `base_url` and `model` where they are not those of the environment."""

    backend: str
    file: str | None = None
    base_url: str | None = None
    model: str | None = None

    def __str__(self) -> str:
        return f"{self.backend}:{self.file}" if self.file else self.backend


def choose(
    given: str | None = None,
    env: Mapping[str, str] | None = None,
    *,
    base_url: str | None = None,
    model: str | None = None,
) -> Choice:
    """The judge that was asked for: `given`, else `JEVAL_JUDGE`, else the heuristic. A key alone chooses nothing.

    `base_url` and `model` come from a page; see `make`. BadSetting for a judge that does not exist.
    """
    text = (given or (os.environ if env is None else env).get(CHOSEN) or "heuristic").strip()
    backend, colon, file = text.partition(":")
    if backend not in BACKENDS:
        raise BadSetting(f"There is no judge `{said(text)}`.", field="judge", hint=nearest(backend, BACKENDS))
    if "\0" in file:
        raise BadSetting("The name of a recording holds a null character.", field="judge")
    if backend == "recorded" and not file:
        raise BadSetting("A recorded judge needs its file.", field="judge", hint="For example recorded:answers.jsonl.")
    if backend != "recorded" and colon:
        raise BadSetting(f"The judge {backend} takes nothing after its name.", field="judge")
    return Choice(backend, file or None, base_url or None, model or None)


def make(choice: Choice, env: Mapping[str, str] | None = None, *, encoder: Encoder | None = None) -> Judge:
    """The judge of a choice. A base URL that is not the environment's must be of a host in `JEVAL_JUDGE_HOSTS`.

    `encoder`: blended into the heuristic. Raises BadSetting, or BadRecording for a file that cannot be read.
    """
    env = os.environ if env is None else env
    if choice.backend == "heuristic":
        return Heuristic(encoder, "minilm")
    if choice.backend == "recorded":
        return Recorded(EXAMPLE if choice.file == EXAMPLE else Path(choice.file or ""), choice.model)
    return _systemone(choice, env) if choice.backend == "systemone" else _chat(choice, env)


def probe(judge: Judge) -> Answers:
    """Ask one small question, to see a judge's model, its latency and whether it answers. Raises JudgeError."""
    asked = {"q": yes_no_question("Is the output a greeting?", "It is a greeting.", "It is something else.")}
    answers = ask_one(judge, {"output": "Good morning!"}, asked)
    if answers.failed and answers.failed["q"].code != "not_recorded":
        raise answers.failed["q"]
    return answers


def _systemone(choice: Choice, env: Mapping[str, str]) -> Judge:
    from jeval_core.judge.client import Client, Secret
    from jeval_core.judge.systemone import BASE_URL, MODEL, PRICE, ROUTE, SystemOne

    url, key = _base_url(choice, env, BASE_URL), env.get(KEYS["systemone"], "").strip()
    for tail, route in ((ROUTE, ROUTE), ("/decisions", "/decisions"), ("/v1", ROUTE)):  # an address with its route
        if url.endswith(tail):
            url, path = url.removesuffix(tail), route
            break
    else:
        path = ROUTE
    own = url == BASE_URL
    if own and not key:
        raise BadSetting(
            f"{_host(url)} needs a key.",
            field=KEYS["systemone"],
            hint=f"Set {KEYS['systemone']}, or {BASES['systemone']} for another host.",
        )
    client = Client(url, Secret(key), _limits(env, PER_MINUTE if own else None), key_hint=f"Check {KEYS['systemone']}.")
    model = choice.model or env.get(MODELS["systemone"]) or MODEL
    return SystemOne(client, model, price=_price(env, url, PRICE if own else None), route=path)


def _chat(choice: Choice, env: Mapping[str, str]) -> Judge:
    from jeval_core.judge.chat import Chat
    from jeval_core.judge.client import Client, Secret

    url, model = _base_url(choice, env, None), choice.model or env.get(MODELS["chat"])
    if not model:
        raise BadSetting(
            "The chat judge needs the name of a model.", field=MODELS["chat"], hint=f"Set {MODELS['chat']}."
        )
    key = env.get(KEYS["chat"], "").strip()
    client = Client(url.removesuffix("/chat/completions"), Secret(key), _limits(env), key_hint=f"Check {KEYS['chat']}.")
    return Chat(client, model, price=_price(env, url, None), extra=_extra(env))


def _base_url(choice: Choice, env: Mapping[str, str], default: str | None) -> str:
    name = BASES[choice.backend]
    own = (env.get(name) or default or "").rstrip("/")
    if choice.base_url is None or choice.base_url.rstrip("/") == own:
        if not own:
            raise BadSetting(
                f"The {choice.backend} judge needs the address of a host.",
                field=name,
                hint=f"Set {name}, for example http://localhost:8080.",
            )
        return own
    hosts = {host.strip().lower() for host in env.get(HOSTS, "").split(",")}
    if _host(choice.base_url) not in hosts - {""}:
        raise BadSetting(
            "This console does not ask judges at that host.",
            field="base_url",
            hint=f"Whoever runs it can add the host to {HOSTS}.",
        )
    return choice.base_url.rstrip("/")


def _host(url: str) -> str:
    try:
        return urlsplit(url).netloc.lower()
    except ValueError:
        return ""


def _limits(env: Mapping[str, str], per_minute: float | None = None) -> Any:
    from jeval_core.judge.client import Limits

    usual = Limits()
    return Limits(
        concurrency=_whole(env, "CONCURRENCY", usual.concurrency),
        requests_per_minute=_number(env, "REQUESTS_PER_MINUTE", per_minute),
        tokens_per_minute=_number(env, "TOKENS_PER_MINUTE", None),
        timeout=_number(env, "TIMEOUT", usual.timeout) or 0,
        retries=_whole(env, "RETRIES", usual.retries),
    )


def _price(env: Mapping[str, str], url: str, known: float | None) -> float | None:
    price = _number(env, "PRICE", 0.0 if known is None and is_here(url) else known)
    if price is not None and not 0 <= price < float("inf"):
        raise BadSetting("A price is 0 dollars or more.", field=f"{LIMITS}PRICE")
    return price


def is_here(url: str) -> bool:
    """Whether an address is of this very machine."""
    try:
        host = urlsplit(url).hostname or ""
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _number(env: Mapping[str, str], name: str, default: float | None) -> float | None:
    text = env.get(LIMITS + name, "").strip()
    try:
        return float(text) if text else default
    except ValueError:
        raise BadSetting(f"{LIMITS}{name} is not a number.", field=LIMITS + name) from None


def _whole(env: Mapping[str, str], name: str, default: int) -> int:
    number = _number(env, name, default) or 0
    if not float(number).is_integer():
        raise BadSetting(f"{LIMITS}{name} is not a whole number.", field=LIMITS + name)
    return int(number)


def _extra(env: Mapping[str, str]) -> dict[str, Any]:
    try:
        extra = json.loads(env.get("JEVAL_CHAT_EXTRA") or "{}")
        json.dumps(extra, allow_nan=False)
    except (ValueError, RecursionError):
        extra = None
    if not isinstance(extra, dict):
        raise BadSetting("JEVAL_CHAT_EXTRA is not a JSON object.", field="JEVAL_CHAT_EXTRA")
    return extra
