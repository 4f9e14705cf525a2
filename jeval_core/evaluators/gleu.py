"""GLEU: one pool of 1- to 4-grams, the smaller of precision and recall."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from jeval_core.blocks import Bar, Pooled, PooledSquares, TwoBars
from jeval_core.card import Card, Option, Preset, Texts
from jeval_core.evaluators.base import gauge
from jeval_core.evaluators.tokens import WORDS_AND_LIBRARIES, TokenEvaluator
from jeval_core.ngrams import ngrams, overlap, total
from jeval_core.registry import evaluator
from jeval_core.scene import inputs_frame, order
from jeval_core.trace import Frame, Scene, Storyboard
from jeval_core.types import Columns, Counts, Evidence, Inputs, Scores, Verdict

ORDERS = (1, 2, 3, 4)

TEXTS = Texts(
    what=(
        "All runs of one to four words go into one pool. The part of the output's pool that is shared"
        " is precision, the part of the expected text's pool is recall, and the score is the smaller "
        "one. "
        "Threshold and name are promptfoo's; its token rule is a variant."
    ),
    use=(
        "Single sentences, where BLEU's mean over orders and its length penalty jump about.",
        "A smooth signal for tuning: one more shared word always moves it.",
    ),
    avoid=(
        "Meaning: a correct answer in other words scores low.",
        "Long texts against short references: every extra word lowers precision.",
    ),
    watch=("An output without words scores 0.", "It is not the GLEU of grammar correction, which has the same name."),
    questions=(
        (
            "GLEU or BLEU?",
            (
                "BLEU multiplies orders and needs smoothing for short texts; GLEU adds all n-grams up and "
                "needs none. On one sentence GLEU is steadier, over a whole test set corpus BLEU is what "
                "papers report."
            ),
        ),
        (
            "Why the smaller of the two?",
            ("So that neither padding nor leaving out pays: padding lowers precision, leaving out lowers recall."),
        ),
    ),
    example={
        "output": "The model returns calibrated probabilities, not text.",
        "expected": "The model returns calibrated probabilities rather than text.",
    },
    example_says="0.58, pass: 15 of the 26 expected n-grams are in the output.",
    shape=(
        "score 0–1, label with two decimals, passed, no probabilities; evidence: match, "
        "output_ngrams, reference_ngrams, precision, recall."
    ),
)

CARD = Card(
    id="gleu",
    name="GLEU",
    line="The smaller of precision and recall over all runs of one to four words.",
    threshold=0.5,
    passes="score ≥ 0.5",
    texts=TEXTS,
    suites=("promptfoo", "everything"),
    related=("bleu", "rouge_n", "levenshtein"),
    variants=("jeval", "promptfoo"),
    options=(
        Option("tokens", "How texts become tokens.", {"jeval": WORDS_AND_LIBRARIES, "promptfoo": ("promptfoo-gleu",)}),
    ),
    presets=(
        Preset("jeval", "words", {}),
        Preset("promptfoo", "split on white space, final full stops cut", {"variant": "promptfoo"}),
        Preset("rouge-score's tokens", "runs of a-z and 0-9", {"tokens": "rouge"}),
        Preset("sacrebleu's tokens", "13a, case kept", {"tokens": "13a"}),
    ),
)


@dataclass(frozen=True)
class GleuDetail:
    """Scene with the orders counted against the best reference, and its label."""

    scene: Scene
    reference: str


@evaluator
class Gleu(TokenEvaluator):
    """Sentence GLEU (Wu et al. 2016). Counts: shared n-grams, n-grams of the output, of the best reference."""

    card = CARD

    def signature_parts(self) -> list[tuple[str, object]]:
        return [*super().signature_parts(), ("refs", "max")]

    def measure(self, x: Inputs, *, detail: bool = False) -> Evidence:
        sides = self.sides(x)
        pools = [self._pool(sides.output, r) for r in sides.references]
        best = max(range(len(pools)), key=lambda i: self.score_one(pools[i]))
        if not detail:
            return Evidence(pools[best])
        output, *references = self.rows(x, sides.kept)
        against = references[best].id if len(references) > 1 else None
        scene = Scene((output, *references), tuple(order(n, output, references, against) for n in ORDERS))
        return Evidence(pools[best], GleuDetail(scene, references[best].label))

    @staticmethod
    def _pool(output: list[str], reference: list[str]) -> Counts:
        return {
            "match": sum(overlap(ngrams(output, n), ngrams(reference, n)) for n in ORDERS),
            "output_ngrams": sum(total(len(output), n) for n in ORDERS),
            "reference_ngrams": sum(total(len(reference), n) for n in ORDERS),
        }

    def score(self, counts: Columns) -> Scores:
        return counts["match"] / np.maximum(counts["output_ngrams"], counts["reference_ngrams"])

    def beside(self, counts: Counts) -> dict[str, float | None]:
        m, c, r = (counts[k] for k in ("match", "output_ngrams", "reference_ngrams"))
        return {"precision": m / c if c else None, "recall": m / r}

    def frames(self, e: Evidence, v: Verdict) -> Storyboard:
        scene, d = e.detail.scene, e.detail
        m, c, r = (int(e.counts[k]) for k in ("match", "output_ngrams", "reference_ngrams"))
        frames = (
            inputs_frame(scene, self.tokenizer.id, self.tokenizer.about),
            _pool(scene, d.reference, m, c, r),
            _two(m, c, r),
            _smaller(m, c, r, v),
        )
        return Storyboard(scene, gauge(v), frames)


def _pool(scene: Scene, reference: str, m: int, c: int, r: int) -> Frame:
    shared, mine, theirs = ([getattr(o, k) for o in scene.orders] for k in ("matched", "total", "ref_total"))
    rows = tuple(
        Pooled(
            label,
            m,
            all_,
            tuple(
                {"order": o.n, "shared": o.matched, "total": t} for o, t in zip(scene.orders, totals, strict=True) if t
            ),
        )
        for label, all_, totals in (("output", c, mine), (reference, r, theirs))
    )
    sums = [" + ".join(map(str, counts)) for counts in (shared, mine, theirs)]
    best = f" Of several references the best counts: {reference}." if len(scene.rows) > 2 else ""
    note = f"All orders go into one pool: {sums[0]} = {m} shared, {c} n-grams in the output, {r} expected.{best}"
    lines = tuple(zip(("shared", "output", "expected"), sums, (m, c, r), strict=True))
    return Frame("pool", "one pool of 1- to 4-grams", note, "spans", (PooledSquares(area="wide", rows=rows),), lines)


def _bars(m: int, c: int, r: int, small: str | None = None) -> TwoBars:
    def bar(key: str, name: str, den: int) -> Bar:
        if not den:
            return Bar(key, name, skipped="the text has no words")
        return Bar(key, name, num=m, den=den, value=m / den, state="on" if small in (None, name) else "off")

    return TwoBars(id="pr", area="wide", bars=(bar("p", "precision", c), bar("r", "recall", r)))


def _two(m: int, c: int, r: int) -> Frame:
    lines = (("precision", f"{m} / {c}", m / c if c else "not defined"), ("recall", f"{m} / {r}", m / r))
    return Frame(
        "pr",
        "precision and recall",
        "The same shared n-grams over two denominators, on one axis.",
        "rest",
        (_bars(m, c, r),),
        lines,
    )


def _smaller(m: int, c: int, r: int, v: Verdict) -> Frame:
    small = "recall" if r >= c else "precision"
    note = f"GLEU is the smaller of the two: {small}. A text that is too long or too short pays either way."
    line = ("GLEU", f"{m} / max({c}, {r})", v.score)
    return Frame("min", "the smaller one", note, "rest", (_bars(m, c, r, small),), (line,), filled=True)
