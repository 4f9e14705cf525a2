"""Why two runs cannot be compared."""

from jeval_core.errors import BadInput


class Incomparable(BadInput):
    """The scores of two runs are of different metrics or judges, or share no case."""

    code = "incomparable"
    alike: tuple[str, ...] = ()
    """The evaluators that could be compared alone."""
