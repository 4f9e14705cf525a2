"""all-MiniLM-L6-v2 in numpy: a BERT of six layers (Devlin et al. 2019; Wang et al. 2020), mean of its tokens, length 1.

Texts of the same number of tokens go through the network together, so nothing is padded, and the products of all of
them are one product of two matrices.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from jeval_core.embed.base import Extent
from jeval_core.embed.weights import SHA256, Files, find

NAME = "all-MiniLM-L6-v2"
READS = 256
"""Tokens of a text that the model was made to read, its two marks among them."""
LAYERS, HEADS, WIDTH = 6, 12, 384
EPSILON = 1e-12
BATCH_TOKENS = 1_024
"""Tokens that go through the network at once: more would not stay in the processor's cache."""
Floats: TypeAlias = NDArray[np.float32]


class MiniLM:
    """The embedded encoder. Raises NoWeights and WrongWeights."""

    name = NAME
    digest = SHA256["model.safetensors"][:12]
    reads = READS

    def __init__(self, files: Files | None = None) -> None:
        files = files or find()
        self._weights = _loaded(str(files.weights))
        self._tokenizer = _tokenizer(str(files.tokenizer))

    @classmethod
    def loaded(cls) -> MiniLM:
        """The encoder with the weights that are there now, read once."""
        return _encoder(find())

    def encode(self, texts: Sequence[str]) -> Floats:
        """The vectors of texts, shape (texts, 384). A text's differ in the seventh decimal by what it goes with."""
        different = [*dict.fromkeys(texts)]
        ids = {text: _ends_kept(found.ids) for text, found in zip(different, self._tokens(different), strict=True)}
        by_length: dict[int, list[str]] = {}
        for text in different:
            by_length.setdefault(len(ids[text]), []).append(text)
        vectors: dict[str, Floats] = {}
        for length, alike in by_length.items():
            step = max(1, BATCH_TOKENS // length)
            for start in range(0, len(alike), step):
                some = alike[start : start + step]
                made = _forward(self._weights, np.array([ids[text] for text in some], np.int64))
                vectors.update(zip(some, made, strict=True))
        return np.stack([vectors[text] for text in texts]) if texts else np.zeros((0, WIDTH), np.float32)

    def extent(self, text: str) -> Extent:
        """How much of a text is read, its two marks left aside."""
        found = self._tokens([text])[0]
        tokens = len(found.ids) - 2
        read = min(tokens, READS - 2)
        return Extent(tokens, read, len(text) if read == tokens else int(found.offsets[read][1]))

    def _tokens(self, texts: list[str]) -> list[Any]:
        clean = [text.encode("utf-8", "replace").decode("utf-8") for text in texts]  # no lone surrogates in Rust
        found: list[Any] = self._tokenizer.encode_batch(clean)
        return found


def _ends_kept(ids: list[int]) -> list[int]:
    """The tokens that are read, the mark at the end among them."""
    return ids if len(ids) <= READS else [*ids[: READS - 1], ids[-1]]


@lru_cache(maxsize=1)
def _encoder(files: Files) -> MiniLM:
    return MiniLM(files)


@lru_cache(maxsize=1)
def _loaded(path: str) -> dict[str, Floats]:
    from safetensors.numpy import load_file

    raw = load_file(path)
    return {
        name: np.ascontiguousarray(value.T if _is_matrix(name) else value)
        for name, value in raw.items()
        if value.dtype == np.float32
    }


def _is_matrix(name: str) -> bool:
    """Whether a weight is multiplied with from the right; kept the other way round in the file."""
    return name.endswith("weight") and "LayerNorm" not in name and "embeddings" not in name


@lru_cache(maxsize=1)
def _tokenizer(path: str) -> Any:
    from tokenizers import Tokenizer

    made = Tokenizer.from_file(path)
    made.no_padding()
    made.no_truncation()
    return made


def _forward(w: dict[str, Floats], ids: NDArray[np.int64]) -> Floats:
    """Vectors of shape (texts, 384) from token ids of shape (texts, tokens)."""
    texts, tokens = ids.shape
    x = w["embeddings.word_embeddings.weight"][ids] + w["embeddings.position_embeddings.weight"][:tokens]
    x = _normal(x + w["embeddings.token_type_embeddings.weight"][0], w, "embeddings.LayerNorm")
    for layer in range(LAYERS):
        at = f"encoder.layer.{layer}."
        q, k, v = (_heads(_linear(x, w, f"{at}attention.self.{name}")) for name in ("query", "key", "value"))
        weights = q @ k.transpose(0, 1, 3, 2) / np.float32(np.sqrt(WIDTH // HEADS))
        weights = np.exp(weights - weights.max(-1, keepdims=True))
        weights /= weights.sum(-1, keepdims=True)
        seen = (weights @ v).transpose(0, 2, 1, 3).reshape(texts, tokens, WIDTH)
        x = _normal(x + _linear(seen, w, f"{at}attention.output.dense"), w, f"{at}attention.output.LayerNorm")
        wide = _gelu(_linear(x, w, f"{at}intermediate.dense"))
        x = _normal(x + _linear(wide, w, f"{at}output.dense"), w, f"{at}output.LayerNorm")
    mean = x.mean(axis=1)
    length = np.sqrt((mean * mean).sum(axis=-1, keepdims=True))
    return np.asarray(mean / np.maximum(length, np.float32(EPSILON)), np.float32)


def _linear(x: Floats, w: dict[str, Floats], name: str) -> Floats:
    matrix = w[f"{name}.weight"]
    flat = x.reshape(-1, matrix.shape[0]) @ matrix + w[f"{name}.bias"]
    return np.asarray(flat.reshape(*x.shape[:-1], matrix.shape[1]), np.float32)


def _heads(x: Floats) -> Floats:
    """(texts, tokens, 384) → (texts, 12, tokens, 32)."""
    return np.ascontiguousarray(x.reshape(*x.shape[:2], HEADS, WIDTH // HEADS).transpose(0, 2, 1, 3))


def _normal(x: Floats, w: dict[str, Floats], name: str) -> Floats:
    """Layer normalisation (Ba et al. 2016)."""
    centred = x - x.mean(-1, keepdims=True)
    spread = np.sqrt((centred * centred).mean(-1, keepdims=True) + np.float32(EPSILON))
    return np.asarray(centred / spread * w[f"{name}.weight"] + w[f"{name}.bias"], np.float32)


def _gelu(x: Floats) -> Floats:
    """x·Φ(x), exact (Hendrycks and Gimpel 2016)."""
    from scipy.special import erf

    return np.asarray(x * np.float32(0.5) * (1 + erf(x * np.float32(1 / np.sqrt(2)))), np.float32)
