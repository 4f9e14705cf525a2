"""The bytes of a file: opened, unpacked where it is packed, and never more than the limits allow."""

from __future__ import annotations

import gzip
import io
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path

from jeval_core.data.errors import LimitExceeded, UnreadableFile
from jeval_core.data.records import Limits
from jeval_core.errors import said

PIECE = 1 << 20
BROKEN_ARCHIVE = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError, ValueError)


@dataclass(frozen=True, slots=True)
class Raw:
    """The content of one file. `name` is its name without the folder and without `.gz`."""

    name: str
    data: bytes
    compressed: bool = False

    @property
    def suffix(self) -> str:
        """The ending of the name, lower case, with the dot."""
        return Path(self.name).suffix.lower()


def load(path: str | Path, limits: Limits) -> Raw:
    """Read a file; unpack it when it is gzip, whatever its name says."""
    path = Path(path)
    name = path.name
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise UnreadableFile(f"There is no file `{said(name)}`.", hint="Check the path.") from None
    except IsADirectoryError:
        raise UnreadableFile(f"`{said(name)}` is a folder.", hint="Give a file in it.") from None
    except OSError as e:
        raise UnreadableFile(f"`{said(name)}` cannot be opened: {e.strerror or 'read error'}.") from None
    if not data.startswith(b"\x1f\x8b"):
        return Raw(name, data)
    plain = name[:-3] if name.lower().endswith(".gz") else name
    return Raw(plain, _gunzip(name, data, limits.max_unpacked_bytes), compressed=True)


def _gunzip(name: str, data: bytes, most: int) -> bytes:
    out = bytearray()
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as stream:
            while piece := stream.read(PIECE):
                out += piece
                if len(out) > most:
                    raise too_large(name, most)
    except LimitExceeded:
        raise
    except BROKEN_ARCHIVE:
        raise UnreadableFile(
            f"`{said(name)}` starts like a gzip file but cannot be unpacked: it is cut off or damaged.",
            hint="Make it again, or give the unpacked file.",
        ) from None
    return bytes(out)


def too_large(name: str, most: int) -> LimitExceeded:
    """The refusal of an archive that unpacks to more than `most` bytes."""
    return LimitExceeded(
        f"`{said(name)}` unpacks to more than {most:,} bytes.",
        field="max_unpacked_bytes",
        hint="Split the file, or raise the limit `max_unpacked_bytes` if you trust it.",
    )


def open_zip(raw: Raw, limits: Limits) -> zipfile.ZipFile:
    """Open a zip (a workbook, an Inspect log) after measuring, not believing, what it unpacks to."""
    try:
        archive = zipfile.ZipFile(io.BytesIO(raw.data))
        total = 0
        for entry in archive.infolist():
            with archive.open(entry) as stream:
                while piece := stream.read(PIECE):
                    total += len(piece)
                    if total > limits.max_unpacked_bytes:
                        raise too_large(raw.name, limits.max_unpacked_bytes)
    except LimitExceeded:
        raise
    except BROKEN_ARCHIVE:
        raise UnreadableFile(
            f"`{said(raw.name)}` is a zip archive that cannot be unpacked: it is cut off, damaged or encrypted.",
            hint="Make it again, or save the content as CSV or JSONL.",
        ) from None
    return archive
