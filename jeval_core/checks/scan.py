"""Everything comparable in one text."""

from __future__ import annotations

from jeval_core.checks.clock import read_times
from jeval_core.checks.dates import read_dates
from jeval_core.checks.items import Canvas, Item
from jeval_core.checks.labels import read_codes, read_labels
from jeval_core.checks.quantities import read_quantities
from jeval_core.checks.relations import related


def scan(text: str) -> list[Item]:
    """Return the quantities, dates and names with digits of a normalised text, in reading order.

    The order of the readers decides what a run of digits is: a date before a code, a code before a number.
    """
    canvas = Canvas(text)
    read_labels(canvas)
    read_dates(canvas)
    read_times(canvas)
    read_codes(canvas)
    read_quantities(canvas)
    return related(text, canvas.items)
