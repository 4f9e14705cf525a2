"""`jeval reconcile` and `jeval sensitivity`: what a number from elsewhere is, and what moves a score."""

from __future__ import annotations

from typing import Annotated

import typer

from console.cli_common import Json, guarded, print_json, safe
from console.cli_fields import Expected, ExpectedFile, Output, OutputFile, fields

NONE = {f"{name}{tail}": None for name in ("input", "criteria", "conversation") for tail in ("", "_file")}


def reconcile(
    ctx: typer.Context,
    seen: Annotated[
        str, typer.Argument(help="The score you saw, as it was written: 0.377 or 37.7.", show_default=False)
    ],
    output: Output = None,
    output_file: OutputFile = None,
    expected: Expected = None,
    expected_file: ExpectedFile = None,
    metric: Annotated[str | None, typer.Option(help="Only this metric, such as BLEU.", show_default=False)] = None,
    limit: Annotated[int, typer.Option(min=1, help="At most so many lines.")] = 12,
    as_json: Json = False,
) -> None:
    """Say which implementation, by which rules, gives a pair the score that you saw; exit code 1 when none does."""
    from jeval_core.reconcile import reconcile as look

    def run() -> list[object]:
        texts = fields({**NONE, **ctx.params})
        found = look(output=texts["output"], expected=texts.get("expected", ""), seen=seen, metric=metric)
        return [*found]

    found = guarded(run)
    fitting = sum(match.fits for match in found)
    if as_json:
        print_json({"seen": seen, "fitting": fitting, "matches": [match.to_dict() for match in found[:limit]]})
    else:
        print(f"{fitting} give {safe(seen)}" if fitting else f"none gives {safe(seen)}; the nearest:")
        for match in found[:limit]:
            rules = f"{match.tokens}; {match.smoothing}; {match.references}"
            print(safe(f"{match.value:.6f}  {match.metric}, {match.library}: {rules}"))
            print(safe(f"          {match.signature}"))
    if not fitting:
        raise typer.Exit(1)


def sensitivity(
    ctx: typer.Context,
    evaluators: Annotated[list[str], typer.Argument(help="Evaluator ids.", show_default=False)],
    output: Output = None,
    output_file: OutputFile = None,
    expected: Expected = None,
    expected_file: ExpectedFile = None,
    as_json: Json = False,
) -> None:
    """Change the output in six known ways and say how far each score moves."""
    from jeval_core.sensitivity import KINDS, Change
    from jeval_core.sensitivity import sensitivity as moves

    def run() -> list[Change]:
        texts = fields({**NONE, **ctx.params})
        references = texts.get("expected", ())
        return moves([(texts["output"], (references,) if isinstance(references, str) else references)], evaluators)

    found = guarded(run)
    if as_json:
        print_json([change.to_dict() for change in found])
        return
    for change in found:
        moved = "does not apply" if change.mean is None else f"{change.mean:+.4f} over {change.places} places"
        print(f"{change.evaluator:<20} {KINDS[change.kind]:<32} {moved}")
