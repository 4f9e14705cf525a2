"""Encoders: texts to vectors of length 1, so that a dot product is a cosine."""

from __future__ import annotations

from jeval_core.embed import sbert
from jeval_core.embed.base import Encoder
from jeval_core.embed.errors import EncoderError
from jeval_core.embed.minilm import MiniLM

MINILM, SBERT = "minilm", "sentence-transformers"


def encoder(name: str) -> Encoder:
    """The encoder of a name, MINILM or SBERT. Raises NoWeights and WrongWeights."""
    return sbert.loaded() if name == SBERT else MiniLM.loaded()


def available(name: str = MINILM) -> bool:
    """Whether an encoder can be used now."""
    try:
        encoder(name)
    except EncoderError:
        return False
    return True


def parts(name: str) -> list[tuple[str, object]]:
    """What the signature says of an encoder, whether it can be loaded or not."""
    if name == MINILM:
        return [("model", MiniLM.name), ("weights", MiniLM.digest), ("reads", MiniLM.reads)]
    try:
        found = encoder(name)
    except EncoderError:
        return [("model", sbert.chosen()), ("weights", "none")]
    return [("model", found.name), ("weights", found.digest), ("reads", found.reads)]
