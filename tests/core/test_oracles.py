"""The same numbers as the libraries give, on equal tokens."""

from __future__ import annotations

import random
import warnings
from functools import cache

import numpy as np
import pytest
from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu
from nltk.translate.gleu_score import sentence_gleu
from rouge_score import rouge_scorer
from sacrebleu.metrics.bleu import BLEU

from jeval_core import evaluate
from jeval_core.evaluators.bleu_rules import steps
from jeval_core.ngrams import closest_length, most, ngrams, overlap, total
from tests.data import golden

WORDS = "the a cat dog sat on mat 5mg 0.5 not is very good old day of to in it was".split()


@cache
def pairs() -> list[tuple[str, list[str]]]:
    """2,000 random outputs with one to three references, lower-cased words between single spaces."""
    rng = random.Random(20)

    def text(low: int, high: int) -> str:
        return " ".join(rng.choices(WORDS, k=rng.randint(low, high)))

    out = []
    for _ in range(2000):
        output = text(1, 25)
        near = " ".join(w if rng.random() < 0.75 else rng.choice(WORDS) for w in output.split())
        out.append((output, [near, *(text(1, 25) for _ in range(rng.randint(0, 2)))]))
    return out


def from_counts(output: list[str], references: list[list[str]]) -> float:
    """BLEU of the variant `jeval` on given tokens."""
    counts = {f"match_{n}": overlap(ngrams(output, n), most([ngrams(r, n) for r in references])) for n in range(1, 5)}
    counts |= {f"total_{n}": total(len(output), n) for n in range(1, 5)}
    counts |= {
        "output_tokens": len(output),
        "reference_tokens": closest_length(len(output), [len(r) for r in references]),
    }
    return float(steps({k: np.array([v], float) for k, v in counts.items()}, "add1").score[0])


def nltk_bleu(output: list[str], references: list[list[str]]) -> float:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return sentence_bleu(references, output, smoothing_function=SmoothingFunction().method2)


@pytest.mark.slow
def test_bleu_is_nltk_method2() -> None:
    for output, references in pairs():
        tokens, refs = output.split(), [r.split() for r in references]
        if len(tokens) >= 4:
            want = nltk_bleu(tokens, refs)
            assert from_counts(tokens, refs) == pytest.approx(want if want > 1e-100 else 0, abs=1e-12)
            got = evaluate("bleu", output=output, expected=references, options={"tokens": "promptfoo"}).score
            assert got == pytest.approx(want if want > 1e-100 else 0, abs=1e-12)


@pytest.mark.slow
def test_gleu_is_nltk() -> None:
    for output, references in pairs():
        # nltk takes the reference with the best ratio of match to the larger pool, as we do
        want = sentence_gleu([r.split() for r in references], output.split())
        assert evaluate(
            "gleu", output=output, expected=references, options={"tokens": "promptfoo"}
        ).score == pytest.approx(want, abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("stemmer", [False, True])
def test_rouge_is_rouge_score(stemmer: bool) -> None:
    scorer = rouge_scorer.RougeScorer(["rouge1", "rouge2", "rougeL", "rougeLsum"], use_stemmer=stemmer)
    rng = random.Random(5)
    for output, references in pairs():
        lined = [
            " ".join(w + ("\n" if rng.random() < 0.2 else "") for w in t.split(" ")) for t in (output, *references)
        ]
        want = scorer.score_multi(lined[1:], lined[0])
        settings = {"tokens": "rouge", "stemmer": stemmer}
        one = evaluate("rouge_n", output=lined[0], expected=lined[1:], options=settings)
        assert one.score == pytest.approx(want["rouge1"].fmeasure, abs=1e-12)
        assert (one.evidence["rouge_2"] or 0.0) == pytest.approx(want["rouge2"].fmeasure, abs=1e-12)
        assert evaluate("rouge_l", output=lined[0], expected=lined[1:], options=settings).score == pytest.approx(
            want["rougeL"].fmeasure, abs=1e-12
        )
        lines = evaluate("rouge_l", output=lined[0], expected=lined[1:], options={**settings, "split": "lines"})
        assert lines.score == pytest.approx(want["rougeLsum"].fmeasure, abs=1e-12)


@pytest.mark.parametrize(
    ("tokens", "smoothing", "lowercase"),
    [
        ("13a", "exp", False),
        ("intl", "exp", False),
        ("zh", "none", True),
        ("char", "floor", False),
        ("13a", "add-k", True),
    ],
)
def test_sacrebleu_is_sacrebleu(tokens: str, smoothing: str, lowercase: bool) -> None:
    metric = BLEU(tokenize=tokens, smooth_method=smoothing, lowercase=lowercase, effective_order=True)
    options = {"variant": "sacrebleu", "tokens": tokens, "smoothing": smoothing, "lowercase": lowercase}
    for output, references in pairs()[:400]:
        output = output.capitalize() + "."
        want = metric.sentence_score(output, references)
        got = evaluate("bleu", output=output, expected=references, options=options)
        assert got.score == pytest.approx(min(want.score / 100, 1), abs=1e-12)
        metric.num_refs = len(references)
        assert got.signature == str(metric.get_signature())


SACREBLEU = {
    "sacrebleu_sentence(13a,exp,effective_order)": {},
    "sacrebleu_lc_addk1(13a,add-k=1,effective_order,lowercase)": {"smoothing": "add-k", "lowercase": True},
    "sacrebleu_zh(zh,exp,effective_order)": {"tokens": "zh"},
    "sacrebleu_char(char,exp,effective_order)": {"tokens": "char"},
    "sacrebleu_intl(intl,exp,effective_order)": {"tokens": "intl"},
}


def vectors() -> list[dict]:
    return [v for v in golden("reference")["vectors"] if any(str(r).strip() for r in v["references"])]


@pytest.mark.parametrize("vector", vectors(), ids=lambda v: v["id"])
def test_reference_vectors(vector: dict) -> None:
    output, references, scores = vector["output"], vector["references"], vector["scores"]

    def got(evaluator: str, **options: object) -> float:
        return evaluate(evaluator, output=output, expected=references, options=options).score or 0.0

    for name, options in SACREBLEU.items():
        if name in scores and scores[name] is not None:
            assert got("bleu", variant="sacrebleu", **options) == pytest.approx(scores[name], abs=1e-9), name
    tokens = output.lower().split()
    refs = [r.lower().split() for r in references if r.split()]
    if len(tokens) >= 4 and scores.get("nltk_bleu_method2_ws_lower") is not None:
        assert from_counts(tokens, refs) == pytest.approx(scores["nltk_bleu_method2_ws_lower"], abs=1e-9)
    for stem, key in ((False, "rouge_score_nostem"), (True, "rouge_score_stem")):
        want = scores.get(key)
        if want:
            one = evaluate("rouge_n", output=output, expected=references, options={"tokens": "rouge", "stemmer": stem})
            assert (one.score or 0.0) == pytest.approx(want["rouge1"]["f"], abs=1e-9)
            assert (one.evidence.get("rouge_2") or 0.0) == pytest.approx(want["rouge2"]["f"], abs=1e-9)
            assert got("rouge_l", tokens="rouge", stemmer=stem) == pytest.approx(want["rougeL"]["f"], abs=1e-9)
            assert got("rouge_l", tokens="rouge", stemmer=stem, split="lines") == pytest.approx(
                want["rougeLsum"]["f"], abs=1e-9
            )
