"""`jeval runs`: what the store holds."""

from __future__ import annotations

from typing import Annotated

import typer

from console.cli_common import Json, guarded, print_json, safe


def runs(
    dataset: Annotated[
        str | None, typer.Option(help="Only runs of this data set: its name or version.", show_default=False)
    ] = None,
    limit: Annotated[
        int | None, typer.Option(min=1, max=1_000_000, help="At most so many, the newest.", show_default=False)
    ] = None,
    as_json: Json = False,
) -> None:
    """List stored runs, newest first."""
    from jeval_core.evaluators.judged import judge_in
    from jeval_core.harness.store import Store

    found = guarded(lambda: Store.open().runs(dataset, limit))
    if as_json:
        print_json([run.to_dict() for run in found])
        return
    for run in found:
        system = f", {run.model_version}" if run.model_version else ""
        judges = {judge for s in run.signatures.values() if (judge := judge_in(s))}
        system += f", judged by {', '.join(sorted(judges))}" if judges else ""
        by = f", by {run.submitter}" if run.submitter else ""
        line = (
            f"{run.id}  {run.created[:16].replace('T', ' ')}  {run.name} ({run.dataset[:8]}), {run.rows:,} rows, "
            f"{', '.join(run.evaluators)}{system}{by}"
        )
        print(safe(line.replace("\n", " ")))
    if not found:
        print("No run is stored." if dataset is None else "No run of this data set is stored.")
