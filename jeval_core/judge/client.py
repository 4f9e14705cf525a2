"""HTTP as a judge needs it: several requests at once, limits per minute, retries, a budget of time."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit
from weakref import WeakKeyDictionary

from jeval_core.judge import replies
from jeval_core.judge.errors import BadSetting, ConnectionLost, JudgeError, MalformedAnswer, TimedOut
from jeval_core.judge.pace import Clock, Pace

if TYPE_CHECKING:
    import ssl

    import httpx

LARGEST = 8_000_000
"""Bytes of an answer; a longer one is not read."""
KEY_PIECE = 8
"""Characters of a key that no message may hold in a row."""
FIRST_WAIT, LONGEST_WAIT = 0.5, 30.0
"""Seconds between tries: doubled each time, less up to a half by chance."""


class Secret:
    """A key that shows in no repr, log or error; `reveal` gives it."""

    __slots__ = ("_text",)

    def __init__(self, text: str = "") -> None:
        if any(not 33 <= ord(c) <= 126 for c in text):
            raise BadSetting("The key holds a space or a character that no key has.", field="key")
        self._text = text

    def reveal(self) -> str:
        """The key itself, for a header."""
        return self._text

    def __bool__(self) -> bool:
        return bool(self._text)

    def __repr__(self) -> str:
        return "Secret(set)" if self._text else "Secret(empty)"

    def __reduce__(self) -> str:
        raise TypeError("a key is not stored")


@dataclass(frozen=True, slots=True)
class Limits:
    """How a host is asked. Times in seconds: `timeout` of one try, `budget` of a request with all its tries."""

    concurrency: int = 8
    requests_per_minute: float | None = None
    tokens_per_minute: float | None = None
    timeout: float = 60.0
    budget: float = 180.0
    retries: int = 6

    def __post_init__(self) -> None:
        limits = (self.requests_per_minute, self.tokens_per_minute)
        if self.concurrency < 1 or self.retries < 0 or not (self.timeout > 0 and self.budget > 0):
            raise BadSetting("A judge's concurrency and times are above 0, its retries not below.", field="limits")
        if any(limit is not None and not limit >= 1 for limit in limits):
            raise BadSetting("A limit per minute is 1 or more.", field="limits")


@dataclass(frozen=True, slots=True)
class Reply:
    """The JSON of an answer; `latency`: seconds of the try that gave it, `attempts`: tries in all."""

    data: Any
    latency: float
    attempts: int


@dataclass(frozen=True, slots=True)
class _Request:
    method: str
    path: str
    body: bytes = b""
    tokens: int = 0
    hidden: Any = None


class Client:
    """One host. Every failure is a JudgeError; 408, 429, 529, other 5xx and broken connections are tried again.

    Limits per minute hold for all threads together, the concurrency for each event loop. `transport` and `clock` are
    for tests.
    """

    def __init__(
        self,
        base_url: str,
        key: Secret | None = None,
        limits: Limits | None = None,
        *,
        key_hint: str | None = None,
        clock: Clock | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
        seed: int | None = None,
    ) -> None:
        self.base_url = checked_url(base_url)
        self.host = urlsplit(self.base_url).netloc
        self.limits = limits or Limits()
        self._key = key or Secret()
        self._key_hint = key_hint
        self._clock = clock or Clock()
        self._transport = transport
        self._random = random.Random(seed)
        self._requests = Pace(self.limits.requests_per_minute, self._clock)
        self._tokens = Pace(self.limits.tokens_per_minute, self._clock)
        self._not_before = 0.0
        self._open: WeakKeyDictionary[Any, _Connections] = WeakKeyDictionary()

    async def post(self, path: str, payload: Mapping[str, Any], *, tokens: int = 0, hidden: Any = None) -> Reply:
        """Send JSON. `tokens`: an estimate, for the limit per minute; `hidden`: data whose texts no error repeats."""
        return await self._send(_Request("POST", path, encoded(payload), tokens, hidden))

    async def get(self, path: str) -> Reply:
        """Fetch JSON."""
        return await self._send(_Request("GET", path))

    async def aclose(self) -> None:
        """Close the connections of this event loop; the next request opens new ones."""
        opened = self._open.pop(asyncio.get_running_loop(), None)
        for http in opened.free if opened else ():
            await http.aclose()

    async def _send(self, request: _Request) -> Reply:
        connections = self._open.setdefault(asyncio.get_running_loop(), _Connections(self.limits.concurrency))
        async with connections.slots:
            http = connections.free.pop() if connections.free else self._connection()
            try:
                return await self._tried(http, request)
            finally:
                connections.free.append(http)

    async def _tried(self, http: httpx.AsyncClient, request: _Request) -> Reply:
        await self._turn(request.tokens)
        started, attempt = self._clock.now(), 0
        while True:
            attempt += 1
            left = started + self.limits.budget - self._clock.now()
            sent = self._clock.now()
            try:
                data = await self._once(http, request, min(left, self.limits.timeout))
                return Reply(data, self._clock.now() - sent, attempt)
            except JudgeError as error:
                await self._before_retry(error, attempt, started + self.limits.budget, request.tokens)

    async def _before_retry(self, error: JudgeError, attempt: int, end: float, tokens: int) -> None:
        """Wait until the next try is due; raises the error when there is none."""
        asked, error.attempts = error.retry_after, attempt
        if error.retryable and asked is not None:  # for all others as well, who have a budget of their own
            self._not_before = max(self._not_before, self._clock.now() + min(asked, self.limits.budget))
        backoff = min(LONGEST_WAIT, FIRST_WAIT * 2 ** (attempt - 1)) * (1 - self._random.random() / 2)
        wait = backoff if asked is None else asked + min(backoff, 0.25)
        if not error.retryable or attempt > self.limits.retries or self._clock.now() + wait >= end:
            raise error
        await self._clock.sleep(wait)
        await self._turn(tokens)
        if self._clock.now() >= end:
            raise error

    async def _turn(self, tokens: int) -> None:
        wait = max(self._requests.reserve(), self._tokens.reserve(tokens), self._not_before - self._clock.now())
        while wait > 0:
            await self._clock.sleep(wait)
            wait = self._not_before - self._clock.now()

    async def _once(self, http: httpx.AsyncClient, request: _Request, seconds: float) -> Any:
        import httpx

        try:
            async with asyncio.timeout(seconds):
                async with http.stream(request.method, request.path, content=request.body, timeout=seconds) as response:
                    raw = await self._read(response)
        except (TimeoutError, httpx.TimeoutException):
            raise TimedOut(f"{self.host} did not answer within {seconds:.3g} seconds.") from None
        except httpx.DecodingError:
            raise MalformedAnswer(f"{self.host} sent an answer that cannot be unpacked.") from None
        except httpx.ConnectError:
            raise ConnectionLost(f"There is no connection to {self.host}.", hint="Is the server running?") from None
        except (httpx.HTTPError, httpx.InvalidURL):
            raise ConnectionLost(f"The connection to {self.host} broke.") from None
        return self._judged(response.status_code, raw, response.headers, request)

    async def _read(self, response: httpx.Response) -> bytes:
        raw = bytearray()
        async for part in response.aiter_bytes():
            raw += part
            if len(raw) > LARGEST:
                raise MalformedAnswer(f"{self.host} sent an answer of more than {LARGEST:,} bytes.")
        return bytes(raw)

    def _judged(self, status: int, raw: bytes, headers: Mapping[str, str], request: _Request) -> Any:
        if status == 200 and self._key and self._key.reveal().encode() in raw:
            raise MalformedAnswer(f"{self.host} sent the key back, so its answer is not kept.")
        data = replies.parse(raw, self.host) if status == 200 else replies.loosely(raw)
        wrapped = replies.status_within(data) if status == 200 else status
        if wrapped is None:
            return data
        error = replies.error_of(wrapped, data, headers, self.host, self._hidden(request), self._clock.wall())
        if wrapped in (401, 403) and self._key_hint:
            raise type(error)(error.message, hint=self._key_hint, status=wrapped)
        raise error

    def _hidden(self, request: _Request) -> Iterable[str]:
        key = self._key.reveal()
        yield from (key[i : i + KEY_PIECE] for i in range(max(1, len(key) - KEY_PIECE + 1)) if key)
        yield from replies.texts_of(request.hidden)

    def _connection(self) -> httpx.AsyncClient:
        import httpx

        headers = {"content-type": "application/json", "user-agent": "jeval-console"}
        if self._key:
            headers["authorization"] = f"Bearer {self._key.reveal()}"
        one = httpx.Limits(max_connections=1)  # a pool's work for a request grows with its connections
        return httpx.AsyncClient(
            base_url=self.base_url, headers=headers, limits=one, transport=self._transport, verify=_certificates()
        )


class _Connections:
    def __init__(self, most: int) -> None:
        self.slots = asyncio.Semaphore(most)
        self.free: list[httpx.AsyncClient] = []


@cache
def _certificates() -> ssl.SSLContext:
    import httpx

    return httpx.create_ssl_context()  # slow to make


def checked_url(url: str) -> str:
    """A base URL without its last slash; BadSetting unless it is http(s) with a host, without key, query or user."""
    try:
        parts = urlsplit(url)
        whole = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 0) >= 0
        if whole and not (url.isascii() and "xn--" not in url.lower()):
            _ = httpx_url(url)
    except ValueError:
        whole = False
    if not whole or parts.query or parts.fragment or parts.username or parts.password or not url.isprintable():
        raise BadSetting(
            "The judge's base URL is not one that can be used.",
            field="base_url",
            hint="For example https://api.typesafe.ai; a key has no place in it.",
        )
    return url.rstrip("/")


def httpx_url(url: str) -> object:
    """The address as the connection takes it; ValueError for a name of a host that cannot be one."""
    import httpx

    try:
        return httpx.URL(url)
    except (httpx.InvalidURL, UnicodeError) as error:
        raise ValueError(str(error)) from None


def encoded(payload: Mapping[str, Any]) -> bytes:
    """JSON for the wire; characters that UTF-8 cannot hold are escaped."""
    try:
        return json.dumps(payload, ensure_ascii=False, allow_nan=False).encode("utf-8")
    except UnicodeEncodeError:
        return json.dumps(payload, allow_nan=False).encode("ascii")
