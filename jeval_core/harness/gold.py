"""Judges of a run beside what people said: error in levels, exact share, confusion, Brier score, reliability."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jeval_core.batch.scored import SCORED, Scored
from jeval_core.data.aliases import fold
from jeval_core.data.arrow import pa, pc
from jeval_core.data.prepare import LEVELS
from jeval_core.data.rows import Rows
from jeval_core.evaluators.answer_kinds import Choice, Levels
from jeval_core.evaluators.base import Evaluator
from jeval_core.evaluators.judged import Judged
from jeval_core.stats import (
    choice_agreement,
    guessed_scale,
    level_agreement,
    levels,
    pass_probability,
    pass_truth,
    yes_no_agreement,
)

Numbers = NDArray[np.float64]
Scale = tuple[float, float]
MOST_LABELS = 50
"""Different texts of a column up to which it is looked at for labels."""


def beside_gold(
    ones: Mapping[str, tuple[Evaluator, float]],
    scored: Mapping[str, Scored],
    gold: Mapping[str, Numbers],
    texts: Mapping[str, pa.ChunkedArray],
    scale: Scale | None = None,
) -> dict[str, dict[str, dict[str, Any]]]:
    """Human column → judge evaluator → agreement as plain JSON data; a column that fits none is left out.

    `ones`: evaluator and threshold by id. `gold`: numbers of shape (rows,), nan where there is none, on `scale` or on
    one that is guessed and said. `texts`: columns that may hold the names of a choice's options.
    """
    out: dict[str, dict[str, dict[str, Any]]] = {}
    for id, (one, threshold) in ones.items():
        if not isinstance(one, Judged) or not scored[id].counts:
            continue
        p = probabilities(one, scored[id])
        found = {name: _numbers(one, p, values, threshold, scale or _own(name)) for name, values in gold.items()}
        if isinstance(one, Choice):
            found |= {name: _labels(one, p, column) for name, column in texts.items()}
        for name, said in found.items():
            if said:
                out.setdefault(name, {})[id] = said
    return out


def label_columns(rows: Rows) -> dict[str, pa.ChunkedArray]:
    """The columns of rows that may hold labels: groups, and those that are no field."""
    return {**rows.groups, **{name: rows.extra[name] for name in rows.extra.column_names}}


def probabilities(one: Judged, scored: Scored) -> Numbers:
    """What the judge gave each option, of shape (rows, options); nan where not scored."""
    found = np.column_stack([scored.counts[name].astype(np.float64) for name in one.columns])
    found[scored.status != SCORED] = np.nan
    return found


def _own(name: str) -> Scale | None:
    return LEVELS if fold(name).endswith("level") else None


def _numbers(one: Judged, p: Numbers, gold: Numbers, threshold: float, scale: Scale | None) -> dict[str, Any]:
    n = p.shape[1]
    if not isinstance(one, Levels):
        values = {*np.unique(gold[~np.isnan(gold)]).tolist()}
        if not values or not values <= {0.0, 1.0}:
            return {}
        passing = np.array(one.passing(one.answer(dict.fromkeys(one.columns, 1 / n)), threshold))
        passes = (p[:, passing]).sum(axis=1) / p.sum(axis=1)
        return {"passes": yes_no_agreement(np.clip(passes, 0, 1), gold).to_dict()}
    guess = None if scale else guessed_scale(gold, n)
    if scale is None and guess is None:
        return {}
    used, unsure = (scale, False) if scale else guess or ((0.0, 1.0), True)
    at = levels(gold, used, n)
    return {
        "scale": [*used],
        "guessed": unsure,
        "levels": level_agreement(p, at).to_dict(),
        "passes": yes_no_agreement(pass_probability(p, threshold), pass_truth(at, threshold, n)).to_dict(),
    }


def _labels(one: Choice, p: Numbers, column: pa.ChunkedArray) -> dict[str, Any]:
    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    if not pa.types.is_string(kind) and not pa.types.is_large_string(kind):
        return {}
    different = pc.unique(column.cast(pa.string()))
    if len(different) > MOST_LABELS:
        return {}
    known = {text: fold(text) for text in different.to_pylist() if text and text.strip()}
    if not known or not {*known.values()} <= {*one.columns}:
        return {}
    gold = [known.get(text) for text in column.cast(pa.string()).to_pylist()]
    return {"labels": choice_agreement(p, gold, one.columns).to_dict(), "names": [*one.columns]}


def said(agreement: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> Iterable[str]:
    """Each agreement as a line of text."""
    for column, each in agreement.items():
        for id, found in each.items():
            by = found.get("levels") or found.get("labels") or {}
            parts = []
            if by.get("mae") is not None:
                parts.append(f"MAE {by['mae']:.3f} levels")
            if by.get("exact") is not None:
                parts.append(f"exact {by['exact']:.1%}")
            brier = found.get("passes", {}).get("brier")
            if brier is not None:
                parts.append(f"Brier {brier:.3f}")
            n = by.get("n", found.get("passes", {}).get("n", 0))
            yield f"{id} beside {column}: {', '.join(parts) or 'nothing to compare'}, n = {n:,}"
