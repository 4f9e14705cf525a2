"""Which number did you see: values of the real libraries are found under their own names and rules."""

from __future__ import annotations

import json
import random
import warnings
from contextlib import suppress
from pathlib import Path

import pytest
from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu
from nltk.translate.gleu_score import sentence_gleu
from rouge_score import rouge_scorer
from sacrebleu.metrics.bleu import BLEU

from jeval_core import BadInput, MissingField
from jeval_core.reconcile import METRICS, MOST, RULES, Match, Seen, reconcile
from jeval_core.reconcile.nltk_rules import METHODS
from tests.core.test_promptfoo import NO_TOKENS, vectors

WORDS = (
    "The quick agent answers, politely: refunds take 5 days. We shipped running dogs ran it's not-so far (really) far "
    "Über café 50% of 1,200 items end."
).split()


def pairs(n: int, seed: int = 3) -> list[tuple[str, list[str]]]:
    r = random.Random(seed)
    out = []
    for i in range(n):
        references = [" ".join(r.choices(WORDS, k=r.randint(2, 15))) for _ in range(1 if i % 2 else r.randint(2, 3))]
        kept = [w for w in r.choice(references).split() if r.random() > 0.2]
        out.append((" ".join(kept + r.choices(WORDS, k=r.randint(0, 3))) or "The", references))
    return out


def exact(found: list[Match], value: float, seen: bool = True, **wanted: str) -> list[Match]:
    """The lines whose fields hold these texts; each has the value, and fits where that is what was `seen`."""
    lines = [m for m in found if all(text in getattr(m, name) for name, text in wanted.items())]
    assert lines, wanted
    for line in lines:
        assert line.value == pytest.approx(value, abs=1e-9) and (line.fits or not seen), (wanted, line)
    return lines


PAIRS = pairs(200)


@pytest.mark.slow
def test_sacrebleu() -> None:
    sentence = BLEU(effective_order=True), "sacrebleu, sentence", "13a, case kept", "exp"
    lowered = BLEU(effective_order=True, lowercase=True, smooth_method="add-k"), "sacrebleu, sentence", "13a, lower-cased", "add-k"
    corpus = BLEU(), "sacrebleu, corpus", "13a, case kept", "exp"
    for i, (output, references) in enumerate(PAIRS):
        metric, name, tokens, smoothing = (sentence, lowered, corpus)[i % 3]
        if metric is corpus[0]:
            value = metric.corpus_score([output], [[text] for text in references]).score
        else:
            value = metric.sentence_score(output, references).score
        seen = value if value > 1 else value / 100  # a score of 100 that small would read as one of 1
        found = reconcile(output=output, expected=references, seen=seen, metric="BLEU")
        line = exact(found, value / 100, library=name, tokens=tokens, smoothing=smoothing)[0]
        assert line.signature == str(metric.get_signature())


@pytest.mark.slow
def test_nltk() -> None:
    for i, (output, references) in enumerate(PAIRS):
        said, wanted = output.split(), [text.split() for text in references]
        values = {}
        for method in METHODS:
            with warnings.catch_warnings(), suppress(ValueError, ZeroDivisionError):
                warnings.simplefilter("ignore")
                values[method] = float(sentence_bleu(wanted, said, smoothing_function=getattr(SmoothingFunction(), f"method{method}")))
        values = {method: value for method, value in values.items() if 0 <= value <= 1}
        asked = [*values][i % len(values)]
        found = reconcile(output=output, expected=references, seen=repr(values[asked]), metric="BLEU")
        for method, value in values.items():
            exact(found, value, method == asked, library="nltk", tokens="white space, case kept", smoothing=f"method {method}")
        value = sentence_gleu(wanted, said)
        exact(reconcile(output=output, expected=references, seen=value, metric="GLEU"), value, library="nltk", tokens="white space, case kept")


@pytest.mark.slow
@pytest.mark.parametrize("stemmer", [False, True])
def test_rouge_score(stemmer: bool) -> None:
    kinds = {"rouge1": "ROUGE-1", "rouge2": "ROUGE-2", "rougeL": "ROUGE-L", "rougeLsum": "ROUGE-Lsum"}
    scorer = rouge_scorer.RougeScorer([*kinds], use_stemmer=stemmer)
    tokens = "a-z and 0-9, lower-cased" + (", Porter stems" if stemmer else "")
    for i, (output, references) in enumerate(PAIRS):
        scores = scorer.score_multi(references, output)
        asked = [*kinds][i % 4]
        for kind, metric in kinds.items():
            value = scores[kind].fmeasure
            found = reconcile(output=output, expected=references, seen=scores[asked].fmeasure, metric=metric)
            named = [m for m in found if m.metric == metric and m.library == "rouge-score, Hugging Face evaluate, F1" and m.tokens == tokens and m.references != "the mean"]
            if not named:  # a side without a bigram has no ROUGE-2, one without a token no ROUGE
                assert value == 0
                continue
            assert named[0].value == pytest.approx(value, abs=1e-9) and (named[0].fits or kind != asked)


