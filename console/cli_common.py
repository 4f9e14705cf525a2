"""What the commands share: options, messages, safe printing."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
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
Json = Annotated[bool, typer.Option("--json", help="Print the API's response object.")]


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


def stop(message: str, code: int = 3) -> NoReturn:
    print(f"jeval: {safe(message)}", file=sys.stderr)
    raise typer.Exit(code)
