"""Start the server from the command line."""

from __future__ import annotations

import os
import socket
import sys
from pathlib import Path

from console.settings import TOKEN, is_loopback, load
from jeval_core import BadInput
from jeval_core.harness.uploads import limit_mb

HERE = Path(__file__).parent


def launch(host: str, port: int, *, browser: bool) -> None:
    """Serve until stopped; BadInput when the address is reachable from other machines and no token is set."""
    if not is_loopback(host) and not os.environ.get(TOKEN):
        raise BadInput(
            f"{host} can be reached from other machines, and the API would be open.",
            field="host",
            hint=f"Set {TOKEN} (and JEVAL_ALLOWED_HOSTS to the names it is called by), or keep 127.0.0.1.",
        )
    try:
        load(host)
    except ValueError as error:
        raise BadInput(str(error), field="environment") from None
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host.strip("[]"), port))
        except OSError as error:
            raise BadInput(
                f"{host}:{port} cannot be used: {error.strerror}.", field="port", hint="Give another --port."
            ) from None
    # The theme is read from .streamlit beside the project, or from the copy inside an installed package.
    root = HERE.parent
    if (root / ".streamlit" / "config.toml").exists():
        os.chdir(root)
    sys.argv = [str(HERE / "server.py")]
    from console.server import app

    name = f"[{host}]" if ":" in host else host
    print(f"jeval console: http://{name}:{port}  (Ctrl+C stops it)", flush=True)
    app.run(
        config={
            "server.address": host,
            "server.port": port,
            "server.headless": not browser,
            "server.maxUploadSize": limit_mb(),
        }
    )
