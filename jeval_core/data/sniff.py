"""What kind of file this is: container, encoding, layout, and whose export it looks like."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from jeval_core.data import formats
from jeval_core.data.aliases import field_of
from jeval_core.data.dialect import Dialect, find_dialect, physical_lines
from jeval_core.data.encoding import Encoding, decode, find_encoding, given_encoding, head_encoding
from jeval_core.data.errors import UnreadableFile
from jeval_core.data.jsonish import document, parse_json
from jeval_core.data.raw import Raw, load
from jeval_core.data.records import Format, Limits, Source
from jeval_core.errors import said

JSON_SUFFIXES = (".json", ".jsonl", ".ndjson")
TABLE_SUFFIXES = (".csv", ".tsv", ".tab", ".psv")


@dataclass(frozen=True, slots=True)
class Examined:
    """A file and how to read it; `document` is the content of a JSON file, parsed on the way."""

    raw: Raw
    source: Source
    encoding: Encoding | None = None
    dialect: Dialect | None = None
    document: Any = None


def sniff(path: str | Path | Sequence[str | Path], *, limits: Limits | None = None) -> Source:
    """Say how a file would be read, without reading all of a long one.

    Several text paths are parallel text, one segment a line.
    """
    limits = limits or Limits()
    paths = as_paths(path)
    found = [examine(load(p, limits), limits).source for p in paths]
    if len(found) == 1:
        return found[0]
    return together(found)


def as_paths(path: str | Path | Sequence[str | Path]) -> list[str | Path]:
    """One path or several as a list that is not empty."""
    paths = [path] if isinstance(path, str | Path) else list(path)
    if not paths:
        raise UnreadableFile("No file was given.", hint="Give a path.")
    return paths


def together(sources: Sequence[Source]) -> Source:
    """How several files are read as one: parallel text, or the two halves of a HELM run."""
    kinds = {s.format for s in sources}
    if kinds == {"helm"}:
        return Source("helm", sources[0].encoding)
    if kinds <= {"txt"} and sources:
        return Source("mt-text", sources[0].encoding)
    raise UnreadableFile(
        "Several files are read together only as parallel text (.txt, one segment a line) or as a HELM run.",
        hint="Give one file at a time.",
    )


def examine(
    raw: Raw,
    limits: Limits,
    *,
    encoding: str | None = None,
    delimiter: str | None = None,
    header_row: int | None = None,
) -> Examined:
    """Decide everything that `read` needs to know; what is given is not decided."""
    packed = _packed(raw)
    if packed:
        return Examined(raw, Source(packed, compressed=raw.compressed))
    _refuse_binary(raw)
    chosen = given_encoding(encoding) if encoding else head_encoding(raw)
    text = decode(raw.data, chosen, raw.name) if raw.whole else _head(raw.head, chosen)
    kind = _json_kind(raw, text)
    if kind == "json":
        if not raw.whole:
            chosen = chosen if encoding else find_encoding(raw.data, raw.name)
            text = decode(raw.data, chosen, raw.name)
        content = document(text)
        return Examined(raw, _plain(raw, formats.of_document(content), chosen), chosen, document=content)
    if kind == "jsonl":
        return Examined(raw, _plain(raw, formats.of_lines(text), chosen), chosen)
    dialect = find_dialect(text, raw.suffix, limits, delimiter=delimiter, header_row=header_row)
    if raw.suffix == ".txt" and not (delimiter or header_row or _is_table(dialect)):
        return Examined(raw, _plain(raw, "txt", chosen), chosen)
    plain = _plain(raw, formats.of_header(dialect), chosen)
    source = replace(
        plain,
        delimiter=dialect.delimiter,
        header_row=dialect.header_row if dialect.names else None,
        alternatives={**plain.alternatives, **({"delimiter": dialect.others} if dialect.others else {})},
        quotes=dialect.quotes,
    )
    return Examined(raw, source, chosen, dialect)


def _plain(raw: Raw, shape: Format, encoding: Encoding) -> Source:
    """The source of a text that has no columns of its own."""
    others = {"encoding": encoding.others} if encoding.others else {}
    return Source(shape, encoding.name, alternatives=others, compressed=raw.compressed)


def _head(head: bytes, encoding: Encoding) -> str:
    wide = {"utf-16": 2, "utf-32": 4}.get(encoding.name[:6], 1)
    return head[: len(head) - len(head) % wide].decode(encoding.name, "replace").removeprefix("\ufeff")


def _packed(raw: Raw) -> Format | None:
    """The format of a file that is no text."""
    if raw.head.startswith(b"PAR1"):
        return "parquet"
    if not raw.head.startswith(b"PK\x03\x04"):
        return None
    try:
        names = zipfile.ZipFile(io.BytesIO(raw.data)).namelist()
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        raise UnreadableFile(
            f"`{said(raw.name)}` is a damaged zip archive.", hint="Save it again, or give it as CSV."
        ) from None
    if "xl/workbook.xml" in names:
        return "xlsx"
    if any(n in ("header.json", "_journal/start.json") for n in names):
        return "inspect-eval"
    raise UnreadableFile(
        f"`{said(raw.name)}` is a zip archive, and neither an .xlsx workbook nor an Inspect log.",
        hint="Unpack it and give the file inside.",
    )


def _refuse_binary(raw: Raw) -> None:
    for start, kind in (
        (b"\xd0\xcf\x11\xe0", "an old Excel file (.xls)"),
        (b"%PDF", "a PDF"),
        (b"SQLite format 3", "a SQLite database"),
        (b"\x89PNG", "a picture"),
        (b"BZh", "a bzip2 archive"),
        (b"\x28\xb5\x2f\xfd", "a zstd archive"),
        (b"\xfd7zXZ", "an xz archive"),
    ):
        if raw.head.startswith(start):
            raise UnreadableFile(f"`{said(raw.name)}` is {kind}.", hint="Save the table as CSV, JSONL or .xlsx.")


def _json_kind(raw: Raw, text: str) -> str | None:
    """`json` for one document, `jsonl` for one a line, None for a table of text."""
    start = text.lstrip()[:1]
    if raw.suffix not in JSON_SUFFIXES and (raw.suffix in TABLE_SUFFIXES or start not in ("{", "[")):
        return None
    if not start or (raw.suffix not in JSON_SUFFIXES and not re.match(r'\s*(\{\s*["}]|\[\s*[\[{"\]])', text)):
        return None if raw.suffix not in JSON_SUFFIXES else "jsonl"
    filled = [line for line in physical_lines(text[: 1 << 20]) if line.strip()]
    if raw.suffix == ".json" or start == "[":
        return "jsonl" if len(filled) > 1 and _whole(filled[0]) and _opens(filled[1]) else "json"
    return "json" if start == "{" and not _whole(filled[0]) and filled[0].strip() in ("{", "[") else "jsonl"


def _whole(line: str) -> bool:
    try:
        parse_json(line)
    except ValueError:
        return False
    return True


def _opens(line: str) -> bool:
    return line.lstrip()[:1] in ("{", "[")


def _is_table(dialect: Dialect) -> bool:
    return len(dialect.names) > 1 and any(field_of(n) in ("output", "references") for n in dialect.names)
