"""The only place that names session keys and query parameters.

What the Explore page shows is one `Query`. It lives in the session under widget keys and in the address, so that a
copied address opens the same view and Back returns to the last one.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from console import texts
from console.examples import FIRST, first
from console.fields import EXTRA, Fields
from jeval_core import JevalError, get_evaluator
from jeval_core.card import Card
from jeval_core.labels import number
from jeval_core.types import OptionValue

EVALUATOR, OUTPUT, REFERENCES, THRESHOLD, OPTIONS = "evaluator", "output", "references", "threshold", "options"
ADDRESS, BASELINE, STAGE = "address", "baseline", "stage"
LEFT = "left"
"""Addresses that were left and that a late message of the browser may still carry."""
LINKED = "linked"
"""Texts that came with a link: nobody here asked for them to be judged."""
HELD = "held"
"""The texts as they were last seen: Streamlit forgets the text of a field that is not drawn."""
STAGE_PARAMS = ("frame", "order", "view", "present")
"""Parameters about the stage, not the pair; it writes the first three into the address by itself."""
SHORT = 1500
"""Texts of up to so many characters in all travel in the address; longer ones are saved and travel as an id."""


def expected_key(i: int) -> str:
    """Widget key of reference number `i`."""
    return f"expected.{i}"


@dataclass(frozen=True)
class Query:
    """An evaluator, its settings and the texts of a row."""

    evaluator: str = "bleu"
    fields: Fields = FIRST.fields
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    threshold: float | None = None

    @property
    def card(self) -> Card:
        """The evaluator's."""
        return get_evaluator(self.evaluator, self.options).card

    def arguments(self) -> dict[str, Any]:
        """Arguments of `evaluate` beside the evaluator and the judge. Raises UnknownOption, BadOption."""
        return {"threshold": self.threshold, "options": dict(self.options), **self.fields.given(self.card)}

    def params(self) -> dict[str, str | list[str]]:
        """Query parameters that hold everything; the first example and defaults are left out."""
        out: dict[str, str | list[str]] = {}
        if self.evaluator != "bleu":
            out["evaluator"] = self.evaluator
        if self.options:
            out["options"] = json.dumps(dict(self.options), separators=(",", ":"), sort_keys=True)
        if self.threshold is not None:
            out["threshold"] = number(self.threshold)
        if self.fields == first(get_evaluator(self.evaluator).card):
            return out
        if self.fields.size() <= SHORT:
            more = {name: text for name in EXTRA if (text := getattr(self.fields, name))}
            return {**out, "output": self.fields.output, "expected": [*self.fields.expected], **more}
        try:
            return {**out, "text": texts.save(self.fields)}
        except OSError:  # costs the link, not the score
            return out


def from_address() -> tuple[Query, list[str]]:
    """The query in the address, and what of it could not be used, in words."""
    problems: list[str] = []
    evaluator = _evaluator_in_address(problems)
    options = _options_in_address(evaluator, problems)
    threshold = None
    try:
        given = st.query_params.get("threshold")
        threshold = None if given is None else get_evaluator(evaluator).card.check_threshold(float(given))
    except ValueError:
        problems.append("The threshold in the address is no valid one; the default is used.")
    return Query(evaluator, _texts_in_address(evaluator, problems), options, threshold), problems


def _evaluator_in_address(problems: list[str]) -> str:
    try:
        return get_evaluator(st.query_params.get("evaluator", Query.evaluator)).card.id
    except JevalError as error:
        problems.append(f"The address names something unknown. {error}")
        return Query.evaluator


def _options_in_address(evaluator: str, problems: list[str]) -> dict[str, OptionValue]:
    try:
        options = json.loads(st.query_params.get("options", "{}"))
        get_evaluator(evaluator, dict(options.items()))
        return dict(options)
    except JevalError as error:
        problems.append(f"An option in the address does not exist; the defaults are used. {error}")
    except (ValueError, TypeError, AttributeError, RecursionError):
        problems.append("The options in the address cannot be read; the defaults are used.")
    return {}


def _texts_in_address(evaluator: str, problems: list[str]) -> Fields:
    params = st.query_params
    if "text" in params:
        saved = texts.load(params["text"])
        if saved:
            return saved
        problems.append("The texts behind this address are not on this server; the example is shown instead.")
    elif any(name in params for name in ("output", "expected", *EXTRA)):
        more = {name: params[name] for name in EXTRA if name in params}
        return Fields(params.get("output", ""), tuple(params.get_all("expected")) or ("",), **more)
    return first(get_evaluator(evaluator).card)


