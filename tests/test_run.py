"""`jeval run`: every messy file ends as it should, and the object it prints adds up."""

from __future__ import annotations

import csv
import json
import os
from pathlib import Path

import pytest
from sacrebleu.metrics.bleu import BLEU
from typer.testing import CliRunner

from console.cli import app
from jeval_core import evaluate
from tests.data import FOLDER, golden

MESSY = FOLDER / "messy"
DATA = os.environ.get("JEVAL_TEST_DATA")


def run(*args: str):
    return CliRunner().invoke(app, ["run", *args])


def result(*args: str) -> dict:
    done = run(*args, "--json")
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout, parse_constant=lambda c: pytest.fail(f"{c} in the output"))


# file → exit code, (in file, scored, skipped, failed, rejected), mean BLEU, problems as (line, code)
OUTCOMES = {
    "01_bom_utf8.csv": (0, (3, 3, 0, 0, 0), None, []),
    "03_utf16le_tab.csv": (0, (3, 3, 0, 0, 0), None, []),
    "04_cp1252.csv": (0, (2, 2, 0, 0, 0), 1.0, [(0, "not_utf8")]),
    "05_semicolon_decimal_comma.csv": (0, (2, 2, 0, 0, 0), 1.0, []),
    "06_quoted_newlines.csv": (0, (2, 2, 0, 0, 0), 1.0, []),
    "07_ragged_rows.csv": (0, (4, 2, 0, 0, 2), 1.0, [(2, "too_few_cells"), (4, "too_many_cells")]),
    "08_duplicate_headers.csv": (2, None, None, []),
    "09_blank_header.csv": (0, (2, 2, 0, 0, 0), None, []),
    "10_na_text.csv": (0, (8, 7, 1, 0, 0), 6 / 7, []),
    "11_references_json_in_cell.csv": (0, (5, 4, 0, 0, 1), None, [(6, "broken_list")]),
    "13_nul_bytes.csv": (0, (2, 2, 0, 0, 0), 1.0, [(2, "nul_byte")]),
    "14_cr_only.csv": (0, (3, 3, 0, 0, 0), None, []),
    "16_empty.csv": (2, None, None, []),
    "17_header_only.csv": (2, (0, 0, 0, 0, 0), None, [(1, "no_rows")]),
    "19_blank_rows.csv": (0, (3, 2, 1, 0, 0), 1.0, [(4, "blank_row")]),
    "21_huge_cell.csv": (0, (2, 2, 0, 0, 0), None, []),
    "22_mixed_types.csv": (0, (6, 6, 0, 0, 0), None, [(3, "not_a_number"), (4, "no_gold"), (6, "out_of_range"), (7, "out_of_range")]),
    "24_tab.tsv": (0, (3, 3, 0, 0, 0), None, []),
    "25_bad_lines.jsonl": (0, (7, 4, 1, 0, 2), 1.0, [(4, "bad_json"), (5, "no_output"), (7, "not_an_object")]),
    "27_duplicate_ids.csv": (0, (3, 3, 0, 0, 0), 1.0, [(3, "duplicate_id"), (4, "duplicate_row")]),
    "28_formula_cells.csv": (0, (4, 4, 0, 0, 0), None, []),
    "29_unicode_forms.csv": (0, (8, 8, 0, 0, 0), None, []),
    "31_header_case_space.csv": (0, (1, 1, 0, 0, 0), 1.0, []),
    "32_alias_columns.csv": (0, (1, 1, 0, 0, 0), 1.0, []),
    "34_trailing_commas.csv": (0, (2, 2, 0, 0, 0), 1.0, []),
    "36_workbook.xlsx": (0, (6, 6, 0, 0, 0), None, [(4, "no_gold")]),
}


def test_all_26_files() -> None:
    assert {p.name for p in MESSY.iterdir() if p.suffix not in (".md", ".json")} == set(OUTCOMES)


