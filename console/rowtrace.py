"""How the score of a stored row arises, as it was when the run was made."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from console import cache, stored
from console.fields import EXTRA, Fields
from console.state import Query
from jeval_core.batch.scored import SCORED
from jeval_core.data.errors import JevalError
from jeval_core.embed.band import Band
from jeval_core.evaluators.judged import Judged, recalled
from jeval_core.harness.layout import JUDGE, PARTS
from jeval_core.harness.results import Results
from jeval_core.registry import get_evaluator
from jeval_core.service import inputs, trace_of

MOST = 50_000
"""Characters of output and references up to which warnings are looked for and frames drawn."""


def told(id: str, found: Results, at: int, row: dict[str, Any]) -> dict[str, Any] | str:
    """The trace of row `at`, whose cells are `row`; or why there is none."""
    scored = stored.scored(found, id)
    if scored.status[at] != SCORED:
        return f"Not scored: {scored.reasons[scored.reason[at]].rstrip('.')}."
    size = query(id, found, row).fields.size()
    if size > MOST:
        return f"These texts have {size:,} characters. Frames are drawn for up to {MOST:,}; the scores hold."
    try:
        return trace(id, found, row)
    except JevalError as error:
        return str(error)


def trace(id: str, found: Results, row: dict[str, Any]) -> dict[str, Any]:
    """The trace: an evaluator in code counts again, a judge's answer is the one that was kept."""
    asked = query(id, found, row)
    one = get_evaluator(asked.evaluator, asked.options)
    if one.card.kind == "embedding":
        x = replace(
            inputs(**asked.fields.given(one.card)), band=Band.from_dict(found.record.get("bands", {}).get(one.card.id))
        )
        return trace_of(one, x, one.card.check_threshold(asked.threshold)).to_dict()
    if not isinstance(one, Judged):
        return cache.studied(cache.key(asked))[1]
    kept = row["scores"][asked.evaluator]
    counts = {name: float(value) for name, value in kept.items() if name not in (*PARTS, JUDGE) and value is not None}
    x = inputs(**asked.fields.given(one.card))
    x = replace(x, answers=recalled(one, counts, kept[JUDGE] or ""))
    return trace_of(one, x, one.card.check_threshold(asked.threshold)).to_dict()


def query(id: str, found: Results, row: dict[str, Any]) -> Query:
    """The row as the Explore page knows it: same evaluator, options and threshold."""
    spec = found.spec or {}
    threshold = (spec.get("thresholds") or {}).get(id)
    own = row.get("threshold")
    if own is not None and stored.metric(found, id).threshold is not None:
        threshold = own
    texts = tuple(text for _, text in row["references"] if text) or ("",)
    more = {name: row[name] or "" for name in EXTRA}
    return Query(id, Fields(row["output"] or "", texts, **more), (spec.get("options") or {}).get(id, {}), threshold)
