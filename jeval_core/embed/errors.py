"""What can go wrong with an encoder, as a branch of the error tree.

::

    JevalError
    └── EncoderError
        ├── NoWeights       the model is not on this machine
        └── WrongWeights    a file is there and is not the one that it should be
"""

from __future__ import annotations

from jeval_core.errors import JevalError


class EncoderError(JevalError):
    """An encoder cannot be used."""

    code = "encoder_error"


class NoWeights(EncoderError):
    """The model's files are not on this machine."""

    code = "no_weights"


class WrongWeights(EncoderError):
    """The model's files are not those that they should be."""

    code = "wrong_weights"