@pytest.mark.slow
def test_torchmetrics() -> None:
    golden = json.loads((Path(__file__).parents[1] / "golden" / "torchmetrics.json").read_text("utf-8"))
    smoothing = {"False": "none", "True": "add one from n = 2"}
    parts = {"fmeasure": "F1", "precision": "precision", "recall": "recall"}
    seen = 0
    for row in golden["rows"]:
        found = reconcile(output=row["output"], expected=row["expected"], seen=f"{row['values']['BLEUScore smooth=False']:.6f}")
        for name, value in row["values"].items():
            what, _, setting = name.partition(" ")
            flag = setting.partition("=")[2]
            if what.startswith("rouge"):
                kind, _, part = what.partition("_")
                tokens = "a-z and 0-9, lower-cased" + (", Porter stems" if flag == "True" else "")
                lines = [m for m in found if m.library == f"torchmetrics, {parts[part]}" and m.tokens == tokens and m.metric == f"ROUGE-{kind[5:]}"]
            else:
                lines = [m for m in found if m.library == f"torchmetrics {what}" and m.smoothing == smoothing[flag]]
            assert len(lines) == 1 and lines[0].value == pytest.approx(value, abs=2e-6), (name, row["output"])
            seen += 1
    assert seen > 700


@pytest.mark.slow
@pytest.mark.parametrize("vector", [v for v in vectors() if v["metric"] != "levenshtein" and v["id"] not in NO_TOKENS], ids=lambda v: v["id"])
def test_promptfoo(vector: dict) -> None:
    references = [r for r in vector["references"] if isinstance(r, str) and r.strip()]
    if len(vector["output"]) + sum(map(len, references)) > MOST:
        pytest.skip("longer than the search takes")
    metric = {"bleu": "BLEU", "gleu": "GLEU", "rouge-n": "ROUGE-1"}[vector["metric"]]
    found = reconcile(output=vector["output"], expected=references, seen=vector["promptfoo_score"], metric=metric)
    line = next(m for m in found if m.library == "promptfoo")
    assert line.fits and line.value == pytest.approx(vector["promptfoo_score"], abs=1e-9)


SEEN = [
    ("0.38", 0.38, 0.005), ("0.377", 0.377, 0.0005), ("37.7", 0.377, 0.0005), ("37.7%", 0.377, 0.0005), ("0,377", 0.377, 0.0005), ("1", 1.0, 0.5), ("0", 0.0, 0.5),
    ("100", 1.0, 0.005), (0.25, 0.25, 0.005), (" 0.5 ", 0.5, 0.05), ("1e-3", 0.001, 0.5e-9), ("0.5%", 0.005, 0.0005),
]  # fmt: skip


@pytest.mark.parametrize(("text", "value", "within"), SEEN)
def test_a_number_as_it_is_written(text: str | float, value: float, within: float) -> None:
    seen = Seen.of(text)
    assert (seen.value, seen.within) == (pytest.approx(value), pytest.approx(within))


@pytest.mark.parametrize("text", ["", "abc", "-0.1", "101", "nan", "inf", "1.2.3", None, True, "1,2,3"])
def test_what_is_no_score(text: object) -> None:
    with pytest.raises(BadInput):
        reconcile(output="a", expected="b", seen=text)  # type: ignore[arg-type]


def test_what_cannot_be_looked_for() -> None:
    with pytest.raises(MissingField):
        reconcile(output="a", expected=" ", seen="0.5")
    with pytest.raises(BadInput, match="no such metric"):
        reconcile(output="a", expected="b", seen="0.5", metric="METEOR")
    with pytest.raises(BadInput, match="20,000"):
        reconcile(output="a" * MOST, expected="b", seen="0.5")


def test_order_and_completeness() -> None:
    texts = {"output": "The model returns calibrated probabilities, not text.", "expected": "The model returns calibrated probabilities rather than text."}
    found = reconcile(**texts, seen="0.3768")
    assert found[0].library == "promptfoo" and found[0].signature.startswith("bleu|v:promptfoo|")
    assert reconcile(**texts, seen="0.49")[0].library == "promptfoo before June 2026"
    assert reconcile(**texts, seen="51.33")[0].signature.startswith("nrefs:1|case:mixed|eff:yes|tok:13a|smooth:exp")
    fits = [m.fits for m in found]
    assert fits == sorted(fits, reverse=True)
    distances = [m.distance for m in found if not m.fits]
    assert all(a <= b + 1e-9 for a, b in zip(distances, distances[1:], strict=False))
    assert {rule.metric for rule in RULES} == {*METRICS}
    assert all(m.references == "one reference" for m in found)


@pytest.mark.parametrize("output", ["", " ", "...", "\ud800", "a" * 5000, "的" * 300, "🎉"])
def test_strange_texts_find_something_or_nothing(output: str) -> None:
    for match in reconcile(output=output, expected=["x y", "..."], seen="0.5"):
        assert 0 <= match.value <= 1 and match.signature