@pytest.mark.parametrize("name", OUTCOMES)
def test_messy(name: str) -> None:
    code, rows, mean, problems = OUTCOMES[name]
    done = run(str(MESSY / name), "--evaluators", "bleu,gleu,rouge_n", "--json")
    assert done.exit_code == code, done.output
    assert (len(done.stderr.splitlines()) == 1) == (code != 0)
    if rows is None:
        return
    out = json.loads(done.stdout)
    r = out["rows"]
    assert (r["in_file"], r["scored"], r["skipped"], r["failed"], r["rejected"]) == rows
    assert r["in_file"] == r["scored"] + r["skipped"] + r["failed"] + r["rejected"]
    assert [(p["line"], p["code"]) for p in out["problems"]] == problems
    if mean is not None:
        assert out["aggregates"]["bleu"]["mean"] == pytest.approx(mean)


def test_ambiguous_mapping_names_the_way_out() -> None:
    done = run(str(MESSY / "08_duplicate_headers.csv"), "--evaluators", "bleu")
    assert "--map 'output=output #2'" in done.stderr
    assert run(str(MESSY / "08_duplicate_headers.csv"), "--evaluators", "bleu", "--map", "output=output #3").exit_code == 0


def test_numbers_are_evaluates(tmp_path: Path) -> None:
    rows = [("a b c", "a b d"), ("", "x"), ("same", "same"), ("x", "")]
    file = tmp_path / "f.csv"
    file.write_text("output,expected,kind\n" + "".join(f"{o},{e},{i % 2}\n" for i, (o, e) in enumerate(rows)), "utf-8")
    out = result(str(file), "--suite", "everything", "--group-by", "kind", "--threshold", "bleu=0.9")
    for id, aggregate in out["aggregates"].items():
        each = [evaluate(id, output=o, expected=e, threshold=0.9 if id == "bleu" else None) for o, e in rows]
        scores = [r.score for r in each if r.status == "scored"]
        assert aggregate["mean"] == pytest.approx(sum(scores) / len(scores), abs=1e-15)
        assert (aggregate["n"], aggregate["n_skipped"]) == (3, 1)
        assert aggregate["pass_rate"] == sum(bool(r.passed) for r in each) / 3
        assert out["signatures"][id] == each[0].signature
    assert set(out["groups"]["kind"]) == {"0", "1"} and out["groups"]["kind"]["0"]["bleu"]["n"] == 2


def test_corpus_bleu_is_sacrebleus() -> None:
    vectors = {v["id"]: v for v in golden("reference")["vectors"]}
    corpus = golden("reference")["corpus"]
    chosen = [vectors[i] for i in corpus["ids"]]
    from jeval_core.batch.engine import score_columns
    from jeval_core.registry import get_evaluator

    pa = pytest.importorskip("pyarrow")
    options = {"variant": "sacrebleu"}
    columns = [pa.array([v["output"] for v in chosen])], [pa.array([v["references"][0] for v in chosen])]
    scored = score_columns(["bleu"], columns[0][0], columns[1], options={"bleu": options})["bleu"]
    score, signature = get_evaluator("bleu", options).corpus({k: v.astype(float) for k, v in scored.counts.items()}, 1)
    assert score == pytest.approx(corpus["sacrebleu_corpus"], abs=1e-9)
    assert signature == corpus["sacrebleu_corpus_signature"]
    direct = BLEU().corpus_score([v["output"] for v in chosen], [[v["references"][0] for v in chosen]])
    assert score == pytest.approx(direct.score / 100, abs=1e-12)


@pytest.mark.parametrize("suffix", [".csv", ".parquet", ".jsonl", ".xml"])
def test_out(tmp_path: Path, suffix: str) -> None:
    target = tmp_path / f"out{suffix}"
    assert run(str(MESSY / "28_formula_cells.csv"), "--evaluators", "bleu", "--out", str(target)).exit_code == 0
    assert target.stat().st_size > 100
    if suffix == ".csv":
        cells = [cell for row in csv.reader(target.open(encoding="utf-8", newline="")) for cell in row]
        assert not any(cell.startswith(("=", "+", "@", "\t", "\r")) for cell in cells)
    if suffix == ".jsonl":
        assert "NaN" not in target.read_text("utf-8")


