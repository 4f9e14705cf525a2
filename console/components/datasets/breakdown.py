"""What a run says by group, between its metrics, and beside people."""

from __future__ import annotations

from typing import Any, Literal

import streamlit as st

from console import charts, stored
from console.components import ui
from console.components.controlled import controlled
from console.components.datasets.place import Place, change
from console.components.ranges import Row, ranges, rows_of, span_of
from console.names import name_of
from jeval_core import stats
from jeval_core.evaluators.judged import no_model
from jeval_core.harness.results import Results

MANY = 8
"""Groups from which on their table scrolls."""
LIST = 300
ADDRESS = 500
"""Characters of a group's name that fit into an address."""
SMALL = 30
"""Rows of a group below which its interval is what counts."""


def groups(here: Place, found: Results, metric: stored.Metric, summary: dict[str, Any]) -> None:
    """A column's values with their intervals."""
    columns = stored.group_columns(found)
    with st.container(horizontal=True, vertical_alignment="top", gap="small"):
        with st.container(width="stretch"):
            ui.section("By group", "Dot and 95% interval; the dashed line is all rows. Click a group to see its rows.")
        what = st.segmented_control(
            "Figure", ["pass rate", "mean"], default="pass rate", required=True, label_visibility="collapsed"
        )
    if not columns:
        st.caption("The file has no column to group by. Map task_type, risk_tier or model_version, or tick a column.")
        return
    by = here.by if here.by in columns else columns[0]
    if len(columns) > 1:
        controlled(
            st.selectbox,
            "Group by",
            columns,
            by,
            lambda column: change(by=column, group=None),
            key="by",
            width=240,
        )
    each = _known(found, by) or {
        value: {id: s.to_dict() for id, s in found_.items()} for value, found_ in stored.groups(found.id, by).items()
    }
    if not each:
        st.caption(ui.literal(f"{by} has more than {stats.aggregates.MOST_GROUPS} values: it names rows, not groups."))
        return
    _ranges(here, by, what == "mean", {v: s[metric.id] for v, s in each.items()}, summary)


def _known(found: Results, by: str) -> dict[str, Any] | None:
    """Groups that were made with the run."""
    return found.record["groups"].get(by)


def _ranges(here: Place, by: str, mean: bool, each: dict[str, Any], whole: dict[str, Any]) -> None:
    figure: Literal["mean", "pass_rate"] = "mean" if mean else "pass_rate"
    rows = rows_of({value: {"it": s} for value, s in each.items()}, "it", figure)
    low, high = span_of(rows, whole[figure])
    ends = (f"{low:.1f}", f"{high:.1f}") if mean else (f"{low:.0%}", f"{high:.0%}")
    now = here.group if here.by == by else None

    def pick(group: str) -> None:
        if len(group) <= ADDRESS:
            change(by=by, group=None if group == now else group)

    name = figure.replace("_", " ")
    ranges(
        [by, "rows", "", name, "95% interval"],
        rows,
        (low, high),
        ends,
        whole[figure],
        f"{name} by {by}",
        key="groups",
        on_pick=pick,
        picked=now,
        height=LIST if len(rows) > MANY else "content",
    )
    few = [value for value, s in each.items() if 0 < s["n"] < SMALL]
    if few:
        st.caption(ui.literal(f"Fewer than {SMALL} rows: {', '.join(few[:4])}. Read the interval, not the dot."))


def agreement(found: Results) -> None:
    """Metric against metric, and metric against human scores."""
    data = found.record
    label = st.session_state.get(f"label-{found.id}")
    label = label if label in stored.label_names(found) else None
    there = (("between metrics", "correlations" in data), ("with humans", "gold" in data), ("good from bad", label))
    kinds = [kind for kind, has in there if has]
    with st.container(horizontal=True, vertical_alignment="top", gap="small"):
        with st.container(width="stretch"):
            ui.section("Agreement", "Do the metrics rank the rows alike, and as people do?")
        which = (
            st.segmented_control("Agreement", kinds, default=kinds[-1], required=True, label_visibility="collapsed")
            if len(kinds) > 1
            else next(iter(kinds), None)
        )
    if which is None:
        st.caption("One evaluator and no human score: nothing to compare.")
    elif which == "good from bad" and label:
        _apart(found, label)
    elif which == "between metrics":
        _between(found)
    else:
        _with_humans(found)


def _between(found: Results) -> None:
    data, signatures = found.record["correlations"], found.record["signatures"]
    ids = [id for id in found.evaluators if not no_model(signatures[id])]
    names = [name_of(id) for id in ids]
    matrix = charts.cells(ids, data)
    if not any(cell and cell["spearman"] for row in data.values() for cell in row.values()):
        st.caption("Too few rows, or the same score in all of them: no correlation can be given.")
        return
    charts.show(
        charts.correlation(names, matrix),
        key=f"correlation-{found.id}",
        alt=charts.correlation_alt(names, matrix),
    )


def _with_humans(found: Results) -> None:
    gold = found.record["gold"]
    name = st.selectbox("Human score", [*gold], label_visibility="collapsed") if len(gold) > 1 else next(iter(gold))
    rows = [
        Row(name_of(id), f"{each['n']:,}", s["value"], *s["ci"], _rho(s["value"]), _rho(*s["ci"]))
        for id, each in gold[name].items()
        if (s := each["spearman"])
    ]
    if not rows:
        st.caption("Too few human scores, or all of them the same: no correlation can be given.")
        return
    least = -1.0 if any(r.lo is not None and r.lo < 0 for r in rows) else 0.0
    ranges(
        ["metric", "rows", "", "ρ", "95% interval"],
        rows,
        (least, 1.0),
        ("−1" if least else "0", "1"),
        None,
        f"Correlation with {name}",
        key=f"gold-{found.id}-{name}",
    )
    st.caption(ui.literal(f"With {name}. Where metric and people differ, the metric is wrong until proven otherwise."))


def _apart(found: Results, label: str) -> None:
    """The area under the ROC curve of each metric against a human label."""
    each = stored.aucs(found.id, label, st.session_state.get(f"least-{found.id}-{label}", 0.0))
    if not each:
        st.caption(ui.literal(f"{label} does not hold both good and bad rows that were scored."))
        return
    best = sorted(each.items(), key=lambda one: -one[1].value)
    rows = [
        Row(name_of(id), f"{a.ci[0]:.2f}–{a.ci[1]:.2f}", a.value, *a.ci, f"{a.value:.3f}", "") for id, a in best
    ]
    ranges(
        ["metric", "95%", "", "AUC", ""],
        rows,
        (0.0, 1.0),
        ("0", "1"),
        0.5,
        f"Area under the ROC curve against {label}",
        key=f"auc-{found.id}-{label}",
    )
    first = best[0][1]
    st.caption(
        ui.literal(
            f"The chance that a good row scores higher than a bad one, by {label}: {first.good:,} good, "
            f"{first.bad:,} bad. 0.5 is a coin, below it the metric prefers the bad ones."
        )
    )


def _rho(*values: float) -> str:
    return " – ".join(f"{v:.2f}".replace("-", "−") for v in values)
