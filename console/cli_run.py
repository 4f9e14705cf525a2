"""`jeval run`: a file through several evaluators."""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from console.cli_common import (
    Files,
    Json,
    Map,
    Option,
    Threshold,
    guarded,
    options_of,
    pairs_of,
    print_json,
    print_problems,
    read_guarded,
    safe,
    stop,
    thresholds_of,
)
from console.cli_fields import Judge
from console.cli_judge import MaxUsd, Record, asked, settings_of, shown_while_asking, unanswered

Named = Annotated[str | None, typer.Option(help="Evaluator ids, joined by commas.", show_default=False)]
Suite = Annotated[str | None, typer.Option(help="promptfoo, harness or everything.", show_default=False)]
Tag = Annotated[list[str] | None, typer.Option(help="`name=column`: a column that says yes or no.", show_default=False)]
Group = Annotated[
    list[str] | None, typer.Option(help="Aggregate by this column too; may be given again.", show_default=False)
]
Out = Annotated[
    Path | None, typer.Option(help="Write rows and scores: .csv, .parquet, .jsonl or .xml (JUnit).", show_default=False)
]
Scale = Annotated[str | None, typer.Option(help="Lowest and highest gold level, such as `0-4`.", show_default=False)]


def run(
    files: Files,
    evaluators: Named = None,
    suite: Suite = None,
    map_: Map = None,
    tag_column: Tag = None,
    option: Option = None,
    threshold: Threshold = None,
    group_by: Group = None,
    gold_scale: Scale = None,
    judge: Judge = None,
    max_usd: MaxUsd = None,
    record: Record = None,
    model_version: Annotated[str | None, typer.Option(help="Name of the system, where the file does not say.")] = None,
    out: Out = None,
    no_store: Annotated[bool, typer.Option("--no-store", help="Do not keep the run.")] = False,
    submitter: Annotated[str | None, typer.Option(help="Whom `jeval runs` names.", show_default=False)] = None,
    as_json: Json = False,
) -> None:
    """Score a file, or a file for each system. Exit code 0: something was scored, 2: nothing, 3: unreadable."""
    from jeval_core.data.arrow import save_memory
    from jeval_core.harness.spec import Spec

    save_memory()

    def wanted() -> Spec:
        names = names_of(evaluators, suite)
        return Spec(
            tuple(named(file) for file in files),
            tuple(names),
            columns=pairs_of(map_, "map"),
            tag_columns=pairs_of(tag_column, "tag-column"),
            options=options_of(option, names),
            thresholds=thresholds_of(threshold, names),
            group_by=tuple(group_by or ()),
            gold_scale=_scale(gold_scale),
            model_version=model_version,
            judge=settings_of(judge, max_usd, record, [*files, *([out] if out else [])]),
        )

    spec = guarded(wanted)
    if out is not None:
        guarded(lambda: _check(out, files))
    found = read_guarded(lambda: spec.run(bar(), asking=shown_while_asking()), files[0])
    if not no_store:
        _keep(found, spec, submitter)
    if out is not None:
        guarded(lambda: _write(found, out))
    if as_json:
        print_json(found.to_dict())
    else:
        _print(found)
    if not found.account()["scored"]:
        stop("No row could be scored.", 2)


def named(file: Path) -> tuple[str, str]:
    """Where a file is, and what it is called."""
    return str(file.absolute()), os.fsencode(file.name).decode("utf-8", "replace")


def _keep(found: Any, spec: Any, submitter: str | None) -> None:
    """Store the run; a store that cannot be used is said and costs nothing else."""
    from jeval_core import JevalError
    from jeval_core.harness.store import Store

    try:
        Store.open().save_run(found, spec, submitter)
    except JevalError as error:
        print(f"jeval: the run is not kept. {safe(str(error))}", file=sys.stderr)


def names_of(evaluators: str | None, suite: str | None) -> list[str]:
    from jeval_core import MissingField

    names = [n.strip() for n in (evaluators or "").split(",") if n.strip()] + ([f"suite:{suite}"] if suite else [])
    if not names:
        raise MissingField(
            "Nothing says how to score.", field="evaluators", hint="Give --evaluators bleu,gleu or --suite promptfoo."
        )
    return names


