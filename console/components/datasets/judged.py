"""What a run says about its judge: who answered, what it took, what failed, and how it stands to people."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import streamlit as st

from console import charts, stored
from console.components import ui
from console.components.datasets.running import start
from console.names import caution
from jeval_core.evaluators.judged import Judged, judge_in
from jeval_core.harness.results import Results
from jeval_core.harness.spec import Spec
from jeval_core.registry import get_evaluator
from jeval_core.stats import ReliabilityBin


def strip(found: Results, metric: stored.Metric) -> None:
    """One line about the judge above a metric's numbers, and what can be done about rows that failed."""
    said = found.record.get("judge")
    signature = found.record["signatures"][metric.id]
    if said is None or metric.card.kind != "judge":
        return
    warning = caution(signature)
    if warning:
        st.warning(warning, icon=":material/info:")
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        ui.chips(ui.literal(f"answered by {judge_in(signature) or 'nobody'}"), *_took(said))
        failed = sum(said.get("failed", {}).values())
        if failed:
            st.space("stretch")
            st.button("Ask the failed rows again", key="ask-again", on_click=_again, args=(found,))
    if failed:
        codes = ", ".join(f"{n:,} {code.replace('_', ' ')}" for code, n in said["failed"].items())
        st.caption(ui.literal(f"No answer to {ui.count(failed, 'request')}: {codes}. Answers that came are kept."))


def _took(said: dict[str, Any]) -> list[str]:
    if "requests" not in said:
        return []  # of one system of a file nobody counted
    out = [ui.count(said["requests"], "request")]
    out += [f"{said['cached']:,} from the cache"] if said["cached"] else []
    out += [f"{said['retried']:,} retried"] if said["retried"] else []
    if said["usd"] is not None:
        out.append("$0" if not said["usd"] else f"${said['usd']:.4f} spent")
    return out


def _again(found: Results) -> None:
    """Callback: the same run once more; what was answered comes from the cache, so only failed rows are asked."""
    spec = Spec.from_dict(found.spec or {"files": [], "evaluators": []})
    gone = [name for path, name in spec.files if not Path(path).exists()]
    if gone:
        st.error(ui.literal(f"{', '.join(gone)}: no longer on this server. Upload it again."))
        return
    start(spec)


def beside_people(found: Results, metric: stored.Metric) -> None:
    """Error, confusion and reliability beside a human column; nothing where there is none."""
    each = {name: by[metric.id] for name, by in found.record.get("judged", {}).items() if metric.id in by}
    one = get_evaluator(metric.id, ((found.spec or {}).get("options") or {}).get(metric.id))
    if not each or not isinstance(one, Judged):
        return
    with st.container(border=True, gap="small"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            with st.container(width="stretch"):
                ui.section("Beside people", "How far the judge's answers are from a human label on the same rows.")
            name = next(iter(each))
            if len(each) > 1:
                key = f"beside-{found.id}"
                name = st.selectbox("Human label", [*each], key=key, label_visibility="collapsed", width=220)
        if each[name].get("no_model"):
            st.caption("Of word overlap, not of a judge: what a judge would have to be better than.")
        _numbers(each[name])
        left, right = st.columns(2, gap="medium")
        with left:
            _confusion(found, one, each[name])
        with right:
            _reliability(found, each[name])
        if each[name].get("unsure"):
            low, high = each[name]["scale"]
            taken = f"{name} is taken to run from {low:g} to {high:g}, though another scale fits too."
            st.caption(ui.literal(f"{taken} Say it for sure beside the evaluators, before the run."))


def _numbers(said: dict[str, Any]) -> None:
    by = said.get("levels") or said.get("labels") or {}
    brier = said.get("passes", {})
    items = []
    if by.get("mae") is not None:
        items.append(("Mean absolute error", f"{by['mae']:.2f} levels", _span(by.get("mae_ci"), ".2f")))
    if by.get("exact") is not None:
        what = "Same level" if "levels" in said else "Same label"
        items.append((what, f"{by['exact']:.1%}", _span(by["exact_ci"], ".1%")))
    if brier.get("brier") is not None:
        items.append(
            ("Brier score of passing", f"{brier['brier']:.3f}", f"{brier['uncertainty']:.3f} for the base rate")
        )
    n = by.get("n", brier.get("n", 0))
    items.append(("Rows with both", f"{n:,}", by.get("reason") or brier.get("reason") or "score and human label"))
    with st.grid(len(items), min_column_width=150, gap="small"):
        for label, value, note in items:
            st.metric(label, value, delta_description=note, border=True, height="stretch")


def _span(ci: Any, form: str) -> str:
    return "no interval" if not ci else f"{ci[0]:{form}} – {ci[1]:{form}}"


def _confusion(found: Results, one: Judged, said: dict[str, Any]) -> None:
    by = said.get("levels") or said.get("labels")
    if not by or not by["n"]:
        return
    names = [n.replace("_", " ") for n in one.question.names]
    st.caption("Human label down, likeliest answer across. The diagonal is agreement.")
    charts.show(
        charts.confusion(by["confusion"], names, names),
        key=f"confusion-{found.id}-{one.card.id}",
        alt=charts.confusion_alt(by["confusion"], names, names),
    )


def _reliability(found: Results, said: dict[str, Any]) -> None:
    bins = [ReliabilityBin(**b) for b in said.get("passes", {}).get("bins", [])]
    if not bins:
        return
    st.caption("Rows by the probability of passing, and how many of them people passed. On the line it is calibrated.")
    charts.show(charts.reliability(bins), key=f"reliability-{found.id}", alt=charts.reliability_alt(bins))
