"""What evaluators want to know about a row, put to a judge: questions about the same state share a request."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TypeAlias

from jeval_core.errors import JevalError
from jeval_core.evaluators.base import Evaluator, NotScored
from jeval_core.evaluators.judged import Judged
from jeval_core.home import home
from jeval_core.judge.answers import Answers
from jeval_core.judge.asking import Asking, Outcome, Request, ask_all
from jeval_core.judge.base import Judge
from jeval_core.judge.cache import Cache
from jeval_core.judge.errors import BadSetting, JudgeError
from jeval_core.judge.progress import Progress
from jeval_core.judge.questions import Question, State, canonical
from jeval_core.judge.settings import Choice, choose, make
from jeval_core.types import Inputs

Chosen: TypeAlias = "Judge | Choice | str | None"
"""A judge, or how it is chosen: `systemone`, `recorded:FILE` …; None: by JEVAL_JUDGE, else word overlap."""
log = logging.getLogger("jeval.judge")


def judge_of(chosen: Chosen) -> Judge:
    """The judge of a choice. Raises BadSetting and BadRecording."""
    if chosen is None or isinstance(chosen, str):
        chosen = choose(chosen)
    if isinstance(chosen, Choice):
        return make(chosen)
    if not hasattr(chosen, "ask"):
        raise BadSetting(f"A judge is named by text, not {type(chosen).__name__}.", field="judge")
    return chosen


def packed(ones: Iterable[Judged], x: Inputs) -> tuple[list[tuple[State, dict[str, Question]]], dict[str, str]]:
    """The requests about a row, and by evaluator id why it asks nothing.

    A request is a state with its questions by evaluator id. A score must not depend on what else is asked, so only
    questions about the very same state share one.
    """
    found: dict[str, tuple[State, dict[str, Question]]] = {}
    left: dict[str, str] = {}
    for one in ones:
        try:
            state, question = one.request(x)
        except NotScored as why:
            left[one.card.id] = str(why)
            continue
        found.setdefault(canonical(state), (state, {}))[1][one.card.id] = question
    return [*found.values()], left


def answered(ones: Sequence[Evaluator], x: Inputs, chosen: Chosen) -> tuple[Inputs, Progress | None]:
    """The row with the answers to everything that its evaluators ask, and what asking took.

    Row unchanged, and None, when they ask nothing. A question that failed has its JudgeError in the answers. Raises
    BadSetting and BadRecording.
    """
    requests, _ = packed([one for one in ones if isinstance(one, Judged)], x)
    if not requests:
        return x, None
    judge, outcomes = judge_of(chosen), list[Outcome]()
    asking = Asking(judge, cache=kept_answers(judge))
    asks = [Request(i, state, questions) for i, (state, questions) in enumerate(requests)]
    ended = ask_all(asking, asks, lambda outcome, _: outcomes.append(outcome))
    parts = [(outcome, outcome.answers or _failed(judge, outcome)) for outcome in outcomes]
    return replace(x, answers={id: part for outcome, part in parts for id in outcome.request.questions}), ended


def _failed(judge: Judge, outcome: Outcome) -> Answers:
    error = outcome.error
    if not isinstance(error, JudgeError):
        error = JudgeError(str(error))
    failed = dict.fromkeys(outcome.request.questions, error)
    return Answers({}, judge.model, judge.model, "model", False, requests=0, attempts=error.attempts, failed=failed)


def kept_answers(judge: Judge) -> Cache | None:
    """Where answers of a host are kept; None for judges that cost nothing, and where the disk does not take them."""
    if not judge.base_url.startswith("http"):
        return None
    try:
        return _cache(str(home()))
    except JevalError:
        log.warning("answers of judges are not kept", exc_info=True)
        return None


@cache
def _cache(folder: str) -> Cache:
    return Cache(Path(folder))
