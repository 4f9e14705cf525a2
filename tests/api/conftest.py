"""The API behind its guard, as the server mounts it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import Mount
from starlette.testclient import TestClient

from console.api import api
from console.security import Guard
from console.settings import load


def make_client(address: str = "127.0.0.1", base_url: str = "http://localhost:8501", **headers: str) -> TestClient:
    app = Starlette(routes=[Mount("/api", app=api)], middleware=[Middleware(Guard, settings=lambda: load(address))])
    return TestClient(app, base_url=base_url, headers=headers, raise_server_exceptions=False)


@pytest.fixture
def client(monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    monkeypatch.delenv("JEVAL_API_TOKEN", raising=False)
    monkeypatch.delenv("JEVAL_ALLOWED_HOSTS", raising=False)
    with make_client() as c:
        yield c


@pytest.fixture
def clients() -> Callable[..., TestClient]:
    return make_client
