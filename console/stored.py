"""What is kept on this server, as the pages read it: runs, jobs, and what is computed from a run's columns.

A run is known by a hash of its cases, texts, scores, signatures and thresholds, so what is cached under its id holds.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from console.components.datasets.place import Place
from jeval_core import data, stats
from jeval_core.batch.scored import SCORED, Scored
from jeval_core.card import Card
from jeval_core.data.arrow import release, save_memory
from jeval_core.harness import labels as labelled
from jeval_core.harness.jobs import Jobs
from jeval_core.harness.results import Results
from jeval_core.harness.store import Store
from jeval_core.home import home
from jeval_core.registry import get_evaluator, list_evaluators

NEAR = 0.03
"""Distance from the threshold within which a row is near it."""
BINS = 40
Rows = NDArray[np.int64]


@st.cache_resource(show_spinner=False)
def _store(folder: str) -> Store:
    save_memory()
    return Store.open()


def store() -> Store:
    """The store of this server."""
    return _store(str(home()))


def jobs() -> Jobs:
    """Jobs of this server."""
    return Jobs(store())


def results(run: str) -> Results:
    """The columns of a run; UnknownRun when it is not, or no longer, here."""
    return store().run(run)


def scored(found: Results, id: str) -> Scored:
    """The outcome of an evaluator."""
    return _scored(str(home()), found.id, id)


@st.cache_resource(max_entries=8, show_spinner="Opening the run")
def _scored(folder: str, run: str, id: str) -> Scored:
    whole = results(run).scored(id)
    return replace(whole, counts={})  # only the frames need them, and they count again


def evaluators(found: Results) -> tuple[str, ...]:
    """The evaluators of a run that this version knows."""
    known = {card.id for card in list_evaluators()}
    return tuple(id for id in found.evaluators if id in known)


def unit(found: Results) -> str:
    """What the lines of a run count: lines of text, rows of a sheet, records."""
    source = found.record["source"]
    if source["format"] == "xlsx":
        return "row"
    return data.Source(source["format"], delimiter=source["delimiter"]).unit


def forget() -> None:
    """Let go of the columns of all runs; whoever still looks at one has them read again."""
    for cached in (_scored, _order, histogram, curve, groups):
        cached.clear()
    release()


@dataclass(frozen=True)
class Metric:
    """An evaluator of a run: its card, and its threshold where that is a score in 0..1."""

    card: Card
    threshold: float | None

    @property
    def id(self) -> str:
        """The evaluator's id."""
        return self.card.id


def metric(found: Results, id: str) -> Metric:
    """How an evaluator was used in a run."""
    spec = found.spec or {}
    one = get_evaluator(id, (spec.get("options") or {}).get(id))
    return Metric(one.card, limit(found, one.card) if one.card.max_threshold == 1 else None)


def limit(found: Results, card: Card) -> float:
    """What rows without a threshold of their own were held against."""
    given = ((found.spec or {}).get("thresholds") or {}).get(card.id)
    return card.threshold if given is None else float(given)


@st.cache_data(max_entries=64, show_spinner=False)
def histogram(run: str, id: str) -> stats.Histogram:
    """Scores of a run in bins."""
    outcome = scored(results(run), id)
    return stats.histogram(outcome.score, BINS, outcome.passed)


@st.cache_data(max_entries=256, show_spinner=False)
def bootstrap(run: str, id: str) -> tuple[float, float] | None:
    """Bootstrap interval of the mean of the rows that were scored."""
    score = scored(results(run), id).score
    return stats.bootstrap_mean(score[~np.isnan(score)])


@st.cache_data(max_entries=64, show_spinner=False)
def curve(run: str, id: str, label: str | None, least: float, at: float) -> stats.Curve:
    """Pass rate, and agreement with a human label, by threshold, exact at `at`."""
    return stats.threshold_curve(scored(results(run), id).score, labels(run, label, least), also=[at])


def thresholds(found: Results, metric: Metric) -> NDArray[np.float64]:
    """What each row was held against, shape (n,); nan where that is no score."""
    own = found.numbers("threshold")
    if metric.threshold is None:
        return np.full(found.n, np.nan)
    return np.where(np.isnan(own), metric.threshold, own)


