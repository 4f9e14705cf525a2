"""Each reference set on its own: a comparison against one bad set of references can promote the worse system."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from jeval_core.batch.engine import score_columns
from jeval_core.batch.scored import Scored
from jeval_core.compare.changes import Change, Rules, adjusted
from jeval_core.compare.lines import lines
from jeval_core.compare.pairs import Pairs, evaluator_of, measured
from jeval_core.data.arrow import pa, plain
from jeval_core.harness.results import Results, Rows

ALL = "all"
"""The set of all references together, which is what the runs were scored against."""
SHARE = 0.5
"""Share of the pairs with a text in a column for it to be a set of its own, and not some further texts of a list."""


def reference_sets(pairs: Pairs, ids: Sequence[str], rules: Rules) -> dict[str, list[Change]]:
    """Name of a column of references → lines of all rows, scored against its texts alone.

    Each set is a table of its own for Holm's method. Only evaluators in code are scored again. Empty where there are
    not two sets.
    """
    names = _sets(pairs)
    code = [id for id in ids if _is_code(pairs.a, id)]
    if len(names) < 2 or not code:
        return {}
    return {name: adjusted(_against(pairs, name, code, rules)) for name in names}


def disagreement(found: Mapping[str, Sequence[Change]]) -> str | None:
    """In words, where one set says that b is better and another that a is; None where none do.

    Two opposite claims come first, then opposite intervals without 0, then a claim against any change the other way.
    """
    each = {name: {one.id: one for one in lines} for name, lines in found.items() if name != ALL}
    ids = [*dict.fromkeys(id for lines in each.values() for id in lines)]
    ids.sort(key=lambda id: not id.endswith(".corpus"))  # what papers and leaderboards report
    for sure in (_claimed, _apart, None):
        for id in ids:
            ones = [(name, lines[id]) for name, lines in each.items() if id in lines]
            up = [(name, one) for name, one in ones if one.delta > 0]
            down = [(name, one) for name, one in ones if one.delta < 0]
            held = [any((sure or _claimed)(one) for _, one in side) for side in (up, down)]
            if up and down and (all(held) if sure else any(held)):
                return _said(id, up, down)
    return None


def _claimed(one: Change) -> bool:
    return one.claim in ("improved", "regressed")


def _apart(one: Change) -> bool:
    return one.ci is not None and not one.ci[0] <= 0 <= one.ci[1]


def _said(id: str, up: Sequence[tuple[str, Change]], down: Sequence[tuple[str, Change]]) -> str:
    def listed(side: Sequence[tuple[str, Change]]) -> str:
        return ", ".join(f"{name} ({_signed(one.delta)}, {one.claim})" for name, one in side)

    return (
        f"The reference sets disagree about the winner. By {id} B is ahead against {listed(up)}, "
        f"A against {listed(down)}."
    )


def _signed(delta: float) -> str:
    return f"{delta:+.3f}".replace("-", "−")


def _sets(pairs: Pairs) -> list[str]:
    left, right = (run.columns["references"] for run, _ in pairs.sides)
    least = SHARE * len(pairs)
    rows = pa.array(pairs.alignment.a)
    return [n for n in left if n in right and len(pairs) - pairs.a.column(n).take(rows).null_count >= max(1.0, least)]


def _is_code(found: Results, id: str) -> bool:
    card = evaluator_of(found, id).card
    return card.kind == "code" and "expected" in card.required


def _against(pairs: Pairs, name: str, ids: Sequence[str], rules: Rules) -> list[Change]:
    """Both runs scored against one column."""
    sides = [_scored(run, rows, name, ids) for run, rows in pairs.sides]
    out = []
    for id in ids:
        found = measured(evaluator_of(pairs.a, id), sides[0][id], sides[1][id], same_limits=pairs.same_limits(id))
        out += lines(found, pairs, rules)
    return out


def _scored(found: Results, rows: Rows, name: str, ids: Sequence[str]) -> dict[str, Scored]:
    at, own = pa.array(rows), found.numbers("threshold")[rows]
    texts = [plain(found.column(column)).take(at) for column in (found.columns["output"][0], name)]
    spec = found.spec or {}
    given = spec.get("thresholds") or {}
    return score_columns(
        ids,
        texts[0],
        [texts[1]],
        options={id: evaluator_of(found, id).options for id in ids},
        thresholds={id: float(given[id]) for id in ids if given.get(id) is not None},
        row_thresholds=None if np.isnan(own).all() else own,
    )
