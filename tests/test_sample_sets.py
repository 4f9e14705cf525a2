"""The example sets: each loads without a question, and what it is there to show can be seen in its numbers."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from console.sample_sets import FOLDER, SETS, SampleSet
from jeval_core import data, get_evaluator
from jeval_core.checks import text_warnings
from jeval_core.data import quality
from jeval_core.runs import Run, run_file
from jeval_core.stats import correlate

BY_KEY = {s.key: s for s in SETS}
METRICS = ("bleu", "rouge_n", "rouge_l")

# case → what is wrong in the answer of `fluent`, its words, the words that the first reference has instead
PLANTED = {
    "news-02": ("number", "around 40,000 households", "around 14,000 households"),
    "news-09": ("negation", "sees a threat", "sees no threat"),
    "medical-01": ("number", "Take 50 mg", "Take 5 mg"),
    "medical-02": ("negation", "may safely be used", "must not be used"),
    "medical-06": ("clause", "receive the dose", "receive half the dose"),
    "medical-09": ("number", "for two hours", "for six hours"),
    "shop-02": ("number", "from 14 euros", "from 40 euros"),
    "shop-04": ("negation", "we can exchange", "we cannot exchange"),
    "shop-11": ("negation", "Bulb included", "Bulb not included"),
    "legal-01": ("number", "six months before", "three months before"),
    "legal-02": ("negation", "tenant is liable", "tenant is not liable"),
    "legal-04": ("clause", "third parties.", "third parties without consent."),
    "legal-07": ("clause", "after moving out.", "after moving out, provided that no claims are outstanding."),
}
# support answers that are long and polite and miss the point, and those that are short and right
MISSED = "billing-04 billing-07 billing-08 returns-01 returns-04 returns-11 account-10 account-11 account-14 shipping-02 shipping-11 shipping-14".split()
SHORT = "billing-02 billing-03 billing-06 returns-05 returns-06 returns-10 account-03 account-05 account-06 shipping-03 shipping-05 shipping-10".split()


@cache
def scored(key: str, expected: str | None = None) -> Run:
    one = BY_KEY[key]
    columns = {"expected": expected} if expected else None
    return run_file(one.path, one.evaluators, columns=columns, tag_columns=one.tag_columns, group_by=one.group_by)


def ids(run: Run) -> np.ndarray:
    return np.array(run.rows.id.to_pylist())


def system(run: Run) -> np.ndarray:
    return np.array(run.rows.model_version.to_pylist())


def mean(run: Run, metric: str, rows: np.ndarray) -> float:
    return float(run.scored[metric].score[rows].mean())


@pytest.mark.parametrize("one", SETS, ids=lambda s: s.key)
def test_loads_without_a_question(one: SampleSet) -> None:
    table = data.read(one.path)
    found = data.map_columns(table, tag_columns=one.tag_columns, require=("output", "expected"))
    rows = data.rows(table, found)
    assert table.problems == rows.problems == []
    assert rows.account() == {"rows_in_file": one.rows, "kept": one.rows, "rejected": 0, "blank": 0}
    assert found.unmapped == ()  # every column is some field
    assert rows.input is not None and all(text.strip() for text in rows.input.to_pylist() + rows.output.to_pylist())
    assert all(np.isfinite(values).all() for values in rows.gold.values())
    assert all(tag.null_count == 0 for tag in rows.tags.values())


FOUND = {
    "translation": {"output": "output", "expected": ["expected", "expected_2"], "input": "source", "id": "id", "model_version": "model_version", "task_type": "task_type", "gold.human_score": "human_score"},
    "support": {"output": "output", "expected": ["expected"], "input": "input", "criteria": "criteria", "id": "id", "task_type": "task_type", "risk_tier": "risk_tier", "gold.gold_level": "gold_level"},
    "qa": {"output": "output", "expected": ["expected"], "input": "input", "model_version": "model", "task_type": "category", "tag.hallucination": "label"},
}  # fmt: skip


@pytest.mark.parametrize("one", SETS, ids=lambda s: s.key)
def test_every_column_is_the_field_it_should_be(one: SampleSet) -> None:
    assert data.map_columns(data.read(one.path), tag_columns=one.tag_columns).to_dict() == FOUND[one.key]


@pytest.mark.parametrize("one", SETS, ids=lambda s: s.key)
def test_every_row_is_scored_and_every_group_is_there(one: SampleSet) -> None:
    run = scored(one.key)
    assert run.account() == {"in_file": one.rows, "scored": one.rows, "skipped": 0, "failed": 0, "rejected": 0}
    assert [*run.scored] == [*one.evaluators]
    for column in one.group_by:
        groups = run.groups[column]
        assert len(groups) > 1 and sum(g[one.evaluators[0]].n for g in groups.values()) == one.rows


@pytest.mark.parametrize("one", SETS, ids=lambda s: s.key)
def test_cases_are_different_and_do_not_leak(one: SampleSet) -> None:
    found = quality(scored(one.key).rows)
    assert (found.duplicates.cases, found.near_duplicates.cases, found.echoes, found.leaks) == (0, 0, 0, ())
    systems = 1 if one.key == "support" else 2
    assert found.cases * systems == one.rows


def test_sets_are_told_apart_and_described() -> None:
    assert len(BY_KEY) == len({s.name for s in SETS}) == len({s.path for s in SETS}) == len(SETS)
    for one in SETS:
        assert one.path.parent == FOLDER and "\n" not in one.note and 0 < len(one.note) <= 160
        assert all(get_evaluator(id).card.id == id for id in one.evaluators)


def test_planted_errors_are_where_they_are_said_to_be() -> None:
    run = scored("translation")
    rows = {(c, s): i for i, (c, s) in enumerate(zip(ids(run), system(run), strict=True))}
    (_, first), _ = run.rows.references
    for case, (_, wrong, right) in PLANTED.items():
        output, expected = run.rows.output[rows[case, "fluent"]].as_py(), first[rows[case, "fluent"]].as_py()
        assert wrong in output and right in expected, case
        assert wrong not in expected and right not in output, case
    assert {kind for kind, _, _ in PLANTED.values()} == {"number", "negation", "clause"}


def test_planted_errors_ruin_the_translation_and_hardly_move_the_score() -> None:
    run = scored("translation")
    human = run.rows.gold["human_score"]
    planted = np.isin(ids(run), [*PLANTED]) & (system(run) == "fluent")
    assert planted.sum() == 13 and (human[planted] <= 2).all()
    assert human[~planted].mean() > human[planted].mean() + 3  # 4.36 against 1.31 of 5
    # mean BLEU .732 against .695 of all other rows
    assert abs(mean(run, "bleu", planted) - mean(run, "bleu", ~planted)) < 0.05
    assert run.scored["bleu"].passed[planted].all()
    for metric in METRICS:
        assert mean(run, metric, planted) > mean(run, metric, (system(run) == "fluent") & ~planted)


def test_checks_see_most_of_what_the_scores_do_not() -> None:
    run = scored("translation")
    references = list(zip(*(column.to_pylist() for _, column in run.rows.references), strict=True))
    warned = np.array([bool(text_warnings(o, r)) for o, r in zip(run.rows.output.to_pylist(), references, strict=True)])
    planted = np.isin(ids(run), [*PLANTED]) & (system(run) == "fluent")
    assert (warned & planted).sum() == 11 and (warned & ~planted).sum() <= 2


@pytest.mark.parametrize("metric", ["bleu", "rouge_l"])
def test_references_disagree_about_the_better_system(metric: str) -> None:
    """`fluent` − `steady` for each reference alone: opposite in news and shop, the same in medical and legal."""
    both, first, second = (scored("translation", name) for name in (None, "expected", "expected_2"))
    fluent, domain = system(both) == "fluent", np.array(both.rows.groups["task_type"].to_pylist())

    def delta(run: Run, name: str) -> float:
        rows = domain == name
        return mean(run, metric, rows & fluent) - mean(run, metric, rows & ~fluent)

    for name in ("news", "shop"):
        assert delta(first, name) > 0.3 and delta(second, name) < -0.3
        assert abs(delta(both, name)) < 0.1
    for name in ("medical", "legal"):
        assert delta(first, name) < -0.2 and delta(second, name) < -0.2


def test_people_prefer_another_system_than_the_first_reference() -> None:
    run = scored("translation", "expected")
    fluent, human = system(run) == "fluent", run.rows.gold["human_score"]
    assert human[fluent].mean() < human[~fluent].mean()  # 3.83 against 4.06
    assert mean(run, "bleu", fluent) > mean(run, "bleu", ~fluent) + 0.1


def words(texts: list[str]) -> np.ndarray:
    return np.array([len(t.split()) for t in texts])


def test_polite_answers_that_miss_the_point_beat_short_right_ones() -> None:
    run = scored("support")
    gold, missed, short = run.rows.gold["gold_level"], np.isin(ids(run), MISSED), np.isin(ids(run), SHORT)
    assert missed.sum() == short.sum() == 12
    assert (gold[missed] <= 2).all() and (gold[short] >= 4).all()
    lengths = words(run.rows.output.to_pylist()) / words(run.rows.references[0][1].to_pylist())
    assert lengths[missed].min() > 0.8 and lengths[short].max() < 0.35
    for metric in METRICS:
        score = run.scored[metric].score
        assert score[missed].min() > score[short].max() + 0.3  # the worst of the one lot beats the best of the other
    assert mean(run, "bleu", missed) > 0.6 and mean(run, "bleu", short) < 0.02  # .65 and .005


@pytest.mark.parametrize("metric", METRICS)
def test_support_scores_follow_people_only_where_nothing_is_planted(metric: str) -> None:
    run = scored("support")
    gold, score = run.rows.gold["gold_level"], run.scored[metric].score
    planted = np.isin(ids(run), [*MISSED, *SHORT])

    def spearman(rows: np.ndarray) -> float:
        found = correlate(gold[rows], score[rows]).spearman
        assert found is not None
        return found[0]

    assert spearman(~planted) > 0.8  # .89
    assert spearman(planted) < -0.7  # -.81 to -.82
    assert abs(spearman(np.ones(len(gold), bool))) < 0.2  # -.08 to .15


def test_confident_wrong_answers_beat_right_ones_in_other_words() -> None:
    run = scored("qa")
    wrong, assured = np.array(run.rows.tags["hallucination"].to_pylist(), bool), system(run) == "assured"
    assert (wrong & assured).sum() == 17 and (wrong & ~assured).sum() == 5
    for metric in METRICS:
        one = run.scored[metric]
        assert one.passed[wrong & assured].all() and not one.passed[~wrong & ~assured].any()
        assert mean(run, metric, wrong) > mean(run, metric, ~wrong) + 0.2
        assert mean(run, metric, assured) > mean(run, metric, ~assured) + 0.6


def test_qa_answers_one_question_by_each_system() -> None:
    run = scored("qa")
    assert sorted(system(run)) == ["assured"] * 32 + ["plain"] * 32
    assert {*ids(run)[system(run) == "plain"]} == {*ids(run)[system(run) == "assured"]}


def test_lengths_vary() -> None:
    for one in SETS:
        found = words(scored(one.key).rows.output.to_pylist())
        assert found.max() >= 5 * found.min()
