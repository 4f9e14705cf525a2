"""The HTML report: every number on it is the run's, whatever the run is like."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats as scipy_stats

from jeval_core.registry import get_evaluator
from jeval_core.runs import Run
from jeval_core.stats import bootstrap_mean, rate_interval
from tests import reports
from tests.reports import IDS, NAMES, Node, data_of, made, parsed, values

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
    assert matrix[2][1] == run.to_dict()["correlations"]["rouge_n"]["levenshtein"]["spearman"]["value"]
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
    ids = [[c.text() for c in card.all("span", "id")] for card in cards]
    assert ids == [[run.rows.id[int(i)].as_py(), run.rows.model_version[int(i)].as_py()] for i in order]
    assert run.rows.output[int(order[0])].as_py() in cards[0].text()
    assert all(c[int(order[0])].as_py() in cards[0].text() for _, c in run.rows.references)


def test_the_same_run_gives_the_same_bytes(run: Run, labels: np.ndarray) -> None:
    html = reports.report()
    assert made(run, labels=labels) == html
    assert 4_000_000 < len(html.encode()) < 6_000_000
