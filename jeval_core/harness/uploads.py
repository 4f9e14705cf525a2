"""Files that people bring, kept in the home folder under a name made from what is in them."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import tempfile
import time
import unicodedata
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from jeval_core.errors import BadInput, said
from jeval_core.harness.errors import UploadRefused
from jeval_core.harness.store.database import make_private
from jeval_core.harness.store.files import sync_folder
from jeval_core.home import home

LIMIT = "JEVAL_MAX_UPLOAD_MB"
USUAL_MB = 400
CHUNK = 1 << 20
LONGEST = 120
"""Characters of a file's name that are kept, its suffixes among them."""
ID = re.compile(r"[0-9a-f]{16}")
KEPT_DAYS = 30
UNSEEN = ("Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp")
"""Kinds of characters that no name keeps: controls, those that turn or break a line, those without a shape."""


def limit_mb() -> int:
    """The largest file that is taken, in MB of 1,048,576 bytes. Raises BadInput when the setting is no number."""
    given = os.environ.get(LIMIT) or str(USUAL_MB)
    if not (given.isascii() and given.isdigit() and len(given) <= 6 and int(given)):
        raise BadInput(
            f"{LIMIT} is {said(given)!r}.", field=LIMIT, hint="Give a whole number of megabytes, such as 400."
        )
    return int(given)


def save(stream: BinaryIO, name: str) -> str:
    """Keep a file and return its id; the same content under the same name has the same id.

    Only a megabyte of it is in memory at a time. Raises UploadRefused for an empty file and one over the limit; nothing
    is left behind then. Raises OSError when the folder cannot be written.
    """
    folder, limit = home() / "uploads", limit_mb()
    make_private(folder.parent)
    make_private(folder)
    shown = _safe(name)
    digest, size = hashlib.sha256(shown.encode() + b"\0"), 0
    handle, temporary = tempfile.mkstemp(dir=folder, prefix=".", suffix=".part")
    try:
        with os.fdopen(handle, "wb") as out:
            while chunk := stream.read(CHUNK):
                size += len(chunk)
                if size > limit << 20:
                    raise UploadRefused(
                        f"{shown} has more than {limit:,} MB.",
                        field="file",
                        hint=f"Score it with `jeval run`, which has no such limit, or raise {LIMIT}.",
                    )
                digest.update(chunk)
                out.write(chunk)
            if not size:
                raise UploadRefused("The file is empty.", field="file", hint=f"Was {shown} saved completely?")
            out.flush()
            os.fsync(out.fileno())
        id = digest.hexdigest()[:16]
        make_private(folder / id)
        os.replace(temporary, folder / id / shown)
        os.utime(folder / id)
        sync_folder(folder / id)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
    return id


def find(id: str) -> tuple[Path, str] | None:
    """Where a file is, and its name; None when it is not (any more) here."""
    if not ID.fullmatch(id):
        return None
    folder = home() / "uploads" / id
    found = sorted(folder.iterdir()) if folder.is_dir() else []
    return (found[0], found[0].name) if found else None


def prune(used: Collection[Path], days: float = KEPT_DAYS) -> None:
    """Remove files that came more than `days` ago and are not `used`."""
    folder, oldest = home() / "uploads", time.time() - days * 86_400
    kept = {path.parent.name for path in used}
    for one in folder.iterdir() if folder.is_dir() else ():
        with suppress(FileNotFoundError):  # another process removes it too
            if one.stat().st_mtime < oldest and one.name not in kept:
                shutil.rmtree(one, ignore_errors=True) if one.is_dir() else one.unlink()


def _safe(name: str) -> str:
    """A name without a path and without what no file system or screen takes; its suffixes stay."""
    plain = re.split(r"[/\\]", unicodedata.normalize("NFC", name))[-1]
    kept = "".join(c for c in plain if unicodedata.category(c) not in UNSEEN and c not in '<>:"|?*').strip(" .")
    suffixes = "".join(Path(kept).suffixes[-2:])[-20:]
    stem = kept[: len(kept) - len(suffixes)] if suffixes else kept
    while len((stem + suffixes).encode()) > LONGEST:
        stem = stem[:-1]
    return (stem + suffixes) or "file"