def load() -> list[str]:
    """Bring the session in line with the address when that changed by itself: first visit, Back, a link.

    The pair goes along between pages: the address is empty when one comes to another.

    A message that the browser sent before it knew the address it was given carries an older one. That is no change:
    the texts that came with it are newer than the address.
    """
    state, now = st.session_state, _address()
    if state.get(ADDRESS) == now:
        state[LEFT] = []
        _restore()
        return []
    carried = now == _flat({}) and ADDRESS in state
    if (carried or now in state.get(LEFT, ())) and not _went_back():
        st.query_params.from_dict(json.loads(state[ADDRESS]))
        _restore()
        return []
    query, problems = from_address()
    put(query)
    state[ADDRESS], state[LEFT] = now, []
    state[LINKED] = None if query.fields == first(query.card) else query.fields
    return problems


def _went_back() -> bool:
    run = get_script_run_ctx()
    return run is not None and run.is_history_navigation


def _restore() -> None:
    """Put back texts that Streamlit dropped: it forgets fields that a run, cut short by the next, did not reach."""
    state = st.session_state
    held = Fields.from_dict(state[HELD])
    for key in (OUTPUT, *EXTRA):
        if key not in state:
            state[key] = getattr(held, key)
    for i in range(state[REFERENCES]):
        if expected_key(i) not in state:
            state[expected_key(i)] = _at(held.expected, i)


def put(query: Query) -> None:
    """Write a query into the widgets' keys; before the widgets are drawn, or in a callback."""
    state = st.session_state
    state[EVALUATOR], state[OPTIONS], state[THRESHOLD] = query.evaluator, dict(query.options), query.threshold
    state[REFERENCES] = len(query.fields.expected)
    state[HELD] = query.fields.to_dict()
    for key in (OUTPUT, *EXTRA):
        state[key] = getattr(query.fields, key)
    for i, text in enumerate(query.fields.expected):
        state[expected_key(i)] = text


def current() -> Query:
    """The query that the widgets hold; a text whose field is not drawn for this evaluator is as it was."""
    state = st.session_state
    held = Fields.from_dict(state[HELD])
    expected = tuple(state.get(expected_key(i), _at(held.expected, i)) for i in range(state[REFERENCES]))
    single = {key: state.get(key, getattr(held, key)) for key in (OUTPUT, *EXTRA)}
    fields = Fields(expected=expected, **single)
    state[HELD] = fields.to_dict()
    return Query(state[EVALUATOR], fields, state[OPTIONS], state[THRESHOLD])


def _at(texts: tuple[str, ...], i: int) -> str:
    return texts[i] if i < len(texts) else ""


def publish(query: Query) -> None:
    """Write the query into the address, if it says something else; the stage's own parameters go then."""
    params, now = query.params(), _address()
    if _flat(params) != now:
        st.session_state[ADDRESS] = _flat(params)  # first: the run may end at the next line, cut short by another
        st.session_state[LEFT] = [*st.session_state[LEFT], now]
        st.query_params.from_dict(params)


def _flat(params: Mapping[str, str | list[str]]) -> str:
    return json.dumps({k: v if isinstance(v, list) else [v] for k, v in params.items()}, sort_keys=True)


def _address() -> str:
    params = {k: st.query_params.get_all(k) for k in st.query_params if k not in STAGE_PARAMS}
    return _flat(params)


def linked(query: Query) -> bool:
    """Whether the texts are those of a link that was opened, and nobody pressed Score since."""
    return st.session_state.get(LINKED) == query.fields


def ask_for() -> None:
    """Callback: somebody wants these texts scored."""
    st.session_state[LINKED] = None


def presenting() -> bool:
    """Whether the address asks for the stage alone."""
    return st.query_params.get("present") == "1"


def stage_place() -> tuple[int, int, Literal["step", "all"]]:
    """Frame (from 0), order and view at which the address wants the stage opened."""
    params = st.query_params
    return (
        _number(params.get("frame"), 0),
        _number(params.get("order"), 1),
        "all" if params.get("view") == "all" else "step",
    )


def _number(text: str | None, default: int) -> int:
    return int(text) if text is not None and text.isascii() and text.isdigit() and len(text) < 4 else default
