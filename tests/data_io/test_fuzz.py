"""Whatever a file holds, reading it ends with a table or with an error that says what is wrong."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from jeval_core.data import Limits, dataset_version, map_columns, read, rows
from jeval_core.errors import JevalError
from tests.data_io import test_formats
from tests.data_io.files import messy_files, real_files

LIMITS = Limits(max_rows=10_000, max_unpacked_bytes=50_000_000)
STRANGE = [
    b"\0",
    b'"',
    b"\r",
    b"\n",
    b",",
    b";",
    b"\t",
    b"\xff",
    b"\xfe",
    b"\xc3",
    b"\xef\xbb\xbf",
    b"[",
    b"]",
    b"{",
    b"}",
    b"\\",
    b"\\ud800",
    b"=",
    b"'",
]


def mutated(data: bytes, rng: random.Random) -> bytes:
    out = bytearray(data)
    for _ in range(rng.randint(1, 6)):
        at = rng.randrange(len(out) + 1)
        match rng.randrange(5):
            case 0 if out:
                out[min(at, len(out) - 1)] = rng.randrange(256)
            case 1:
                out[at:at] = rng.choice(STRANGE)
            case 2:
                del out[at : at + rng.randint(1, 20)]
            case 3:
                out[at:at] = out[at : at + rng.randint(1, 40)]
            case _:
                del out[at : len(out) if rng.random() < 0.3 else at + 1]
    return bytes(out)


def load_all(path: Path) -> None:
    try:
        table = read(path, limits=LIMITS)
    except JevalError as e:
        assert e.message
        return
    assert table.rows_in_file == len(table) + table.rejected + table.blank
    assert len(table.lines) == len(table) and all(c.type == "string" for c in table.columns.columns)
    try:
        data = rows(table, map_columns(table, require=()))
    except JevalError as e:
        assert e.message
        return
    assert data.rows_in_file == len(data) + data.rejected + data.blank
    assert len(dataset_version(data)) == 64


def run(folder: Path, files: list[Path], count: int, seed: int) -> None:
    rng = random.Random(seed)
    contents = [(p.suffix, p.read_bytes()[:20_000]) for p in files]
    for i in range(count):
        suffix, data = contents[i % len(contents)]
        path = folder / f"t{suffix}"
        path.write_bytes(mutated(data, rng))
        try:
            load_all(path)
        except Exception as e:
            raise AssertionError(f"mutation {i} of seed {seed}: {path.read_bytes()[:400]!r}") from e


@pytest.mark.slow
def test_mutations(tmp_path: Path) -> None:
    run(tmp_path, messy_files(), 300, seed=1)


@pytest.mark.long
def test_many_mutations(tmp_path: Path) -> None:
    run(tmp_path, messy_files(), 5_000, seed=2)


@pytest.mark.long
@pytest.mark.skipif(not real_files(), reason="needs JEVAL_TEST_DATA")
def test_many_mutations_of_real_files(tmp_path: Path) -> None:
    run(tmp_path, real_files(), 2_000, seed=3)


def spoilt(value: Any, rng: random.Random) -> Any:
    """The same JSON with some of its parts of another kind."""
    if rng.random() < 0.06:
        return rng.choice([None, 5, 0.5, True, "x", "", [], {}, [1], ["a", None], {"a": 1}, [[]], [{}]])
    if isinstance(value, dict):
        return {k: spoilt(v, rng) for k, v in value.items() if rng.random() > 0.02}
    return [spoilt(v, rng) for v in value] if isinstance(value, list) else value


@pytest.mark.slow
def test_spoilt_exports(tmp_path: Path) -> None:
    rng = random.Random(4)
    log = {"status": "success", "plan": {}, "eval": {"model": "m"}, "samples": [test_formats.SAMPLE] * 3}
    helm = {
        "adapter_spec": {"model": "m"},
        "request_states": [
            {
                "instance": {
                    "id": "i",
                    "input": {"text": "q"},
                    "references": [{"output": {"text": "y"}, "tags": ["correct"]}],
                },
                "result": {"completions": [{"text": "y"}]},
            }
        ],
    }
    stats = [{"instance_id": "i", "train_trial_index": 0, "stats": [{"name": {"name": "f1"}, "mean": 0.5}]}]
    lm = {
        "doc_id": 1,
        "doc": {},
        "target": "4",
        "arguments": {"a": {"b": "p"}},
        "resps": [["4"]],
        "filtered_resps": ["4"],
    }
    openai = {"input": [{"role": "user", "content": [{"type": "text", "text": "q"}]}], "ideal": ["a"]}
    promptfoo = {"results": {"version": 3, "results": [test_formats.RESULT] * 2}}
    documents = [log, helm, stats, [lm] * 2, [openai] * 2, promptfoo, [test_formats.RESULT] * 2]
    for i in range(1_400):
        path = tmp_path / "t.json"
        path.write_text(json.dumps(spoilt(documents[i % len(documents)], rng)))
        try:
            load_all(path)
        except Exception as e:
            raise AssertionError(f"spoilt {i}: {path.read_text()[:1500]}") from e
