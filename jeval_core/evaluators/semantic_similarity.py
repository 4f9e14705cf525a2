"""Semantic similarity: the cosine of the angle between output and expected text, as a sentence encoder sees them."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from jeval_core.card import Card, Texts
from jeval_core.embed import MINILM, SBERT, encoder, parts
from jeval_core.embed.band import Band
from jeval_core.embed.base import Extent
from jeval_core.evaluators import semantic_frames
from jeval_core.evaluators.base import Evaluator, NotScored, gauge
from jeval_core.registry import evaluator
from jeval_core.scene import row
from jeval_core.trace import Scene, Storyboard
from jeval_core.types import Columns, Evidence, Inputs, Scores, Verdict

DECIMALS = 6
"""Of a cosine: what is beyond depends on which texts went through the model together."""

TEXTS = Texts(
    what=(
        "A small language model turns each text into 384 numbers that stand for what it is about. "
        "The score is the cosine of the angle between the two, 0 where it is negative. Passes from 0.75."
    ),
    use=(
        "Answers that may be worded in any way, where BLEU and ROUGE see only other words.",
        "Finding answers that are about something else.",
    ),
    avoid=(
        "Facts and figures: 5 mg and 50 mg, “is” and “is not” lie close together.",
        "Languages other than English: the embedded model learned from English texts.",
    ),
    watch=(
        "A cosine is no percentage, and no scale is the same for two models: compare with your own rows.",
        "The embedded model reads 256 tokens, about 200 words; what comes after them does not count.",
    ),
    questions=(
        (
            "What is a good cosine?",
            (
                "Score a file of yours: its rows show where matched pairs lie and where pairs that do not belong "
                "together do. The threshold 0.75 is that of promptfoo's `similar`."
            ),
        ),
        ("What about several references?", "The nearest one counts."),
    ),
    example={
        "output": "The patient should be monitored overnight",
        "expected": "Overnight monitoring of the patient is recommended",
    },
    example_says="0.92, pass: the same advice in other words, of which ROUGE-L sees 0.31.",
    shape=(
        "score 0–1 (cosine, negative ones 0), label with two decimals, passed at score ≥ 0.75, no probabilities; "
        "evidence: cosine, reference, unread_tokens."
    ),
)

CARD = Card(
    id="semantic_similarity",
    name="Semantic similarity",
    line="Closeness in meaning, as a sentence encoder sees it.",
    kind="embedding",
    threshold=0.75,
    passes="score ≥ 0.75",
    texts=TEXTS,
    suites=("promptfoo", "harness", "everything"),
    related=("rouge_l", "bleu", "answer_correctness"),
    variants=(MINILM, SBERT),
)


@dataclass(frozen=True)
class SemanticDetail:
    """What the frames show: the texts, how much of them was read, and their vectors of length 1."""

    model: str
    reads: int
    scene: Scene
    extents: tuple[Extent, Extent]
    vectors: tuple[NDArray[np.float32], NDArray[np.float32]]
    references: int
    band: Band | None


@evaluator
class SemanticSimilarity(Evaluator):
    """Cosine of sentence embeddings (Reimers and Gurevych 2019), the highest over the references.

    Counts: `cosine` (−1..1), `reference` (the nearest, counted from 1 among all given), `unread_tokens` of the output.
    A blank output has the cosine 0; blank references are ignored. The encoder is all-MiniLM-L6-v2 without torch, or
    with the variant `sentence-transformers` any model of that library. Raises NoWeights, WrongWeights.
    """

    card = CARD
    real_counts: ClassVar[tuple[str, ...]] = ("cosine",)
    _known: Mapping[str, NDArray[np.float32]] = {}

    def signature_parts(self) -> list[tuple[str, object]]:
        return [*parts(self.variant), ("refs", "max")]

    def prepared(self, rows: Sequence[Inputs]) -> SemanticSimilarity:
        texts = [*dict.fromkeys(text for x in rows for text in (x.output, *x.expected) if text.strip())]
        ready = copy.copy(self)
        ready._known = dict(zip(texts, encoder(self.variant).encode(texts), strict=True))
        return ready

    def _vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if all(text in self._known for text in texts):
            return np.stack([self._known[text] for text in texts])
        return encoder(self.variant).encode(texts)

    def measure(self, x: Inputs, *, detail: bool = False) -> Evidence:
        kept = [i for i, text in enumerate(x.expected) if text.strip()]
        if not kept:
            raise NotScored("no expected text")
        model = encoder(self.variant)
        output, *others = self._vectors([x.output, *(x.expected[i] for i in kept)])
        cosines = [round(float(output @ other), DECIMALS) for other in others]
        best = int(np.argmax(cosines))
        extent = model.extent(x.output)
        found = {
            "cosine": min(1.0, max(-1.0, cosines[best])) if x.output.strip() else 0.0,
            "reference": kept[best] + 1,
            "unread_tokens": extent.tokens - extent.read,
        }
        if not detail:
            return Evidence(found)
        text = x.expected[kept[best]]
        label = f"expected {kept[best] + 1}" if len(x.expected) > 1 else "expected"
        scene = Scene(
            (
                row("output", "output", x.output, self.locate(x.output)),
                row("expected", label, text, self.locate(text)),
            )
        )
        vectors = output, others[best]
        extents = extent, model.extent(text)
        return Evidence(found, SemanticDetail(model.name, model.reads, scene, extents, vectors, len(kept), x.band))

    def score(self, counts: Columns) -> Scores:
        return np.clip(counts["cosine"], 0.0, 1.0)

    def frames(self, e: Evidence, v: Verdict) -> Storyboard:
        return semantic_frames.story(e.detail, e.counts, v, gauge(v))
