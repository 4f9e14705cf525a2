"""`jeval data`: what is in a file, and what changed since another."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from console.cli_common import File, Json, Map, pairs_of, print_json, print_problems, read_guarded, safe, stop

Newer = Annotated[
    Path | None, typer.Argument(help="A later version; what changed is shown instead.", show_default=False)
]
LISTED = 10


@dataclass(frozen=True)
class Read:
    """A file up to its cases."""

    name: str
    source: Any
    mapping: Any
    rows: Any


def data(file: File, newer: Newer = None, map_: Map = None, as_json: Json = False) -> None:
    """Show how a file is read and what its cases are. Exit code 0: read, 2: no case in it, 3: it cannot be read."""
    one = read_guarded(lambda: _read(file, map_), file)
    if newer is None:
        _report(one, as_json)
    else:
        _compare(one, read_guarded(lambda: _read(newer, map_), newer), as_json)


def _read(path: Path, map_: list[str] | None) -> Read:
    from jeval_core import data as core

    table = core.read(path)
    mapping = core.map_columns(table, pairs_of(map_, "map"), require=())
    return Read(path.name, table.source, mapping, core.rows(table, mapping))


def _report(found: Read, as_json: bool) -> None:
    from jeval_core.data import dataset_version, quality

    version, report = dataset_version(found.rows), quality(found.rows)
    if as_json:
        print_json({**_facts(found, version), "quality": report.to_dict()})
    else:
        _print_source(found, version)
        if len(found.rows):
            _print_quality(report)
            print_problems(found.rows.problems)
    _stop_when_empty(found)


def _compare(old: Read, new: Read, as_json: bool) -> None:
    from jeval_core.data import diff

    found = diff(old.rows, new.rows)
    if as_json:
        sides = {"old": _facts(old, found.old_version), "new": _facts(new, found.new_version)}
        print_json({**sides, "diff": found.to_dict()})
    else:
        _print_source(old, found.old_version)
        _print_source(new, found.new_version)
        _print_diff(found)
    for side in (old, new):
        _stop_when_empty(side)


def _stop_when_empty(found: Read) -> None:
    if not len(found.rows):
        reason = next((p.reason for p in found.rows.problems), "There are no rows.")
        stop(f"{found.name} holds no case. {reason}", 2)


def _facts(found: Read, version: str) -> dict[str, Any]:
    s = found.source
    return {
        "dataset": {"name": found.name, "version": version},
        "source": {
            "format": s.format,
            "encoding": s.encoding,
            "delimiter": s.delimiter,
            "header_row": s.header_row,
            "sheet": s.sheet,
            "compressed": s.compressed,
            "alternatives": {what: [*values] for what, values in s.alternatives.items()},
        },
        "mapping": found.mapping.to_dict(),
        "unmapped": [*found.mapping.unmapped],
        "rows": found.rows.account(),
        "problems": [{"line": p.line, "code": p.code, "reason": p.reason} for p in found.rows.problems],
    }


def _print_source(found: Read, version: str) -> None:
    s, rows = found.source, found.rows.account()
    parts = [s.format, s.encoding, s.delimiter and f"delimiter {s.delimiter!r}", s.sheet and f"sheet {s.sheet}"]
    parts += [s.header_row and f"header in line {s.header_row}", "gzip" if s.compressed else None]
    print(safe(f"{found.name}: {', '.join(p for p in parts if p)}; dataset {version[:12]}"))
    for what, values in s.alternatives.items():
        print(safe(f"{what} could also be {', '.join(map(repr, values))}"))
    print(safe("mapped: " + (", ".join(f"{f} = {c}" for f, c in found.mapping.describe()) or "nothing")))
    if found.mapping.unmapped:
        print(safe(f"not mapped: {', '.join(found.mapping.unmapped)}"))
    kept = " + ".join(f"{rows[k]:,} {k}" for k in ("kept", "rejected", "blank"))
    print(f"{rows['rows_in_file']:,} rows in the file = {kept}")


def _print_quality(report: Any) -> None:
    from jeval_core.data.loose import LOOSE
    from jeval_core.labels import fixed

    share = report.single_reference_share
    single = "" if share is None else f", {fixed(100 * share, 1)} % of them with a single one"
    print(f"{report.cases:,} cases, {report.referenced:,} with a reference{single}")
    _print_twins("duplicates", "the same content", report.duplicates)
    _print_twins("near duplicates", LOOSE, report.near_duplicates)
    shown = f"{report.echoes:,} cases, {_some(report.echo_examples, report.echoes)}" if report.echoes else "none"
    print(safe(f"references equal to the input: {shown}"))
    for leak in report.leaks:
        where = "the file" if leak.column is None else f"{leak.column} = {leak.value}"
        print(safe(f"possible leak: all {leak.rows:,} outputs of {where} are their reference"))


def _print_twins(name: str, what: str, twins: Any) -> None:
    found = f"{twins.cases:,} cases in {twins.groups:,} groups ({what})" if twins.cases else "none"
    print(f"{name}: {found}")
    for ids in twins.examples:
        print(safe(f"  {' = '.join(ids)}"))
    if twins.groups > len(twins.examples):
        print(f"  and {twins.groups - len(twins.examples):,} more groups")


def _print_diff(found: Any) -> None:
    if found.old_version == found.new_version:
        print("The two versions are the same data set.")
    for what, ids in (("added", found.added), ("removed", found.removed)):
        print(safe(f"{len(ids):,} {what}{': ' if ids else ''}{_some(ids, len(ids))}"))
    print(f"{len(found.changed):,} changed")
    for id, fields in [*found.changed.items()][:LISTED]:
        print(safe(f"  {id}: {', '.join(fields) or 'its contents are combined in another way'}"))
    if len(found.changed) > LISTED:
        print(f"  and {len(found.changed) - LISTED:,} more; --json lists them all.")
    print(f"{found.same:,} the same" + (", in another order" if found.reordered else ""))


def _some(ids: tuple[str, ...], total: int) -> str:
    more = f" and {total - LISTED:,} more" if total > LISTED else ""
    return ", ".join(ids[:LISTED]) + more
