"""Compiling with numba, cached in the platform's cache folder and never inside the package."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, wraps
from hashlib import sha256
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, cast

import numba
from platformdirs import user_cache_path

P = ParamSpec("P")
R = TypeVar("R")
SOURCES = ("kernel.py", "kernel_words.py", "table.py")
CONFIG: Any = numba.config


def inner(function: Callable[P, R]) -> Callable[P, R]:
    """A function that only other compiled functions call; it becomes part of them."""
    return cast("Callable[P, R]", numba.njit(nogil=True)(function))


def entry(function: Callable[P, R]) -> Callable[P, R]:
    """A function that Python calls: runs without the interpreter lock, compiled once for each machine.

    Where the cache folder cannot be written it is compiled once for each process.
    """
    with _cache_in(cache_folder()) as possible:
        compiled = cast("Callable[P, R]", numba.njit(nogil=True, cache=possible)(function))

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return compiled(*args, **kwargs)
        except OSError:  # compiled, but not saved: the disk is full, the folder has become read-only
            return compiled(*args, **kwargs)

    return call


@cache
def cache_folder() -> Path | None:
    """Where compiled code is kept; None when nothing can be written there.

    The name holds a digest of the sources: numba looks at the file of an entry alone, not at what it calls.
    """
    try:
        sources = b"".join(Path(__file__).with_name(name).read_bytes() for name in SOURCES)
        folder = user_cache_path("jeval") / "kernel" / sha256(sources).hexdigest()[:16]
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError:
        return None


@contextmanager
def _cache_in(folder: Path | None) -> Iterator[bool]:
    """Point numba to the folder while functions are declared; a folder the user has set goes first."""
    before = CONFIG.CACHE_DIR
    if folder and not before:
        CONFIG.CACHE_DIR = str(folder)
    try:
        yield bool(folder or before)
    finally:
        CONFIG.CACHE_DIR = before
