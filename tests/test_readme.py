"""The README is true: its tables, its code, its recipe for a new evaluator."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from console.tables import filled
from jeval_core import evaluate, list_evaluators
from tests.data import golden

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")


def code(language: str, has: str) -> str:
    """The first code block of a language that holds a text."""
    return next(c for c in re.findall(rf"```{language}\n(.*?)```", README, flags=re.S) if has in c)


def test_tables_are_up_to_date() -> None:
    assert filled(README) == README


def test_every_evaluator_has_a_golden_row() -> None:
    assert {row["evaluator"] for row in golden("evaluators")} == {card.id for card in list_evaluators()}


@pytest.mark.parametrize("row", golden("evaluators"), ids=lambda r: r["evaluator"])
def test_golden_rows(row: dict) -> None:
    given = {name: value for name, value in row.items() if name not in ("evaluator", "score")}
    assert evaluate(row["evaluator"], **given).score == pytest.approx(row["score"], abs=1e-12)


def test_python_example(capsys: pytest.CaptureFixture[str]) -> None:
    exec(code("python", "from jeval_core import evaluate, explain"), {})
    out = capsys.readouterr().out
    assert out.startswith("0.5 True bleu|v:jeval") and "50mg" in out and "Clipped precision" in out


PROBE = """
import json, subprocess, sys
from starlette.testclient import TestClient
from jeval_core import evaluate, explain
from tests.api.conftest import make_client
row = json.loads(sys.argv[1])
assert evaluate("coverage", output=row["output"], expected=row["expected"]).score == row["score"]
frames = explain("coverage", output=row["output"], expected=row["expected"]).frames
assert [f.id for f in frames if not f.extra] == ["counts", "score"], frames
client = make_client()
assert "coverage" in [c["id"] for c in client.get("/api/v1/evaluators").json()["evaluators"]]
response = client.post("/api/v1/evaluate", json={"evaluators": ["coverage"], "output": row["output"], "expected": row["expected"]})
assert response.json()["results"][0]["score"] == row["score"]
cli = subprocess.run([sys.executable, "-m", "console.cli", "evaluate", "coverage", "--output", "red", "--expected", "red", "--json"], capture_output=True, text=True)
assert json.loads(cli.stdout)["results"][0]["score"] == 1.0, cli.stderr
from console.tables import filled
text = filled(open("README.md", encoding="utf-8").read())
assert "| `coverage` | The share of expected words that the output has. |" in text
from streamlit.testing.v1 import AppTest
page = AppTest.from_file("console/app.py", default_timeout=30)
page.query_params["evaluator"] = "coverage"
page.run()
assert not page.exception and page.title[0].value == "Coverage", page.exception
"""


@pytest.mark.slow
def test_recipe_for_a_new_evaluator(tmp_path: Path) -> None:
    for name in ("jeval_core", "console", "tests", ".streamlit"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "README.md", tmp_path)
    (tmp_path / "jeval_core" / "evaluators" / "coverage.py").write_text(code("python", "class Coverage"), "utf-8")
    registry = tmp_path / "jeval_core" / "registry.py"
    name = re.search(r"Add `(\"\w+\")` to `CATALOGUE`", README)
    assert name is not None
    start = "CATALOGUE = (\n"
    source = registry.read_text("utf-8")
    assert start in source
    registry.write_text(source.replace(start, f"{start}    {name.group(1)},\n"), "utf-8")
    row = json.loads(code("json", "coverage"))
    run = subprocess.run(
        [sys.executable, "-c", PROBE, json.dumps(row)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(tmp_path), "PATH": "/usr/bin:/bin"},
    )
    assert run.returncode == 0, run.stderr
