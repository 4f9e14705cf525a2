"""The one door for reading: any file people have → a `Table`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from jeval_core.data.arrow import pa, text_column
from jeval_core.data.columnar import read_columnar
from jeval_core.data.dialect import Dialect, physical_lines
from jeval_core.data.encoding import STRAY, Encoding, decode, find_encoding
from jeval_core.data.formats import helm, inspect_log, lm_eval, mt_text, openai_evals, promptfoo, promptfoo_csv
from jeval_core.data.jsonish import read_lines, records_of, to_table
from jeval_core.data.parquet import read_parquet
from jeval_core.data.patient import read_patient
from jeval_core.data.raw import Raw, load, open_zip
from jeval_core.data.records import Limits, Problem, Source, Table
from jeval_core.data.shape import Body, empty_file, finish, over_rows
from jeval_core.data.sniff import Examined, as_paths, examine, together
from jeval_core.data.workbook import read_workbook

_DOCUMENTS: dict[str, Callable[[Any], list[Any]]] = {
    "promptfoo-results-json": promptfoo.records,
    "inspect-json": inspect_log.records,
    "helm": helm.records,
}
_RECORDS: dict[str, Callable[[Any], dict[str, Any]]] = {
    "promptfoo-results-jsonl": promptfoo.to_record,
    "lm-eval": lm_eval.to_record,
    "openai-evals": openai_evals.to_record,
}


def read(
    path: str | Path | Sequence[str | Path],
    *,
    encoding: str | None = None,
    delimiter: str | None = None,
    header_row: int | None = None,
    sheet: str | None = None,
    limits: Limits | None = None,
) -> Table:
    """Read a file, or several as parallel text or the two halves of a HELM run.

    Args:
        path: the file; gzip is unpacked.
        encoding: overrides what was found, as do `delimiter`, `header_row` (a line, from 1) and `sheet`.
        delimiter: one character.
        header_row: the line of the header, from 1.
        sheet: which sheet of a workbook; the first when None.
        limits: how much the file may hold.

    Raises:
        UnreadableFile: nothing can be read from it.
        LimitExceeded: it is larger than `limits` allow.
    """
    limits = limits or Limits()
    raws = [load(p, limits) for p in as_paths(path)]
    if len(raws) > 1:
        return _read_together(raws, encoding, limits)
    return read_raw(
        raws[0], limits, encoding=encoding, delimiter=delimiter, header_row=header_row, sheet=sheet
    )


def read_raw(
    raw: Raw, limits: Limits, *, encoding: str | None, delimiter: str | None, header_row: int | None, sheet: str | None
) -> Table:
    """Read one file that is open; arguments as for `read`."""
    if not raw.head[:4096].strip() and not raw.data.strip():
        return empty_file(Source("txt" if raw.suffix == ".txt" else "csv", compressed=raw.compressed))
    found = examine(raw, limits, encoding=encoding, delimiter=delimiter, header_row=header_row)
    return _read_one(found, limits, header_row, sheet, fixed=encoding is not None)


def _read_one(found: Examined, limits: Limits, header_row: int | None, sheet: str | None, *, fixed: bool) -> Table:
    raw, source = found.raw, found.source
    if source.format == "parquet":
        return read_parquet(raw, limits)
    if source.format == "xlsx":
        return read_workbook(raw, limits, sheet=sheet, header_row=header_row)
    if source.format == "inspect-eval":
        with open_zip(raw, limits) as archive:
            rows = inspect_log.archive_records(archive)
        return _records(source, list(enumerate(rows, 1)), limits)
    if found.document is not None or source.format == "json":
        to_rows = _DOCUMENTS.get(source.format, records_of)
        notices = _notices(found.encoding)
        return _records(source, list(enumerate(to_rows(found.document), 1)), limits, notices)
    if found.dialect is not None:
        return _text_table(found, found.dialect, limits, fixed=fixed)
    text, source, notices = _text(found, fixed=fixed)
    if source.format == "txt":
        return _segments(source, [raw.name], [mt_text.segments(text)], limits, notices)
    good, problems, total = read_lines(physical_lines(text))
    return _records(source, good, limits, [*notices, *problems], total)


def _records(
    source: Source,
    rows: list[tuple[int, Any]],
    limits: Limits,
    problems: Sequence[Problem] = (),
    total: int | None = None,
) -> Table:
    convert = _RECORDS.get(source.format)
    if convert:
        rows = [(n, convert(r) if isinstance(r, dict) else r) for n, r in rows]
    return to_table(source, rows, list(problems), len(rows) if total is None else total, limits)


def _text(found: Examined, *, fixed: bool) -> tuple[str, Source, list[Problem]]:
    """All of the text, its encoding settled on the whole file, and what to say about it."""
    raw = found.raw
    encoding = found.encoding if fixed and found.encoding else find_encoding(raw.data, raw.name)
    source = replace(found.source, encoding=encoding.name)
    if encoding.others:
        source = replace(source, alternatives={**source.alternatives, "encoding": encoding.others})
    return decode(raw.data, encoding, raw.name), source, _notices(encoding)


def _notices(encoding: Encoding | None) -> list[Problem]:
    if encoding is None or encoding.name != "cp1252":
        return []
    others = f" (or {', '.join(encoding.others)})" if encoding.others else ""
    reason = f"Not UTF-8; read as Windows-1252. If letters look wrong, choose another encoding{others}."
    return [Problem(0, "not_utf8", reason)]


def _text_table(found: Examined, dialect: Dialect, limits: Limits, *, fixed: bool) -> Table:
    """A table of text by the fast reader where it can, else by the patient one."""
    names, source = list(dialect.names), found.source
    if not names:
        return empty_file(replace(source, header_row=None))
    if source.encoding in ("utf-8", "utf-8-sig") and not (found.encoding and found.encoding.stray):
        body = read_columnar(found.raw, dialect, limits)
        if body:
            return _imported(finish(source, names, body), names, body.columns, limits)
    text, source, notices = _text(found, fixed=fixed)
    body = read_patient(text, dialect, limits)
    clean = [STRAY.sub("?", n.replace("\0", "")) for n in names]
    if clean != names:
        reason = "A column name holds bytes that are no text; here they are left out or shown as ?. Correct the header."
        notices.append(Problem(dialect.header_row, "bad_bytes", reason))
    body.problems[:0] = notices
    return _imported(finish(source, clean, body), clean, body.columns, limits)


def _imported(table: Table, names: list[str], columns: list[pa.ChunkedArray], limits: Limits) -> Table:
    """Rows of a promptfoo table become records; any other table stays as it is."""
    if table.source.format not in ("promptfoo-results-csv", "promptfoo-tests-csv"):
        return table
    cells = zip(*(c.to_pylist() for c in columns), strict=True)
    rows = list(zip(table.lines.tolist(), cells, strict=True))
    plain = [n.strip() for n in names]
    if table.source.format == "promptfoo-results-csv":
        records = [(n, r) for n, row in rows for r in promptfoo_csv.result_records(plain, row)]
    else:
        records = [(n, promptfoo_csv.test_record(plain, row)) for n, row in rows]
    problems = [p for p in table.problems if p.code != "duplicate_header"]
    lost = table.rejected + table.blank
    made = to_table(table.source, records, problems, len(records) + lost, limits)
    return replace(made, blank=table.blank + made.blank)


def _segments(
    source: Source, names: Sequence[str], texts: Sequence[Sequence[str]], limits: Limits, notices: list[Problem]
) -> Table:
    """Text files side by side, a column for each."""
    mt_text.check_equal(names, texts)
    columns = [[t.replace("\0", "") for t in side] for side in texts]
    if len(columns[0]) > limits.max_rows:
        raise over_rows(limits)
    arrays = [text_column(c) for c in columns]
    lines = np.arange(1, len(columns[0]) + 1, dtype=np.int64)
    return finish(source, [mt_text.side(n) for n in names], Body(arrays, lines, notices, len(lines)))


def _read_together(raws: Sequence[Raw], encoding: str | None, limits: Limits) -> Table:
    found = [examine(raw, limits, encoding=encoding) for raw in raws]
    source = together([f.source for f in found])
    if source.format == "helm":
        states = [r for f in found if isinstance(f.document, dict) for r in helm.records(f.document)]
        stats = [r for f in found if isinstance(f.document, list) for r in helm.records(f.document)]
        return _records(source, list(enumerate(helm.joined(states, stats), 1)), limits)
    read_texts = [_text(f, fixed=encoding is not None) for f in found]
    texts = [mt_text.segments(text) for text, _, _ in read_texts]
    return _segments(source, [raw.name for raw in raws], texts, limits, [n for *_, some in read_texts for n in some])
