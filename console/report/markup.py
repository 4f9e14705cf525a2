"""HTML from values: whatever is not markup already is escaped, so hostile text can only become text."""

from __future__ import annotations

import html
import unicodedata

VOID = {"meta", "br"}
INVISIBLE = "\u00ad\u061c\u200c\u200d\u200e\u200f\ufeff"
"""Format characters that scripts need; the others, such as overrides of direction, show as a replacement mark."""


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
    """Escaped; what HTML cannot hold, and what would turn the text around, shows as a replacement mark."""
    lines = value.replace("\r\n", "\n").replace("\r", "\n")
    return Markup(html.escape("".join(c if _plain(c) else "\N{REPLACEMENT CHARACTER}" for c in lines)))


def _plain(c: str) -> bool:
    return c in "\n\t" or c in INVISIBLE or unicodedata.category(c) not in ("Cc", "Cf", "Cs")
