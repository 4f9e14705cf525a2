"""Sensitivity: how much each metric moves when the output is changed in a known way.

Six kinds of changes (KINDS), each of which people would see at once. A kind is made in every place of a text where it
applies, at most MOST of them, spread evenly; what is reported is the mean change of the score over these places, and of
many rows the mean over rows with Student's interval.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import pyarrow as pa  # type: ignore[import-untyped]
from numpy.typing import NDArray

from jeval_core.batch.engine import score_columns
from jeval_core.batch.scored import SCORED
from jeval_core.errors import BadInput
from jeval_core.registry import get_evaluator
from jeval_core.service import Options
from jeval_core.stats.intervals import Interval, mean_interval
from jeval_core.text.tokenizers import TOKENIZERS, Span

KINDS = {
    "drop": "a word left out",
    "swap": "two neighbours swapped",
    "number": "a number ten times as large",
    "negation": "a negation put in or taken out",
    "truncation": "the second half cut off",
    "reordering": "its parts in another order",
}
MOST = 12
"""Places of a text at which a change of one kind is made."""
_VERBS = re.compile(
    r"\b(?:is|are|was|were|can|could|should|must|will|would|may|might|do|does|did|has|have|had)\b(?!\s+not\b|n['’]t)",
    re.IGNORECASE,
)
_NEGATION = re.compile(r"\s+not\b|n['’]t\b", re.IGNORECASE)
_NUMBER = re.compile(r"(?<![\w.,])[0-9]+(?:[.,][0-9]+)*")
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=\S)|(?<=[。！？])\s*(?=\S)")


def changed(text: str) -> dict[str, list[str]]:
    """Kind → the text changed in each place where that kind applies; kinds without a place are left out."""
    spans = [span for span in TOKENIZERS["words/1"].locate(text) if span.end > span.start]
    made = {
        "drop": _spread([_without(text, span) for span in spans] if len(spans) > 1 else []),
        "swap": _spread([*_swapped(text, spans)]),
        "number": _spread([text[: m.start()] + _tenfold(m[0]) + text[m.end() :] for m in _NUMBER.finditer(text)]),
        "negation": _negated(text),
        "truncation": [text[: spans[len(spans) // 2].start].rstrip()] if len(spans) > 1 else [],
        "reordering": _reordered(text, spans),
    }
    return {kind: [other for other in texts if other != text] for kind, texts in made.items() if texts}


def _spread(texts: list[str]) -> list[str]:
    if len(texts) <= MOST:
        return texts
    return [texts[i] for i in np.linspace(0, len(texts) - 1, MOST).astype(int)]


def _without(text: str, span: Span) -> str:
    before, after = text[: span.start], text[span.end :]
    return before + (after[1:] if before[-1:].isspace() and after[:1].isspace() else after)


def _swapped(text: str, spans: Sequence[Span]) -> Iterator[str]:
    for a, b in zip(spans, spans[1:], strict=False):
        if a.token != b.token:
            left, right = text[a.start : a.end], text[b.start : b.end]
            yield text[: a.start] + right + text[a.end : b.start] + left + text[b.end :]


def _tenfold(number: str) -> str:
    """5 → 50, 0.75 → 7.5, 1,200 → 12,000."""
    if re.fullmatch(r"\d{1,3}(,\d{3})+", number):
        return f"{int(number.replace(',', '')) * 10:,}"
    simple = re.fullmatch(r"([0-9]+)(?:([.,])([0-9]+))?", number)
    if simple is None:  # a date, a version, thousands with decimals: whose tenfold is not sure
        return number
    whole, mark, part = simple.groups()
    if not mark:
        return f"{whole}0"
    moved = f"{whole}{part[0]}".lstrip("0") or "0"
    return moved + (f"{mark}{part[1:]}" if part[1:] else "")


def _negated(text: str) -> list[str]:
    there = [text[: m.start()] + text[m.end() :] for m in _NEGATION.finditer(text)]
    if there:
        return _spread(there)
    return _spread([text[: m.end()] + " not" + text[m.end() :] for m in _VERBS.finditer(text)][:MOST])


def _reordered(text: str, spans: Sequence[Span]) -> list[str]:
    """Sentences from last to first; of a single one the halves change places."""
    sentences = [part for part in _SENTENCE.split(text.strip()) if part.strip()]
    if len(sentences) > 1:
        return [" ".join(reversed(sentences))]
    if len(spans) < 2:
        return []
    at = spans[len(spans) // 2].start
    return [f"{text[at:].strip()} {text[:at].strip()}"]


@dataclass(frozen=True, slots=True)
class Change:
    """How a metric answers to one kind of change.

    `mean`: mean change of the score, −1..1, over the `rows` that the kind applies to and that were scored, None with
    none; `ci`: its 95% interval, None for fewer than two rows; `flips`: share of changed texts whose verdict differs;
    `places`: how many changed texts there were.
    """

    kind: str
    evaluator: str
    mean: float | None
    ci: Interval | None
    flips: float | None
    rows: int
    places: int

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON data."""
        return asdict(self)


