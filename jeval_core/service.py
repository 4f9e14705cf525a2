"""The doors to scoring: evaluate, explain, what_if, variants. Page, API and command line call these."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from jeval_core.blocks import TokenDeltas, Variants
from jeval_core.checks import text_warnings
from jeval_core.errors import BadInput, MissingField, UnknownOption, nearest
from jeval_core.evaluators.base import Evaluator, NotScored
from jeval_core.registry import get_evaluator
from jeval_core.scene import plural
from jeval_core.text.tokenizers import Span
from jeval_core.trace import Frame, Trace
from jeval_core.types import Evidence, Inputs, OptionValue, Result, Verdict

Options = Mapping[str, OptionValue]
DELTA_TOKENS = 200
"""Up to so many tokens a side every token of the output is left out in turn for the frame "what each word is worth"."""


def evaluate(
    evaluator: str,
    *,
    output: str,
    expected: str | Sequence[str] | None = None,
    threshold: float | None = None,
    options: Options | None = None,
) -> Result:
    """Score one output.

    `expected` is one reference or several. `threshold` defaults to the evaluator's; a threshold of 0 is one.
    The result is "skipped" when the expected text is blank. Raises UnknownEvaluator, UnknownOption, BadOption,
    MissingField (a needed field was not given) or BadInput (wrong type).
    """
    one = get_evaluator(evaluator, options)
    x = inputs(output, expected)
    return _run(one, x, one.card.check_threshold(threshold), detail=False)[0]


def explain(
    evaluator: str,
    *,
    output: str,
    expected: str | Sequence[str] | None = None,
    threshold: float | None = None,
    options: Options | None = None,
    extras: bool = True,
) -> Trace:
    """The same result with the frames that lead to it.

    `extras`: also the frames "who gets which number" and "what each word is worth". Raises as `evaluate`.
    """
    one = get_evaluator(evaluator, options)
    x = inputs(output, expected)
    result, evidence, verdict = _run(one, x, one.card.check_threshold(threshold), detail=True)
    about = {"id": one.card.id, "name": one.card.name, "variant": one.variant, "signature": result.signature}
    if evidence is None or verdict is None:
        return Trace(about, result, None, None, ())
    story = one.frames(evidence, verdict)
    more = _extra_frames(one, x, result) if extras else ()
    return Trace(about, result, story.scene, story.gauge, (*story.frames, *more))


@dataclass(frozen=True, slots=True)
class Edit:
    """One change of the output: `index` counts its tokens; `insert` puts `text` before that token (or at the end)."""

    kind: Literal["delete", "replace", "insert"]
    index: int
    text: str = ""


@dataclass(frozen=True, slots=True)
class WhatIf:
    """The score after an edit and its change against the score before. `token`: the token that was there."""

    edit: Edit
    token: str
    score: float
    delta: float
    passed: bool


def what_if(
    evaluator: str,
    *,
    output: str,
    expected: str | Sequence[str] | None = None,
    edits: Sequence[Edit] | None = None,
    threshold: float | None = None,
    options: Options | None = None,
) -> list[WhatIf]:
    """Exact scores of edited outputs; without `edits` every token is deleted in turn.

    The edit is made in the text and scored like any other text. Empty when the row is not scored. Raises as
    `evaluate`, and BadInput for an index outside the output.
    """
    one = get_evaluator(evaluator, options)
    return _what_if(one, inputs(output, expected), one.card.check_threshold(threshold), edits)


@dataclass(frozen=True, slots=True)
class VariantResult:
    """One row of "who gets which number": the result under other options, and whether they are the current ones."""

    label: str
    detail: str
    options: Options
    result: Result
    current: bool


def variants(
    evaluator: str,
    *,
    output: str,
    expected: str | Sequence[str] | None = None,
    threshold: float | None = None,
    options: Options | None = None,
) -> list[VariantResult]:
    """The same pair by every named rule of the evaluator, each with its own signature. Raises as `evaluate`."""
    one = get_evaluator(evaluator, options)
    return _variants(one, inputs(output, expected), one.card.check_threshold(threshold))


def inputs(output: str, expected: str | Sequence[str] | None) -> Inputs:
    """Settle the fields' types; BadInput where one is wrong, MissingField for an empty list of references."""
    if not isinstance(output, str):
        raise BadInput(f"`output` must be text, not {type(output).__name__}.", field="output")
    if expected is None:
        return Inputs(output)
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


def _run(
    one: Evaluator, x: Inputs, threshold: float, *, detail: bool, warn: bool = True
) -> tuple[Result, Evidence | None, Verdict | None]:
    card = one.card
    for name in card.required:
        if not getattr(x, name) and (name != "output"):
            raise MissingField(f"{card.id} needs `{name}`.", field=name, hint=f"Send {' and '.join(card.required)}.")
    signature = one.signature(len(x.expected))
    try:
        evidence = one.measure(x, detail=detail)
    except NotScored as why:
        skipped = Result(card.id, card.kind, "skipped", None, None, None, threshold, signature, str(why))
        return skipped, None, None
    v = one.verdict(evidence.counts, one.score_one(evidence.counts), threshold)
    warnings = text_warnings(x.output, x.expected) if warn and card.kind == "code" else ()
    shown = {**evidence.counts, **one.beside(evidence.counts)}
    result = Result(
        card.id, card.kind, "scored", v.score, v.label, v.passed, threshold, signature, v.reason, shown, warnings
    )
    return result, evidence, v


