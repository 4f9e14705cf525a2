"""What a comparison says, against libraries, brute force and files of people."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from math import log
from pathlib import Path

import numpy as np
import pytest
from sacrebleu.metrics.bleu import BLEU
from scipy.stats import binomtest, permutation_test, ttest_rel

from jeval_core.compare import Asked, Change, Comparison, Incomparable, Rules, against, compare
from jeval_core.compare.changes import adjusted, of_mean
from jeval_core.compare.references import disagreement
from jeval_core.compare.why import corpus_split, item_grams, item_split, level_shift, movers, run_grams
from jeval_core.harness.spec import Spec
from jeval_core.harness.store import Store
from jeval_core.registry import get_evaluator
from tests.compare.made import both, rows_of, stored

FOLDER = os.environ.get("JEVAL_TEST_DATA")
REAL = pytest.mark.skipif(not FOLDER, reason="needs JEVAL_TEST_DATA, the folder of real files")
SACRE = {"bleu": {"variant": "sacrebleu"}}
FEW = Asked(rules=Rules(resamples=2_000))


def line(found: Comparison, id: str, group: str | None = None) -> Change:
    return next(one for one in (*found.metrics, *found.tags, *found.human) if (one.id, one.group) == (id, group))


@pytest.fixture
def compared(tmp_path: Path) -> Comparison:
    return compare(*both(tmp_path, options=SACRE, evaluators=("bleu", "rouge_l")), FEW)


def test_means_and_rates_are_those_of_the_libraries(compared: Comparison) -> None:
    a, b = (run.scored("rouge_l") for run in (compared.pairs.a, compared.pairs.b))
    found = line(compared, "rouge_l.mean")
    wanted = ttest_rel(b.score, a.score).confidence_interval()
    assert found.ci == (pytest.approx(wanted.low), pytest.approx(wanted.high))
    assert (found.a, found.b, found.n) == (pytest.approx(a.score.mean()), pytest.approx(b.score.mean()), 240)
    exact = permutation_test(
        (b.score, a.score), lambda x, y: (x - y).mean(), permutation_type="samples", n_resamples=5_000, rng=np.random.default_rng(1)
    )
    assert found.p == pytest.approx(exact.pvalue, abs=0.02)
    rate = line(compared, "rouge_l.pass_rate")
    lost, gained = int((a.passed & ~b.passed).sum()), int((~a.passed & b.passed).sum())
    assert rate.flips == (lost, gained) and rate.delta == pytest.approx((gained - lost) / 240)
    assert rate.p == pytest.approx(binomtest(lost, lost + gained).pvalue)
    fell = int((b.score - a.score < -0.3).sum())
    assert found.drops == (fell, pytest.approx(binomtest(fell, 240).proportion_ci(0.9, "exact").high))


def test_the_corpus_score_is_sacrebleus(compared: Comparison) -> None:
    found = line(compared, "bleu.corpus")
    sides = [run.take(np.arange(run.n), ["output", "expected", "expected_2"]).to_pydict() for run in (compared.pairs.a, compared.pairs.b)]
    for side, value in zip(sides, (found.a, found.b), strict=True):
        wanted = BLEU().corpus_score(side["output"], [side["expected"], side["expected_2"]]).score / 100
        assert value == pytest.approx(wanted, abs=1e-12)
    random, metric, deltas = np.random.default_rng(1), BLEU(), []
    for _ in range(100):
        rows = random.integers(0, 240, 240)
        drawn = [[[side[name][i] for i in rows] for name in ("output", "expected", "expected_2")] for side in sides]
        a, b = (metric.corpus_score(output, references).score / 100 for output, *references in drawn)
        deltas.append(b - a)
    assert found.ci == (pytest.approx(np.quantile(deltas, 0.025), abs=0.01), pytest.approx(np.quantile(deltas, 0.975), abs=0.01))
    assert found.mde == pytest.approx(2.8 * np.std(deltas), rel=0.3)


def test_each_reference_set_is_what_scoring_against_it_alone_gives(tmp_path: Path, compared: Comparison) -> None:
    assert [*compared.reference_sets] == ["expected", "expected_2", "all"]
    for name, other in (("expected", "expected_2"), ("expected_2", "expected")):
        alone = [
            stored(tmp_path, f"{side}{name}", [{k: v for k, v in row.items() if k != other} for row in rows_of(240, share, seed)],
                   options=SACRE, evaluators=("bleu", "rouge_l"), columns={"expected": name})
            for seed, (side, share) in enumerate((("x", 0.6), ("y", 0.7)))
        ]  # fmt: skip
        found = compare(*alone, FEW)
        assert not found.reference_sets
        for one, other in zip(found.whole, compared.reference_sets[name], strict=True):  # tags are in the table of one
            assert replace(one, p_holm=0) == replace(other, p_holm=0)
    assert compared.reference_sets["all"] == [*compared.whole]


def test_groups_tags_and_people_stand_beside(compared: Comparison) -> None:
    short = line(compared, "rouge_l.mean", "short")
    rows = np.arange(0, 240, 2)
    a, b = (run.scored("rouge_l").score[rows] for run in (compared.pairs.a, compared.pairs.b))
    assert (short.n, short.by, short.delta) == (120, "task_type", pytest.approx((b - a).mean()))
    assert line(compared, "bleu.corpus", "short").claim == "too few"
    wrong = line(compared, "wrong")
    said = [np.array(run.tags["wrong"].to_pylist()) for run in (compared.pairs.a, compared.pairs.b)]
    assert wrong.lower_is_better and wrong.delta == pytest.approx(said[1].mean() - said[0].mean())
    people = line(compared, "human_score")
    assert people.claim == "improved" and people.delta == pytest.approx(0.5, abs=0.1) and people.drops is None


def test_the_json_has_what_it_promises(compared: Comparison) -> None:
    out = json.loads(json.dumps(compared.to_dict(), allow_nan=False))
    assert {*out} == {"a", "b", "alignment", "metrics", "reference_sets", "tags", "human", "warnings"}
    assert out["alignment"] == {"pairs": 240, "only_a": 0, "only_b": 0, "duplicates": 0, "changed": 0}
    assert {one["id"] for one in out["metrics"]} == {"bleu.mean", "bleu.pass_rate", "bleu.corpus", "rouge_l.mean", "rouge_l.pass_rate"}
    for one in out["metrics"]:
        assert {"id", "group", "n", "a", "b", "delta", "ci", "method", "mde", "p", "claim"} <= {*one}
        assert one["delta"] == pytest.approx(one["b"] - one["a"]) and one["ci"][0] <= one["delta"] <= one["ci"][1]
        assert one["claim"] in ("improved", "regressed", "no evidence", "too few")
        assert ("flips" in one) == one["id"].endswith("pass_rate")
    assert [s["name"] for s in out["reference_sets"]] == ["expected", "expected_2", "all"]


def test_turned_round_everything_has_the_other_sign(tmp_path: Path) -> None:
    a, b = both(tmp_path, 120)
    there, back = compare(a, b, FEW), compare(b, a, FEW)
    opposite = {"improved": "regressed", "regressed": "improved"}
    for one, other in zip(there.metrics, back.metrics, strict=True):
        assert other.delta == pytest.approx(-one.delta) and other.claim == opposite.get(one.claim, one.claim)
        if not one.id.endswith("corpus"):
            assert other.ci == (pytest.approx(-one.ci[1]), pytest.approx(-one.ci[0]))


def test_the_same_run_twice_shows_nothing(tmp_path: Path) -> None:
    a, _ = both(tmp_path, 210)
    for one in compare(a, a, FEW).metrics:
        assert (one.delta, one.p, one.claim) == (0, 1, "too few" if one.n < 200 and (one.by and one.id.endswith("corpus")) else "no evidence")


@pytest.mark.parametrize("n", [1, 2, 3, 99])
def test_few_rows_claim_nothing(tmp_path: Path, n: int) -> None:
    found = compare(*both(tmp_path, n, (0.1, 1.0)), FEW)
    assert {one.claim for one in (*found.metrics, *found.tags, *found.human)} == {"too few"}
    assert (line(found, "bleu.mean").ci is None) == (n == 1)
    json.dumps(found.to_dict(), allow_nan=False)


def test_skewed_differences_claim_nothing_however_clear_they_look() -> None:
    d = np.where(np.arange(150) % 75 == 0, -1.0, 0.01)
    found, = adjusted([of_mean("x.mean", np.zeros(150), d, Rules(resamples=500))])
    assert found.claim == "too few"
    even, = adjusted([of_mean("x.mean", np.zeros(150), np.tile([0.01, 0.03], 75), Rules(resamples=500))])
    assert even.claim == "improved"


def test_fewer_than_six_flips_are_never_significant(tmp_path: Path) -> None:
    rows = rows_of(200, 1.0, 1)
    worse = [row | {"output": "nothing of it"} if i < 5 else row for i, row in enumerate(rows)]
    found = line(compare(stored(tmp_path, "a", rows), stored(tmp_path, "b", worse), FEW), "bleu.pass_rate")
    assert found.flips == (5, 0) and found.p > 0.05 and found.claim == "no evidence"


DIFFERENT = {
    "another variant": (dict(options=SACRE), "scored differently"),
    "another option": (dict(options={"bleu": {"smoothing": "none"}}), "smoothing is add1 in A and none in B"),
    "another evaluator": (dict(evaluators=("gleu",)), "No evaluator scored both runs: bleu against gleu"),
}


@pytest.mark.parametrize("name", DIFFERENT)
def test_what_was_scored_differently_is_refused(tmp_path: Path, name: str) -> None:
    how, said = DIFFERENT[name]
    a, b = stored(tmp_path, "a", rows_of(20, 0.6, 1)), stored(tmp_path, "b", rows_of(20, 0.6, 2), **how)
    with pytest.raises(Incomparable, match=said):
        compare(a, b)


def test_what_agrees_can_be_compared_alone(tmp_path: Path) -> None:
    a = stored(tmp_path, "a", rows_of(20, 0.6, 1), ("bleu", "rouge_l"))
    b = stored(tmp_path, "b", rows_of(20, 0.6, 2), ("bleu", "rouge_l"), options=SACRE)
    with pytest.raises(Incomparable, match="compare only rouge_l") as refused:
        compare(a, b)
    assert refused.value.alike == ("rouge_l",)
    assert compare(a, b, Asked(metrics=("rouge_l",))).evaluators == ("rouge_l",)
    with pytest.raises(Incomparable, match="did not score both"):
        compare(a, b, Asked(metrics=("gleu",)))


def test_other_judges_are_refused(tmp_path: Path) -> None:
    rows = [{"id": "1", **get_evaluator("factuality").card.texts.example}]
    a, b, c = (
        stored(tmp_path, name, rows, ("factuality",), judge={"judge": judge})
        for name, judge in (("a", "heuristic"), ("b", "heuristic"), ("c", "recorded:example"))
    )
    found = compare(a, b)
    shift = level_shift(found.pairs.measured("factuality"), found.pairs)
    assert [sum(pair[side] for pair in shift.values()) for side in (0, 1)] == pytest.approx([1, 1])
    with pytest.raises(Incomparable, match="answered by different judges: judge is .* in A and .* in B"):
        compare(a, c)


def test_other_thresholds_leave_pass_rates_out(tmp_path: Path) -> None:
    a, b = stored(tmp_path, "a", rows_of(20, 0.6, 1)), stored(tmp_path, "b", rows_of(20, 0.6, 2), thresholds={"bleu": 0.9})
    found = compare(a, b)
    assert {one.id for one in found.metrics} == {"bleu.mean", "bleu.corpus"}
    assert any("different thresholds" in text for text in found.warnings)


def test_a_missing_answer_is_said_and_what_it_would_cost(tmp_path: Path) -> None:
    rows = rows_of(120, 0.9, 1)
    empty = [{**row, "expected": "", "expected_2": ""} for row in rows[:3]] + rows[3:]
    a, b = stored(tmp_path, "a", empty), stored(tmp_path, "b", empty)
    found = compare(a, b, FEW)
    assert line(found, "bleu.mean").n == 117
    assert any(text.startswith("bleu: 3 of the pairs have no score in A and 3 none in B") for text in found.warnings)


def test_a_column_that_names_rows_is_no_group(tmp_path: Path) -> None:
    rows = [[row | {"topic": f"t{i}"} for i, row in enumerate(rows_of(201, 0.6, seed))] for seed in (1, 2)]
    c, d = (stored(tmp_path, name, side) for name, side in zip("cd", rows, strict=True))
    found = compare(c, d, replace(FEW, group_by=("topic",)))
    assert {one.by for one in found.metrics} == {None} and "topic has more than 200 values" in found.warnings[-1]


def test_rows_of_a_document_are_one_cluster(tmp_path: Path) -> None:
    rows = [[row | {"doc": f"d{i // 4}"} for i, row in enumerate(rows_of(400, 0.6, seed))] for seed in (1, 2)]
    a, b = (stored(tmp_path, name, side) for name, side in zip("ab", rows, strict=True))
    found = line(compare(a, b, replace(FEW, cluster_by="doc")), "bleu.mean")
    d = b.scored("bleu").score - a.scored("bleu").score
    assert found.method == "clustered t"
    means = d.reshape(100, 4).mean(axis=1)  # clusters of one size: the interval of their means
    wanted = ttest_rel(means, np.zeros(100)).confidence_interval()
    assert found.ci == (pytest.approx(wanted.low), pytest.approx(wanted.high))


def test_rows_without_a_document_are_each_on_their_own(tmp_path: Path) -> None:
    rows = [[row | {"doc": ""} for row in rows_of(60, 0.6, seed)] for seed in (1, 2)]
    rows[0][0]["doc"] = rows[1][0]["doc"] = rows[0][1]["doc"] = rows[1][1]["doc"] = "d"
    a, b = (stored(tmp_path, name, side) for name, side in zip("ab", rows, strict=True))
    found, alone = (line(compare(a, b, replace(FEW, cluster_by=by)), "bleu.mean") for by in ("doc", None))
    assert (found.method, alone.method) == ("clustered t", "paired t")
    assert found.mde == pytest.approx(alone.mde, rel=0.1)


def test_several_runs_are_adjusted_together(tmp_path: Path) -> None:
    a, b = both(tmp_path, 120, (0.6, 0.64))
    c = stored(tmp_path, "c", rows_of(120, 0.65, 5))
    alone, together = compare(a, b, FEW), against(a, [b, c], FEW)
    assert len(together) == 2 and together[0].pairs.b.id == b.id
    for one, other in zip(alone.whole, together[0].whole, strict=True):
        assert one.p == other.p and other.p_holm >= one.p_holm
    assert max(other.p_holm - one.p_holm for one, other in zip(alone.whole, together[0].whole, strict=True)) > 0


@pytest.mark.parametrize("options", [{}, SACRE], ids=["jeval", "sacrebleu"])
def test_the_split_of_log_bleu_adds_up_for_the_corpus_and_every_row(tmp_path: Path, options: dict) -> None:
    found = compare(*both(tmp_path, 60, options=options), FEW)
    measured, whole = found.pairs.measured("bleu"), line(found, "bleu.corpus")
    split = corpus_split(measured)
    assert split.delta == pytest.approx(log(whole.b) - log(whole.a), abs=1e-12)
    assert sum(split.orders.values()) + split.brevity == pytest.approx(split.delta, abs=1e-12)
    seen = 0
    for i in range(60):
        counts = [{name: float(c[i]) for name, c in side.items()} for side in measured.counts]
        one = item_split(measured.one, *counts)
        if one is None:
            assert min(side[i] for side in measured.score) == 0
            continue
        seen += 1
        wanted = log(measured.score[1][i]) - log(measured.score[0][i])
        assert one.delta == pytest.approx(wanted, abs=1e-12)
        assert sum(one.orders.values()) + one.brevity == pytest.approx(one.delta, abs=1e-12)
    assert seen > 30


def test_ngrams_lost_and_gained() -> None:
    found = item_grams(get_evaluator("bleu"), "the cat sat here", "a cat sat on a mat", ["the cat sat on a mat"])
    assert dict(found.gained)[("cat", "sat", "on", "a")] == 1 and ("the",) not in dict(found.gained)
    assert dict(found.lost) == {("the", "cat", "sat"): 1}
    assert item_grams(get_evaluator("levenshtein"), "a", "b", ["c"]) is None


def test_the_rows_that_moved_furthest_come_first(compared: Comparison) -> None:
    measured = compared.pairs.measured("rouge_l")
    d = measured.score[1] - measured.score[0]
    drops, gains = movers(measured)
    assert d[drops[0]] == d.min() and (np.diff(d[drops]) >= 0).all() and (d[drops] < 0).all()
    assert d[gains[0]] == d.max() and (np.diff(d[gains]) <= 0).all() and len(drops) + len(gains) == int((d != 0).sum())
    grams = run_grams(compared.pairs, compared.pairs.measured("bleu"))
    assert grams.gained and not {gram for gram, _ in grams.lost} & {gram for gram, _ in grams.gained}


def test_sets_that_disagree_are_named(tmp_path: Path) -> None:
    rows = rows_of(200, 1.0, 1)
    one = stored(tmp_path, "a", [row | {"output": row["expected"]} for row in rows])
    other = stored(tmp_path, "b", [row | {"output": row["expected_2"]} for row in rows])
    found = compare(one, other, FEW)
    assert found.warnings[0].startswith("The reference sets disagree about the winner.")
    assert "B is ahead against expected_2" in found.warnings[0] and disagreement(found.reference_sets)
    assert disagreement(compare(one, one, FEW).reference_sets) is None
    assert not compare(one, other, replace(FEW, references=False)).reference_sets


def run_of(name: str, *evaluators: str, **how: object) -> str:
    path = Path(FOLDER or "") / name
    spec = Spec(((str(path), name),), evaluators, **how)
    return Store.open().save_run(spec.run(), spec)


@REAL
def test_translations_by_people_and_by_both_references() -> None:
    store = Store.open()
    ids = [run_of(f"mt_ted_zhen_{name}.csv", "bleu", options=SACRE) for name in ("DIDI-NLP", "Online-W", "MiSS", "IIE-MT")]
    a, b, c, d = (store.run(id) for id in ids)
    found = compare(a, b)
    assert found.warnings[0].startswith("The reference sets disagree about the winner. By bleu.corpus B is ahead against expected")
    sets = {name: next(one for one in each if one.id == "bleu.corpus") for name, each in found.reference_sets.items()}
    assert [one.claim for one in sets.values()] == ["improved", "regressed", "no evidence"]
    assert [round(one.delta, 4) for one in sets.values()] == [0.0696, -0.0578, -0.0087]
    assert line(found, "human_mqm").claim == "regressed"
    assert line(compare(c, d), "human_mqm").claim == "no evidence"


@REAL
def test_hallucinations_of_two_models() -> None:
    store, tag = Store.open(), {"hallucination": "is_hallucination"}
    ids = [run_of(f"halluqa_zh_{name}.jsonl", "bleu", tag_columns=tag) for name in ("qwen-7b-chat", "gpt-4-0613")]
    found = compare(*(store.run(id) for id in ids))
    one = line(found, "hallucination")
    assert (one.n, one.claim) == (450, "improved") and one.delta == pytest.approx(-0.2133, abs=1e-4)
    assert one.ci[1] == pytest.approx(-0.1625, abs=1e-4) and one.ci_also[1] == pytest.approx(-0.1624, abs=1e-4)
    assert any("white space" in text for text in found.warnings)
