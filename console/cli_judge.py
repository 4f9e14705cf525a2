"""What `jeval run` says and asks about judges."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

MaxUsd = Annotated[
    float | None,
    typer.Option(help="Stop asking the judge before more dollars than these are spent.", show_default=False, min=0),
]
Record = Annotated[
    Path | None, typer.Option(help="Write the judge's answers, to replay by --judge recorded:FILE.", show_default=False)
]


def settings_of(judge: str | None, max_usd: float | None, record: Path | None, kept: list[Path]) -> dict[str, Any]:
    """Who is asked, as a run keeps it: settled now, so that making it again asks the same."""
    from jeval_core.judge.recorded import EXAMPLE
    from jeval_core.judge.settings import CHOSEN, choose

    who = choose(judge) if judge or os.environ.get(CHOSEN) else None
    if who is not None and who.file not in (None, EXAMPLE):
        replayed = Path(str(who.file)).absolute()
        who, kept = replace(who, file=str(replayed)), [*kept, replayed]
    if record is not None:
        _check_record(record, kept)
    settings: dict[str, Any] = {} if who is None else {"judge": str(who)}
    settings |= {} if max_usd is None else {"max_usd": max_usd}
    return settings | ({} if record is None else {"record": str(record.absolute())})


def _check_record(record: Path, kept: list[Path]) -> None:
    """Refuse a recording before anything is asked."""
    from jeval_core import BadInput

    if not record.absolute().parent.is_dir():
        raise BadInput(f"There is no folder {record.parent} to write to.", field="record", hint="Make it first.")
    if record.is_dir():
        raise BadInput(f"{record} is a folder.", field="record", hint="Name a file.")
    if record.resolve() in [path.resolve() for path in kept]:
        raise BadInput(f"--record would replace {record}, which this run needs.", field="record", hint="Name another.")


def shown_while_asking() -> Callable[[int, int, Any], None] | None:
    """A line on standard error with what a judge was asked so far and the time left; none where nobody watches."""
    if not sys.stderr.isatty():
        return None

    def show(done: int, rows: int, so_far: Any) -> None:
        rate = done / max(so_far.seconds, 1e-9)
        left = f"{(rows - done) / rate:.0f} s left" if rate else "just begun"
        end = "\n" if done >= rows else ""
        print(f"\r{done:,} of {rows:,} rows; {so_far.said()}; {left}   ", end=end, file=sys.stderr, flush=True)

    return show


def asked(report: Any) -> str:
    """Who was asked, and what it took."""
    from console.names import answered_words

    said, p = report.to_dict(), report.progress
    who = " + ".join(said["answered_by"]) or said["model"]
    words = answered_words(said["kind"])
    failed = "".join(f"; {n:,} {code}" for code, n in said["failed"].items())
    return f"judge: {who}{words and f' ({words})'}; {p.said()}{failed}"


def unanswered(found: Any) -> list[str]:
    """The commonest reasons for which rows got no answer, in full."""
    from jeval_core.batch.scored import FAILED

    reasons: Counter[str] = Counter()
    for s in found.scored.values():
        codes = s.reason[(s.status == FAILED) & (not s.native)]
        reasons.update(s.reasons[code] for code in codes.tolist())
    return [f"  {n:,} × {reason}" for reason, n in reasons.most_common(3)]