def _what_if(one: Evaluator, x: Inputs, threshold: float, edits: Sequence[Edit] | None) -> list[WhatIf]:
    base = _run(one, x, threshold, detail=False, warn=False)[0]
    if base.score is None:
        return []
    spans = one.locate(x.output)
    out = []
    for edit in edits if edits is not None else [Edit("delete", i) for i in range(len(spans))]:
        after = _run(one, replace(x, output=_edited(x.output, spans, edit)), threshold, detail=False, warn=False)[0]
        if after.score is not None and after.passed is not None:
            token = spans[edit.index].token if edit.index < len(spans) else ""
            out.append(WhatIf(edit, token, after.score, after.score - base.score, after.passed))
    return out


def edited(one: Evaluator, text: str, edit: Edit) -> str:
    """The text after an edit of one of its tokens; BadInput for an index outside it.

    A space is put wherever two words would otherwise run together.
    """
    return _edited(text, one.locate(text), edit)


def _edited(text: str, spans: Sequence[Span], edit: Edit) -> str:
    last = len(spans) if edit.kind == "insert" else len(spans) - 1
    if not 0 <= edit.index <= last:
        raise BadInput(
            f"There is no token {edit.index} to {edit.kind}.",
            field="edits",
            hint=f"The output has {plural(len(spans), 'token')}, counted from 0.",
        )
    start, end = (spans[edit.index].start, spans[edit.index].end) if edit.index < len(spans) else (len(text), len(text))
    before, after = text[:start], text[start if edit.kind == "insert" else end :]
    if edit.kind == "replace":
        return before + edit.text + after
    left, right = before[-1:].strip() != "", after[:1].strip() != ""
    if edit.kind == "delete":
        return before + (" " if left and right else "") + after
    return f"{before}{' ' if left else ''}{edit.text}{' ' if right else ''}{after}"


def _variants(one: Evaluator, x: Inputs, threshold: float) -> list[VariantResult]:
    out = []
    for preset in one.card.presets:
        other = type(one)(preset.options)
        result = _run(other, x, threshold, detail=False, warn=False)[0]
        out.append(VariantResult(preset.label, preset.detail, preset.options, result, other.options == one.options))
    return out


def _extra_frames(one: Evaluator, x: Inputs, result: Result) -> tuple[Frame, ...]:
    return tuple(frame for frame in (_variants_frame(one, x, result), _worth_frame(one, x, result)) if frame)


def _variants_frame(one: Evaluator, x: Inputs, result: Result) -> Frame | None:
    scored = [(v, v.result.score) for v in _variants(one, x, result.threshold) if v.result.score is not None]
    if len(scored) < 2 or one.card.max_threshold is None:
        return None
    scored.sort(key=lambda pair: -pair[1])
    passing = sum(bool(v.result.passed) for v, _ in scored)
    rows = tuple(
        {"label": v.label, "detail": v.detail, "value": s, "current": v.current, "signature": v.result.signature}
        for v, s in scored
    )
    note = (
        f"The same pair under the name {one.card.name} by other rules: {passing} of {len(scored)} pass. "
        "Tokens and smoothing make the difference."
    )
    lines = tuple((v.label, v.result.signature, s) for v, s in scored)
    return Frame(
        "variants",
        "who gets which number",
        note,
        "rest",
        (Variants(area="wide", threshold=result.threshold, rows=rows),),
        lines,
        filled=True,
        extra=True,
    )


def _worth_frame(one: Evaluator, x: Inputs, result: Result) -> Frame | None:
    spans = one.locate(x.output)
    if (
        not spans
        or max(len(spans), *(len(one.locate(e)) for e in x.expected)) > DELTA_TOKENS
        or one.card.max_threshold is None
    ):
        return None
    changes = _what_if(one, x, result.threshold, None)
    base = result.score or 0.0
    deltas = tuple((c.edit.index, c.delta) for c in changes)
    most = max(changes, key=lambda c: abs(c.delta))
    note = f"Leave out one word of the output and score again. “{most.token}” weighs most: {most.delta:+.3f}.".replace(
        "-", "−"
    )
    lines = tuple((f"without “{c.token}”", f"{c.score:.6f} − {base:.6f}", c.delta) for c in changes)
    return Frame(
        "worth",
        "what each word is worth",
        note,
        "rest",
        (TokenDeltas(area="wide", row="output", base=base, deltas=deltas),),
        lines,
        filled=True,
        extra=True,
    )
