"""The doors to scoring: evaluate, explain, what_if, variants. Page, API and command line call these."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from jeval_core import presets, scoring, whatif
from jeval_core.errors import BadInput, MissingField, UnknownOption, nearest
from jeval_core.presets import VariantResult
from jeval_core.registry import get_evaluator
from jeval_core.trace import Trace
from jeval_core.types import Inputs, OptionValue, Result
from jeval_core.whatif import Edit, WhatIf

Options = Mapping[str, OptionValue]
References = str | Sequence[str]


def evaluate(
    evaluator: str,
    *,
    output: str,
    expected: References | None = None,
    threshold: float | None = None,
    options: Options | None = None,
) -> Result:
    """Score one output.

    `expected` is one reference or several. `threshold` defaults to the evaluator's; a threshold of 0 is one.
    The result is "skipped" when the expected text is blank. Raises UnknownEvaluator, UnknownOption, BadOption,
    MissingField (a needed field was not given) or BadInput (wrong type).
    """
    one = get_evaluator(evaluator, options)
    return scoring.run(one, inputs(output, expected), one.card.check_threshold(threshold))[0]


@dataclass(frozen=True, slots=True)
class Study:
    """All there is to see of one pair, each computed once: the trace, the other rules, the score without each token.

    `changes` is empty above 200 tokens a side, both lists are when the row is not scored.
    """

    trace: Trace
    variants: list[VariantResult]
    changes: list[WhatIf]


def study(
    evaluator: str,
    *,
    output: str,
    expected: References | None = None,
    threshold: float | None = None,
    options: Options | None = None,
) -> Study:
    """What the Explore page shows. Raises as `evaluate`."""
    one = get_evaluator(evaluator, options)
    x, limit = inputs(output, expected), one.card.check_threshold(threshold)
    trace = explain(evaluator, output=output, expected=expected, threshold=threshold, options=options, extras=False)
    if trace.gauge is None:
        return Study(trace, [], [])
    found = presets.by_preset(one, x, limit)
    changes = whatif.changes(one, x, limit) if whatif.small(one, x) else []
    extra = [] if trace.gauge.unit else [presets.frame(one.card.name, limit, found), whatif.frame(changes)]
    frames = (*trace.frames, *(frame for frame in extra if frame))
    return Study(Trace(trace.evaluator, trace.result, trace.scene, trace.gauge, frames), found, changes)


def explain(
    evaluator: str,
    *,
    output: str,
    expected: References | None = None,
    threshold: float | None = None,
    options: Options | None = None,
    extras: bool = True,
) -> Trace:
    """The same result as `evaluate`, with the frames that lead to it.

    `extras`: also the frames "who gets which number" and "what each word is worth". Raises as `evaluate`.
    """
    one = get_evaluator(evaluator, options)
    if extras and one.card.max_threshold is not None:  # an evaluator in other units has no extra frames
        return study(evaluator, output=output, expected=expected, threshold=threshold, options=options).trace
    result, scored = scoring.run(one, inputs(output, expected), one.card.check_threshold(threshold), detail=True)
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


def inputs(output: str, expected: References | None) -> Inputs:
    """Settle the fields' types; BadInput where one is wrong, MissingField for an empty list of references."""
    if not isinstance(output, str):
        raise BadInput(f"`output` must be text, not {type(output).__name__}.", field="output")
    if expected is None:
        return Inputs(output)
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
    return Inputs(output, references)


def check_keys(evaluators: Sequence[str], keyed: Mapping[str, Any], what: str) -> None:
    """UnknownOption when thresholds or options (`what`) are keyed by an evaluator that is not being asked."""
    for name in keyed:
        if name not in evaluators:
            raise UnknownOption(
                f"`{what}` names an evaluator that is not asked for.", field=what, hint=nearest(name, evaluators)
            )