def _scale(text: str | None) -> tuple[float, float] | None:
    from jeval_core import BadInput

    if text is None:
        return None
    number = r"(-?\d+(?:\.\d+)?)"
    found = re.fullmatch(f"{number}-{number}", text.strip())
    if found is None or not float(found[1]) < float(found[2]) < float("inf"):
        raise BadInput("--gold-scale takes the lowest and the highest level, such as 0-4.", field="gold-scale")
    return float(found[1]), float(found[2])


def bar() -> Callable[[int, int], None] | None:
    """A line on standard error with share, rate and time left; none where nobody watches."""
    if not sys.stderr.isatty():
        return None
    start = time.monotonic()

    def show(done: int, total: int) -> None:
        rate = done / max(time.monotonic() - start, 1e-9)
        left = (total - done) / rate if rate else 0.0
        end = "\n" if done >= total else ""
        print(
            f"\r{done:,} of {total:,} rows, {rate:,.0f} a second, {left:.0f} s left   ",
            end=end,
            file=sys.stderr,
            flush=True,
        )

    return show


WRITERS = {".csv": "to_csv", ".parquet": "to_parquet", ".jsonl": "to_jsonl", ".xml": "to_junit"}


def _check(out: Path, files: list[Path]) -> None:
    """Refuse a target before anything is scored."""
    from jeval_core import BadInput

    if out.suffix.lower() not in WRITERS:
        kind = out.suffix or "a file without a suffix"
        raise BadInput(f"--out cannot write {kind}.", field="out", hint=f"Known: {', '.join(WRITERS)}.")
    if not out.resolve().parent.is_dir():
        raise BadInput(f"There is no folder {out.parent} to write to.", field="out", hint="Make it first.")
    if out.resolve() in [file.resolve() for file in files]:
        raise BadInput(f"--out would replace {out}, which is being read.", field="out", hint="Give another name.")


def _write(found: Any, out: Path) -> None:
    from jeval_core import data

    getattr(data, WRITERS[out.suffix.lower()])(found.table(), out.resolve())


def _print(found: Any) -> None:
    from jeval_core.harness import gold
    from jeval_core.labels import fixed

    def span(value: float | None, ci: tuple[float, float] | None) -> str:
        if value is None:
            return "not available"
        return fixed(value, 3) + (
            f" [{fixed(ci[0], 3)}, {fixed(ci[1], 3)}]" if ci else " (too few rows for an interval)"
        )

    rows, source = found.account(), found.source
    said = ", ".join(str(x) for x in (source.format, source.encoding, source.delimiter and repr(source.delimiter)) if x)
    print(safe(f"{found.name}: {said}; dataset {found.version[:12]}"))
    print(safe("mapped: " + ", ".join(f"{field} = {column}" for field, column in found.mapping.describe())))
    print(
        f"{rows['in_file']:,} rows in the file = "
        + " + ".join(f"{rows[k]:,} {k}" for k in ("scored", "skipped", "failed", "rejected"))
    )
    for id, s in found.summaries.items():
        corpus = f", corpus {fixed(s.corpus[0], 4)}" if s.corpus else ""
        rate = span(s.pass_rate, s.pass_rate_ci)
        print(f"{id:<14} mean {span(s.mean, s.mean_ci)}, pass rate {rate}, n = {s.n:,}{corpus}")
    if found.seconds:
        spent = sorted(found.seconds.items(), key=lambda one: -one[1])
        print("time: " + ", ".join(f"{name} {seconds:.2f} s" for name, seconds in spent))
    if found.judge is not None:
        print(safe(asked(found.judge)))
        for line in (*unanswered(found), *gold.said(found.judged)):
            print(safe(line))
    for column, values in found.groups.items():
        for value, each in values.items():
            for id, s in each.items():
                print(safe(f"{column} = {value}: {id} mean {span(s.mean, s.mean_ci)}, n = {s.n:,}"))
    print_problems(found.rows.problems)
