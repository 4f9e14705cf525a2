"""ROUGE-N: overlap of unigrams (reported) and bigrams (beside it), as F1."""

from __future__ import annotations

from jeval_core.blocks import Bar, FractionBars, TwoBars
from jeval_core.card import Card, Option, Preset, Texts
from jeval_core.evaluators.base import gauge, one_row
from jeval_core.evaluators.rouge import REFERENCES, STEMMER, TOKENS, best, f1, f1_one, ratio, ratio_bar, share
from jeval_core.evaluators.tokens import Sides, TokenEvaluator
from jeval_core.ngrams import ngrams, overlap, total
from jeval_core.registry import evaluator
from jeval_core.scene import DIGITS, count_table, inputs_frame, order, plural, raw_bars
from jeval_core.trace import Frame, Order, Scene, Storyboard
from jeval_core.types import Columns, Counts, Evidence, Inputs, Scores, Verdict

TEXTS = Texts(
    what=(
        "How many words output and expected text share: as a part of the output (precision), as a "
        "part of the expected text (recall), and both in one number, F1. "
        "The reported score is ROUGE-1 F1; ROUGE-2, the same for pairs of words, stands beside it."
    ),
    use=("Summaries and answers that must cover given content.", "A first look at wording when order matters little."),
    avoid=(
        "Facts, doses, negation: one wrong word among many shared ones hardly shows.",
        "Comparing with recall-only ROUGE from older papers.",
    ),
    watch=(
        "A long dump of text reaches high recall. F1 lowers it, but look at precision.",
        "Values with and without stemmer, or with other tokens, cannot be compared. Quote the signature.",
    ),
    questions=(
        (
            "Is this the same as rouge-score?",
            (
                "With `tokens: rouge` yes, digit for digit. Its tokens are a-z and 0-9 only, so any text in "
                "another script scores 0 there; the default tokens here know every script."
            ),
        ),
        (
            "Which reference counts when there are several?",
            (
                "For each type the best one. `references: mean` averages instead, which is what some "
                "published tables do."
            ),
        ),
    ),
    example={
        "output": "The model returns calibrated probabilities, not text.",
        "expected": "The model returns calibrated probabilities rather than text.",
    },
    example_says="0.80, pass: six words are shared, of seven and of eight.",
    shape=(
        "score 0–1 (ROUGE-1 F1), label with two decimals, passed, no probabilities; evidence: match_1, output_1, "
        "reference_1, the same for n = 2, precision_1, recall_1, rouge_2."
    ),
)

CARD = Card(
    id="rouge_n",
    name="ROUGE-N",
    line="How much wording output and expected text share, as F1 over words and pairs of words.",
    threshold=0.75,
    passes="ROUGE-1 F1 ≥ 0.75",
    texts=TEXTS,
    suites=("promptfoo", "harness", "everything"),
    related=("rouge_l", "bleu", "gleu"),
    variants=("jeval", "promptfoo"),
    options=(Option("tokens", TOKENS.about, {**TOKENS.values, "promptfoo": ("treebank",)}), STEMMER, REFERENCES),
    presets=(
        Preset("jeval", "words", {}),
        Preset("with stemmer", "words, Porter stems", {"stemmer": True}),
        Preset("rouge-score", "its tokens", {"tokens": "rouge"}),
        Preset("rouge-score with stemmer", "its tokens, Porter stems", {"tokens": "rouge", "stemmer": True}),
        Preset("promptfoo", "Penn Treebank tokens", {"variant": "promptfoo"}),
    ),
)
ORDERS = (1, 2)


