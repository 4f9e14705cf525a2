"""One process for page and API: `jeval console`, or `streamlit run console/server.py`."""

from __future__ import annotations

import logging
from pathlib import Path

import streamlit as st
from starlette.middleware import Middleware
from starlette.routing import Mount

from console.api import api
from console.security import Guard
from console.settings import Settings, load


def current_settings() -> Settings:
    """Settings for the address that this server is bound to; no address at all means every network."""
    return load(st.get_option("server.address") or "0.0.0.0")


_log = logging.getLogger("jeval.api")
_log.setLevel(logging.INFO)
if not _log.handlers:
    _log.addHandler(logging.StreamHandler())
app = st.App(
    str(Path(__file__).with_name("app.py")),
    routes=[Mount("/api", app=api)],
    middleware=[Middleware(Guard, settings=current_settings)],
)