def labels(run: str, label: str | None, least: float) -> NDArray[np.float64] | None:
    """A human's verdict for each row: 1 good, 0 bad, nan unknown.

    A tag says what is bad; gold is good from `least`; of a column that says yes or no, yes is good where `least` is 1.
    """
    found = results(run)
    if label is None:
        return None
    if label in found.tags:
        return 1 - labelled.flags(found, label)
    if label in yes_no_columns(found):
        said = labelled.flags(found, label)
        return said if least else 1 - said
    gold = found.numbers(label)
    return np.where(np.isnan(gold), np.nan, gold >= least)


def label_names(found: Results) -> list[str]:
    """Columns in which people may have said whether a row is good."""
    return [*found.columns["tags"], *found.columns["gold"], *yes_no_columns(found)]


def yes_no_columns(found: Results) -> list[str]:
    """Unmapped columns and groups in which every text is a yes or a no, and both are there."""
    return _yes_no(found.id)


@st.cache_data(max_entries=64, show_spinner=False)
def _yes_no(run: str) -> list[str]:
    return labelled.yes_no_columns(results(run))


@st.cache_data(max_entries=64, show_spinner=False)
def aucs(run: str, label: str, least: float) -> dict[str, stats.Auc]:
    """How well each metric tells rows that people called good from the others."""
    found = results(run)
    said = labels(run, label, least)
    each = {id: stats.auc(scored(found, id).score, said) for id in evaluators(found)}
    return {id: one for id, one in each.items() if one is not None}


@st.cache_data(max_entries=64, show_spinner="Grouping rows")
def groups(run: str, column: str) -> dict[str, dict[str, stats.Summary]]:
    """Value of a column → evaluator → summary."""
    found = results(run)
    return stats.by_group({id: scored(found, id) for id in evaluators(found)}, *found.codes(column))


def group_columns(found: Results) -> list[str]:
    """Columns that rows can be grouped by, those that the run was made with first."""
    columns = [name for role in ("model_version", "groups", "tags", "extra") for name in found.columns[role]]
    first = [name for name in found.record["groups"] if name in columns]
    return list(dict.fromkeys([*first, *columns]))


def possible(place: Place, found: Results) -> Place:
    """The place without what this run does not have."""
    if place.metric not in evaluators(found):
        place = replace(place, metric=evaluators(found)[0])
    if place.bar is not None and place.bar >= BINS:
        place = replace(place, bar=None)
    if place.by is not None and place.by not in group_columns(found):
        place = replace(place, by=None, group=None)
    return place


def order(place: Place) -> Rows:
    """The rows that the filters of a place leave, in its order."""
    return _order(str(home()), place.filter)


@st.cache_resource(max_entries=6, show_spinner="Sorting rows")
def _order(folder: str, key: tuple[object, ...]) -> Rows:
    run, id, show, sort, bar, by, group = key
    found = results(str(run))
    keep = _kept(found, str(id), str(show))
    score = scored(found, str(id)).score
    if isinstance(bar, int):
        inside = np.zeros(found.n, dtype=bool)
        bins = histogram(str(run), str(id))
        inside[stats.bin_rows(score, *bins.bounds(bar))] = True
        keep &= inside
    if isinstance(by, str) and group is not None:
        codes, values = found.codes(by)
        wanted = [i for i, v in enumerate(values) if named(v) == group]
        keep &= np.isin(codes, wanted)
    rows = np.flatnonzero(keep)
    if sort == "file order":
        return rows
    score = score[rows]
    ranked = np.argsort(score if sort == "lowest first" else -score, kind="stable")  # nan is last either way
    return rows[ranked]


def named(value: str | None) -> str:
    """A group's name as `stats.by_group` gives it."""
    return value if value is not None and value.strip() else "(none)"


def _kept(found: Results, id: str, show: str) -> NDArray[np.bool_]:
    outcome = scored(found, id)
    done = outcome.status == SCORED
    if show == "✗ fail":
        return done & ~outcome.passed
    if show == "Near the threshold":
        return done & (np.abs(outcome.score - thresholds(found, metric(found, id))) <= NEAR)
    if show == "Not scored":
        return ~done
    if show == "Metrics disagree":
        each = [scored(found, other) for other in evaluators(found)]
        passed = np.logical_or.reduce([(s.status == SCORED) & s.passed for s in each])
        failed = np.logical_or.reduce([(s.status == SCORED) & ~s.passed for s in each])
        return passed & failed
    return np.ones(found.n, dtype=bool)
