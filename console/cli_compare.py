"""`jeval compare`: stored runs, or files that are scored first, against a baseline."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from console.cli_common import (
    Json,
    Map,
    Option,
    Threshold,
    guarded,
    options_of,
    pairs_of,
    print_json,
    read_guarded,
    safe,
    thresholds_of,
)
from console.cli_fields import Judge
from console.cli_judge import settings_of, shown_while_asking
from console.cli_run import Named, Suite, Tag, bar, named, names_of

if TYPE_CHECKING:
    from jeval_core.compare import Change, Comparison

Runs = Annotated[
    list[str],
    typer.Argument(
        help="Two or more: ids of stored runs (six digits are enough), or files. The first is the baseline.",
        show_default=False,
    ),
]


def compare(
    runs: Runs,
    metric: Annotated[
        list[str] | None, typer.Option(help="Only this evaluator; may be given again.", show_default=False)
    ] = None,
    group_by: Annotated[
        list[str] | None,
        typer.Option(help="Columns to group by instead of task type and risk tier.", show_default=False),
    ] = None,
    cluster_by: Annotated[
        str | None, typer.Option(help="A column whose rows belong together, such as a document.", show_default=False)
    ] = None,
    references: Annotated[
        bool | None, typer.Option(help="Score each reference set on its own; by itself up to 200,000 texts.")
    ] = None,
    min_items: Annotated[int, typer.Option(help="Rows below which nothing is claimed.", min=2)] = 100,
    min_items_corpus: Annotated[int, typer.Option(help="The same for corpus scores.", min=2)] = 200,
    resamples: Annotated[int, typer.Option(help="Of bootstrap and randomisation.", min=100, max=1_000_000)] = 10_000,
    seed: Annotated[int, typer.Option(help="Of both.", min=0)] = 12345,
    evaluators: Named = None,
    suite: Suite = None,
    map_: Map = None,
    tag_column: Tag = None,
    option: Option = None,
    threshold: Threshold = None,
    judge: Judge = None,
    html: Annotated[Path | None, typer.Option(help="Write the report as one HTML file.", show_default=False)] = None,
    as_json: Json = False,
) -> None:
    """Compare runs on the cases they share. Exit code 0: compared, 2: a file says too little, 3: not comparable."""
    from jeval_core import BadInput
    from jeval_core.compare import Asked, Rules, against
    from jeval_core.data.arrow import save_memory
    from jeval_core.harness.store import Store

    save_memory()
    if len(runs) < 2:
        guarded(
            lambda: _refuse(BadInput("A comparison needs two runs.", field="runs", hint="`jeval runs` lists them."))
        )
    if html is not None and not html.resolve().parent.is_dir():
        guarded(lambda: _refuse(BadInput(f"There is no folder {html.parent} to write to.", field="html")))
    how = (evaluators, suite, map_, tag_column, option, threshold, judge)
    store = guarded(Store.open)
    ids = [_opened(store, name, how) for name in runs]
    rules = Rules(min_items, min_items_corpus, resamples, seed)
    columns = None if group_by is None else tuple(group_by)
    asked = Asked(tuple(metric or ()), columns, cluster_by, references, rules)
    first, *others = [guarded(lambda id=id: store.run(id)) for id in ids]
    found = guarded(lambda: against(first, others, asked, _progress()))
    if html is not None:
        from console.report.compared import report_of_comparison

        guarded(lambda: html.write_text(report_of_comparison(found), "utf-8"))
    if as_json:
        print_json(found[0].to_dict() if len(found) == 1 else {"comparisons": [one.to_dict() for one in found]})
        return
    for one in found:
        _print(one)


def _refuse(error: Exception) -> None:
    raise error


def _opened(store: Any, name: str, how: Sequence[Any]) -> str:
    """The id of a stored run; a file is scored and kept first."""
    from jeval_core.harness.errors import UnknownRun
    from jeval_core.harness.spec import Spec

    path = Path(name)

    def known() -> str | None:
        try:
            return str(store.found(name))
        except UnknownRun:
            if not path.is_file():
                raise
            return None

    id = guarded(known)
    if id is not None:
        return id
    evaluators, suite, map_, tag_column, option, threshold, judge = how

    def wanted() -> Spec:
        names = names_of(evaluators, suite)
        return Spec(
            (named(path),),
            tuple(names),
            columns=pairs_of(map_, "map"),
            tag_columns=pairs_of(tag_column, "tag-column"),
            options=options_of(option, names),
            thresholds=thresholds_of(threshold, names),
            judge=settings_of(judge, None, None, [path]),
        )

    spec = guarded(wanted)
    found = read_guarded(lambda: spec.run(bar(), asking=shown_while_asking()), path)
    guarded(lambda: store.save_run(found, spec))
    print(safe(f"{path.name} is run {found.id}."), file=sys.stderr)
    return str(found.id)


def _progress() -> Any:
    if not sys.stderr.isatty():
        return None

    def show(share: float, text: str) -> None:
        print(f"\r{share:4.0%} {text:<60}", end="\n" if share >= 1 else "", file=sys.stderr, flush=True)

    return show


def _print(found: Comparison) -> None:
    a, b, own = found.pairs.a, found.pairs.b, found.alignment
    for warning in found.warnings:
        print(safe(f"! {warning}"))
    print(safe(f"A {a.id} {a.name}{_system(a)}"))
    print(safe(f"B {b.id} {b.name}{_system(b)}"))
    print(
        f"{len(own):,} pairs; only in A {own.only_a:,}, only in B {own.only_b:,}, changed {own.changed:,}, "
        f"repeated {own.duplicates:,}"
    )
    _table(found.metrics)
    for name, lines in found.reference_sets.items():
        print(safe(f"\nagainst {name}"))
        _table(lines)
    for title, lines in (("tags", found.tags), ("human scores", found.human)):
        if lines:
            print(f"\n{title}")
            _table(lines)
    print()


def _system(found: Any) -> str:
    return f", {found.model_version}" if found.model_version else ""


def _table(lines: Sequence[Change]) -> None:
    from jeval_core.labels import fixed

    def signed(value: float) -> str:
        text = fixed(abs(value), 4)
        return text if float(text) == 0 else f"{'-' if value < 0 else '+'}{text}"

    for one in lines:
        name = one.id if one.group is None else f"{one.id} [{one.by} = {one.group}]"
        ci = f"[{signed(one.ci[0])}, {signed(one.ci[1])}]" if one.ci else "no interval"
        flips = f", {one.flips[0]:,} lost {one.flips[1]:,} gained" if one.flips else ""
        least = f", detectable {fixed(one.mde, 4)}" if one.mde else ""
        p = "p < 0.0001" if one.p_holm < 0.0001 else f"p = {one.p_holm:.4f}"
        print(
            safe(
                f"{name:<24} {fixed(one.a, 4)} → {fixed(one.b, 4)}  {signed(one.delta)} {ci}  {one.claim}"
                f" (n = {one.n:,}, {one.method}, {p} by Holm{least}{flips})"
            )
        )
