"""What stands in front of page and API: known hosts only, a size limit, a token, headers that forbid the rest."""

from __future__ import annotations

import hmac
import logging
import re
from base64 import b64encode
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from pathlib import Path
from time import perf_counter
from typing import Any
from urllib.parse import urlsplit

import streamlit
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from console.envelope import error_response
from console.settings import TOKEN, Settings

log = logging.getLogger("jeval.api")


@cache
def policy() -> str:
    """The Content-Security-Policy of every response: nothing comes from elsewhere.

    Streamlit compiles components and plotly at run time, hence 'unsafe-eval' and blob:; the few scripts inside its own
    page are allowed by their hash, so that no other inline script runs.
    """
    page = (Path(streamlit.__file__).parent / "static" / "index.html").read_bytes()
    inline = re.findall(rb"<script(?![^>]*\bsrc=)[^>]*>(.*?)</script>", page, flags=re.S)
    hashes = " ".join(f"'sha256-{b64encode(sha256(code).digest()).decode()}'" for code in inline)
    return (
        f"default-src 'self'; script-src 'self' 'unsafe-eval' blob: {hashes}; style-src 'self' 'unsafe-inline'; "
        "img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; "
        "media-src 'self' blob:; object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors 'self'"
    )


HEADERS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "SAMEORIGIN",
    "referrer-policy": "no-referrer",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "cross-origin-opener-policy": "same-origin",
}


class Guard:
    """ASGI middleware around the whole app; `settings` is asked for at each request, as it follows the address."""

    def __init__(self, app: ASGIApp, settings: Callable[[], Settings]) -> None:
        self.app = app
        self.settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            return await self.app(scope, receive, send)
        settings = self.settings()
        refused = _refusal(scope, settings)
        if scope["type"] == "websocket":
            if refused:
                return await send({"type": "websocket.close", "code": 1008})
            return await self.app(scope, receive, send)
        api = scope["path"].startswith("/api/")
        watch = _Watch(send, quiet=not api)
        try:
            if refused:
                await error_response(*refused)(scope, receive, watch.send)
            elif api:
                await self._limited(scope, receive, watch, settings.max_body)
            else:
                await self.app(scope, receive, watch.send)
        finally:
            watch.write(scope)

    async def _limited(self, scope: Scope, receive: Receive, watch: _Watch, limit: int) -> None:
        too_large = error_response(
            413,
            "too_large",
            f"The request is larger than {limit:,} bytes.",
            None,
            "Send fewer or shorter texts, or raise JEVAL_MAX_BODY_BYTES.",
        )
        declared = Headers(scope=scope).get("content-length", "0")
        if not declared.isdigit() or int(declared) > limit:
            return await too_large(scope, receive, watch.send)
        body = b""  # read whole before the app sees it: the limit is small, and a refusal must come in time
        while True:
            message = await receive()
            if message["type"] != "http.request":
                return None  # the client went away
            body += message.get("body", b"")
            if len(body) > limit:
                return await too_large(scope, receive, watch.send)
            if not message.get("more_body"):
                break
        await self.app(scope, _replayed(body, receive), watch.send)


def _replayed(body: bytes, receive: Receive) -> Receive:
    """A `receive` that hands out a body that was read already, then goes on with the real one."""
    left = [body]

    async def replay() -> Message:
        return {"type": "http.request", "body": left.pop(), "more_body": False} if left else await receive()

    return replay


class _Watch:
    """Adds the headers to a response and writes one log line, which never holds a text or a query."""

    def __init__(self, send: Send, *, quiet: bool) -> None:
        self._send = send
        self.quiet = quiet
        self.status = 0
        self.start = perf_counter()

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            headers = MutableHeaders(raw=message["headers"])
            for name, value in ({"content-security-policy": policy()} | HEADERS).items():
                headers.setdefault(name, value)
        await self._send(message)

    def write(self, scope: Scope) -> None:
        if not self.quiet:
            path = scope.get("raw_path", b"").decode("ascii", "replace")[:200]  # still encoded: no line break gets in
            log.info(
                "%s %s %s %.1f ms",
                scope["method"],
                path,
                self.status,
                1000 * (perf_counter() - self.start),
            )


def _refusal(scope: Scope, settings: Settings) -> tuple[int, str, str, str | None, str] | None:
    """Status, code, message, field and hint of a request that must not reach the app."""
    headers = Headers(scope=scope)
    if _host(headers.get("host", "")) not in settings.hosts:
        return (
            403,
            "foreign_host",
            "The server does not answer to this host name.",
            "Host",
            "Name it in JEVAL_ALLOWED_HOSTS.",
        )
    origin = headers.get("origin")
    if origin is not None and not _same_site(origin, headers.get("host", ""), settings):
        return (
            403,
            "foreign_origin",
            "Requests from other sites are refused.",
            "Origin",
            "Call the API from a program, or from the console's own address.",
        )
    if scope["path"].startswith("/api/") and scope["path"] != "/api/health":
        return _token_refusal(headers, settings)
    return None


def _token_refusal(headers: Any, settings: Settings) -> tuple[int, str, str, str | None, str] | None:
    if settings.token is None:
        if settings.private:
            return None
        return (
            403,
            "token_required",
            "The API is closed: the server is reachable from other machines and has no token.",
            None,
            f"Set {TOKEN} and start again.",
        )
    given = headers.get("authorization", "").encode("latin-1", "replace")
    if hmac.compare_digest(given, f"Bearer {settings.token}".encode()):
        return None
    return (
        401,
        "unauthorized",
        "The API needs its token.",
        "Authorization",
        f"Send `Authorization: Bearer …` with the value of {TOKEN}.",
    )


def _host(value: str) -> str:
    """The name in a Host header, without its port."""
    try:
        return (urlsplit(f"//{value}").hostname or "").lower()
    except ValueError:
        return ""


def _same_site(origin: str, host: str, settings: Settings) -> bool:
    """Whether an Origin names this very server: a known host, and the port the request came to."""
    try:
        there, here = urlsplit(origin), urlsplit(f"//{host}")
        default = 443 if there.scheme == "https" else 80
        return (there.hostname or "").lower() in settings.hosts and (there.port or default) == (here.port or default)
    except ValueError:
        return False
