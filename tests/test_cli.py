"""The command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from console.cli import app
from jeval_core import evaluate, explain

PAIR = [
    "--output",
    "The model returns calibrated probabilities, not text.",
    "--expected",
    "The model returns calibrated probabilities rather than text.",
]
FIELDS = {"output": PAIR[1], "expected": PAIR[3]}


def run(*args: str, stdin: bytes | None = None):
    return CliRunner().invoke(app, [*args], input=stdin)


def test_evaluate() -> None:
    result = run("evaluate", "bleu", *PAIR)
    assert result.exit_code == 0
    assert result.stdout.splitlines()[0] == "bleu: 0.61 pass. Score 0.61 is at least the threshold 0.5."


def test_json_is_the_apis_object() -> None:
    result = run(
        "evaluate",
        "suite:everything",
        *PAIR,
        "--option",
        "bleu.variant=sacrebleu",
        "--option",
        "rouge_n.stemmer=true",
        "--threshold",
        "bleu=0.3",
        "--json",
    )
    response = json.loads(result.stdout)
    assert set(response) == {"results", "usage", "version"}
    assert (
        response["results"][0] == evaluate("bleu", **FIELDS, options={"variant": "sacrebleu"}, threshold=0.3).to_dict()
    )


def test_several_references_and_files(tmp_path: Path) -> None:
    (tmp_path / "out.txt").write_text("\ufeffa b", "utf-8")
    (tmp_path / "ref.txt").write_text("a b", "utf-8")
    result = run(
        "evaluate",
        "gleu",
        "--output-file",
        str(tmp_path / "out.txt"),
        "--expected",
        "x",
        "--expected-file",
        str(tmp_path / "ref.txt"),
        "--json",
    )
    assert json.loads(result.stdout)["results"][0]["score"] == 1.0
    assert (
        json.loads(run("evaluate", "gleu", "--output-file", "-", "--expected", "a b", "--json", stdin=b"a b").stdout)[
            "results"
        ][0]["score"]
        == 1.0
    )


def test_explain() -> None:
    text = run("explain", "bleu", *PAIR).stdout
    assert "[2 of 4] Clipped precision." in text and "[extra] Who gets which number." in text
    assert json.loads(run("explain", "gleu", *PAIR, "--json").stdout) == json.loads(
        json.dumps(explain("gleu", **FIELDS).to_dict())
    )


def test_evaluators() -> None:
    assert "variant: jeval, promptfoo, promptfoo-2025, sacrebleu" in run("evaluators").stdout
    ids = [c["id"] for c in json.loads(run("evaluators", "--suite", "harness", "--json").stdout)["evaluators"]]
    assert ids == ["bleu", "rouge_n", "rouge_l", "semantic_similarity"]


CODES = [
    (["evaluate", "bleu", *PAIR], 0, ""),
    (["evaluate", "bleu", *PAIR, "--check"], 0, ""),
    (["evaluate", "bleu", *PAIR, "--check", "--threshold", "0.9"], 1, ""),
    (["evaluate", "bleu", "--output", "a", "--expected", ""], 2, ""),
    (["explain", "bleu", "--output", "a", "--expected", ""], 2, ""),
    (["evaluate", "blue", *PAIR], 3, "Did you mean `bleu`?"),
    (["evaluate", "bleu", "--output", "a"], 3, "bleu needs `expected`."),
    (["evaluate", "bleu", "--expected", "a"], 3, "There is no output to score."),
    (["evaluate", "bleu", "--output", "a", "--output-file", "x", "--expected", "b"], 3, "exclude each other"),
    (["evaluate", "bleu", *PAIR, "--option", "tokens"], 3, "--option takes name=value."),
    (["evaluate", "bleu", *PAIR, "--option", "gleu.tokens=13a"], 3, "names an evaluator that is not asked for"),
    (["evaluate", "bleu", *PAIR, "--threshold", "bleu=high"], 3, "A threshold must be a number."),
    (["evaluate", "bleu", *PAIR, "--threshold", "nan"], 3, "between 0 and 1"),
    (["evaluate", "bleu", "--output-file", "no-such-file", "--expected", "a"], 3, "no-such-file: No such file"),
    (["evaluators", "--suite", "x"], 3, "There is no suite `x`."),
    (["console", "--host", "0.0.0.0"], 3, "Set JEVAL_API_TOKEN"),
]  # fmt: skip


@pytest.mark.parametrize(("args", "code", "says"), CODES, ids=[" ".join(c[0])[:40] for c in CODES])
def test_exit_codes(monkeypatch: pytest.MonkeyPatch, args: list[str], code: int, says: str) -> None:
    monkeypatch.delenv("JEVAL_API_TOKEN", raising=False)
    result = run(*args)
    assert result.exit_code == code, result.output
    assert says in result.stderr and len(result.stderr.splitlines()) <= 1


@pytest.mark.parametrize("args", [["run"], ["data"], ["evaluate", "bleu", "--nope"], ["nope"]], ids=" ".join)
def test_a_wrong_call_is_a_wrong_input(args: list[str]) -> None:
    assert run(*args).exit_code == 3


def test_not_utf8(tmp_path: Path) -> None:
    (tmp_path / "latin.txt").write_bytes(b"caf\xe9")
    result = run("evaluate", "bleu", "--output-file", str(tmp_path / "latin.txt"), "--expected", "a")
    assert result.exit_code == 3 and "is not UTF-8: byte 3" in result.stderr


def test_terminal_is_safe_from_texts() -> None:
    assert "\x1b" not in run("explain", "bleu", "--output", "a \x1b[31m b\x07", "--expected", "a").stdout
