"""Which characters the bytes of a text file stand for.

A byte-order mark decides; then strict UTF-8; then Windows-1252. Another guess is offered, never taken.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

import charset_normalizer

from jeval_core.data.errors import UnreadableFile
from jeval_core.data.raw import Raw
from jeval_core.errors import said

MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
STRAY = re.compile("[\udc80-\udcff]")
"""A byte that is no UTF-8, as the `surrogateescape` handler leaves it in a text."""


@dataclass(frozen=True, slots=True)
class Encoding:
    """The name of an encoding and other names that could be meant. `stray`: UTF-8 with some bad bytes in it."""

    name: str
    others: tuple[str, ...] = ()
    stray: bool = False


def find_encoding(data: bytes, name: str) -> Encoding:
    """Decide the encoding of `data`; `name` is the file's, for the message."""
    for mark, encoding in MARKS:
        if data.startswith(mark):
            return Encoding(encoding)
    if wide := _wide(data[:4096]):
        return Encoding(wide)
    try:
        codecs.getincrementaldecoder("utf-8")().decode(data, final=True)
        return Encoding("utf-8")
    except UnicodeDecodeError as e:
        first = e.start
    text = data.decode("utf-8", "surrogateescape")
    bad = len(STRAY.findall(text))
    good = sum(1 for c in re.findall("[^\x00-\x7f]", text) if not STRAY.match(c))
    others = _guesses(data, first)
    if good >= bad:  # letters of UTF-8 do not come about by chance
        return Encoding("utf-8", ("cp1252", *others), stray=True)
    try:
        data.decode("cp1252")
        return Encoding("cp1252", others)
    except UnicodeDecodeError:
        raise UnreadableFile(
            f"`{said(name)}` is neither UTF-8 nor Windows-1252 text (byte {first + 1:,}).",
            field="encoding",
            hint=f"Name its encoding, such as `{others[0] if others else 'shift_jis'}`, or save it as UTF-8.",
        ) from None


def given_encoding(name: str) -> Encoding:
    """The encoding that someone named."""
    try:
        "".encode(name)
    except (LookupError, ValueError):
        raise UnreadableFile(
            f"There is no text encoding called `{said(name)}`.", field="encoding", hint="Try `utf-8` or `cp1252`."
        ) from None
    return Encoding(name)


def head_encoding(raw: Raw) -> Encoding:
    """The encoding as the first megabytes suggest it: whole characters only, so the cut does no harm."""
    if raw.whole:
        return find_encoding(raw.data, raw.name)
    try:
        codecs.getincrementaldecoder("utf-8")().decode(raw.head)
        cut = max(raw.head.rfind(b"\n"), 1)
        return find_encoding(raw.head[:cut], raw.name)
    except UnicodeDecodeError:
        return find_encoding(raw.data, raw.name)


def decode(data: bytes, encoding: Encoding, name: str) -> str:
    """The text of `data`; stray bytes stay recognisable so that their rows can be rejected."""
    try:
        text = data.decode(encoding.name, "surrogateescape" if encoding.stray else "strict")
    except UnicodeError as e:
        at = f" (byte {e.start + 1:,})" if isinstance(e, UnicodeDecodeError) else ""
        raise UnreadableFile(
            f"`{said(name)}` is not {encoding.name} text{at}.", field="encoding", hint="Choose another encoding."
        ) from None
    return text.removeprefix("\ufeff")


def _wide(head: bytes) -> str | None:
    """UTF-16 without a mark: nearly every second byte is zero, always on the same side."""
    pairs = len(head) // 2
    if pairs < 4:
        return None
    even, odd = head[0 : 2 * pairs : 2].count(0), head[1 : 2 * pairs : 2].count(0)
    if odd > 0.4 * pairs and even < 0.05 * pairs:
        return "utf-16-le"
    return "utf-16-be" if even > 0.4 * pairs and odd < 0.05 * pairs else None


def _guesses(data: bytes, first: int) -> tuple[str, ...]:
    """What charset-normalizer thinks of the part around the first byte that is no UTF-8."""
    start = max(0, first - 2_000)
    sample = data[start : start + 16_000].replace(b"\0", b"")
    found = [m.encoding for m in charset_normalizer.from_bytes(sample)]
    return tuple(dict.fromkeys(e for e in found if e not in ("cp1252", "utf_8", "ascii")))[:2]
