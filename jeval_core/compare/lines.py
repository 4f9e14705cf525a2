"""The lines of a comparison's tables: every figure of an evaluator, of all rows and by group."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from jeval_core.compare.changes import Change, Columns, Rules, of_corpus, of_mean, of_rate
from jeval_core.compare.pairs import Floats, Measured, Pairs, Rows
from jeval_core.harness.labels import says_bad
from jeval_core.stats.aggregates import MOST_GROUPS

NONE = "(none)"
"""The group of rows without a value."""


def lines(found: Measured, pairs: Pairs, rules: Rules, within: Rows | None = None) -> list[Change]:
    """Mean, pass rate and corpus score of an evaluator, on all pairs or on those at ascending positions `within`."""
    own = np.arange(len(found.rows)) if within is None else np.flatnonzero(np.isin(found.rows, within))
    if not len(own):
        return []
    cases = _cases(pairs, found.rows[own])
    id = found.id
    mean = of_mean(f"{id}.mean", found.score[0][own], found.score[1][own], rules, cases)
    out = [mean]
    if found.passed is not None:
        out.append(of_rate(f"{id}.pass_rate", found.passed[0][own], found.passed[1][own], rules, cases))
    if found.counts[0]:
        left, right = ({n: c[own].astype(np.float64) for n, c in side.items()} for side in found.counts)

        def score(sums: Columns) -> Floats:
            scores = found.one.corpus_scores(sums)
            assert scores is not None
            return scores

        out.append(of_corpus(f"{id}.corpus", left, right, score, rules, cases, enough=mean.enough))
    return out


def grid(found: Sequence[Measured], pairs: Pairs, by: str, rules: Rules) -> list[Change]:
    """The lines of each group of a column; none where it has over 200 values, which then names rows and not groups."""
    return [
        replace(line, by=by, group=group)
        for group, within in groups(pairs, by).items()
        for one in found
        for line in lines(one, pairs, rules, within)
    ]


def groups(pairs: Pairs, by: str) -> dict[str, Rows]:
    """Value of a column → pairs that have it, in order of first appearance."""
    codes, values = pairs.codes(by)
    found, first = np.unique(codes, return_index=True)
    if len(found) > MOST_GROUPS:
        return {}
    out: dict[str, list[Rows]] = {}
    for code in found[np.argsort(first)].tolist():
        value = values[code]
        name = value if value is not None and value.strip() else NONE
        out.setdefault(name, []).append(np.flatnonzero(codes == code))
    return {name: np.sort(np.concatenate(parts)) for name, parts in out.items()}


def flag_line(pairs: Pairs, name: str, rules: Rules, within: Rows | None = None) -> Change | None:
    """The change of the rate of a tag, or of a column of yes and no; None without a pair that both runs say."""
    rows, a, b = pairs.flags(name)
    own = slice(None) if within is None else np.isin(rows, within)
    if not len(rows[own]):
        return None
    lower = name in pairs.a.columns["tags"] or says_bad(name)
    return of_rate(name, a[own], b[own], rules, _cases(pairs, rows[own]), lower=lower)


def human_line(pairs: Pairs, name: str, rules: Rules, within: Rows | None = None) -> Change | None:
    """The change of the mean of a human score, in its own unit, higher taken as better."""
    rows, a, b = pairs.gold(name)
    own = slice(None) if within is None else np.isin(rows, within)
    if not len(rows[own]):
        return None
    return of_mean(name, a[own], b[own], rules, _cases(pairs, rows[own]), scale=False)


def _cases(pairs: Pairs, rows: Rows) -> Rows | None:
    """Cases of some pairs, numbered anew; None where each is on its own."""
    if pairs.cases is None:
        return None
    numbered: Rows = np.unique(pairs.cases[rows], return_inverse=True)[1].astype(np.int64)
    return numbered if len(numbered) and int(numbered.max()) + 1 < len(numbered) else None
