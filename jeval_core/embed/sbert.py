"""Any model of the library sentence-transformers, where that is installed (extra `sbert`)."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from functools import lru_cache
from importlib.util import find_spec
from typing import Any

import numpy as np

from jeval_core.embed.base import Extent, Vectors
from jeval_core.embed.errors import NoWeights

MODEL = "JEVAL_SBERT_MODEL"
"""Environment: name or folder of the model."""
USUAL = "sentence-transformers/all-MiniLM-L6-v2"
COMMAND = "pip install 'jeval-console[sbert]'"


def chosen() -> str:
    """The model's name as the signature holds it: of a folder its last part."""
    name = os.environ.get(MODEL) or USUAL
    return (os.path.basename(os.path.normpath(name)) if os.path.isdir(name) else name).replace("|", "/")


def loaded() -> SentenceTransformers:
    """The encoder of the model that is chosen now, loaded once. Raises NoWeights."""
    return _loaded(os.environ.get(MODEL) or USUAL)


@lru_cache(maxsize=1)
def _loaded(name: str) -> SentenceTransformers:
    return SentenceTransformers(name)


class SentenceTransformers:
    """A model by its name, which the library fetches where it is not on the disk, or a folder. Raises NoWeights."""

    def __init__(self, name: str) -> None:
        if find_spec("sentence_transformers") is None:
            raise NoWeights(
                "The library sentence-transformers is not installed.", field="variant", hint=f"Install it: {COMMAND}."
            )
        try:
            from sentence_transformers import SentenceTransformer

            self._model: Any = SentenceTransformer(name, device="cpu")
        except (ImportError, OSError, ValueError, RuntimeError) as error:
            raise NoWeights(
                f"sentence-transformers cannot load the model {chosen()} ({type(error).__name__}).",
                field="variant",
                hint=f"Name another, or a folder, by {MODEL}.",
            ) from error
        self.name = chosen()
        self.reads = int(self._model.max_seq_length or 0)
        self.digest = _digest(self._model)

    def encode(self, texts: Sequence[str]) -> Vectors:
        """The vectors of texts, shape (texts, dimensions of the model)."""
        clean = [text.encode("utf-8", "replace").decode("utf-8") for text in texts]
        found = self._model.encode(clean, normalize_embeddings=True, convert_to_numpy=True, show_progress_bar=False)
        return np.asarray(found, np.float32)

    def extent(self, text: str) -> Extent:
        """How much of a text is read, its marks left aside."""
        clean = text.encode("utf-8", "replace").decode("utf-8")
        found = self._model.tokenizer(clean, add_special_tokens=False, return_offsets_mapping=True, verbose=False)
        tokens = len(found["input_ids"])
        read = min(tokens, self.reads - 2) if self.reads else tokens
        return Extent(tokens, read, len(text) if read == tokens else int(found["offset_mapping"][read - 1][1]))


def _digest(model: Any) -> str:
    """Of all weights by name, as they are in memory."""
    digest = hashlib.sha256()
    for name, values in sorted(model.state_dict().items()):
        digest.update(name.encode() + b"\0" + values.detach().cpu().contiguous().view(-1).numpy().tobytes())
    return digest.hexdigest()[:12]
