"""BLEU of one sentence: clipped n-gram precision, smoothing, brevity penalty."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from jeval_core import signature
from jeval_core.card import MEAN, PASS_RATE, Aggregate, Card, Option, Preset, Texts
from jeval_core.evaluators.base import one_row
from jeval_core.evaluators.bleu_frames import bleu_frames
from jeval_core.evaluators.bleu_rules import ORDERS, Steps, library_steps, steps
from jeval_core.evaluators.tokens import WORDS_AND_LIBRARIES, Sides, TokenEvaluator
from jeval_core.ngrams import closest_length, most, ngrams, overlap, total
from jeval_core.registry import evaluator
from jeval_core.scene import order
from jeval_core.trace import Scene, Storyboard
from jeval_core.types import Columns, Counts, Evidence, Inputs, NumberColumns, Scores, Verdict

CORPUS = Aggregate(
    "corpus BLEU",
    "BP · exp(¼ Σₙ ln(Σ mₙ / Σ tₙ))",
    r"\mathrm{BP}\cdot\exp\tfrac14\sum_n\ln\frac{\sum m_n}{\sum t_n}",
    "Matches, totals and lengths are summed over all rows first, without smoothing. Not the mean of the rows.",
)

TEXTS = Texts(
    what=(
        "How much of the output's wording stands in the expected text, from single words to runs of "
        "four, lowered when the output is too short. "
        "Name, threshold and lower-casing are promptfoo's; tokens and smoothing are not, so the "
        "numbers differ. The variants are laid side by side."
    ),
    use=(
        "Translation and templated text, where the wording should stay close to a reference.",
        "Regression tests that have a fixed reference for every item.",
    ),
    avoid=(
        "Open questions with many good answers: a correct paraphrase scores low.",
        "Facts, negation, numbers and units: one word decides there and BLEU hardly moves.",
    ),
    watch=(
        "One sentence against one reference is harsh. Never set such values beside corpus BLEU from a paper.",
        "Tokenizer and smoothing move the score more than most model changes do. Quote the signature.",
        "Symbols inside words are dropped: “C#” and “C” are the same token.",
    ),
    questions=(
        (
            "Why is BLEU low for a correct answer?",
            (
                "It compares wording, not meaning. An answer in other words shares few runs of three or four "
                "words with the reference. Use it where the wording itself should match."
            ),
        ),
        (
            "Why does my other tool show another BLEU?",
            (
                "The name covers many rules. Tools differ in tokens, in what they do with an order that has "
                "no match, and in which reference length they take. The extra frame “who gets which number” "
                "shows the usual ones for your own pair."
            ),
        ),
        (
            "What does smoothing change?",
            (
                "Without it a single order without a match makes the whole score zero, which is the rule for "
                "short sentences. Adding one from n = 2 on keeps such a score small but above zero."
            ),
        ),
    ),
    example={
        "output": "The model returns calibrated probabilities, not text.",
        "expected": "The model returns calibrated probabilities rather than text.",
    },
    example_says="0.61, pass: most runs of words are shared, and the output is one word shorter.",
    shape=(
        "score 0–1, label with two decimals, passed, no probabilities; evidence: match_1…4, "
        "total_1…4, output_tokens, reference_tokens, geometric_mean, brevity_penalty."
    ),
)

CARD = Card(
    id="bleu",
    name="BLEU",
    line="Shared wording, from single words to runs of four, with a penalty for being short.",
    threshold=0.5,
    passes="score ≥ 0.5",
    texts=TEXTS,
    aggregates=(MEAN, PASS_RATE, CORPUS),
    suites=("promptfoo", "harness", "everything"),
    related=("gleu", "rouge_n", "rouge_l"),
    variants=("jeval", "promptfoo", "promptfoo-2025", "sacrebleu"),
    options=(
        Option(
            "tokens",
            "How texts become tokens.",
            {
                "jeval": WORDS_AND_LIBRARIES,
                "promptfoo": ("promptfoo",),
                "promptfoo-2025": ("promptfoo",),
                "sacrebleu": ("13a", "intl", "zh", "char"),
            },
        ),
        Option(
            "smoothing",
            "What happens to an order without a match.",
            {
                "jeval": ("add1", "add1-all", "none"),
                "promptfoo": ("floor",),
                "promptfoo-2025": ("floor",),
                "sacrebleu": ("exp", "floor", "add-k", "none"),
            },
        ),
        Option("lowercase", "Fold letter case before tokenizing.", {"sacrebleu": (False, True)}),
    ),
    presets=(
        Preset("jeval", "words, add one from n = 2", {}),
        Preset("add one on every order", "words", {"smoothing": "add1-all"}),
        Preset("unsmoothed", "words", {"smoothing": "none"}),
        Preset("sacrebleu", "13a tokens, exponential smoothing", {"variant": "sacrebleu"}),
        Preset("promptfoo before June 2026", "split on white space, brevity rewarded", {"variant": "promptfoo-2025"}),
        Preset("promptfoo", "split on white space, zero becomes 1e-7", {"variant": "promptfoo"}),
    ),
)


@dataclass(frozen=True)
class BleuDetail:
    """What the frames need beside the counts."""

    scene: Scene
    steps: Steps


@evaluator
class Bleu(TokenEvaluator):
    """Sentence BLEU-4. Counts: `match_n` clipped matches, `total_n` n-grams of the output, both lengths in tokens.

    Clips over all references together; the promptfoo variants take the best single reference for each order.
    """

    card = CARD

    @property
    def best_single(self) -> bool:
        """Whether each order is counted against one reference alone."""
        return self.variant.startswith("promptfoo")

    def prepare(self, text: str) -> str:
        return text.lower() if self.options.get("lowercase") else text

    def signature(self, references: int = 1) -> str:
        if self.variant != "sacrebleu":
            return super().signature(references)
        return self._library_signature(references, effective_order=True)

    def _library_signature(self, references: int, *, effective_order: bool) -> str:
        from sacrebleu.metrics.bleu import BLEU

        metric = BLEU(
            tokenize=str(self.options["tokens"]),
            smooth_method=str(self.options["smoothing"]),
            lowercase=bool(self.options["lowercase"]),
            effective_order=effective_order,
        )
        metric.num_refs = references
        return str(metric.get_signature())

    def signature_parts(self) -> list[tuple[str, object]]:
        return [*super().signature_parts(), ("refs", "best" if self.best_single else "clip")]

    def measure(self, x: Inputs, *, detail: bool = False) -> Evidence:
        sides = self.sides(x)
        matches = [self._match(sides, n)[0] for n in ORDERS]
        c = len(sides.output)
        counts = {f"match_{n}": m for n, m in zip(ORDERS, matches, strict=True)}
        counts |= {f"total_{n}": total(c, n) for n in ORDERS}
        counts |= {"output_tokens": c, "reference_tokens": closest_length(c, [len(r) for r in sides.references])}
        return Evidence(counts, self._detail(x, sides, counts) if detail else None)

    def _match(self, sides: Sides, n: int) -> tuple[int, int]:
        """Clipped matches of one order and the position of the reference they come from (when single)."""
        output = ngrams(sides.output, n)
        references = [ngrams(r, n) for r in sides.references]
        if not self.best_single:
            return overlap(output, most(references)), 0
        found = [overlap(output, r) for r in references]
        return max(found), found.index(max(found))

    def _detail(self, x: Inputs, sides: Sides, counts: dict[str, int]) -> BleuDetail:
        output, *references = self.rows(x, sides.kept)
        single = self.best_single and len(references) > 1
        orders = [
            order(n, output, references, references[self._match(sides, n)[1]].id if single else None) for n in ORDERS
        ]
        return BleuDetail(Scene((output, *references), tuple(orders)), self._steps(one_row(counts)))

    def score(self, counts: Columns) -> Scores:
        return self._steps(counts).score

    def corpus(self, counts: NumberColumns, references: int | None) -> tuple[float, str] | None:
        sums = {name: np.array([values.sum()], dtype=np.float64) for name, values in counts.items()}
        found = self.corpus_scores(sums)
        if found is None:
            return None
        if self.variant == "sacrebleu":
            own = self._library_signature(-1 if references is None else references, effective_order=False)
            return float(found[0]), own
        rule = [("smoothing", "none"), ("refs", "clip"), ("rev", self.revision)]
        parts = [("v", "jeval"), *self.tokenizer.signature, *rule]
        return float(found[0]), signature.build("corpus_bleu", parts)

    def corpus_scores(self, sums: Columns) -> Scores | None:
        found = self.corpus_steps(sums)
        if found is None:
            return None
        return found.score if self.variant == "sacrebleu" else np.where(found.kept.all(axis=0), found.score, 0.0)

    def corpus_steps(self, sums: Columns) -> Steps | None:
        """The steps of `corpus_scores`; None for the variants that know no corpus score."""
        if self.variant == "jeval":
            return steps(sums, "none")
        if self.variant != "sacrebleu":
            return None
        plain = self.options["smoothing"] != "add-k" and all((sums[f"match_{n}"] > 0).all() for n in ORDERS)
        if plain and len(sums["match_1"]) > 1:  # without an order to smooth the library's formula is the plain one
            return steps(sums, "none")
        return library_steps(sums, self.options, effective_order=False)

    def steps_of(self, counts: Columns) -> Steps:
        """How the scores of rows arise, from counts of shape (rows,)."""
        return self._steps(counts)

    def beside(self, counts: Counts) -> dict[str, float | None]:
        s = self._steps(one_row(counts))
        return {"geometric_mean": float(s.geo[0]), "brevity_penalty": float(s.bp[0])}

    def _steps(self, counts: Columns) -> Steps:
        if self.variant == "sacrebleu":
            return library_steps(counts, self.options)
        return steps(
            counts, self.options["smoothing"], inverted=self.variant == "promptfoo-2025", zero=self.variant == "jeval"
        )

    def frames(self, e: Evidence, v: Verdict) -> Storyboard:
        return bleu_frames(e.detail.scene, e.detail.steps, e.counts, v, self.tokenizer, str(self.options["smoothing"]))
