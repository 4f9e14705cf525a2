"""A server that fails in every way that a host can: statuses, slowness, dropped and cut connections, nonsense."""

from __future__ import annotations

import json
import socket
import struct
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

LEVELS = {"0": 0.0, "1": 0.0, "2": 0.05, "3": 0.20, "4": 0.75}


@dataclass(frozen=True)
class Say:
    """One answer: `body` as JSON, or bytes as they are."""

    body: Any = None
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    seconds: float = 0.0


class Drop:
    """Close without a word."""


class Reset:
    """Break the connection off."""


class Cut:
    """Promise more than is sent, then close."""


class Drip:
    """A byte at a time, never done."""


Act = Say | Drop | Reset | Cut | Drip


def systemone_body(body: Any) -> Any:
    """A right answer to every question of a request."""
    answers: dict[str, Any] = {}
    for id, question in body["questions"].items():
        if question["type"] == "noul":
            answers[id] = {"type": "noul", "noul": 0.98}
        elif question["type"] == "choice":
            names = [*question["criteria"]]
            share = {name: round(0.05 / (len(names) - 1), 4) for name in names[1:]}
            answers[id] = {"type": "choice", "choice": names[0], "probabilities": {names[0]: 0.95, **share}}
        else:
            n = len(question["criteria"])
            p = {**LEVELS} if n == 5 else {str(i): (1.0 if i == n - 1 else 0.0) for i in range(n)}
            answers[id] = {"type": "score", "score": sum(int(k) * v for k, v in p.items()), "probabilities": p}
    return {"model": "jev-1.13.0", "answers": answers, "usage": {"input_tokens": 318, "output_tokens": 34}}


class FaultServer:
    """`act(number, path, body)` says what to do with the request of that number, counted from 0.

    `seen` holds (path, headers, body) of every request, `at` its moment in seconds.
    """

    def __init__(self, act: Callable[[int, str, Any], Act]) -> None:
        self.seen: list[tuple[str, dict[str, str], Any]] = []
        self.at: list[float] = []
        self.act, self.lock, self.open = act, threading.Lock(), threading.Event()
        handler = type("Bound", (_Handler,), {"owner": self})
        self.server = _Server(("127.0.0.1", 0), handler)
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.server_address[1]}"

    def __enter__(self) -> FaultServer:
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.open.set()
        self.server.shutdown()
        self.server.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that has gone is no fault of the test."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    owner: FaultServer

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def do_GET(self) -> None:
        self._serve(None)

    def do_POST(self) -> None:
        self._serve(json.loads(self.rfile.read(int(self.headers["content-length"]))))

    def _serve(self, body: Any) -> None:
        owner = self.owner
        with owner.lock:
            number = len(owner.seen)
            owner.seen.append((self.path, {k.lower(): v for k, v in self.headers.items()}, body))
            owner.at.append(time.monotonic())
        act = owner.act(number, self.path, body)
        if isinstance(act, Say):
            self._say(act, systemone_body(body) if act.body is None and body else act.body)
        else:
            self._fail(act)

    def _say(self, say: Say, body: Any) -> None:
        if say.seconds:
            self.owner.open.wait(say.seconds)
        raw = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(say.status)
        for name, value in {"content-type": "application/json", **say.headers}.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw)

    def _fail(self, act: Act) -> None:
        self.close_connection = True
        if isinstance(act, Reset):
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        if isinstance(act, (Cut, Drip)):
            self.wfile.write(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 9000\r\n\r\n{")
            self.wfile.flush()
        while isinstance(act, Drip) and not self.owner.open.wait(0.05):
            self.wfile.write(b" ")
            self.wfile.flush()
        self.connection.close()
