"""Judges of a run beside what people said: error in levels, exact share, confusion, Brier score, reliability."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jeval_core.batch.scored import SCORED, Scored
from jeval_core.data.aliases import fold
from jeval_core.data.arrow import pa, pc
from jeval_core.data.prepare import FROM_ZERO, LEVELS
from jeval_core.data.rows import Rows
from jeval_core.evaluators.answer_kinds import Choice, Options
from jeval_core.evaluators.base import Evaluator
from jeval_core.evaluators.judged import Judged, no_model
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
TRUTH = {"yes": 1.0, "true": 1.0, "pass": 1.0, "good": 1.0, "no": 0.0, "false": 0.0, "fail": 0.0, "bad": 0.0}
MOST_LABELS = 50
"""Different texts of a column up to which it is looked at for labels."""


def beside_gold(
    ones: Mapping[str, tuple[Evaluator, float]],
    scored: Mapping[str, Scored],
    gold: Mapping[str, Numbers],
    texts: Mapping[str, pa.ChunkedArray],
    tags: Mapping[str, pa.Array],
    scale: Scale | None = None,
) -> dict[str, dict[str, dict[str, Any]]]:
    """Human column → judge evaluator → agreement as plain JSON data; a column that fits none is left out.

    `ones`: evaluator and threshold by id. `gold`: numbers of shape (rows,), nan where there is none, on `scale` or on
    one that is guessed and said. `texts`: columns that may hold the names of a choice's options, or yes and no. `tags`
    say what is bad about a row. Where word overlap answered, `no_model` says so.
    """
    out: dict[str, dict[str, dict[str, Any]]] = {}
    for id, (one, threshold) in ones.items():
        if not isinstance(one, Judged) or not scored[id].counts:
            continue
        p = probabilities(one, scored[id])
        found = {name: _numbers(one, p, v, threshold, scale or _own(name, v)) for name, v in gold.items()}
        if isinstance(one, Options):
            found |= {name: _labels(one, p, column) for name, column in texts.items()}
            found |= {name: _truth(one, p, 1 - _floats(column)) for name, column in tags.items()}
        for name, about in found.items():
            if about:
                marked = {"no_model": True} if no_model(scored[id].signature) else {}
                out.setdefault(name, {})[id] = about | marked
    return out


def label_columns(rows: Rows) -> dict[str, pa.ChunkedArray]:
    """The columns of rows that may hold labels: groups, and those that are no field."""
    return {**rows.groups, **{name: rows.extra[name] for name in rows.extra.column_names}}


def probabilities(one: Judged, scored: Scored) -> Numbers:
    """What the judge gave each option, of shape (rows, options); nan where not scored."""
    found = np.column_stack([scored.counts[name].astype(np.float64) for name in one.columns])
    found[scored.status != SCORED] = np.nan
    return found


def _own(name: str, gold: Numbers) -> Scale | None:
    """The scale of a column that is called a level: its numbers were read on one of two."""
    if not fold(name).endswith("level"):
        return None
    return FROM_ZERO if (gold == 0).any() else LEVELS


def _numbers(one: Judged, p: Numbers, gold: Numbers, threshold: float, scale: Scale | None) -> dict[str, Any]:
    n = p.shape[1]
    if isinstance(one, Options):
        values = {*np.unique(gold[~np.isnan(gold)]).tolist()}
        return _truth(one, p, gold) if values and values <= {0.0, 1.0} else {}
    guess = None if scale else guessed_scale(gold, n)
    if guess is not None:
        scale, unsure = guess
    elif scale is None:
        return {}
    else:
        unsure = False
    at = levels(gold, scale, n)
    return {
        "scale": [*scale],
        "unsure": unsure,
        "levels": level_agreement(p, at).to_dict(),
        "passes": yes_no_agreement(pass_probability(p, threshold), pass_truth(at, threshold, n)).to_dict(),
    }


def _truth(one: Options, p: Numbers, truth: Numbers) -> dict[str, Any]:
    """The probability of passing beside 1 for a good row, 0 for a bad one, nan for unknown."""
    if np.isnan(truth).all():
        return {}
    passes = p[:, np.array(one.passing())].sum(axis=1) / p.sum(axis=1)
    return {"passes": yes_no_agreement(np.clip(passes, 0, 1), truth).to_dict()}


def _floats(column: pa.Array) -> Numbers:
    values: Numbers = pc.fill_null(column.cast(pa.float64()), np.nan).to_numpy()
    return values


def _labels(one: Options, p: Numbers, column: pa.ChunkedArray) -> dict[str, Any]:
    """Beside a column that mostly names the evaluator's options, or says yes and no."""
    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    if not pa.types.is_string(kind) and not pa.types.is_large_string(kind):
        return {}
    column = column.cast(pa.string())
    different = pc.unique(column)
    if len(different) > MOST_LABELS:
        return {}
    known = {text: fold(text) for text in different.to_pylist() if text and text.strip()}
    if known and {*known.values()} <= {*TRUTH}:
        truth = [TRUTH.get(known.get(text, ""), np.nan) for text in column.to_pylist()]
        return _truth(one, p, np.array(truth, np.float64))
    options = sum(name in one.columns for name in known.values())
    if not isinstance(one, Choice) or not options or 2 * options < len(known):
        return {}
    gold = [known.get(text) for text in column.to_pylist()]
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
            unknown = by.get("n_unknown", 0)
            parts += [f"{unknown:,} labels that name no option"] if unknown else []
            mark = " (word overlap, not a judge)" if found.get("no_model") else ""
            if found.get("unsure"):
                mark += f" (taken for {found['scale'][0]:g} to {found['scale'][1]:g}, which --gold-scale can settle)"
            yield f"{id} beside {column}{mark}: {', '.join(parts) or 'nothing to compare'}, n = {n:,}"
