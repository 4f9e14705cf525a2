"""Levenshtein: how many single-character edits lie between output and expected text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from rapidfuzz.distance import Levenshtein as rf

from jeval_core.blocks import Alignment, Field, Table, TextFields
from jeval_core.card import Card, Preset, Texts
from jeval_core.evaluators.base import Evaluator, NotScored
from jeval_core.labels import EPSILON, format_score, number
from jeval_core.ngrams import PATH_CELLS
from jeval_core.registry import evaluator
from jeval_core.scene import plural
from jeval_core.text.unicode import nfc
from jeval_core.trace import Frame, Gauge, Storyboard
from jeval_core.types import Columns, Counts, Evidence, Inputs, Scores, Verdict

WINDOW = 200
"""Characters of the alignment that a trace carries."""

TEXTS = Texts(
    what=(
        "The smallest number of single characters to insert, delete or replace that turns the output "
        "into the expected text. Passes up to a distance of 5. "
        "The score is the part of the longer text that needs no edit."
    ),
    use=(
        "Identifiers, codes, short labels, where a typo or two may be forgiven.",
        "A guard that a fixed text stayed as it was.",
    ),
    avoid=(
        "Sentences: another wording is many edits, whatever it means.",
        "Numbers: 5 mg and 50 mg are one edit apart.",
    ),
    watch=(
        "The threshold is a distance: smaller is stricter, and 0 asks for equality.",
        "Letter case and punctuation count. Only the way accents are stored (NFC, NFD) does not.",
    ),
    questions=(
        (
            "Why is the threshold not between 0 and 1?",
            (
                "It is a number of edits, as in promptfoo: 5 by default. The score between 0 and 1 is there "
                "to average, the verdict uses the distance."
            ),
        ),
        ("What about several references?", "The nearest one counts."),
    ),
    example={"output": "kitten", "expected": "sitting"},
    example_says="Distance 3, pass: two letters replaced, one inserted.",
    shape=(
        "score 0–1 (1 − distance ÷ longer length), label with two decimals, passed at distance ≤ 5, "
        "no probabilities; evidence: distance, longest."
    ),
)

CARD = Card(
    id="levenshtein",
    name="Levenshtein",
    line="Single-character edits between output and expected text.",
    threshold=5,
    passes="distance ≤ 5",
    texts=TEXTS,
    suites=("promptfoo", "everything"),
    related=("gleu", "rouge_l", "bleu"),
    variants=("jeval", "promptfoo"),
    max_threshold=None,
    presets=(
        Preset("jeval", "code points, share without edits", {}),
        Preset("promptfoo", "UTF-16 units, 1 or 0", {"variant": "promptfoo"}),
    ),
)


@dataclass(frozen=True)
class EditDetail:
    """Both texts as compared (NFC), the reference's label."""

    output: str
    expected: str
    label: str


@evaluator
class Levenshtein(Evaluator):
    """Unit-cost edit distance (Levenshtein 1966) over code points after NFC, letter case kept.

    Counts: `distance` to the nearest reference, `longest` of the two lengths. A blank output is compared like any
    other; blank references are ignored. The promptfoo variant counts UTF-16 units and scores 1 or 0.
    """

    card = CARD
    codes: ClassVar[str] = "utf-16-le"

    def signature_parts(self) -> list[tuple[str, object]]:
        return [
            ("unit", "utf16" if self.variant == "promptfoo" else "codepoint"),
            ("norm", "none" if self.variant == "promptfoo" else "nfc"),
            ("refs", "min"),
        ]

    def units(self, text: str) -> str | list[int]:
        """What one edit changes: code points, or UTF-16 units for promptfoo."""
        if self.variant != "promptfoo":
            return nfc(text)[0]
        return [int(u) for u in np.frombuffer(text.encode(self.codes, "surrogatepass"), dtype="<u2")]

    def measure(self, x: Inputs, *, detail: bool = False) -> Evidence:
        kept = [i for i, text in enumerate(x.expected) if text.strip()]
        if not kept:
            raise NotScored("no expected text")
        output = self.units(x.output)
        found = []
        for i in kept:
            expected = self.units(x.expected[i])
            found.append((rf.distance(output, expected), max(len(output), len(expected)), i))
        distance, longest, i = min(found, key=lambda f: (f[0], -f[1]))
        label = f"expected {i + 1}" if len(x.expected) > 1 else "expected"
        texts = EditDetail(self.shown(x.output), self.shown(x.expected[i]), label) if detail else None
        return Evidence({"distance": distance, "longest": longest}, texts)

    def shown(self, text: str) -> str:
        """The text whose characters are compared."""
        return text if self.variant == "promptfoo" else nfc(text)[0]

    def score(self, counts: Columns) -> Scores:
        if self.variant == "promptfoo":  # all or nothing, at promptfoo's default threshold
            return (counts["distance"] <= self.card.threshold).astype(np.float64)
        return 1 - counts["distance"] / counts["longest"]

    def verdict(self, counts: Counts, score: float, threshold: float) -> Verdict:
        distance = int(counts["distance"])
        passed = distance <= threshold + EPSILON
        word = "is within" if passed else "is greater than"
        return Verdict(
            score,
            format_score(score),
            passed,
            threshold,
            f"Distance {distance} {word} the threshold {number(threshold)}.",
        )

    def frames(self, e: Evidence, v: Verdict) -> Storyboard:
        d: EditDetail = e.detail
        distance = int(e.counts["distance"])
        top = max(2 * v.threshold, distance, 1)
        dial = Gauge(0, top, distance, v.threshold, v.passed, v.score, plural(distance, "edit"), "edit", "left")
        return Storyboard(None, dial, (_inputs(d), *_edits(d, distance), _score(e.counts, v, self.variant)))


