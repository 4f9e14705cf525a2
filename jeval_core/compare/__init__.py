"""Two stored runs against each other: pairing, intervals, tests, and why a score moved."""

from jeval_core.compare.align import Alignment, align
from jeval_core.compare.changes import Change, Rules
from jeval_core.compare.comparison import Asked, Comparison, against, compare
from jeval_core.compare.errors import Incomparable

__all__ = ["Alignment", "Asked", "Change", "Comparison", "Incomparable", "Rules", "against", "align", "compare"]
