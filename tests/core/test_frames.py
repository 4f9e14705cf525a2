"""Every number of the storyboards, read off the frames."""

from __future__ import annotations

import pytest

from jeval_core import Edit, Trace, evaluate, explain, variants, what_if
from jeval_core.trace import Frame
from tests.data import golden

PAIRS = {
    "seed": (
        "The model returns calibrated probabilities, not text.",
        "The model returns calibrated probabilities rather than text.",
    ),
    "paraphrase": ("The patient should be monitored overnight", "Overnight monitoring of the patient is recommended"),
    "clipping": ("the the the the the the the", "the cat is on the mat"),
    "dose": ("administer 5mg", "administer 50mg"),
}
NEAR = pytest.approx
cases = pytest.mark.parametrize("case", PAIRS)


def trace(evaluator: str, case: str, **more: object) -> tuple[Trace, dict]:
    output, expected = PAIRS[case]
    return explain(evaluator, output=output, expected=expected, **more), golden("frames")[case]


def frame(t: Trace, id: str) -> Frame:
    return next(f for f in t.frames if f.id == id)


def block(f: Frame, name: str):
    return next(b for b in f.blocks if type(b).__name__ == name)


@cases
def test_tokens_and_orders(case: str) -> None:
    t, want = trace("bleu", case)
    assert t.scene is not None
    assert [[x.t for x in r.tokens] for r in t.scene.rows] == [want["output"], want["expected"]]
    for order, gold in zip(t.scene.orders, want["orders"], strict=True):
        assert (order.matched, order.total, order.ref_total) == (gold["match"], gold["hyp"], gold["ref"])
        assert [" ".join(g.tokens) for g in order.grams if g.clipped] == gold["matched"]
        assert [" ".join(g.tokens) for g in order.grams if g.in_output > g.clipped] == gold["unmatched"]


@cases
def test_bleu(case: str) -> None:
    t, gold = trace("bleu", case)
    want = gold["bleu"]
    raw = [b for b in block(frame(t, "precision"), "FractionBars").bars if not b.skipped]
    smoothed = [b for b in block(frame(t, "smoothing"), "FractionBars").bars if not b.skipped]
    assert [b.value for b in raw] == NEAR(want["raw"], abs=1e-6)
    assert [b.value for b in smoothed] == NEAR(want["smoothed"], abs=1e-6)
    assert [[b.num, b.den] for b in smoothed] == want["smoothed_frac"]
    balance, product = (block(frame(t, "product"), name) for name in ("LogBalance", "Product"))
    assert [w.ln for w in balance.weights] == NEAR(want["logs"], abs=1e-6)
    assert balance.mean == NEAR(want["geo_mean"], abs=1e-6)
    assert [f["value"] for f in product.factors] == NEAR([want["geo_mean"], want["bp"]], abs=1e-6)
    assert (product.result, t.result.passed) == (NEAR(want["score"], abs=1e-6), want["passed"])


@cases
def test_gleu(case: str) -> None:
    t, gold = trace("gleu", case)
    want = gold["gleu"]
    output, expected = block(frame(t, "pool"), "PooledSquares").rows
    assert (output.shared, output.total, expected.total) == (want["match"], want["hyp"], want["ref"])
    assert [b.value for b in block(frame(t, "pr"), "TwoBars").bars] == NEAR([want["p"], want["r"]], abs=1e-6)
    off = [b.label for b in block(frame(t, "min"), "TwoBars").bars if b.state == "off"]
    assert off == (["recall"] if want["p"] < want["r"] else ["precision"])
    assert (t.result.score, t.result.passed) == (NEAR(want["score"], abs=1e-6), want["passed"])


@cases
def test_rouge(case: str) -> None:
    t, gold = trace("rouge_n", case)
    bars = block(frame(t, "pr"), "TwoBars").bars
    f1, f2 = block(frame(t, "f1"), "FractionBars").bars
    assert [*(b.value for b in bars), f1.value] == NEAR([gold["rouge1"][k] for k in "prf"], abs=1e-6)
    assert f2.value == NEAR(gold["rouge2"]["f"], abs=1e-6)
    t, gold = trace("rouge_l", case)
    want = gold["rougeL"]
    assert [[i, j] for i, j in block(frame(t, "walk"), "LcsGrid").path] == [[i, j] for i, j, _ in want["path"]]
    two = block(frame(t, "f1"), "TwoBars")
    assert [*(b.value for b in two.bars), two.mean["value"]] == NEAR([want[k] for k in "prf"], abs=1e-6)