def sensitivity(
    rows: Sequence[tuple[str, Sequence[str]]],
    evaluators: Sequence[str],
    *,
    options: Mapping[str, Options] | None = None,
    thresholds: Mapping[str, float] | None = None,
) -> list[Change]:
    """Changes of the scores of `rows`, (output, references) each, by evaluator and kind.

    Evaluators that ask a judge are refused: each change would be a question. Raises BadInput, and what `evaluate` does.
    """
    asked = [id for id in evaluators if get_evaluator(id).card.kind == "judge"]
    if asked:
        raise BadInput(
            "Sensitivity is for evaluators that ask no judge.", field="evaluators", hint=f"Leave out {asked[0]}."
        )
    if not rows:
        return []
    plan = [(i, kind, text) for i, (output, _) in enumerate(rows) for kind, text in _every(output)]
    width = max(1, *(len(references) for _, references in rows))
    columns = [pa.array([_at(rows[i][1], k) for i, _, _ in plan], pa.large_string()) for k in range(width)]
    scored = score_columns(
        evaluators, pa.array([text for _, _, text in plan], pa.large_string()), columns, options=options,
        thresholds=thresholds, counts=False,
    )  # fmt: skip
    of_row = np.array([i for i, _, _ in plan])
    of_kind = np.array([kind for _, kind, _ in plan])
    base = of_kind == ""
    out = []
    for id, outcome in scored.items():
        first = {int(i): at for at, i in zip(np.flatnonzero(base), of_row[base], strict=True)}
        at = np.array([first[int(i)] for i in of_row])
        both = (outcome.status == SCORED) & (outcome.status[at] == SCORED)
        delta, flipped = outcome.score - outcome.score[at], outcome.passed != outcome.passed[at]
        out += [_change(kind, id, both & (of_kind == kind), of_row, delta, flipped) for kind in KINDS]
    return out


def _every(output: str) -> Iterator[tuple[str, str]]:
    """The output itself, of kind "", and every change of it."""
    clean = output.encode("utf-8", "replace").decode("utf-8")
    yield "", clean
    for kind, texts in changed(clean).items():
        for text in texts:
            yield kind, text


def _at(references: Sequence[str], k: int) -> str | None:
    return references[k].encode("utf-8", "replace").decode("utf-8") if k < len(references) else None


def _change(
    kind: str,
    id: str,
    here: NDArray[np.bool_],
    of_row: NDArray[np.int64],
    delta: NDArray[np.float64],
    flipped: NDArray[np.bool_],
) -> Change:
    places = int(here.sum())
    if not places:
        return Change(kind, id, None, None, None, 0, 0)
    rows, inverse = np.unique(of_row[here], return_inverse=True)
    means = np.bincount(inverse, weights=delta[here]) / np.bincount(inverse)
    ci = mean_interval(means) if len(rows) > 1 else None
    return Change(kind, id, float(means.mean()), ci, float(flipped[here].mean()), len(rows), places)
