"""Where on the Datasets page someone is: all of it in the address, so that a link, Back and a refresh lead there again.

The only place that names this page's query parameters.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

import streamlit as st

from console.address import lead_to, number, settle

PAGE = "datasets"
STEPS = ("File", "Mapping", "Run", "Results")
LAST = "datasets.last"
"""Session key: the last files, job and run, so that the steps can be walked back and forth."""
SHOWS = ("All", "✗ fail", "Near the threshold", "Metrics disagree", "Not scored")
SORTS = ("lowest first", "highest first", "file order")


@dataclass(frozen=True)
class Place:
    """`files` are ids of uploads (or `sample` names an example set); `bar` is a bin of the histogram of `metric`;
    `by` and `group` are a column and one of its values; `row` counts the rows of the run from 0."""

    files: tuple[str, ...] = ()
    sample: str | None = None
    job: str | None = None
    run: str | None = None
    metric: str | None = None
    show: str = SHOWS[0]
    sort: str = SORTS[0]
    bar: int | None = None
    by: str | None = None
    group: str | None = None
    page: int = 0
    row: int | None = None

    @property
    def step(self) -> str:
        """What the page shows."""
        if self.run:
            return "Results"
        if self.job:
            return "Run"
        return "Mapping" if self.files or self.sample else "File"

    @property
    def filter(self) -> tuple[Any, ...]:
        """What the list of rows depends on."""
        return self.run, self.metric, self.show, self.sort, self.bar, self.by, self.group

    def params(self) -> dict[str, str | list[str]]:
        """Query parameters; what is as usual is left out."""
        out: dict[str, str | list[str]] = {}
        for field in fields(self):
            value = getattr(self, field.name)
            if value != field.default and value not in (None, ()):
                out[_NAMES.get(field.name, field.name)] = list(value) if isinstance(value, tuple) else str(value)
        return out


_NAMES = {"files": "file", "sample": "set"}


def here() -> Place:
    """The place in the address; what makes no sense in it counts as not given."""
    settle(PAGE)
    params = st.query_params
    show, sort = params.get("show", SHOWS[0]), params.get("sort", SORTS[0])
    by, group = params.get("by"), params.get("group")
    return Place(
        tuple(params.get_all("file")),
        params.get("set"),
        params.get("job"),
        params.get("run"),
        params.get("metric"),
        show if show in SHOWS else SHOWS[0],
        sort if sort in SORTS else SORTS[0],
        number(params.get("bar")),
        by,
        group if by is not None else None,
        number(params.get("page")) or 0,
        number(params.get("row")),
    )


def go(place: Place) -> None:
    """Callback: show another place; the address changes, and Back leads here again."""
    lead_to(PAGE, place.params())
    remember(place)


def change(**what: Any) -> None:
    """Callback: the same place with something else. Another filter starts at its first page."""
    place = here()
    if not {"page", "row"} & what.keys():
        what |= {"page": 0, "row": None}
    go(replace(place, **what))


def remember(place: Place) -> None:
    """Keep what the steps lead back to."""
    kept = st.session_state.setdefault(LAST, {})
    if place.files or place.sample:
        kept["Mapping"] = Place(files=place.files, sample=place.sample)
    if place.job:
        kept["Run"] = Place(job=place.job)
    if place.run:
        kept["Results"] = Place(run=place.run)


def steps(place: Place) -> None:
    """The steps in a row, those that lead somewhere as buttons."""
    remember(place)
    known = {"File": Place(), **st.session_state[LAST]}
    with st.container(horizontal=True, gap="small", width="content", key="steps"):
        for step in STEPS:
            st.button(
                f"**{step}**" if step == place.step else step,
                key=f"step-{step}",
                type="tertiary",
                disabled=step not in known and step != place.step,
                on_click=go,
                args=(known.get(step, place),),
            )
