"""Settings of the server, each from one environment variable; the command line sets the same ones."""

from __future__ import annotations

import ipaddress
import os
from dataclasses import dataclass

TOKEN = "JEVAL_API_TOKEN"
HOSTS = "JEVAL_ALLOWED_HOSTS"
BODY = "JEVAL_MAX_BODY_BYTES"
LOCAL_HOSTS = frozenset({"localhost", "127.0.0.1", "::1"})


@dataclass(frozen=True)
class Settings:
    """`address`: what the server is bound to; `hosts`: names by which it may be called; `max_body`: bytes."""

    address: str
    token: str | None
    hosts: frozenset[str]
    max_body: int

    @property
    def private(self) -> bool:
        """Whether only this machine can reach the server: bound to loopback, and called by no public name (a proxy)."""
        return is_loopback(self.address) and self.hosts <= LOCAL_HOSTS | {self.address}


def is_loopback(address: str) -> bool:
    """True for localhost and 127.0.0.0/8 or ::1; False for every other address, a wildcard and the empty string."""
    if address == "localhost":
        return True
    try:
        return ipaddress.ip_address(address.strip("[]")).is_loopback
    except ValueError:
        return False


def load(address: str) -> Settings:
    """Settings for a server bound to `address`; ValueError with the variable's name when one makes no sense."""
    names = {h.strip().lower() for h in os.environ.get(HOSTS, "").split(",") if h.strip()}
    bound = set() if address in ("", "0.0.0.0", "::") else {address.lower().strip("[]")}
    size = os.environ.get(BODY, "1000000")
    if not size.isdigit() or int(size) < 1:
        raise ValueError(f"{BODY} must be a number of bytes above 0.")
    return Settings(address, os.environ.get(TOKEN) or None, LOCAL_HOSTS | bound | names, int(size))
