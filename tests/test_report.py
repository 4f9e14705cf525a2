"""The HTML report: every number on it is the run's, whatever the run is like."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats as scipy_stats

from console.report import report_of
from jeval_core.registry import get_evaluator
from jeval_core.runs import Run, run_file
from jeval_core.stats import bootstrap_mean, rate_interval
from tests import reports
from tests.reports import IDS, NAMES, Node, around, data_of, made, parsed, table, values

BOTH = [*zip(NAMES, IDS, strict=True)]


@pytest.fixture
def run() -> Run:
    return reports.translations()


@pytest.fixture
def labels() -> np.ndarray:
    return reports.labels()


@pytest.fixture(scope="module")
def page() -> Node:
    return parsed(reports.report())


def figures(value: float, ci: tuple[float, float] | None, form: str) -> str:
    said = [f"{value:{form}}", *([f"{ci[0]:{form}} to {ci[1]:{form}}"] if ci else [])]
    return " | ".join(said).replace("-", "−")


def t_interval(x: np.ndarray) -> tuple[float, float]:
    low, high = scipy_stats.t.interval(0.95, len(x) - 1, x.mean(), scipy_stats.sem(x))
    return float(low), float(high)


def test_results_are_the_runs(run: Run, page: Node) -> None:
    expected = []
    for name, id, limit in zip(
        NAMES, IDS, ["score ≥ 0.5", "score ≥ 0.75", "score ≥ 0.75", "distance ≤ 5"], strict=True
    ):
        x, n, k = run.scored[id].score, len(run.rows), int(run.scored[id].passed.sum())
        expected.append(
            [
                f"{name} | {limit} | {n} rows",
                "",
                figures(k / n, rate_interval(k, n), ".1%"),
                figures(x.mean(), t_interval(x), ".3f"),
            ]
        )
    assert page.section("Results").rows() == expected


@pytest.mark.parametrize(("name", "id"), BOTH)
@pytest.mark.parametrize("column", ["model_version", "task_type"])
def test_groups_are_the_runs(run: Run, page: Node, name: str, id: str, column: str) -> None:
    value = np.array((run.rows.model_version if column == "model_version" else run.rows.groups[column]).to_pylist())
    expected = {}
    for group in set(value.tolist()):
        own = value == group
        x, k = run.scored[id].score[own], int(run.scored[id].passed[own].sum())
        expected[group] = [
            f"{group} | {own.sum()} rows",
            "",
            figures(k / own.sum(), rate_interval(k, int(own.sum())), ".1%"),
            figures(x.mean(), t_interval(x), ".3f"),
        ]
    rows = page.section(name).section(f"By {column}").rows()
    assert {row[0].split(" | ")[0]: row for row in rows} == expected and len(rows) == len(expected)
    rates = [float(row[2].split("%")[0]) for row in rows]
    assert rates == sorted(rates, reverse=True)


def test_agreement_is_scipys(run: Run, page: Node) -> None:
    gold = run.rows.gold["human_score"]
    known = ~np.isnan(gold)
    for row, name, id in zip(page.section("With people").rows(), NAMES, IDS, strict=True):
        x, y = run.scored[id].score[known], gold[known]
        r = [
            scipy_stats.spearmanr(x, y).statistic,
            scipy_stats.kendalltau(x, y).statistic,
            scipy_stats.pearsonr(x, y).statistic,
        ]
        assert row[0] == f"{name} with human_score | {known.sum()} rows"
        assert [cell.split(" | ")[0] for cell in row[1:]] == [f"{v:.3f}".replace("-", "−") for v in r]
        assert all(" to " in cell for cell in row[1:])
    pairs = page.section("Between evaluators").rows()
    assert [row[0].split(" | ")[0] for row in pairs] == [
        f"{a} with {b}" for i, a in enumerate(NAMES) for b in NAMES[i + 1 :]
    ]
    one = scipy_stats.spearmanr(run.scored["rouge_n"].score, run.scored["rouge_l"].score).statistic
    assert pairs[3][1].startswith(f"{one:.3f} | ")


@pytest.mark.parametrize(("name", "id"), BOTH)
def test_tiles(run: Run, labels: np.ndarray, page: Node, name: str, id: str) -> None:
    tiles = {
        c.all("p")[0].text(): [p.text() for p in c.all("p")[1:]]
        for c in page.section(name).all("div", "tiles")[0].all("div", "card")
    }
    s, known = run.summaries[id], ~np.isnan(labels)
    same, n = int((run.scored[id].passed[known] == (labels[known] == 1)).sum()), int(known.sum())
    low, high = rate_interval(same, n)
    expected = {
        "Mean": [f"{s.mean:.3f}", f"95% {s.mean_ci[0]:.3f} to {s.mean_ci[1]:.3f}"],
        "Pass rate": [f"{s.pass_rate:.1%}", f"95% {s.pass_rate_ci[0]:.1%} to {s.pass_rate_ci[1]:.1%}"],
        "Agrees with people": [f"{same / n:.1%}", f"95% {low:.1%} to {high:.1%}, {n} labels"],
        "Rows scored": ["96", "none left out"],
    }
    if s.corpus:
        expected["Corpus BLEU"] = [f"{s.corpus[0]:.3f}", "all rows as one text"]
    assert tiles == expected


def test_figures_draw_the_runs_rows(run: Run, page: Node) -> None:
    data = data_of(page)["figures"]
    drawn = iter(data)
    for id in IDS:
        bars = next(drawn)
        score, passed = run.scored[id].score, run.scored[id].passed
        edges = np.arange(41) / 40
        fail, good = (np.histogram(score[rows], edges)[0].tolist() for rows in (~passed, passed))
        assert [values(t["y"]) for t in bars["data"]] == [fail, good]
        lines = [s["x0"] for s in bars["layout"].get("shapes", []) if s.get("line", {}).get("dash")]
        if id == "levenshtein":
            assert lines == []
            continue
        limit = get_evaluator(id).card.threshold
        assert lines == [limit]
        curve = next(drawn)["data"][0]
        assert values(curve["y"])[50] == pytest.approx((score >= 0.5 - 1e-9).mean())
    matrix = values(next(drawn)["data"][0]["z"])
    assert matrix[2][1] == run.correlations()[1]["rouge_n"]["levenshtein"].spearman[0]
    assert next(drawn, None) is None
    assert [len(page.all("div", "plot")), [p.attributes["id"] for p in page.all("div", "plot")][-1]] == [8, "plot-7"]
    assert all(len(p.attributes["aria-label"] or "") > 40 for p in page.all("div", "plot"))


def test_how_each_number_was_made(run: Run, page: Node) -> None:
    method = page.section("How these numbers were made")
    said = method.text()
    for needed in [
        run.version,
        run.id,
        *(r["run_id"] for r in run.systems()),
        *(s.signature for s in run.scored.values()),
        "seed 12345",
        "translation.csv",
        "UTF-8",
        "human_score as a human score",
    ]:
        assert needed in said
    low, high = bootstrap_mean(run.scored["rouge_l"].score)
    own = {
        dt.text(): dd.text()
        for dt, dd in zip(method.section("ROUGE-L").all("dt"), method.section("ROUGE-L").all("dd"), strict=True)
    }
    assert own["Mean by bootstrap"] == f"{low:.3f} to {high:.3f}"
    z, sd, n = 2.801585, run.scored["rouge_l"].score.std(ddof=1), len(run.rows)
    assert (
        own["Smallest change, mean"]
        == f"{z * sd / n**0.5:.3f} on the same rows, {z * sd * (2 / n) ** 0.5:.3f} on others"
    )


def test_lowest_rows(run: Run, page: Node) -> None:
    cards = page.section("Lowest scores").all("article")
    order = np.argsort(run.scored["bleu"].score, kind="stable")[:5]
    assert [c.all("b")[0].text() for c in cards] == [f"Line {run.rows.lines[i]}" for i in order]
    chips = [c.text() for c in cards[0].all("span", "chip")]
    for chip, name, id in zip(chips, NAMES, IDS, strict=True):
        passed = run.scored[id].passed[order[0]]
        assert chip == f"{name} {run.scored[id].score[order[0]]:.3f}\u2002" + (
            "✓\u00a0pass" if passed else "✗\u00a0fail"
        )
    assert run.rows.output[int(order[0])].as_py() in cards[0].text()
    assert all(c[int(order[0])].as_py() in cards[0].text() for _, c in run.rows.references)


def test_long_texts_say_what_is_left(run: Run) -> None:
    said = (
        parsed(report_of(run.to_dict(), {}, {}, [{"line": 1, "output": "é" * 1601, "note": None}]))
        .section("Lowest scores")
        .text()
    )
    assert "é" * 600 + "… (1,001 more characters)" in said and "é" * 601 not in said and "note–" in said


def test_bad_lines_are_listed_and_every_row_accounted_for(tmp_path: Path) -> None:
    path = tmp_path / "bad.csv"
    path.write_text("output,expected\na b,a b\n,\nc d,c e\nbroken,one,too many\n", "utf-8")
    found = run_file(path, ["rouge_n"])
    page = parsed(made(found))
    lines = page.section("Lines that need a look")
    assert lines.rows() == [
        [
            f"{p.line}" if p.line else "file",
            p.reason,
            "rejected" if p.rejected else "left out" if p.code == "blank_row" else "kept",
        ]
        for p in found.rows.problems
    ]
    assert {row[2] for row in lines.rows()} >= {"rejected", "left out"}
    rows = found.account()
    assert (
        f"{rows['in_file']} rows in the file = {rows['scored']} scored + {rows['skipped']} skipped + {rows['failed']} failed + {rows['rejected']} rejected."
        in page.text()
    )
    many = found.to_dict() | {
        "problems": [{"line": i, "code": "x", "reason": f"reason {i}", "rejected": False} for i in range(1, 1302)]
    }
    lines = parsed(report_of(many, {}, {})).section("Lines that need a look")
    assert len(lines.rows()) == 200 and "The first 200 of 1,301 notes." in lines.text()


def test_thresholds_of_rows_are_said_and_drawn(tmp_path: Path) -> None:
    rows = [
        {"output": "a b c d", "expected": f"a b c {'d' if i % 2 else 'x'}", "threshold": (0.9, 0.1)[i // 10]}
        for i in range(20)
    ]
    found = run_file(table(tmp_path / "own.csv", rows), ["rouge_n"])
    page = parsed(made(found))
    assert "score ≥ 0.75 unless it has a threshold of its own" in page.section("Results").text()
    fail, good = data_of(page)["figures"][0]["data"]
    assert (
        (sum(values(fail["y"])), sum(values(good["y"])))
        == (5, 15)
        == (20 - found.scored["rouge_n"].passed.sum(), found.scored["rouge_n"].passed.sum())
    )
    assert "75.0%" in page.section("Results").rows()[0][2]


EDGES: dict[str, tuple[list[dict[str, Any]], list[str], list[str], int]] = {
    "nothing scored": ([{"output": "a", "expected": " "}] * 3, ["bleu"], ["no row was scored", "3 skipped", "3 rows in the file = 0 scored + 3 skipped"], 0),
    "one row": ([{"output": "a b", "expected": "a c"}], ["bleu", "rouge_n"], ["one row has no interval", "1 row in the file = 1 scored"], 4),
    "all equal": ([{"output": "a b", "expected": "a b"}] * 9, ["rouge_l"], ["1.000 to 1.000", "100.0%"], 2),
    "one evaluator": ([{"output": "a b c", "expected": f"a b {i}"} for i in range(30)], ["bleu"], ["Scored by BLEU."], 2),
}  # fmt: skip


@pytest.mark.parametrize("edge", EDGES)
@pytest.mark.parametrize("known", [True, False], ids=["thresholds", "no thresholds"])
def test_edges(tmp_path: Path, edge: str, known: bool) -> None:
    rows, ids, needed, drawn = EDGES[edge]
    found = run_file(table(tmp_path / "edge.csv", rows), ids)
    scores = {id: s.score for id, s in found.scored.items()}
    html = made(found) if known else report_of(found.to_dict(), scores, {})
    page = parsed(html)
    assert [part for part in needed if part not in page.text()] == []
    figures = data_of(page)["figures"]
    assert len(figures) == (drawn if known else drawn // 2)
    drawn_values = [v for f in figures for t in f["data"] for axis in "xy" for v in values(t[axis])]
    assert np.isfinite(np.array(drawn_values, float)).all()
    assert ("score ≥" in page.text()) == known
    assert not re.search(r"\bNaN\b|Infinity|\bnan\b|\bNone\b", around(html))
    if len(ids) < 2:
        assert "Between evaluators" not in page.text()


def test_a_system_alone_and_an_evaluator_nobody_knows(run: Run) -> None:
    whole = run.to_dict()
    kept = {k: whole[k] for k in ("dataset", "source", "mapping", "problems")}
    one = {
        "run_id": "5812dc1f2403a69d",
        "model_version": "fluent",
        **kept,
        "groups": {},
        "signatures": {"gone": "gone|rev:1"},
        "aggregates": {"gone": whole["aggregates"]["bleu"]},
    }
    page = parsed(report_of(one, {"gone": run.scored["bleu"].score}, {"gone": 0.5}))
    assert (
        "the answers of fluent only" in page.text()
        and "gone|rev:1" in page.text()
        and "does not know the evaluator" in page.text()
    )
    assert page.section("Results").rows()[0][0] == "gone | score ≥ 0.5 | 96 rows"


def test_a_distance_without_verdicts_is_drawn_in_one_colour(run: Run) -> None:
    one = report_of(run.to_dict(), {"levenshtein": run.scored["levenshtein"].score}, {"levenshtein": 5})
    bars = data_of(parsed(one))["figures"][0]["data"]
    assert len(bars) == 1 and sum(values(bars[0]["y"])) == 96


def test_the_same_run_gives_the_same_bytes(run: Run, labels: np.ndarray) -> None:
    html = reports.report()
    assert made(run, labels=labels) == html
    assert 4_000_000 < len(html.encode()) < 6_000_000
