"""Rules of the code base that a machine can watch."""

from __future__ import annotations

import ast
import dataclasses
import re
import subprocess
import sys
from pathlib import Path

import pytest

from jeval_core import blocks, trace

ROOT = Path(__file__).parents[1]
CORE = sorted((ROOT / "jeval_core").rglob("*.py"))
CONSOLE = sorted((ROOT / "console").rglob("*.py"))

BLOCKED = """
import sys
for name in ("streamlit", "plotly", "console"):
    sys.modules[name] = None
import importlib, pkgutil, jeval_core
for module in pkgutil.walk_packages(jeval_core.__path__, "jeval_core."):
    importlib.import_module(module.name)
from jeval_core import explain, list_evaluators
for card in list_evaluators():
    explain(card.id, **card.texts.example).to_dict()
"""

FAST = """
import sys
import console.cli
import jeval_core
heavy = {"streamlit", "plotly", "pandas", "numpy", "numba", "scipy", "nltk", "sacrebleu", "fastapi", "pydantic"} & set(sys.modules)
assert not heavy, heavy
"""


ORDER = """
import jeval_core.runs
from jeval_core import list_evaluators
found = [card.id for card in list_evaluators()]
from jeval_core.registry import CATALOGUE
assert found == [*CATALOGUE], found
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "code",
    [BLOCKED, FAST, ORDER],
    ids=["core without the console's libraries", "command line without heavy imports", "one order of evaluators"],
)
def test_imports(code: str) -> None:
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert run.returncode == 0, run.stderr


@pytest.mark.parametrize("path", CORE, ids=lambda p: str(p.relative_to(ROOT)))
def test_core_never_imports_the_console(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        names = (
            [a.name for a in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
        assert not {n.split(".")[0] for n in names} & {"streamlit", "plotly", "console"}


@pytest.mark.parametrize("path", [*CORE, *CONSOLE], ids=lambda p: str(p.relative_to(ROOT)))
def test_modules_stay_small(path: Path) -> None:
    assert len(path.read_text("utf-8").splitlines()) <= 300


def test_text_never_becomes_markup() -> None:
    allowed = {"console/components/ui.py"}  # the product's own headings, escaped
    for path in CONSOLE:
        name, source = str(path.relative_to(ROOT)), path.read_text("utf-8")
        assert "unsafe_allow_html" not in source
        assert "st.html(" not in source or name in allowed
    for path in (ROOT / "console").rglob("*.js"):
        assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write", path.read_text("utf-8")), path


def test_every_block_is_in_the_contract() -> None:
    page = (ROOT / "jeval_core" / "TRACE.md").read_text("utf-8")
    rows = dict(re.findall(r"^\| `(\w+)` \| (.*) \|$", page, flags=re.M))
    for cls in blocks.Block.__subclasses__():
        own = [
            f.name for f in dataclasses.fields(cls) if f.name not in ("id", "area") and not f.metadata.get("text only")
        ]
        assert cls.__name__ in rows
        for name in own:
            assert re.search(rf"\b{name}\b", rows[cls.__name__]), (cls.__name__, name)
    for cls in (trace.Trace, trace.Frame, trace.Gauge, trace.Row, trace.Order, trace.Gram):
        for f in dataclasses.fields(cls):
            assert f.name == "filled" or f"`{f.name}`" in page or re.search(rf"[{{, ]{f.name}\??[,:}}]", page), (
                cls,
                f.name,
            )


@pytest.mark.parametrize(
    "path",
    sorted(
        p
        for p in ROOT.rglob("*")
        if p.suffix in {".py", ".md", ".toml", ".txt", ".js", ".css"} and ".venv" not in p.parts
    ),
    ids=str,
)
def test_no_machine_paths_or_registries(path: Path) -> None:
    source = path.read_text("utf-8", "ignore")
    assert "/" + "root/" not in source and "/" + "tmp/" not in source and "--index" + "-url" not in source


def test_constraints_pin_everything() -> None:
    lines = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    assert lines and all(
        re.fullmatch(r"[A-Za-z0-9_.\-\[\]]+==[\w.!+]+( ; .+)?", line) for line in lines if not line.startswith("#")
    )
