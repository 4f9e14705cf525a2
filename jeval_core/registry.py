"""Which evaluators there are. A new one needs its file in `evaluators/` and its name in `CATALOGUE`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, TypeVar

from jeval_core.errors import BadInput, UnknownEvaluator, nearest, said
from jeval_core.types import OptionValue

if TYPE_CHECKING:
    from jeval_core.card import Card
    from jeval_core.evaluators.base import Evaluator

E = TypeVar("E", bound="type[Evaluator]")
_EVALUATORS: dict[str, type[Evaluator]] = {}
CATALOGUE = (
    "bleu", "gleu", "rouge_n", "rouge_l", "levenshtein", "semantic_similarity",
    "g_eval", "llm_judge", "closed_qa", "factuality", "answer_correctness", "conversation_relevance", "translation",
)  # fmt: skip
"""Ids in the order of the catalogue; each is the name of its module too."""
SUITES = ("promptfoo", "harness", "everything")
PREFIX = "suite:"
SUITE_OPTIONS: Mapping[str, Mapping[str, Mapping[str, OptionValue]]] = {"harness": {"bleu": {"variant": "sacrebleu"}}}
"""Options that a suite asks for, by suite and evaluator."""


def evaluator(cls: E) -> E:
    """Register an evaluator class under its card's id; ValueError when the id is taken."""
    if cls.card.id in _EVALUATORS:
        raise ValueError(f"two evaluators are called {cls.card.id}")
    _EVALUATORS[cls.card.id] = cls
    return cls


@cache
def _load() -> Mapping[str, type[Evaluator]]:
    for name in CATALOGUE:
        import_module(f"jeval_core.evaluators.{name}")
    return {name: _EVALUATORS[name] for name in CATALOGUE}


def get_evaluator(name: str, options: Mapping[str, OptionValue] | None = None) -> Evaluator:
    """The evaluator with its options settled; UnknownEvaluator, UnknownOption or BadOption by name."""
    known = _load()
    if options is not None and not (isinstance(options, Mapping) and all(isinstance(k, str) for k in options)):
        raise BadInput("`options` must be a mapping of option names to values.", field="options")
    if not isinstance(name, str):
        raise BadInput(f"An evaluator is named by text, not {type(name).__name__}.", field="evaluators")
    if name not in known:
        raise UnknownEvaluator(f"There is no evaluator `{said(name)}`.", field="evaluators", hint=nearest(name, known))
    return known[name](options)


def list_evaluators(suite: str = "everything") -> list[Card]:
    """The cards of a suite in catalogue order; UnknownEvaluator for a suite that does not exist."""
    if suite not in SUITES:
        raise UnknownEvaluator(f"There is no suite `{said(suite)}`.", field="evaluators", hint=nearest(suite, SUITES))
    return [e.card for e in _load().values() if suite in e.card.suites]


def expand(names: list[str]) -> list[tuple[str, bool]]:
    """Evaluator ids without repeats, in order, each with whether it came from a suite (`suite:promptfoo`)."""
    out: dict[str, bool] = {}
    for name in names:
        if name.startswith(PREFIX):
            for card in list_evaluators(name.removeprefix(PREFIX)):
                out.setdefault(card.id, True)
        else:
            out[get_evaluator(name).card.id] = False
    return [*out.items()]


def settled(
    names: Sequence[str], options: Mapping[str, Mapping[str, OptionValue]] | None = None
) -> dict[str, Mapping[str, OptionValue]]:
    """The options by evaluator id: those given, on top of those of a suite that brought an evaluator in unnamed."""
    out: dict[str, Mapping[str, OptionValue]] = {}
    for name in names:
        if name.startswith(PREFIX):
            out |= SUITE_OPTIONS.get(name.removeprefix(PREFIX), {})
    for name in names:
        out.pop(name, None)
    for name, given in (options or {}).items():
        out[name] = given if "variant" in given else {**out.get(name, {}), **given}
    return out
