"""The protocol of every encoder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

Vectors: TypeAlias = NDArray[np.float32]
"""Shape (texts, dimensions), every row of Euclidean length 1."""


@dataclass(frozen=True, slots=True)
class Extent:
    """How much of a text is read: `read` of its `tokens`, up to character `end`."""

    tokens: int
    read: int
    end: int


class Encoder(Protocol):
    """Something that makes vectors. `name` and `digest` (of its weights) go into signatures.

    `reads`: tokens of a text at most, its two marks among them; what is beyond is left out.
    """

    @property
    def name(self) -> str:
        """The model's name."""
        ...

    @property
    def digest(self) -> str:
        """The first 12 hex digits of the sha256 of its weights."""
        ...

    @property
    def reads(self) -> int:
        """Tokens of a text at most."""
        ...

    def encode(self, texts: Sequence[str]) -> Vectors:
        """The vectors of texts, in their order."""
        ...

    def extent(self, text: str) -> Extent:
        """How much of a text is read."""
        ...
