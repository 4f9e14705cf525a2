"""How a text table is laid out: its delimiter, where its header stands, whether quotes enclose cells.

The quote character is always `"`, doubled inside a cell.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice

from jeval_core.data.aliases import field_of
from jeval_core.data.errors import LimitExceeded
from jeval_core.data.records import Limits
from jeval_core.errors import BadOption

DELIMITERS = ",;\t|"
SAMPLE_LINES = 200
SAMPLE_CHARACTERS = 1 << 18
HINT = re.compile(r"sep=([^\w\s\"]|\t)\s*", re.IGNORECASE)
"""What Excel writes and reads as a first line to name the delimiter."""
END = "\uffff\ufffe\uffff"
"""Fed to the parser after the last line: when it does not come back as a row of its own, a quote was left open."""

MOST_OPEN = 20
"""With more open quotes than this, quotation marks are plain characters in the rest of the file."""

csv.field_size_limit(2**31 - 1)  # 131,072 by default; `Limits.max_cell` is the limit here


@dataclass(frozen=True, slots=True)
class Dialect:
    """`header_row` is the line of the header, `first_row` the line after it, both from 1; `example` is a first row."""

    delimiter: str
    header_row: int
    first_row: int
    names: tuple[str, ...]
    example: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    quotes: bool = True


def physical_lines(text: str) -> list[str]:
    r"""Lines with their ends, whichever of \n, \r\n and \r the file uses."""
    return list(io.StringIO(text, newline=""))


def parse(
    lines: Sequence[str], delimiter: str, *, quotes: bool = True, first: int = 1
) -> Iterator[tuple[int, list[str] | None]]:
    """Yield (line, cells) from line `first` on; cells are None where a quote opens and is never closed.

    Parsing goes on with the line after such a one, so a single stray quote costs one row and not the rest.
    """
    start, given_up = first - 1, 0
    while start < len(lines):
        feed = chain(islice(lines, start, None), [END])
        reader = csv.reader(feed, delimiter=delimiter, quoting=csv.QUOTE_MINIMAL if quotes else csv.QUOTE_NONE)
        before = 0
        for cells in reader:
            here = start + before
            if cells == [END]:
                return
            if reader.line_num > len(lines) - start:
                yield here + 1, None
                given_up += 1
                quotes = quotes and given_up < MOST_OPEN
                start = here + 1
                break
            before = reader.line_num
            yield here + 1, cells
        else:
            return


def find_dialect(
    text: str, suffix: str, limits: Limits, *, delimiter: str | None = None, header_row: int | None = None
) -> Dialect:
    """Decide the layout from the first lines of `text`; what is given is not decided."""
    if delimiter is not None and (len(delimiter) != 1 or delimiter in '"\r\n'):
        raise BadOption("A delimiter is a single character.", field="delimiter", hint="Try `,`, `;`, `|` or a tab.")
    cut = text[:SAMPLE_CHARACTERS]
    lines = physical_lines(cut)
    if header_row is not None and not 1 <= header_row <= len(lines):
        raise BadOption(
            f"There is no line {header_row} that could be the header.", field="header_row", hint="Lines count from 1."
        )
    if len(text) > len(cut) and len(lines) > 1:
        lines.pop()
    first = 1
    if lines and (hint := HINT.fullmatch(lines[0].replace("\0", ""))):
        delimiter, first = delimiter or hint[1], 2
    sample = [line.replace("\0", "") for line in lines[:SAMPLE_LINES]]
    others: tuple[str, ...] = ()
    if delimiter is None:
        delimiter, others = _delimiter(sample[first - 1 :], suffix)
    quotes = not (delimiter == "\t" and _quotes_are_text(sample[first - 1 :]))
    return _with_header(lines, delimiter, quotes, others, header_row or first, header_row is not None, limits)


def _with_header(
    lines: list[str],
    delimiter: str,
    quotes: bool,
    others: tuple[str, ...],
    first: int,
    fixed: bool,
    limits: Limits,
) -> Dialect:
    found = [
        (n, cells) for n, cells in islice(parse(lines, delimiter, quotes=quotes, first=first), SAMPLE_LINES) if cells
    ]
    filled = [(n, cells) for n, cells in found if any(c.strip() for c in cells)]
    if not filled:
        return Dialect(delimiter, first, first + 1, (), (), others, quotes)
    at = 0 if fixed else _header_index([cells for _, cells in filled])
    line, names = filled[at]
    if len(names) > limits.max_columns:
        raise LimitExceeded(
            f"The header has {len(names):,} columns; at most {limits.max_columns:,} are read.",
            field="max_columns",
            hint="Is the delimiter right? If so, raise the limit `max_columns`.",
        )
    height = _height(lines[line - 1 :], delimiter, quotes)
    example = tuple(filled[at + 1][1]) if at + 1 < len(filled) else ()
    return Dialect(delimiter, line, line + height, tuple(names), example, others, quotes)


def _height(lines: list[str], delimiter: str, quotes: bool) -> int:
    """How many lines the header takes: more than one when a quoted name holds a line break."""
    reader = csv.reader(lines, delimiter=delimiter, quoting=csv.QUOTE_MINIMAL if quotes else csv.QUOTE_NONE)
    next(reader)
    return reader.line_num


def _header_index(rows: list[list[str]]) -> int:
    """The first row, unless a title of one cell stands above a table of even rows whose header names a field."""
    widths = [len(r) for r in rows]
    usual = Counter(widths).most_common(1)[0][0]
    if sum(1 for c in rows[0] if c.strip()) > 1 or usual < 2:
        return 0
    for at, row in enumerate(rows[1:11], 1):
        below = widths[at:]
        if len(row) == usual and any(field_of(c) for c in row):
            return at if below.count(usual) >= 0.9 * len(below) else 0
    return 0


def _delimiter(sample: list[str], suffix: str) -> tuple[str, tuple[str, ...]]:
    """The delimiter and the others that would also split the header."""
    share: dict[str, float] = {}
    alone: list[str] = []
    for d in DELIMITERS:
        rows = [cells for _, cells in parse(sample, d) if cells and any(c.strip() for c in cells)]
        if not rows:
            continue
        width = len(rows[_header_index(rows)])
        if width > 1:
            share[d] = sum(len(r) == width for r in rows) / len(rows)
        elif all(len(r) == 1 for r in rows):
            alone.append(d)
    if not share:  # a single column: by a delimiter that splits none of its cells
        usual = "\t" if suffix in (".tsv", ".tab") else ","
        return (usual if usual in alone or not alone else alone[0]), ()
    best = max(share, key=lambda d: share[d])
    close = [d for d in share if share[d] > share[best] - 0.1]
    if len(close) > 1:
        best = _by_clevercsv("".join(sample[:20])[:3_000], close) or best
    return best, tuple(d for d in share if d != best)


def _by_clevercsv(sample: str, candidates: list[str]) -> str | None:
    import clevercsv

    try:
        found = clevercsv.Sniffer().sniff(sample, delimiters=candidates)
    except clevercsv.Error:
        return None
    return found.delimiter if found and found.delimiter in candidates else None


def _quotes_are_text(sample: list[str]) -> bool:
    """Whether quotation marks are plain characters, as they often are between tabs: even lines, uneven quotes."""
    rows = [line.rstrip("\r\n").split("\t") for line in sample if line.strip()]
    if not rows or any(len(r) != len(rows[0]) for r in rows):
        return False
    try:
        quoted = [r for r in csv.reader(sample, delimiter="\t", strict=True) if r]
    except csv.Error:
        return True
    return any(len(r) != len(rows[0]) for r in quoted)
