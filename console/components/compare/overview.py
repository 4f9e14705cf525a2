"""What a comparison says: warnings first, then every figure with its interval, by reference set and by group."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from console import compared
from console.components import ui
from console.components.compare import words
from console.components.compare.place import Place, change
from console.components.controlled import controlled
from console.components.crossed import Group, crossed
from console.components.deltas import deltas
from jeval_core.compare import Change, Comparison, Rules
from jeval_core.compare.changes import BIG
from jeval_core.compare.comparison import SKIPPED
from jeval_core.compare.references import ALL, disagreement

HOW = (
    "Dot: B − A. Bar: 95% interval. Grey band: changes too small to be found with these rows (80% power). A change is "
    "claimed where interval and Holm-adjusted test agree."
)


def warnings(found: Comparison) -> None:
    """The gravest as a warning, the others in a list."""
    if not found.warnings:
        return
    grave = bool(disagreement(found.reference_sets))
    if grave:
        st.warning(ui.literal(found.warnings[0]), icon=":material/info:")
    for text in found.warnings[grave:]:
        st.caption(ui.literal(f"• {text}"))


def account(found: Comparison) -> None:
    """Where every row of both runs went."""
    own = found.alignment
    sides = []
    for name, run, only, left, other in (
        ("A", found.pairs.a, own.only_a, own.unpaired[0], own.other[0]),
        ("B", found.pairs.b, own.only_b, own.unpaired[1], own.other[1]),
    ):
        parts = [f"{len(own):,} paired"]
        more = (own.changed, "changed"), (only, f"only in {name}"), (left, "repeated without a partner")
        for n, text in (*more, (other, "by other systems")):
            parts += [f"{n:,} {text}"] if n else []
        sides.append(f"{name}: {ui.count(run.n, 'row')} = {' + '.join(parts)}")
    st.caption(ui.literal(". ".join(sides) + "."))


def against(place: Place, each: Sequence[Comparison]) -> None:
    """Several runs against the baseline: one figure of all of them, the run that is looked at marked."""
    ids = [one.id for one in each[0].whole]
    if not ids:
        return
    ui.section("Against the baseline", "One figure of every run. Pick a run to look at it below.")
    for i, one in enumerate(each):
        if i != place.of and disagreement(one.reference_sets):
            st.warning(ui.literal(f"{i + 1} · {words.title(one.pairs.b)}: {one.warnings[0]}"), icon=":material/info:")
    names = {one.id: words.name(one) for one in each[0].whole}
    id = st.pills("Figure", ids, default=ids[0], format_func=lambda id: names[id], key="against", required=True,
                  label_visibility="collapsed")  # fmt: skip
    lines = []
    for i, one in enumerate(each):
        mine = next((line for line in one.whole if line.id == id), None)
        if mine is not None:
            lines.append(words.line(mine, f"{i + 1} · {words.title(one.pairs.b)}"))
    picked = f"{place.of + 1} · {words.title(each[place.of].pairs.b)}"
    deltas(
        "run", lines, alt=f"{names[id]} of each run against the baseline", key="against-table",
        on_pick=lambda name: change(of=int(name.partition(" ")[0]) - 1), picked=picked,
    )  # fmt: skip


def changed(place: Place, found: Comparison) -> None:
    """Every figure of all rows; picking one chooses the evaluator that the rest of the page is about."""
    lines = [*found.whole, *(one for one in found.tags if one.by is None)]
    ui.section("What changed", HOW)
    picked = next((one.id for one in found.whole if words.figure_of(one.id)[0] == place.metric), None)

    def pick(id: str) -> None:
        evaluator, figure = words.figure_of(id)
        if figure:
            change(metric=evaluator)

    deltas(
        "figure", [words.line(one) for one in lines], key="changed", on_pick=pick, picked=picked,
        alt="Changes from A to B. " + "; ".join(words.said(one) for one in lines),
    )  # fmt: skip
    people = [one for one in found.human if one.by is None]
    if people:
        st.space("small")
        ui.section("What people say", "Mean human scores on their own scale, higher taken as better.", level=3)
        deltas("human score", [words.line(one) for one in people], key="people", alt="Changes of human scores")
    with st.expander("All figures as a table"):
        _table([*lines, *people], found.rules)


def _table(lines: Sequence[Change], rules: Rules) -> None:
    rows = [
        {
            "Figure": words.name(one), "Rows": one.n, "A": one.a, "B": one.b, "B − A": one.delta,
            "95% from": one.ci and one.ci[0], "to": one.ci and one.ci[1], "Method": one.method,
            "Other from": one.ci_also and one.ci_also[0], "to ": one.ci_also and one.ci_also[1],
            "Detectable": one.mde, "Test": one.test, "p": one.p, "p (Holm)": one.p_holm,
            "Yes → no": one.flips and one.flips[0], "No → yes": one.flips and one.flips[1],
            "Big drops": one.drops and one.drops[0], "at most": one.drops and one.drops[1], "Claim": one.claim,
        }
        for one in lines
    ]  # fmt: skip
    number = st.column_config.NumberColumn(format="%.4f")
    plain = {"Figure", "Rows", "Method", "Test", "Yes → no", "No → yes", "Big drops", "Claim"}
    st.dataframe(
        pd.DataFrame(rows),
        hide_index=True,
        row_height=34,
        column_config={name: number for name in (rows[0] if rows else {}) if name not in plain},
        alt="All figures",
    )
    st.caption(
        f"Other: bootstrap beside a mean ({rules.resamples:,} resamples, seed {rules.seed}), Newcombe's interval "
        f"beside a rate. Big drops: rows that fell by more than {BIG:g}, with the exact upper 95% bound of their share."
    )


def sets(place: Place, found: Comparison) -> None:
    """One figure of every reference set."""
    if not found.reference_sets:
        if SKIPPED in found.warnings:
            st.button("Score each reference set on its own", key="sets-ask", on_click=change, kwargs={"sets": True})
        return
    ids = [one.id for one in next(iter(found.reference_sets.values()))]
    names = {one.id: words.name(one) for each in found.reference_sets.values() for one in each}
    mine = [id for id in ids if words.figure_of(id)[0] == place.metric] or ids
    own = next((id for id in mine if id.endswith(".corpus")), mine[0])
    st.space("small")
    with st.container(horizontal=True, vertical_alignment="top", gap="small"):
        with st.container(width="stretch"):
            ui.section("Each reference set on its own", "The winner against one set may lose against another.")
        id = st.selectbox(
            "Figure of the reference sets", ids, index=ids.index(own), format_func=lambda id: names[id],
            key=f"sets-{place.metric}", label_visibility="collapsed", width=220,
        )  # fmt: skip
    lines = []
    for name, each in found.reference_sets.items():
        mine = next((one for one in each if one.id == id), None)
        if mine is not None:
            lines.append(words.line(mine, "all of them" if name == ALL else name))
    deltas("references", lines, key="sets-table", alt=f"{names[id]} against each reference set")


def groups(place: Place, found: Comparison) -> None:
    """Figures by group."""
    columns = found.pairs.columns
    if not columns:
        return
    st.space("small")
    roles = found.pairs.a.columns
    usual = next(iter([*roles["groups"], *roles["extra"]]), columns[0])
    by = place.by if place.by in columns else usual
    with st.container(horizontal=True, vertical_alignment="top", gap="small"):
        with st.container(width="stretch"):
            ui.section("By group", "Hatched cells have too few rows to claim anything. Pick a group to see its rows.")
        controlled(
            st.selectbox, "Group by", columns, by, lambda column: change(by=column, group=None), key="by", width=220
        )
    each = compared.by_group(found, by)
    if not each:
        st.caption(ui.literal(f"{by} has too many values to be groups."))
        return
    ids = list(dict.fromkeys(one.id for one in each))
    names = {one.id: words.name(one) for one in each}
    cells = {(one.group, one.id): one for one in each}
    sizes = {one.group: one.n for one in reversed(each)}
    lines = [
        Group(str(group), f"{n:,}", tuple(words.cell(cells.get((group, id))) for id in ids))
        for group, n in reversed(sizes.items())
    ]
    crossed(
        by, [names[id] for id in ids], lines, alt=f"Changes by {by}", key="groups",
        on_pick=lambda name: change(by=by, group=None if name == place.group else name), picked=place.group,
    )  # fmt: skip