WRONG = [
    (["no-such-file.csv", "--evaluators", "bleu"], 3, "There is no file `no-such-file.csv`"),
    ([str(MESSY / "01_bom_utf8.csv")], 3, "Give --evaluators"),
    ([str(MESSY / "01_bom_utf8.csv"), "--evaluators", "blue"], 3, "Did you mean `bleu`?"),
    ([str(MESSY / "01_bom_utf8.csv"), "--evaluators", "bleu", "--map", "output=outptu"], 3, "output"),
    ([str(MESSY / "01_bom_utf8.csv"), "--evaluators", "bleu", "--group-by", "nope"], 3, "no column `nope`"),
    ([str(MESSY / "01_bom_utf8.csv"), "--evaluators", "bleu", "--out", "x.doc"], 3, "--out cannot write .doc"),
]


@pytest.mark.parametrize(("args", "code", "says"), WRONG, ids=[w[2] for w in WRONG])
def test_one_clear_line(args: list[str], code: int, says: str) -> None:
    done = run(*args)
    assert done.exit_code == code and says in done.stderr and len(done.stderr.splitlines()) == 1


@pytest.mark.skipif(not DATA, reason="no folder of real files")
def test_promptfoo_results_keep_their_own_scores() -> None:
    from jeval_core.runs import run_file

    table = run_file(Path(str(DATA)) / "promptfoo_results_ted.json", ["bleu", "gleu", "rouge_n"]).table()
    assert {"promptfoo.bleu", "promptfoo.gleu", "promptfoo.rouge-n"} <= set(table.column_names)


SUMMEVAL = {  # design figures: (Spearman, Kendall) for coherence, consistency, fluency, relevance
    "rouge_n.mean_f_1": [(0.169, 0.126), (0.160, 0.131), (0.116, 0.094), (0.328, 0.253)],
    "rouge_n.mean_f_2": [(0.184, 0.139), (0.187, 0.155), (0.159, 0.128), (0.290, 0.219)],
}


@pytest.mark.slow
@pytest.mark.skipif(not DATA, reason="no folder of real files")
def test_summeval_as_published(tmp_path: Path) -> None:
    import numpy as np
    import pandas as pd
    from scipy.stats import kendalltau, spearmanr

    folder = Path(str(DATA))
    lines = (folder / "summeval_references.jsonl").read_text("utf-8").splitlines()
    references = {d["doc_id"]: json.dumps(d["references"]) for d in map(json.loads, lines)}
    joined = pd.read_csv(folder / "summeval_outputs_16systems.csv", dtype=str, keep_default_na=False)
    joined.assign(expected=joined["doc_id"].map(references)).to_csv(tmp_path / "joined.csv", index=False)
    settings = [x for o in ("tokens=rouge", "stemmer=true", "references=mean") for x in ("--option", o)]
    done = run(str(tmp_path / "joined.csv"), "--evaluators", "rouge_n", *settings, "--out", str(tmp_path / "out.parquet"))
    assert done.exit_code == 0, done.output
    rows = pd.read_parquet(tmp_path / "out.parquet")
    for column, wanted in SUMMEVAL.items():
        for human, (spearman, kendall) in zip(("coherence", "consistency", "fluency", "relevance"), wanted, strict=True):
            docs = [(g[column], g[human].astype(float)) for _, g in rows.groupby("id")]
            kept = [(x, y) for x, y in docs if y.nunique() > 1]
            assert np.mean([spearmanr(x, y).statistic for x, y in kept]) == pytest.approx(spearman, abs=0.0006)
            assert np.mean([kendalltau(x, y).statistic for x, y in kept]) == pytest.approx(kendall, abs=0.0006)
