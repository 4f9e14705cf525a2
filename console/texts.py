"""Long texts behind a link: saved on this server under the hash of their content."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from tempfile import NamedTemporaryFile

from console.fields import Fields
from jeval_core.home import HOME, home

__all__ = ["HOME", "home", "load", "save"]


def save(fields: Fields) -> str:
    """Keep texts and return their id; the same texts have the same id. OSError when the folder cannot be written."""
    body = json.dumps(fields.to_dict()).encode("ascii")
    id = hashlib.sha256(body).hexdigest()[:24]
    path = home() / "texts" / f"{id}.json"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile(dir=path.parent, suffix=".part", delete=False) as part:  # readable by its owner only
            part.write(body)
        Path(part.name).replace(path)  # readers see all of it or nothing
    return id


def load(id: str) -> Fields | None:
    """The texts behind an id, or None when this server has none."""
    path = home() / "texts" / f"{id}.json"
    if not re.fullmatch("[0-9a-f]{24}", id) or not path.exists():
        return None
    try:
        return Fields.from_dict(json.loads(path.read_bytes()))
    except (ValueError, KeyError, TypeError):
        return None
