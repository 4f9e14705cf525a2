"""Exports of other tools, known by their shape: written here in small, and the real ones where they are at hand."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from jeval_core.data import UnreadableFile, dataset_version, map_columns, read, sniff
from jeval_core.data.formats.assertions import parse_written
from tests.data_io.files import NO_REAL, REAL, cells, csv_text, jsonl, load, real_files, references, write
from tests.data_io.survey import survey

needs_real = pytest.mark.skipif(not real_files(), reason=NO_REAL)

RESULT: dict[str, Any] = {
    "promptIdx": 0, "testIdx": 4, "provider": {"id": "echo", "label": ""}, "prompt": {"raw": "Say hi", "label": "{{q}}"},
    "vars": {"question": "hi?", "lang": "en"}, "response": {"output": "hi"}, "success": False, "score": 0.4, "error": "too low",
    "namedScores": {"tone": 0.9},
    "testCase": {"assert": [{"type": "bleu", "value": ["hello {{lang}}", "hi"]}, {"type": "llm-rubric", "value": "be kind"}, {"type": "contains", "value": "x"}], "metadata": {"doc": "d1", "_x": 1}, "threshold": 0.3},
    "gradingResult": {"pass": False, "score": 0.4, "componentResults": [
        {"score": 0.2, "assertion": {"type": "bleu", "value": ["hello {{lang}}", "hi"]}}, {"score": 0.6, "assertion": {"type": "bleu", "value": "hey", "metric": "second"}}, {"score": 1, "assertion": None}]},
}  # fmt: skip


def test_promptfoo_result(tmp_path: Path) -> None:
    (row,) = cells(read(write(tmp_path, "t.jsonl", jsonl([RESULT]))))
    assert row == {
        "id": "test-5", "model_version": "[echo] {{q}}", "input": "hi?", "output": "hi", "expected": '["hello en", "hi", "hey"]',
        "criteria": "be kind", "threshold": "0.3", "vars.question": "hi?", "vars.lang": "en", "metadata.doc": "d1",
        "promptfoo.prompt": "Say hi", "promptfoo.score": "0.4", "promptfoo.passed": "false", "promptfoo.reason": "too low",
        "promptfoo.bleu": "0.2", "promptfoo.second": "0.6", "promptfoo.check": "1", "promptfoo.tone": "0.9",
    }  # fmt: skip
    whole = read(
        write(tmp_path, "t.json", json.dumps({"evalId": "e", "results": {"version": 3, "results": [RESULT, 7]}}))
    )
    assert whole.source.format == "promptfoo-results-json" and cells(whole) == [row]
    assert [(p.line, p.code) for p in whole.problems] == [(2, "not_an_object")]


def test_promptfoo_error_without_a_response(tmp_path: Path) -> None:
    broken = {**RESULT, "response": None, "gradingResult": None}
    (row,) = cells(read(write(tmp_path, "t.jsonl", jsonl([broken]))))
    assert row["output"] is None and row["promptfoo.reason"] == "too low"


def test_promptfoo_table_with_verdicts_in_its_cells(tmp_path: Path) -> None:
    table = [
        ["question", "[openai:gpt-4] {{question}}", "[echo] Q: {{question}}"],
        ["one?", "[PASS] (0.91) fine", "[FAIL] (0.10) too short\n---\nno"],
        ["two?", "[FAIL] bad", "[ERROR] timeout"],
        ["", "", ""],
    ]
    found = read(write(tmp_path, "t.csv", csv_text(table)))
    rows = cells(found)
    assert found.source.format == "promptfoo-results-csv" and found.lines.tolist() == [2, 2, 5, 5]
    assert [r["output"] for r in rows] == ["fine", "no", "bad", "timeout"]
    assert [r["input"] for r in rows] == ["one?", "one?", "two?", "two?"]
    assert [r["promptfoo.prompt"] for r in rows] == ["one?", "Q: one?", "two?", "Q: two?"]
    assert [r["promptfoo.passed"] for r in rows] == ["true", "false", "false", "false"]
    assert [r["promptfoo.score"] for r in rows] == ["0.91", "0.10", None, None]
    assert (found.rows_in_file, found.blank, found.rejected) == (5, 1, 0)


def test_promptfoo_tests(tmp_path: Path) -> None:
    table = [
        ["__description", "question", "answer", "__expected", "__expected2", "__metadata:doc", "__threshold"],
        ["t1", "q1", "a1", "similar(0.8): hello {{question}}", "hello", "d", "0.5"],
        ["t2", "q2", "a2", "llm-rubric: be kind", "javascript: output.length < 5", "", ""],
        ["t3", "q3", "a3", "not-equals: bad", "Note: this is plain text", "", ""],
    ]
    data = load(write(tmp_path, "t.csv", csv_text(table)), {"output": "answer"})
    assert data.id.to_pylist() == ["t1", "t2", "t3"] and data.output.to_pylist() == ["a1", "a2", "a3"]
    assert references(data) == [["hello q1", "hello"], [], ["Note: this is plain text"]]
    assert data.criteria is not None and data.criteria.to_pylist() == [None, "be kind", None]
    assert data.threshold.tolist()[0] == 0.5 and data.extra.column_names == ["metadata.doc"]


WRITTEN = [
    ("bleu(0.5): a: b", ("bleu", "a: b")),
    ("plain", ("equals", "plain")),
    ("Time: noon", ("equals", "Time: noon")),
    ("note: x", ("equals", "note: x")),
    ("grade: be kind", ("llm-rubric", "be kind")),
    ("not-contains: x", ("not-contains", "x")),
    ("python: len(x)", ("code", "python: len(x)")),
    ("contains-any: a,b", ("contains-any", "a,b")),
]


@pytest.mark.parametrize(("cell", "parts"), WRITTEN)
def test_written_assertions(cell: str, parts: tuple[str, str]) -> None:
    assert parse_written(cell) == parts


def test_openai_evals(tmp_path: Path) -> None:
    chat = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "2+2?"}]
    path = write(
        tmp_path,
        "t.jsonl",
        jsonl(
            [
                {"input": chat, "ideal": ["4", "four"]},
                {"input": [chat[1]], "ideal": "4"},
                {"input": "plain", "ideal": "x"},
            ]
        ),
    )
    table = read(path)
    assert table.source.format == "openai-evals"
    assert [r["input"] for r in cells(table)] == ["system: Be brief.\n\nuser: 2+2?", "2+2?", "plain"]
    assert map_columns(table, require=()).references == ("ideal",)


def test_deepeval(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        "t.csv",
        csv_text(
            [
                ["input", "actual_output", "expected_output", "context", "retrieval_context"],
                ["q", "a", "e", "c1|c2", "r"],
            ]
        ),
    )
    table = read(path)
    found = map_columns(table)
    assert table.source.format == "deepeval-csv"
    assert (found.output, found.references, found.input) == ("actual_output", ("expected_output",), "input")


def test_lm_eval_of_older_and_newer_versions(tmp_path: Path) -> None:
    base = {
        "doc_id": 3,
        "doc": {"q": "?"},
        "target": "4",
        "doc_hash": "h",
        "filter": "none",
        "exact_match": 1.0,
        "metrics": ["exact_match"],
    }
    samples = [
        {
            **base,
            "arguments": {"gen_args_0": {"arg_0": "2+2=", "arg_1": {}}},
            "resps": [["4"]],
            "filtered_resps": ["4"],
        },
        {**base, "arguments": [["2+2=", {}]], "resps": [[" 4"]], "filtered_resps": [[]]},
        {**base, "arguments": [], "resps": [[["-1.5", "False"]]], "filtered_resps": [["-1.5", "False"]]},
    ]
    rows = cells(read(write(tmp_path, "t.jsonl", jsonl(samples))))
    assert [(r["id"], r["input"], r["output"], r["expected"]) for r in rows] == [
        ("3", "2+2=", "4", "4"),
        ("3", "2+2=", " 4", "4"),
        ("3", None, '["-1.5", "False"]', "4"),
    ]
    assert rows[0]["lm_eval.exact_match"] == "1.0" and rows[0]["doc_hash"] == "h"


SAMPLE: dict[str, Any] = {
    "id": 1, "epoch": 1, "input": [{"role": "user", "content": [{"type": "text", "text": "attachment://ab12"}]}], "target": ["a", "b"],
    "output": {"choices": [{"message": {"content": "a"}}]}, "scores": {"match": {"value": "C"}}, "metadata": {"k": 1, "deep": {"x": [1]}},
    "attachments": {"ab12": "a long text"},
}  # fmt: skip


def test_inspect(tmp_path: Path) -> None:
    log = {
        "status": "success",
        "plan": {},
        "eval": {"model": "m"},
        "samples": [SAMPLE, {**SAMPLE, "id": 2, "output": {"choices": []}}],
    }
    data = load(write(tmp_path, "t.json", json.dumps(log)))
    assert data.output.to_pylist() == ["a", None] and references(data) == [["a", "b"], ["a", "b"]]
    assert data.input is not None and data.input[0].as_py() == "a long text"
    assert data.extra.column_names == ["epoch", "metadata.k", "metadata.deep", "inspect.match"]
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as z:
        z.writestr("header.json", json.dumps({k: v for k, v in log.items() if k != "samples"}))
        for n in (10, 9, 1):
            z.writestr(f"samples/{n}_epoch_1.json", json.dumps({**SAMPLE, "id": n}))
    packed = load(write(tmp_path, "t.eval", out.getvalue()))
    assert (
        packed.id.to_pylist() == ["1", "9", "10"]
        and packed.model_version is not None
        and packed.model_version[0].as_py() == "m"
    )
    with pytest.raises(UnreadableFile, match="no samples"):
        read(write(tmp_path, "t.json", json.dumps({**log, "samples": []})))


def test_helm_with_its_metrics(tmp_path: Path) -> None:
    state = {
        "adapter_spec": {"model": "m"},
        "request_states": [
            {
                "instance": {
                    "id": "i1",
                    "input": {"text": "q"},
                    "references": [
                        {"output": {"text": "yes"}, "tags": ["correct"]},
                        {"output": {"text": "no"}, "tags": []},
                    ],
                },
                "train_trial_index": 0,
                "result": {"completions": [{"text": " yes"}, {"text": "no"}]},
            }
        ],
    }
    stats = [
        {
            "instance_id": "i1",
            "train_trial_index": 0,
            "stats": [
                {"name": {"name": "f1"}, "mean": 0.5},
                {"name": {"name": "f1", "perturbation": {"name": "x"}}, "mean": 0.1},
            ],
        }
    ]
    paths = [write(tmp_path, "s.json", json.dumps(state)), write(tmp_path, "p.json", json.dumps(stats))]
    data = load(paths)
    assert data.output.to_pylist() == [" yes", "no"] and references(data) == [["yes"], ["yes"]]
    assert data.extra["helm.f1"].to_pylist() == ["0.5", "0.5"] and sniff(paths).format == "helm"


def test_parallel_text(tmp_path: Path) -> None:
    paths = [
        write(tmp_path, f"news.{side}.txt", text)
        for side, text in (("hyp", "a, b\n\nc\n"), ("ref", "x\ny\u2028z\n\n"), ("src", "1\n2\n3"))
    ]
    data = load(paths)
    assert data.output.to_pylist() == ["a, b", "", "c"] and references(data) == [["x"], ["y\u2028z"], []]
    assert data.input is not None and data.input.to_pylist() == ["1", "2", "3"] and sniff(paths).format == "mt-text"
    with pytest.raises(UnreadableFile, match="have 3, 1 lines"):
        read([paths[0], write(tmp_path, "short.ref.txt", "x\n")])
    with pytest.raises(UnreadableFile, match="one file at a time"):
        read([paths[0], write(tmp_path, "t.csv", "output\nx\n")])
    several = read([*paths[:2], write(tmp_path, "other.ref.txt", "k\nl\nm")])
    assert len(map_columns(several).references) == 2


@needs_real
def test_survey_of_real_files() -> None:
    found = {line.file: line for line in survey(REAL)}
    assert len(found) == len(real_files())
    for name, line in found.items():
        assert line.mapping.startswith("output←") or "--map output=" in line.mapping or line.explained, (name, line)
    rows = {name: line.rows for name, line in found.items()}
    assert rows["summeval_outputs_16systems.csv"] == 1600 and rows["mt_ted_zhen_long_4systems.tsv"] == 2116
    assert (
        rows["squality_3systems_human.csv"] == 300
        and rows["promptfoo_results_ted.json"] == rows["promptfoo_results_ted.csv"] == 240
    )
    assert rows["inspect_log_popularity.eval"] == 10 and rows["xsum_factuality_annotations.csv"] == 5597


@needs_real
def test_one_promptfoo_run_in_three_formats() -> None:
    a, b, c = (load(REAL / f"promptfoo_results_ted.{s}") for s in ("json", "jsonl", "csv"))
    assert dataset_version(a) == dataset_version(b)

    def answers(data: Any) -> set[tuple[str, ...]]:
        return {
            (data.id[i].as_py(), data.model_version[i].as_py(), data.input[i].as_py(), data.output[i].as_py())
            for i in range(len(data))
        }

    assert answers(a) == answers(b) == answers(c)
    assert {"promptfoo.bleu", "promptfoo.gleu", "promptfoo.rouge-n"} <= {*a.extra.column_names}


@needs_real
def test_four_systems_share_one_data_set() -> None:
    names = ("DIDI-NLP", "IIE-MT", "MiSS", "Online-W")
    assert len({dataset_version(load(REAL / f"mt_ted_zhen_{n}.csv")) for n in names}) == 1
