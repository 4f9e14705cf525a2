"""What changed from one version of a data set to the next."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jeval_core.data import Diff, dataset_version, diff
from tests.data_io.files import jsonl, load, write

OLD = [
    {"id": "a", "input": "one", "expected": "1"},
    {"id": "b", "input": "two", "expected": "2"},
    {"id": "c", "input": "three", "expected": "3"},
]


def compared(folder: Path, old: list[dict], new: list[dict]) -> Diff:
    sides = [write(folder, f"{name}.jsonl", jsonl(rows)) for name, rows in (("old", old), ("new", new))]
    return diff(*(load(path, require=()) for path in sides))


# name → new version, added, removed, changed, same, reordered
CHANGES = {
    "nothing": (OLD, (), (), {}, 3, False),
    "outputs and other columns": ([{**r, "output": "x", "note": "y"} for r in OLD], (), (), {}, 3, False),
    "one added": ([*OLD, {"id": "d", "input": "four"}], ("d",), (), {}, 3, False),
    "one removed": (OLD[1:], (), ("a",), {}, 2, False),
    "all new": ([{**r, "id": r["id"] * 2} for r in OLD], ("aa", "bb", "cc"), ("a", "b", "c"), {}, 0, False),
    "order": ([OLD[2], *OLD[:2]], (), (), {}, 3, True),
    "input": ([{**OLD[0], "input": "ONE"}, *OLD[1:]], (), (), {"a": ("input",)}, 2, False),
    "reference": ([OLD[0], {**OLD[1], "expected": ""}, OLD[2]], (), (), {"b": ("reference:expected",)}, 2, False),
    "a second reference": ([{**OLD[0], "expected": ["1", "I"]}, *OLD[1:]], (), (), {"a": ("reference:expected_2",)}, 2, False),
    "criteria and conversation": ([{**OLD[0], "criteria": "short", "messages": "hi"}, *OLD[1:]], (), (), {"a": ("criteria", "conversation")}, 2, False),
    "a renamed set": ([{"id": "a", "input": "one", "ref": "1"}], (), ("b", "c"), {"a": ("reference:expected", "reference:ref")}, 0, False),
    "samples of one case": ([r for r in OLD for _ in range(3)], (), (), {}, 3, False),
    "an id with two contents": ([*OLD, {**OLD[0], "input": "uno"}], (), (), {"a": ("input",)}, 2, False),
    "everything at once": ([{"id": "d", "input": "four"}, {**OLD[2], "input": "3", "expected": "iii"}, OLD[0]], ("d",), ("b",), {"c": ("input", "reference:expected")}, 1, False),
}  # fmt: skip


@pytest.mark.parametrize("name", CHANGES)
def test_changes(tmp_path: Path, name: str) -> None:
    new, added, removed, changed, same, reordered = CHANGES[name]
    found = compared(tmp_path, OLD, new)
    assert (found.added, found.removed, found.changed) == (added, removed, changed)
    assert (found.same, found.reordered) == (same, reordered)
    json.dumps(found.to_dict(), allow_nan=False)


CELL = st.sampled_from(["", "x", "y", "é"])
ROWS = st.lists(
    st.fixed_dictionaries({"id": st.sampled_from("abcd"), "input": CELL, "expected": CELL, "output": CELL}), max_size=6
)


@settings(max_examples=150, deadline=None)
@given(ROWS, ROWS)
def test_against_plain_dictionaries(tmp_path_factory, old: list[dict], new: list[dict]) -> None:
    found = compared(tmp_path_factory.mktemp("d"), old, new)
    sides = []
    for rows in (old, new):
        side: dict[str, set] = {}
        for r in rows:
            side.setdefault(r["id"], set()).add((r["input"], r["expected"]))
        sides.append(side)
    before, after = sides
    assert set(found.added) == after.keys() - before.keys() and set(found.removed) == before.keys() - after.keys()
    shared = before.keys() & after.keys()
    assert set(found.changed) == {i for i in shared if before[i] != after[i]}
    assert found.same == len(shared) - len(found.changed)
    for id, fields in found.changed.items():
        for at, field in enumerate(("input", "reference:expected")):
            assert (field in fields) == ({c[at] for c in before[id]} != {c[at] for c in after[id]})


def test_versions_are_those_of_the_files(tmp_path: Path) -> None:
    found = compared(tmp_path, OLD, OLD[1:])
    assert found.old_version == dataset_version(load(tmp_path / "old.jsonl", require=()))
    assert found.new_version == dataset_version(load(tmp_path / "new.jsonl", require=()))


def test_without_ids_a_changed_case_is_another(tmp_path: Path) -> None:
    bare = [{k: v for k, v in r.items() if k != "id"} for r in OLD]
    found = compared(tmp_path, bare, [{**bare[0], "input": "ONE"}, *bare[1:]])
    assert (len(found.added), len(found.removed), found.changed, found.same) == (1, 1, {}, 2)