def _inputs(d: EditDetail) -> Frame:
    fields = (Field("output", d.output), Field(d.label, d.expected))
    sizes = f"{plural(len(d.output), 'character')} against {len(d.expected)}"
    note = f"Compared character by character, letter case and punctuation included: {sizes}."
    lines = tuple((f"|{f.name}|", "number of characters", len(f.text)) for f in fields)
    return Frame("inputs", "the two inputs", note, "none", (TextFields(caption="As compared", fields=fields),), lines)


def _edits(d: EditDetail, distance: int) -> tuple[Frame, Frame]:
    if len(d.output) * len(d.expected) > PATH_CELLS:
        note = f"The texts are too long to align; {plural(distance, 'edit')} between them."
        return Frame("alignment", "the alignment", note, "none"), Frame("edits", "the edits counted", note, "none")
    ops = _ops(d.output, d.expected)
    kinds = ("substitute", "insert", "delete")
    tally = [sum(op == kind for op, _, _ in ops) for kind in kinds]
    first = next((i for i, op in enumerate(ops) if op[0] != "keep"), 0)
    start = max(0, min(first - 20, len(ops) - WINDOW))
    shown = tuple(ops[start : start + WINDOW])
    window = f" {WINDOW} of {len(ops)} columns are shown, from the first edit on." if len(ops) > len(shown) else ""
    picture = Alignment(
        id="edits",
        area="wide",
        caption="Output above, expected text below",
        ops=shown,
        start=start,
        hidden=len(ops) - start - len(shown),
    )
    align = Frame(
        "alignment",
        "the alignment",
        f"Equal characters stand under each other; the rest are edits.{window}",
        "none",
        (picture,),
    )
    table = Table(
        area="side",
        caption="Edits",
        columns=({"label": "edit", "head": True}, {"label": "count", "num": 0}),
        rows=tuple(zip(kinds, tally, strict=True)),
    )
    if sum(tally) == distance:
        note = f"Every edit costs one: {' + '.join(map(str, tally))} = {distance}. No other way of editing is shorter."
    else:  # the promptfoo variant, on characters beyond U+FFFF
        note = f"{plural(sum(tally), 'edit')} of characters, but promptfoo counts UTF-16 units: {distance}."
    return align, Frame(
        "edits",
        "the edits counted",
        note,
        "none",
        (picture, table),
        (("edits", " + ".join(map(str, tally)), sum(tally)),),
    )


def _ops(a: str, b: str) -> list[tuple[str, str, str]]:
    """One column per character pair: (keep|substitute|insert|delete, output character, expected character)."""
    out: list[tuple[str, str, str]] = []
    for op in rf.opcodes(a, b):
        left, right = a[op.src_start : op.src_end], b[op.dest_start : op.dest_end]
        name = {"equal": "keep", "replace": "substitute"}.get(op.tag, op.tag)
        width = max(len(left), len(right))
        out += zip([name] * width, left or [""] * width, right or [""] * width, strict=True)
    return out


def _score(counts: Counts, v: Verdict, variant: str) -> Frame:
    distance, longest = int(counts["distance"]), int(counts["longest"])
    if variant == "promptfoo":
        how, rule = "1 up to a distance of 5, else 0", "The score is all or nothing: 1 up to a distance of 5."
    else:
        how, rule = f"1 − {distance} / {longest}", "The share of the longer text that needs no edit is the score."
    note = f"{v.reason} {rule}"
    return Frame("verdict", "distance against the threshold", note, "none", (), (("score", how, v.score),), filled=True)
