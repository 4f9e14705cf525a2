"""The doors to scoring: evaluate, explain, what_if, variants. Page, API and command line call these."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from jeval_core import presets, scoring, whatif
from jeval_core.asked import Chosen, answered
from jeval_core.conversation import turns
from jeval_core.errors import BadInput, MissingField, UnknownOption, nearest
from jeval_core.evaluators.base import Evaluator
from jeval_core.presets import VariantResult
from jeval_core.registry import get_evaluator
from jeval_core.trace import Trace
from jeval_core.types import Inputs, OptionValue, Result, Turn
from jeval_core.whatif import Edit, WhatIf

Options = Mapping[str, OptionValue]
References = str | Sequence[str]
Conversation = str | Sequence[Turn | Mapping[str, Any]]


def evaluate(
    evaluator: str,
    *,
    output: str,
    expected: References | None = None,
    input: str | None = None,
    criteria: str | None = None,
    conversation: Conversation | None = None,
    threshold: float | None = None,
    options: Options | None = None,
    judge: Chosen = None,
) -> Result:
    """Score one output.

    `expected` is one reference or several; `conversation` is a list of {"role", "content"}, or text as
    `conversation.turns` reads it. `threshold` defaults to the evaluator's; a threshold of 0 is one. `judge` is who
    answers a judge evaluator: its name (`heuristic`, `recorded:FILE`, `systemone`, `chat`), a `Judge`, or None for
    JEVAL_JUDGE, else word overlap.

    The result is "skipped" when a needed text is blank, "failed" when the judge gave no answer that can be used.
    Raises UnknownEvaluator, UnknownOption, BadOption, MissingField (a needed field was not given), BadInput (wrong
    type), BadSetting and BadRecording (a judge cannot be set up).
    """
    one = get_evaluator(evaluator, options)
    limit = one.card.check_threshold(threshold)
    x = inputs(output, expected, input, criteria, conversation)
    scoring.check_fields(one, x)
    return scoring.run(one, answered([one], x, judge)[0], limit)[0]


@dataclass(frozen=True, slots=True)
class Study:
    """All there is to see of one pair, each computed once: the trace, the other rules, the score without each token.

    `changes` is empty above 200 tokens a side and for judges, both lists are when the row is not scored.
    """

    trace: Trace
    variants: list[VariantResult]
    changes: list[WhatIf]


def study(
    evaluator: str,
    *,
    threshold: float | None = None,
    options: Options | None = None,
    judge: Chosen = None,
    **texts: Any,
) -> Study:
    """What the Explore page shows; `texts` and errors are those of `evaluate`."""
    one = get_evaluator(evaluator, options)
    x, limit = inputs(**texts), one.card.check_threshold(threshold)
    trace = explain(evaluator, threshold=threshold, options=options, judge=judge, extras=False, **texts)
    if trace.gauge is None or one.card.kind == "judge":
        return Study(trace, [], [])
    found = presets.by_preset(one, x, limit)
    changes = whatif.changes(one, x, limit) if whatif.small(one, x) else []
    extra = [] if trace.gauge.unit else [presets.frame(one.card.name, limit, found), whatif.frame(changes)]
    frames = (*trace.frames, *(frame for frame in extra if frame))
    return Study(Trace(trace.evaluator, trace.result, trace.scene, trace.gauge, frames), found, changes)


def explain(
    evaluator: str,
    *,
    threshold: float | None = None,
    options: Options | None = None,
    judge: Chosen = None,
    extras: bool = True,
    **texts: Any,
) -> Trace:
    """The same result as `evaluate`, with the frames that lead to it; `texts` and errors are those of `evaluate`.

    `extras`: also the frames "who gets which number" and "what each word is worth" of evaluators in code.
    """
    one = get_evaluator(evaluator, options)
    if extras and one.card.kind != "judge" and one.card.max_threshold is not None:  # other units have no extra frames
        return study(evaluator, threshold=threshold, options=options, **texts).trace
    x, limit = inputs(**texts), one.card.check_threshold(threshold)
    scoring.check_fields(one, x)
    return trace_of(one, answered([one], x, judge)[0], limit)


def trace_of(one: Evaluator, x: Inputs, threshold: float) -> Trace:
    """The trace of a row whose answers, where a judge is asked, are there already. Raises MissingField."""
    result, scored = scoring.run(one, x, threshold, detail=True)
    about = {"id": one.card.id, "name": one.card.name, "variant": one.variant, "signature": result.signature}
    if scored is None:
        return Trace(about, result, None, None, ())
    story = one.frames(scored.evidence, scored.verdict)
    return Trace(about, result, story.scene, story.gauge, story.frames)


def what_if(
    evaluator: str,
    *,
    output: str,
    expected: References | None = None,
    edits: Sequence[Edit] | None = None,
    threshold: float | None = None,
    options: Options | None = None,
) -> list[WhatIf]:
    """Exact scores of edited outputs; without `edits` every token is deleted in turn.

    The edit is made in the text and scored like any other text. Empty when the row is not scored. Raises as
    `evaluate`, and BadInput for an index outside the output.
    """
    one = get_evaluator(evaluator, options)
    if one.card.kind == "judge":
        raise BadInput("What if is for evaluators in code: a judge would have to be asked anew.", field="evaluator")
    return whatif.changes(one, inputs(output, expected), one.card.check_threshold(threshold), edits)


def variants(
    evaluator: str,
    *,
    output: str,
    expected: References | None = None,
    threshold: float | None = None,
    options: Options | None = None,
) -> list[VariantResult]:
    """The same pair by every named rule of the evaluator, each with its own signature. Raises as `evaluate`."""
    one = get_evaluator(evaluator, options)
    return presets.by_preset(one, inputs(output, expected), one.card.check_threshold(threshold))


def inputs(
    output: str,
    expected: References | None = None,
    input: str | None = None,
    criteria: str | None = None,
    conversation: Conversation | None = None,
) -> Inputs:
    """Settle the fields' types; BadInput where one is wrong, MissingField for an empty list of references."""
    for name, text in (("output", output), ("input", input), ("criteria", criteria)):
        if not isinstance(text, str) and (name == "output" or text is not None):
            raise BadInput(f"`{name}` must be text, not {type(text).__name__}.", field=name)
    return Inputs(output, _references(expected), input, criteria, _turns(conversation))


def _turns(conversation: Conversation | None) -> tuple[Turn, ...] | None:
    if conversation is None:
        return None
    if not isinstance(conversation, (str, list, tuple)):
        raise BadInput(
            f"`conversation` must be a list of turns, not {type(conversation).__name__}.", field="conversation"
        )
    return turns(conversation)


def _references(expected: References | None) -> tuple[str, ...]:
    if expected is None:
        return ()
    if not isinstance(expected, (str, list, tuple)):
        raise BadInput(f"`expected` must be text or a list of texts, not {type(expected).__name__}.", field="expected")
    references = (expected,) if isinstance(expected, str) else tuple(expected)
    if not references:
        raise MissingField(
            "`expected` is an empty list.", field="expected", hint="Give one reference or more, or leave the field out."
        )
    for reference in references:
        if not isinstance(reference, str):
            raise BadInput(
                f"`expected` must be text or a list of texts, not {type(reference).__name__}.", field="expected"
            )
    return references


def check_keys(evaluators: Sequence[str], keyed: Mapping[str, Any], what: str) -> None:
    """UnknownOption when thresholds or options (`what`) are keyed by an evaluator that is not being asked."""
    for name in keyed:
        if name not in evaluators:
            raise UnknownOption(
                f"`{what}` names an evaluator that is not asked for.", field=what, hint=nearest(name, evaluators)
            )
