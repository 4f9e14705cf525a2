"""Before a run with judges: who is asked, what it will take, and how much may be spent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import streamlit as st

from console import judges
from console.components import judge as panel
from console.components import ui
from console.names import WILL
from jeval_core import data
from jeval_core.asked import packed
from jeval_core.batch.judge_texts import Texts
from jeval_core.errors import JevalError
from jeval_core.evaluators.judged import Judged
from jeval_core.judge.asking import Estimate, Request, estimate
from jeval_core.judge.base import Judge

LOOKED_AT = 200
"""Rows that an estimate is made of."""


@dataclass(frozen=True)
class Plan:
    """`settings` are those of a Spec's judge; `note` says what it takes; `ready`: the judge can be asked."""

    settings: dict[str, Any]
    note: str
    ready: bool


def draw(ones: list[Judged], table: data.Table, mapping: data.ColumnMap, token: str, whole: bool) -> Plan:
    """The judge, the estimate, and the limit on spending."""
    choice = judges.for_data()
    with st.container(border=True, gap="xsmall"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            with st.container(width="stretch"):
                ui.section(f"Judge: {panel.active()}", _about(ones))
            panel.panel()
        try:
            judge = judges.made(choice)
        except JevalError as error:
            ui.failed(error)
            return Plan({}, "The judge cannot be asked as it is set up.", False)
        if judge.backend == "heuristic":
            st.warning(WILL, icon=":material/info:")
        found = _estimated(judge, ones, table, mapping)
        max_usd = _limit(judge, token)
    settings = {"judge": str(choice), "base_url": choice.base_url, "model": choice.model, "max_usd": max_usd}
    return Plan({k: v for k, v in settings.items() if v is not None}, _note(judge, found, len(table), whole), True)


def _about(ones: list[Judged]) -> str:
    names = ", ".join(one.card.name for one in ones)
    return f"{names}: one question for each row. Questions about the same texts share a request."


def _limit(judge: Judge, token: str) -> float | None:
    if not judge.base_url.startswith("http"):
        return None
    known = judge.price is not None
    value = st.number_input(
        "Spend at most ($)",
        min_value=0.0,
        value=None,
        step=0.1,
        key=f"max-usd-{token}",
        placeholder="no limit" if known else "the price is not known",
        disabled=not known,
        width=220,
    )
    return None if value is None else float(value)


def _estimated(judge: Judge, ones: list[Judged], table: data.Table, mapping: data.ColumnMap) -> Estimate:
    """What the first rows take."""

    def column(name: str | None) -> Any:
        return None if name is None else table.columns[name].slice(0, LOOKED_AT)

    texts = Texts(
        column(mapping.output),
        [column(name) for name in mapping.references],
        *(column(name) for name in (mapping.input, mapping.criteria, mapping.conversation)),
    )
    rows = [row.x for row in texts.rows() if row.x is not None]
    return estimate(judge, (Request(0, state, questions) for x in rows for state, questions in packed(ones, x)[0]))


def _note(judge: Judge, found: Estimate, rows: int, whole: bool) -> str:
    looked = min(rows, LOOKED_AT)
    times = rows / looked if looked else 0.0
    requests = round(found.requests * times)
    if not judge.base_url.startswith("http"):
        return f"{ui.count(requests, 'request')} to {judges.named(judges.for_data())}, $0."
    cost = "price unknown" if found.usd is None else _dollars(found.usd * times)
    more = "" if whole else f" for the first {rows:,} rows"
    return f"{ui.count(requests, 'request')} to {judge.model}, {cost}{more}; what was answered before is free."


def _dollars(usd: float) -> str:
    if not usd:
        return "$0"
    return "less than $0.0001" if usd < 0.0001 else f"about ${usd:.4f}"
