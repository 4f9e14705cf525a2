"""What if: one token of the output deleted, replaced or inserted, and the exact score after it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from jeval_core import scoring
from jeval_core.blocks import TokenDeltas
from jeval_core.errors import BadInput
from jeval_core.evaluators.base import Evaluator, NotScored
from jeval_core.scene import plural
from jeval_core.text.tokenizers import Span
from jeval_core.trace import Frame
from jeval_core.types import Inputs

DELTA_TOKENS = 200
"""Up to so many tokens a side every token of the output is left out in turn."""

DELTA_CHARACTERS = 5_000
ENCODED_TOKENS = 40
"""The same for an encoder, for which every text without a token is another text to read."""


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


def changes(one: Evaluator, x: Inputs, threshold: float, edits: Sequence[Edit] | None = None) -> list[WhatIf]:
    """Exact scores of edited outputs; without `edits` every token is deleted in turn. Empty when nothing is scored."""
    scoring.check_fields(one, x)
    try:
        base = scoring.score(one, x, threshold).verdict.score
    except NotScored:
        return []
    spans = one.locate(x.output)
    if edits is None:  # a token that the text does not hold as it is cannot be taken out of it
        edits = [Edit("delete", i) for i, s in enumerate(spans) if s.end > s.start]
    rows = [replace(x, output=_edited(x.output, spans, edit)) for edit in edits]
    ready, out = one.prepared(rows), []
    for edit, row in zip(edits, rows, strict=True):
        v = scoring.score(ready, row, threshold).verdict
        token = spans[edit.index].token if edit.index < len(spans) else ""
        out.append(WhatIf(edit, token, v.score, v.score - base, v.passed))
    return out


def edited(one: Evaluator, text: str, edit: Edit) -> str:
    """The text after an edit of one of its tokens; BadInput for an index outside it.

    The edit is made as one would by hand, with a space where two words would run together.
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
    if edit.kind != "insert" and spans[edit.index].start == spans[edit.index].end:
        raise BadInput("The text does not hold that token as it stands.", field="edits", hint="Edit the text itself.")
    start, end = (spans[edit.index].start, spans[edit.index].end) if edit.index < len(spans) else (len(text), len(text))
    before, after = text[:start], text[start if edit.kind == "insert" else end :]
    if edit.kind == "replace":
        return before + _glue(before, edit.text) + edit.text + _glue(edit.text, after) + after
    left, right = before[-1:].strip() != "", after[:1].strip() != ""
    if edit.kind == "delete":
        return before + (" " if left and right else "") + after
    return f"{before}{' ' if left else ''}{edit.text}{' ' if right else ''}{after}"


def _glue(before: str, after: str) -> str:
    """A space where two pieces would make one word."""
    return " " if before and after and before[-1].isalnum() and after[0].isalnum() else ""


def small(one: Evaluator, x: Inputs) -> bool:
    """Whether leaving out every token in turn is worth the time."""
    texts, most = (x.output, *x.expected), ENCODED_TOKENS if one.card.kind == "embedding" else DELTA_TOKENS
    return all(len(t) <= DELTA_CHARACTERS for t in texts) and all(len(one.locate(t)) <= most for t in texts)


def frame(found: Sequence[WhatIf]) -> Frame | None:
    """The extra frame "what each word is worth"; None without words."""
    if not found:
        return None
    base = found[0].score - found[0].delta
    most = max(found, key=lambda c: abs(c.delta))
    note = "Leave out one word of the output and score again. "
    if abs(most.delta) < 0.0005:
        note += "No single word moves the score by as much as 0.001."
    else:
        delta = f"{most.delta:+.3f}".replace("-", "−")
        note += f"“{most.token}” weighs most: {delta}."
    block = TokenDeltas(area="wide", row="output", base=base, deltas=tuple((c.edit.index, c.delta) for c in found))
    lines = tuple((f"without “{c.token}”", f"{c.score:.6f} − {base:.6f}", c.delta) for c in found)
    return Frame("worth", "what each word is worth", note, "rest", (block,), lines, filled=True, extra=True)
