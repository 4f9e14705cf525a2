"""The protocol of every encoder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

Vectors: TypeAlias = NDArray[np.float32]
"""Shape (texts, dimensions), every row of Euclidean length 1 (all zero for a text without a token)."""


@dataclass(frozen=True, slots=True)
class Encoded:
    """Vectors of some texts; `cut`: by text, how many tokens were beyond what the model reads."""

    vectors: Vectors
    cut: tuple[int, ...]


class Encoder(Protocol):
    """Something that makes vectors. `name` and `digest` (of its weights) go into signatures.

    `reads`: tokens of a text at most; what is beyond is left out.
    """

    name: str
    digest: str
    reads: int

    def encode(self, texts: Sequence[str]) -> Encoded:
        """The vectors of texts, in their order; the same text has the same vector whatever it is encoded with."""
        ...
