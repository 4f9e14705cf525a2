"""Parts of a JSON record that may be missing or of another kind than they should be."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

NOTHING: Mapping[str, Any] = {}


def child(holder: Any, name: str) -> Mapping[str, Any]:
    """The object of that name, or an empty one."""
    value = holder.get(name) if isinstance(holder, Mapping) else None
    return value if isinstance(value, Mapping) else NOTHING


def children(holder: Any, name: str) -> list[Mapping[str, Any]]:
    """The objects in the list of that name."""
    value = holder.get(name) if isinstance(holder, Mapping) else None
    return [v for v in value if isinstance(v, Mapping)] if isinstance(value, list) else []
