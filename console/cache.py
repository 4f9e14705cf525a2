"""Results of the Explore page, kept for the next rerun: typing elsewhere on the page must not score again."""

from __future__ import annotations

from typing import Any

import streamlit as st

from console.state import Query
from jeval_core import Result, Study, evaluate, study

Key = tuple[str, str, tuple[str, ...], float | None, tuple[tuple[str, Any], ...]]


def key(query: Query) -> Key:
    """What a result depends on, hashable."""
    return query.evaluator, query.output, query.expected, query.threshold, tuple(sorted(query.options.items()))


def _arguments(k: Key) -> dict[str, Any]:
    _, output, expected, threshold, options = k
    return {"output": output, "expected": expected, "threshold": threshold, "options": dict(options)}


# Studies and results are never changed after they are made, so the same object may serve every session.
@st.cache_resource(max_entries=32, show_spinner=False)
def studied(k: Key) -> tuple[Study, dict[str, Any]]:
    """All there is to see of a query, and its trace as plain data for the stage."""
    found = study(k[0], **_arguments(k))
    return found, found.trace.to_dict()


@st.cache_resource(max_entries=256, show_spinner=False)
def scored(k: Key) -> Result:
    """The result alone."""
    return evaluate(k[0], **_arguments(k))