def test_what_if() -> None:
    output, expected = PAIRS["seed"]
    want = golden("frames")["seed"]["what_if"]
    for got, gold in zip(what_if("bleu", output=output, expected=expected), want["delete"], strict=True):
        assert (got.edit.index, got.token) == (gold["index"], gold["token"])
        assert (got.score, got.delta) == NEAR((gold["score"], gold["delta"]), abs=1e-6)
    edits = [Edit("insert", g["before"], g["token"]) for g in want["insert"]]
    edits += [Edit("replace", g["index"], g["token"]) for g in want["replace"]]
    for got, gold in zip(
        what_if("bleu", output=output, expected=expected, edits=edits), want["insert"] + want["replace"], strict=True
    ):
        assert (got.score, got.delta) == NEAR((gold["score"], gold["delta"]), abs=1e-6)


def test_variants() -> None:
    output, expected = PAIRS["seed"]
    got = {v.label: v.result.score for v in variants("bleu", output=output, expected=expected)}
    want = [*golden("frames")["seed"]["variants"].values()]
    names = ["jeval", "add one on every order", "unsmoothed", "promptfoo", "sacrebleu"]
    assert [got[n] for n in names] == NEAR(want, abs=1e-6)
    assert got["promptfoo before June 2026"] == NEAR(0.492603, abs=1e-6)


@pytest.mark.parametrize("evaluator", ["bleu", "gleu", "rouge_n", "rouge_l", "levenshtein"])
@cases
def test_every_frame_says_itself(evaluator: str, case: str) -> None:
    t, _ = trace(evaluator, case)
    main = [f for f in t.frames if not f.extra]
    assert len(main) == 4 and [f.filled for f in main] == [False, False, False, True]
    for f, data in zip(t.frames, t.to_dict()["frames"], strict=True):
        assert data["text"] == f.describe()
        assert f.note in data["text"] and "nan" not in data["text"].lower().split()


def test_describe_reads_well() -> None:
    t, _ = trace("bleu", "seed")
    assert frame(t, "smoothing").describe().splitlines()[1:3] == [
        "n = 1: 6/7 = 0.857 (kept raw)",
        "n = 2: 5/7 = 0.714 (+1 / +1)",
    ]
    assert "geometric mean 0.703 × brevity penalty 0.867 = 0.610" in frame(t, "product").describe()
    assert "“not | rather than”" in frame(trace("rouge_l", "seed")[0], "walk").describe()


def test_clipped_duplicates_are_credited_from_the_left() -> None:
    t, _ = trace("bleu", "clipping")
    the = t.scene.orders[0].grams[0]
    assert the.at["output"] == ((0, "hit"), (1, "hit"), *((i, "over") for i in range(2, 7)))
    assert the.at["expected.0"] == ((0, "hit"), (4, "hit"))
    assert "5 occurrences over the limit" in frame(t, "precision").note


def test_which_reference_limited_an_ngram() -> None:
    t = explain("bleu", output="a a b", expected=["a c", "a a a"])
    a = t.scene.orders[0].grams[0]
    assert (a.tokens, a.in_expected, a.clipped, a.limited_by) == (("a",), 3, 2, "expected.1")
    single = explain("bleu", output="a a b", expected=["a c", "a a a"], options={"variant": "promptfoo"})
    assert [o.against for o in single.scene.orders] == ["expected.1", "expected.1", "expected.0", "expected.0"]


def test_skipped_orders_are_named() -> None:
    bars = block(frame(trace("bleu", "dose")[0], "smoothing"), "FractionBars").bars
    assert [b.skipped for b in bars] == [None, None, "the output has no trigram", "the output has no 4-gram"]


def test_levenshtein_alignment() -> None:
    t = explain("levenshtein", output="kitten", expected="sitting")
    ops = block(frame(t, "alignment"), "Alignment").ops
    assert [op for op, _, _ in ops] == ["substitute", "keep", "keep", "keep", "substitute", "keep", "insert"]
    assert (t.result.evidence["distance"], t.gauge.value, t.gauge.pass_side, t.result.passed) == (3, 3, "left", True)


def test_not_scored_has_no_frames() -> None:
    t = explain("bleu", output="a", expected=" ")
    assert (t.result.status, t.frames, t.gauge) == ("skipped", (), None)
    assert t.to_dict()["gauge"] is None


def test_explain_is_evaluate() -> None:
    for evaluator in ("bleu", "gleu", "rouge_n", "rouge_l", "levenshtein"):
        for output, expected in PAIRS.values():
            assert explain(evaluator, output=output, expected=expected).result == evaluate(
                evaluator, output=output, expected=expected
            )
