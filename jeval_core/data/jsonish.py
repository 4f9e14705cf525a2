"""JSON and JSON Lines → records → columns of text.

Numbers keep the digits they were written with, lists and nested objects become JSON text, a null stays missing.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from jeval_core.data.arrow import pa, text_column
from jeval_core.data.errors import LimitExceeded, UnreadableFile
from jeval_core.data.records import Limits, Problem, Source, Table
from jeval_core.data.shape import blank_row, no_rows, over_rows

Record = Mapping[str, Any]
MOST_FLAT = 64
"""Objects inside a record become columns `name.key` when they are flat and not larger than this."""


class Written(float):
    """A number that remembers its digits: 3.0 stays "3.0"."""

    text: str

    def __new__(cls, text: str) -> Written:
        number = super().__new__(cls, text)
        number.text = text
        return number


_decoder = json.JSONDecoder(parse_float=Written)


def parse_json(text: str) -> Any:
    """One JSON document; ValueError when it is none (nesting that is too deep included)."""
    try:
        return _decoder.decode(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def document(text: str) -> Any:
    """The content of a JSON file, or a clear error with the place of the fault."""
    try:
        return parse_json(text)
    except json.JSONDecodeError as e:
        raise UnreadableFile(
            f"The file is not valid JSON: {e.msg.lower()} at line {e.lineno}, column {e.colno}.",
            hint="Correct it there; one record per line would be JSONL.",
        ) from None
    except ValueError as e:
        raise UnreadableFile(f"The file is not JSON that can be read: {said_error(e)}.") from None


def said_error(e: ValueError) -> str:
    """The short part of an error about a JSON text, which never repeats the text."""
    return e.msg.lower() if isinstance(e, json.JSONDecodeError) else str(e).split(":")[0][:60].lower()


def records_of(content: Any) -> list[Any]:
    """The rows of a JSON document: a list, a list inside an object, columns side by side, or one object."""
    if isinstance(content, list):
        return content
    if not isinstance(content, dict):
        raise UnreadableFile("The JSON holds a single value.", hint="Give a list of objects, one for each row.")
    lists = {k: v for k, v in content.items() if isinstance(v, list)}
    tables = [v for v in lists.values() if v and all(isinstance(r, dict) for r in v)]
    if len(tables) == 1:
        return tables[0]
    if content and len(lists) == len(content) and len({len(v) for v in lists.values()}) == 1:
        return [dict(zip(lists, row, strict=True)) for row in zip(*lists.values(), strict=True)]
    return [content]


def read_lines(lines: Iterable[str]) -> tuple[list[tuple[int, Any]], list[Problem], int]:
    """JSON Lines: (line, value) of the good ones, problems of the others, and how many are not blank."""
    good: list[tuple[int, Any]] = []
    problems: list[Problem] = []
    total = 0
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        total += 1
        try:
            value = parse_json(line)
        except ValueError as e:
            where = f" at character {e.colno}" if isinstance(e, json.JSONDecodeError) else ""
            reason = f"Not valid JSON: {said_error(e)}{where}. Correct the line."
            problems.append(Problem(number, "bad_json", reason, rejected=True))
            continue
        good.append((number, value))
    return good, problems, total


def to_table(
    source: Source, rows: Sequence[tuple[int, Any]], problems: list[Problem], rows_in_file: int, limits: Limits
) -> Table:
    """Records to columns; a key that a record lacks is missing there."""
    if rows_in_file > limits.max_rows:
        raise over_rows(limits)
    problems, lines, flat, blank = list(problems), [], [], 0
    names: dict[str, None] = {}
    for line, record in rows:
        cells = _flat(record) if isinstance(record, Mapping) else None
        if cells is None:
            problems.append(_no_object(line, record))
            continue
        if not cells:
            problems.append(blank_row(line))
            blank += 1
            continue
        text = "".join(c for c in cells.values() if c)
        if wrong := _wrong(cells, text, limits):
            problems.append(Problem(line, *wrong, rejected=True))
            continue
        if "\0" in text:
            reason = "A value held NUL characters; they were taken out. Check the text."
            problems.append(Problem(line, "nul_byte", reason))
            cells = {k: c and c.replace("\0", "") for k, c in cells.items()}
        if not cells.keys() <= names.keys():
            names.update(dict.fromkeys(cells))
            _check_width(names, limits)
        lines.append(line)
        flat.append(cells)
    if not rows_in_file:
        problems.append(no_rows(0))
    columns = {n: text_column([r.get(n) for r in flat]) for n in names}
    problems.sort(key=lambda p: p.line)
    return Table(source, pa.table(columns), np.asarray(lines, dtype=np.int64), problems, rows_in_file, blank)


def _check_width(names: Mapping[str, None], limits: Limits) -> None:
    if len(names) > limits.max_columns:
        raise LimitExceeded(
            f"The records have more than {limits.max_columns:,} different keys.",
            field="max_columns",
            hint="Are the keys data? Move them into values, or raise the limit `max_columns`.",
        )


def _no_object(line: int, value: Any) -> Problem:
    kind = {list: "a list", str: "a text", type(None): "null"}.get(type(value), "a single value")
    reason = f"This is {kind}, not an object with names and values. Write it as {{…}}."
    return Problem(line, "not_an_object", reason, rejected=True)


def _wrong(cells: Mapping[str, str | None], text: str, limits: Limits) -> tuple[str, str] | None:
    """Why a record cannot be kept; `text` is all of it, so that most records need one look."""
    if len(text) > limits.max_cell:
        longest = max(len(c) for c in cells.values() if c)
        if longest > limits.max_cell:
            return (
                "cell_too_long",
                f"A value has {longest:,} characters; the limit is {limits.max_cell:,} (`max_cell`).",
            )
    try:
        for part in (text, *cells):
            if not part.isascii():
                part.encode()
    except UnicodeEncodeError:
        return "bad_unicode", "Half of a character (a lone surrogate escape) stands in it. Correct or retype the text."
    return None


def _flat(record: Record) -> dict[str, str | None]:
    """A record as cells; small objects in it as `name.key`."""
    cells: dict[str, str | None] = {}
    for name, value in record.items():
        if type(value) is str:
            cells[name] = value
        elif isinstance(value, dict) and _is_small(value):
            cells.update({f"{name}.{key}": as_text(inner) for key, inner in value.items()})
        else:
            cells[name] = as_text(value)
    return cells


def _is_small(value: Record) -> bool:
    return 0 < len(value) <= MOST_FLAT and not any(isinstance(v, dict | list) for v in value.values())


def as_text(value: Any) -> str | None:
    """A JSON value as the text that people see; None for null."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Written):
        return value.text
    if isinstance(value, int | float):
        return repr(value)
    return json.dumps(value, ensure_ascii=False)