@evaluator
class RougeN(TokenEvaluator):
    """ROUGE-1 F1 (Lin 2004). Counts for n = 1, 2: clipped matches, n-grams of the output, of the reference.

    Each n takes its own best reference. With `references: mean` the mean F1 values ride along as `mean_f_1` and
    `mean_f_2`, since a mean over references is no function of summed counts.
    """

    card = CARD

    def measure(self, x: Inputs, *, detail: bool = False) -> Evidence:
        sides = self.sides(x)
        counts: dict[str, float] = {}
        chosen = {}
        for n in ORDERS:
            found = [self._counts(sides, r, n) for r in sides.references]
            scores = [f1_one(*c) for c in found]
            chosen[n] = best(found, lambda c: f1_one(*c))
            counts |= dict(zip((f"match_{n}", f"output_{n}", f"reference_{n}"), found[chosen[n]], strict=True))
            if self.options.get("references") == "mean":
                counts[f"mean_f_{n}"] = sum(scores) / len(scores)
        return Evidence(counts, self._detail(x, sides, chosen) if detail else None)

    def signature_parts(self) -> list[tuple[str, object]]:
        parts = super().signature_parts()
        return parts if "references" in self.options else [*parts, ("references", "max")]

    @staticmethod
    def _counts(sides: Sides, reference: list[str], n: int) -> tuple[int, int, int]:
        return (
            overlap(ngrams(sides.output, n), ngrams(reference, n)),
            total(len(sides.output), n),
            total(len(reference), n),
        )

    def _detail(self, x: Inputs, sides: Sides, chosen: dict[int, int]) -> Scene:
        output, *references = self.rows(x, sides.kept)

        def against(n: int) -> str | None:
            return references[chosen[n]].id if len(references) > 1 else None

        return Scene((output, *references), tuple(order(n, output, references, against(n)) for n in ORDERS))

    def score(self, counts: Columns) -> Scores:
        return self.rouge(counts, 1)

    def rouge(self, counts: Columns, n: int) -> Scores:
        """ROUGE-n F1 of shape (rows,); 0 where a side has no n-gram."""
        mean = counts.get(f"mean_f_{n}")
        return mean if mean is not None else f1(counts[f"match_{n}"], counts[f"output_{n}"], counts[f"reference_{n}"])

    def beside(self, counts: Counts) -> dict[str, float | None]:
        two = float(self.rouge(one_row(counts), 2)[0]) if counts["output_2"] and counts["reference_2"] else None
        parts = {
            "precision_1": share(counts, "match_1", "output_1"),
            "recall_1": share(counts, "match_1", "reference_1"),
        }
        return {**parts, "rouge_2": two}

    def frames(self, e: Evidence, v: Verdict) -> Storyboard:
        scene: Scene = e.detail
        first = inputs_frame(scene, self.tokenizer.id, self.tokenizer.about)
        return Storyboard(scene, gauge(v), (first, _match(scene), _two(e.counts), _f1(scene, e.counts, v)))


def _match(scene: Scene) -> Frame:
    one, two = scene.orders
    verb = "is" if one.matched == 1 else "are"
    switch = f"switch the order to 2 to see the {plural(two.matched, 'shared bigram')}"
    note = f"{plural(one.matched, 'unigram')} {verb} in both texts; {switch}."
    lines = tuple(
        (f"m{DIGITS[o.n]}", f"shared {name}", o.matched)
        for o, name in zip(scene.orders, ("unigrams", "bigrams"), strict=True)
    )
    return Frame(
        "match",
        "matched n-grams",
        note,
        "spans",
        (FractionBars(id="orders", area="main", bars=raw_bars(scene.orders)), count_table(scene.orders)),
        lines,
    )


def _two(counts: Counts) -> Frame:
    bars = (
        ratio_bar("p", "precision", counts["match_1"], counts["output_1"]),
        ratio_bar("r", "recall", counts["match_1"], counts["reference_1"]),
    )
    lines = (("precision", *ratio(counts, "match_1", "output_1")), ("recall", *ratio(counts, "match_1", "reference_1")))
    note = "The same matches over the output’s length and over the expected length."
    return Frame("pr", "precision and recall", note, "spans", (TwoBars(id="pr", area="wide", bars=bars),), lines)


def _f1(scene: Scene, counts: Counts, v: Verdict) -> Frame:
    mean = "mean_f_1" in counts
    bars = tuple(_f_bar(o, counts) for o in scene.orders)
    lines = [
        (f"ROUGE-{o.n}", f"2 × {o.matched} / ({o.total} + {o.ref_total})", b.value or 0.0)
        for o, b in zip(scene.orders, bars, strict=True)
        if not b.skipped
    ]
    if mean:
        lines += [(f"mean ROUGE-{n}", "mean over the references", counts[f"mean_f_{n}"]) for n in ORDERS]
    note = (
        "The harmonic mean of the two is one fraction: matches counted once for each text, over both lengths together."
    )
    tail = " The score is the mean over all references; the bars show the best one." if mean else ""
    return Frame(
        "f1", "F1", note + tail, "rest", (FractionBars(id="f1", area="wide", bars=bars),), tuple(lines), filled=True
    )


def _f_bar(o: Order, counts: Counts) -> Bar:
    if not (o.total and o.ref_total):
        return Bar(
            f"n{o.n}",
            f"ROUGE-{o.n} F1",
            o.n,
            skipped="one of the texts has no bigram" if o.n == 2 else "the output has no word",
        )
    tag = "beside it" if o.n == 2 else "best reference" if "mean_f_1" in counts else "reported"
    return Bar(
        f"n{o.n}",
        f"ROUGE-{o.n} F1",
        o.n,
        2 * o.matched,
        o.total + o.ref_total,
        value=f1_one(o.matched, o.total, o.ref_total),
        tag=tag,
        cells="plain",
    )
