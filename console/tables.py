"""Tables of the README and of the terminal, made from the registry."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from jeval_core.card import Card, option_text

START, END = "<!-- {} -->", "<!-- /{} -->"


def evaluator_table(cards: Sequence[Card]) -> str:
    """Markdown: every evaluator with what it needs and when it passes."""
    rows = ["| id | what it looks at | needs | passes at | suites |", "|---|---|---|---|---|"]
    rows += [f"| `{c.id}` | {c.line} | {', '.join(c.required)} | {c.passes} | {', '.join(c.suites)} |" for c in cards]
    return "\n".join(rows)


def option_table(cards: Sequence[Card]) -> str:
    """Markdown: every option, its values per variant, the default first."""
    rows = ["| evaluator | option | values (default first) | what it does |", "|---|---|---|---|"]
    for c in cards:
        if len(c.variants) > 1:
            rows.append(f"| `{c.id}` | `variant` | {_values(c.variants)} | Whose definition. |")
        for o in c.options:
            many = len(c.variants) > 1
            values = "; ".join((f"{variant}: " if many else "") + _values(v) for variant, v in o.values.items())
            rows.append(f"| `{c.id}` | `{o.name}` | {values} | {o.about} |")
    return "\n".join(rows)


def _values(values: Sequence[object]) -> str:
    return ", ".join(f"`{option_text(v)}`" for v in values)


def catalogue_text(cards: Sequence[Card]) -> str:
    """The catalogue for a terminal."""
    lines = []
    for c in cards:
        lines.append(f"{c.id:<14} {c.line} Needs {' and '.join(c.required)}; passes at {c.passes}.")
        if len(c.variants) > 1:
            lines.append(f"{'':<14} variant: {', '.join(c.variants)}")
        for o in c.options:
            lines.append(
                f"{'':<14} {o.name}: "
                + "; ".join(f"{k}: {', '.join(map(option_text, v))}" for k, v in o.values.items())
            )
    return "\n".join(lines)


def filled(readme: str) -> str:
    """The README with its generated tables brought up to date; ValueError when a marker is missing."""
    from jeval_core import list_evaluators

    cards = list_evaluators()
    for name, table in (("evaluators", evaluator_table(cards)), ("options", option_table(cards))):
        start, end = START.format(name), END.format(name)
        head, _, rest = readme.partition(start)
        _, found, tail = rest.partition(end)
        if not found:
            raise ValueError(f"README has no table {name}")
        readme = f"{head}{start}\n{table}\n{end}{tail}"
    return readme


if __name__ == "__main__":
    path = Path(sys.argv[1])
    path.write_text(filled(path.read_text("utf-8")), "utf-8")
