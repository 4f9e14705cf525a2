"""What the commands share: options, messages, safe printing."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any, NoReturn, TypeVar

import typer

T = TypeVar("T")
Option = Annotated[
    list[str] | None,
    typer.Option(help="`bleu.variant=sacrebleu`; without the prefix for every evaluator asked.", show_default=False),
]
Threshold = Annotated[
    list[str] | None, typer.Option(help="`bleu=0.6`; without the prefix for every evaluator asked.", show_default=False)
]
File = Annotated[
    Path, typer.Argument(help="CSV, TSV, JSON, JSONL, Parquet, XLSX, or results of other tools.", show_default=False)
]
Files = Annotated[
    list[Path],
    typer.Argument(
        help="One of these, the parts of one (parallel text), or a file for each system.", show_default=False
    ),
]
Map = Annotated[
    list[str] | None,
    typer.Option("--map", help="`field=column`, such as `output=answer`; may be given again.", show_default=False),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]


def safe(text: str) -> str:
    """The text without terminal control characters, in what the terminal's encoding can show."""
    shown = "".join(c if c.isprintable() or c in "\n\u200c\u200d" else "\N{REPLACEMENT CHARACTER}" for c in text)
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    return shown.encode(encoding, "replace").decode(encoding)


def _keyed(items: list[str] | None, evaluators: list[str], what: str) -> list[tuple[str, str, str]]:
    """`id.name=value` or `name=value` items as (id, name, value); one without an id goes to every evaluator asked."""
    from jeval_core import BadInput
    from jeval_core.registry import expand

    ids = [id for id, _ in expand(evaluators)]
    out = []
    for item in items or []:
        key, equals, value = item.partition("=")
        if not equals:
            raise BadInput(
                f"--{what} takes name=value.", field=what, hint="For example --option bleu.variant=sacrebleu."
            )
        id, dot, name = key.partition(".")
        out += [(id, name, value)] if dot else [(id, key, value) for id in ids]
    return out


def options_of(items: list[str] | None, evaluators: list[str]) -> dict[str, dict[str, str]]:
    out: dict[str, dict[str, str]] = {}
    for id, name, value in _keyed(items, evaluators, "option"):
        out.setdefault(id, {})[name] = value
    return out


def thresholds_of(items: list[str] | None, evaluators: list[str]) -> dict[str, float]:
    from jeval_core import BadInput
    from jeval_core.registry import expand

    out = {}
    for item in items or []:
        key, equals, value = item.rpartition("=")
        try:
            number = float(value)
        except ValueError:
            raise BadInput(
                "A threshold must be a number.", field="threshold", hint="For example --threshold bleu=0.6."
            ) from None
        out |= {id: number for id in ([key] if equals else [id for id, _ in expand(evaluators)])}
    return out


def pairs_of(items: list[str] | None, what: str) -> dict[str, str]:
    from jeval_core import BadInput

    out = {}
    for item in items or []:
        field, equals, column = item.partition("=")
        if not equals:
            raise BadInput(f"--{what} takes name=column.", field=what)
        if field in out:
            raise BadInput(
                f"--{what} names {safe(field)} twice.",
                field=what,
                hint="Several references are one option: --map expected=a,b. Each output column is a run of its own.",
            )
        out[field] = column
    return out


def print_problems(problems: Sequence[Any], most: int = 20, alike: int = 5) -> None:
    """What is wrong with single rows, on standard error: a few of each kind."""
    seen: Counter[str] = Counter()
    shown = [p for p in problems if not seen.update([p.code]) and seen[p.code] <= alike][:most]
    for p in shown:
        print(safe(f"line {p.line}: {p.reason}" if p.line else p.reason), file=sys.stderr)
    if len(problems) > len(shown):
        print(f"and {len(problems) - len(shown):,} more; --json lists them all.", file=sys.stderr)


def print_json(value: Any) -> None:
    print(json.dumps(value, ensure_ascii=True, allow_nan=False))


def guarded(run: Callable[[], T]) -> T:
    """Run, and turn a fault of the input into one line on standard error and exit code 3."""
    from jeval_core import JevalError

    try:
        return run()
    except JevalError as error:
        stop(str(error))
    except OSError as error:
        stop(f"{error.strerror or error}.")


def read_guarded(run: Callable[[], T], file: Path) -> T:
    """The same for what reads a file: exit code 2 where the file says too little, 3 where it cannot be read."""
    from jeval_core import JevalError
    from jeval_core.data import AmbiguousMapping, MissingColumn

    try:
        return run()
    except (AmbiguousMapping, MissingColumn) as error:
        stop(str(error), 2)
    except JevalError as error:
        stop(str(error), 2 if error.code in ("empty_file", "no_rows") else 3)
    except OSError as error:
        stop(f"{file}: {error.strerror or error}.")


def stop(message: str, code: int = 3) -> NoReturn:
    print(f"jeval: {safe(message)}", file=sys.stderr)
    raise typer.Exit(code)
