"""The bytes of a file: opened, unpacked where it is packed, and never more than the limits allow."""

from __future__ import annotations

import gzip
import io
import zipfile
import zlib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from jeval_core.data.arrow import pa
from jeval_core.data.errors import LimitExceeded, UnreadableFile
from jeval_core.data.records import Limits
from jeval_core.errors import said

PIECE = 1 << 20
HEAD = 4 << 20
"""What a long file is judged by; the reader looks at the rest."""
GZIP = b"\x1f\x8b"
BROKEN_ARCHIVE = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError, ValueError)


@dataclass(frozen=True)
class Raw:
    """The content of one file. `name` is its name without the folder and without `.gz`.

    `head` are its first bytes, all of them where the file is short. A long file is read from `path` when someone
    asks for more.
    """

    name: str
    head: bytes
    size: int
    path: Path | None = None
    unpacked: bytes | None = None

    @classmethod
    def of(cls, name: str, data: bytes) -> Raw:
        """A file that is in memory."""
        return cls(name, data, len(data))

    @property
    def compressed(self) -> bool:
        """Whether the file is gzip."""
        return self.unpacked is not None

    @property
    def suffix(self) -> str:
        """The ending of the name, lower case, with the dot."""
        return Path(self.name).suffix.lower()

    @property
    def whole(self) -> bool:
        """Whether `head` is all there is."""
        return self.size <= len(self.head)

    @cached_property
    def data(self) -> bytes:
        """All bytes."""
        if self.whole:
            return self.head
        with self.open() as stream:
            return bytes(stream.read())

    def part(self, start: int, stop: int) -> bytes:
        """The bytes from `start` up to `stop`."""
        with self.open() as stream:
            stream.seek(max(0, start))
            return bytes(stream.read(stop - max(0, start)))

    def open(self) -> pa.NativeFile:
        """The bytes as a stream."""
        if self.path is not None and not self.whole:
            return pa.OSFile(str(self.path))
        return pa.BufferReader(self.head if self.unpacked is None else self.unpacked)


def load(path: str | Path, limits: Limits) -> Raw:
    """Open a file; unpack it when it is gzip, whatever its name says."""
    path = Path(path)
    name = path.name
    try:
        with path.open("rb") as stream:
            head = stream.read(HEAD)
            packed = head.startswith(GZIP)
            rest = stream.read() if packed else b""
            size = len(head) if packed else stream.seek(0, io.SEEK_END)
    except FileNotFoundError:
        raise UnreadableFile(f"There is no file `{said(name)}`.", hint="Check the path.") from None
    except IsADirectoryError:
        raise UnreadableFile(f"`{said(name)}` is a folder.", hint="Give a file in it.") from None
    except OSError as e:
        raise UnreadableFile(f"`{said(name)}` cannot be opened: {e.strerror or 'read error'}.") from None
    if not packed:
        return Raw(name, head, size, path)
    plain = name[:-3] if name.lower().endswith(".gz") else name
    unpacked = _gunzip(name, head + rest, limits.max_unpacked_bytes)
    return Raw(plain, unpacked[:HEAD], len(unpacked), unpacked=unpacked)


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
