"""HTML from values: whatever is not markup already is escaped, so hostile text can only become text."""

from __future__ import annotations

import html

VOID = {"meta", "br"}


class Markup(str):
    """Text that is HTML already; only `tag` and the report's own files make it."""


def tag(name: str, /, *children: str, **attributes: str | None) -> Markup:
    """An element. `cls` stands for `class`, `_` in a name for `-`; an attribute of None is left out."""
    given = {("class" if k == "cls" else k.replace("_", "-")): v for k, v in attributes.items() if v is not None}
    head = "".join(f' {k}="{text(v)}"' for k, v in given.items())
    return Markup(f"<{name}{head}>" if name in VOID else f"<{name}{head}>{join(*children)}</{name}>")


def join(*children: str) -> Markup:
    """Children in order, escaped unless they are markup."""
    return Markup("".join(c if isinstance(c, Markup) else text(c) for c in children))


def text(value: str) -> Markup:
    """Escaped; a lone surrogate and a control character, which HTML cannot hold, show as a replacement mark."""
    clean = value.encode("utf-8", "replace").decode("utf-8")
    shown = "".join(
        c if c in "\n\t" or c.isprintable() or ord(c) > 0x9F else "\N{REPLACEMENT CHARACTER}" for c in clean
    )
    return Markup(html.escape(shown))
