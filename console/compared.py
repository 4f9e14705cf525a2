"""Comparisons as the pages read them: made once, in a thread of their own, and kept while others look at them.

Runs never change, so what is kept under their ids holds.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Lock
from typing import NamedTuple

import streamlit as st

from console import stored
from jeval_core.compare import Asked, Change, Comparison, against
from jeval_core.compare.comparison import in_groups
from jeval_core.compare.lines import groups
from jeval_core.compare.pairs import Measured
from jeval_core.compare.why import Grams, movers, run_grams
from jeval_core.data.arrow import release
from jeval_core.harness.results import Rows
from jeval_core.home import home

MOST = 12
"""Comparisons that are kept."""


class Key(NamedTuple):
    """What a comparison depends on. Groups other than task and risk are compared when someone looks at them."""

    a: str
    b: tuple[str, ...]
    cluster_by: str | None = None
    only: tuple[str, ...] = ()
    references: bool | None = None


@dataclass
class Work:
    """A comparison that is made, and how far it is."""

    future: Future[list[Comparison]]
    share: float = 0.0
    text: str = "Waiting"


@dataclass
class _Desk:
    """Works by key, the latest asked for last; one is made at a time."""

    pool: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "jeval-compare"))
    works: OrderedDict[Key, Work] = field(default_factory=OrderedDict)
    lock: Lock = field(default_factory=Lock)


@st.cache_resource(show_spinner=False)
def _desk(folder: str) -> _Desk:
    return _Desk()


def work(key: Key) -> Work:
    """The work on a comparison, begun if nobody asked for it before; one that failed is begun anew."""
    desk = _desk(str(home()))
    with desk.lock:
        found = desk.works.get(key)
        if found is None or (found.future.done() and found.future.exception() is not None):
            found = Work(Future())
            desk.works[key] = found
            desk.pool.submit(_make, key, found)
        desk.works.move_to_end(key)
        while len(desk.works) > MOST:
            desk.works.popitem(last=False)
        return found


def _make(key: Key, one: Work) -> None:
    def said(share: float, text: str) -> None:
        one.share, one.text = share, text

    try:
        first, *others = [stored.results(id) for id in (key.a, *key.b)]
        asked = Asked(key.only, None, key.cluster_by, key.references)
        one.future.set_result(against(first, others, asked, said))
    except BaseException as error:  # whoever waits gets it
        one.future.set_exception(error)
    finally:
        release()


def wait(key: Key) -> list[Comparison]:
    """The comparison; a bar says how far it is. It goes on when the page is left. Raises what comparing raises."""
    for id in (key.a, *key.b):
        stored.results(id)  # a comparison is kept longer than a run that was deleted
    one, bar = work(key), None
    with suppress(TimeoutError):
        one.future.exception(timeout=0.4)
    while not one.future.done():
        bar = bar or st.empty()
        bar.progress(min(1.0, one.share), text=f"{one.text}. You can leave this page; it goes on.")
        time.sleep(0.2)
    if bar is not None:
        bar.empty()
    return one.future.result()


@st.cache_resource(max_entries=8, show_spinner="Reading scores")
def _measured(folder: str, a: str, b: str, cluster: str | None, id: str, _found: Comparison) -> Measured:
    return _found.pairs.measured(id)


def measured(found: Comparison, id: str) -> Measured:
    """The scores of an evaluator in both runs."""
    pairs = found.pairs
    return _measured(str(home()), pairs.a.id, pairs.b.id, pairs.cluster_by, id, found)


@st.cache_resource(max_entries=8, show_spinner="Sorting rows")
def _moved(folder: str, a: str, b: str, id: str, _found: Comparison) -> tuple[Rows, Rows]:
    return movers(measured(_found, id))


def moved(found: Comparison, id: str) -> tuple[Rows, Rows]:
    """Pairs by how far they dropped, and by how far they gained."""
    return _moved(str(home()), found.pairs.a.id, found.pairs.b.id, id, found)


@st.cache_resource(max_entries=16, show_spinner="Counting n-grams")
def _grams(folder: str, a: str, b: str, id: str, _found: Comparison) -> Grams | None:
    return run_grams(_found.pairs, measured(_found, id))


def grams(found: Comparison, id: str) -> Grams | None:
    """n-grams that B lost and gained over all rows."""
    return _grams(str(home()), found.pairs.a.id, found.pairs.b.id, id, found)


@st.cache_resource(max_entries=16, show_spinner="Comparing groups")
def _by_group(folder: str, key: tuple[object, ...], by: str, _found: Comparison) -> list[Change]:
    return in_groups(_found, by)


def by_group(found: Comparison, by: str) -> list[Change]:
    """Every figure in every group of a column."""
    pairs = found.pairs
    return _by_group(str(home()), (pairs.a.id, pairs.b.id, pairs.cluster_by, found.evaluators), by, found)


@st.cache_resource(max_entries=16, show_spinner=False)
def _members(folder: str, a: str, b: str, by: str, _found: Comparison) -> dict[str, Rows]:
    return groups(_found.pairs, by)


def members(found: Comparison, by: str) -> dict[str, Rows]:
    """Value of a column → the pairs that have it."""
    return _members(str(home()), found.pairs.a.id, found.pairs.b.id, by, found)
