"""Which rows answer the same case: pairs, what is left over, and that every row is accounted for."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jeval_core.compare import Asked, Incomparable, align, compare
from tests.compare.made import rows_of, stored

ROWS = rows_of(8, 0.7, 1)


def changed(rows: list[dict[str, str]], at: int, **what: str) -> list[dict[str, str]]:
    return [row | what if i == at else row for i, row in enumerate(rows)]


PAD = [{**row, "input": row["input"] + " \n"} if i == 3 else row for i, row in enumerate(ROWS)]
# what B holds where A holds ROWS → pairs, only in A, only in B, repeated, left over, changed, differing in white space
TABLE = {
    "the same": (ROWS, (8, 0, 0, 0, (0, 0), 0, 0)),
    "another order": (ROWS[::-1], (8, 0, 0, 0, (0, 0), 0, 0)),
    "three gone": (ROWS[:5], (5, 3, 0, 0, (0, 0), 0, 0)),
    "one new": ([*ROWS, ROWS[0] | {"id": "new"}], (8, 0, 1, 0, (0, 0), 0, 0)),
    "an id three times": ([*ROWS, ROWS[2], ROWS[2]], (8, 0, 0, 2, (0, 2), 0, 0)),
    "another question": (changed(ROWS, 4, input="other"), (7, 0, 0, 0, (0, 0), 1, 0)),
    "another reference": (changed(ROWS, 4, expected_2="other"), (7, 0, 0, 0, (0, 0), 1, 0)),
    "another answer": (changed(ROWS, 4, output="other"), (8, 0, 0, 0, (0, 0), 0, 0)),
    "white space": (PAD, (8, 0, 0, 0, (0, 0), 0, 1)),
}


@pytest.mark.parametrize("name", TABLE)
def test_every_row_goes_somewhere(tmp_path: Path, name: str) -> None:
    rows, wanted = TABLE[name]
    a, b = stored(tmp_path, "a", ROWS), stored(tmp_path, "b", rows)
    found = align(a, b)
    assert (len(found), found.only_a, found.only_b, found.duplicates, found.unpaired, found.changed, found.trimmed) == wanted
    for run, only, left in ((a, found.only_a, found.unpaired[0]), (b, found.only_b, found.unpaired[1])):
        assert run.n == len(found) + found.changed + only + left
    left, right = (run.take(rows, ["id", "expected"]).to_pylist() for run, rows in ((a, found.a), (b, found.b)))
    assert left == right and (np.diff(found.a) > 0).all()


def test_an_id_three_times_on_both_sides_is_three_pairs_of_one_case(tmp_path: Path) -> None:
    rows = [*ROWS, ROWS[2], ROWS[2]]
    a, b = stored(tmp_path, "a", rows), stored(tmp_path, "b", changed(rows, 9, output="other"))
    found = align(a, b)
    assert (len(found), found.duplicates, found.repeated) == (10, 4, True)
    ids = np.array(a.take(found.a, ["id"])["id"].to_pylist())
    assert len(set(found.case[ids == "q2"])) == 1 and len(set(found.case)) == 8
    assert compare(a, b).metrics[0].method == "clustered t"


def test_rows_without_ids_pair_by_what_they_hold(tmp_path: Path) -> None:
    bare = [{k: v for k, v in row.items() if k != "id"} for row in ROWS]
    a, b = stored(tmp_path, "a", bare), stored(tmp_path, "b", changed(bare[::-1], 0, expected="something else"))
    found = align(a, b)
    assert (len(found), found.only_a, found.only_b, found.changed) == (7, 1, 1, 0)


def test_each_system_of_a_file_pairs_with_itself(tmp_path: Path) -> None:
    def two(seed: int, turned: bool) -> list[dict[str, str]]:
        rows = [row | {"model_version": name} for name in "xy" for row in rows_of(5, 0.6, seed)]
        return rows[::-1] if turned else rows

    a, b = stored(tmp_path, "a", two(1, False)), stored(tmp_path, "b", two(2, True))
    found = align(a, b)
    assert (len(found), found.duplicates, len(set(found.case))) == (10, 0, 5)
    for name in ("id", "model_version"):
        assert a.take(found.a, [name])[name].to_pylist() == b.take(found.b, [name])[name].to_pylist()


def systems(names: str, seed: int) -> list[dict[str, str]]:
    return [row | {"model_version": name} for name in names for row in rows_of(5, 0.6, seed)]


@pytest.mark.parametrize(("left", "right", "pairs", "other"), [
    ("xy", "y", 5, (5, 0)), ("y", "xy", 5, (0, 5)), ("xy", "yz", 5, (5, 5)), ("xy", "xy", 10, (0, 0)), ("x", "y", 5, (0, 0)),
])  # fmt: skip
def test_a_system_never_stands_for_another(tmp_path: Path, left: str, right: str, pairs: int, other: tuple[int, int]) -> None:
    a, b = stored(tmp_path, "a", systems(left, 1)), stored(tmp_path, "b", systems(right, 2))
    found = align(a, b)
    assert (len(found), found.other, found.duplicates, found.unpaired) == (pairs, other, 0, (0, 0))
    if max(len(left), len(right)) > 1:
        for name in ("id", "model_version"):
            assert a.take(found.a, [name])[name].to_pylist() == b.take(found.b, [name])[name].to_pylist()
        said = compare(a, b, Asked(references=False)).warnings
        assert any("by systems that the other run does not have" in text for text in said) == any(other)


def test_runs_without_a_common_system_are_refused(tmp_path: Path) -> None:
    a, b = stored(tmp_path, "a", systems("xy", 1)), stored(tmp_path, "b", systems("vw", 2))
    with pytest.raises(Incomparable, match="share none of them .A: x, y and B: v, w."):
        compare(a, b)
    with pytest.raises(Incomparable, match="B: .none.. Compare single systems|B: .none."):
        compare(a, stored(tmp_path, "c", rows_of(5, 0.6, 1)))


def test_a_case_that_comes_again_without_ids_is_one_case(tmp_path: Path) -> None:
    bare = [{k: v for k, v in row.items() if k != "id"} for row in ROWS for _ in range(4)]
    found = compare(stored(tmp_path, "a", bare), stored(tmp_path, "b", [row | {"output": "x"} for row in bare]))
    assert (found.metrics[0].n, found.metrics[0].cases, found.metrics[0].method) == (32, 8, "clustered t")


def test_nothing_shared_is_said_with_the_reason(tmp_path: Path) -> None:
    a = stored(tmp_path, "a", ROWS)
    for rows, said in (
        ([row | {"id": f"other {row['id']}"} for row in ROWS], "8 are only in A and 8 only in B"),
        ([row | {"input": "another"} for row in ROWS], "differ in `input`"),
    ):
        with pytest.raises(Incomparable, match=said):
            compare(a, stored(tmp_path, said[:3], rows))


def test_what_is_lost_is_said_first(tmp_path: Path) -> None:
    a, b = stored(tmp_path, "a", ROWS), stored(tmp_path, "b", [*changed(ROWS, 4, input="other")[1:], ROWS[7]])
    said = compare(a, b, Asked(references=False)).warnings
    assert "1 case changed between the runs and left out, by what differs: input (1)." in said
    assert any(text.startswith("1 row only in A and 0 only in B") for text in said)
    assert any(text.startswith("1 row with an id that came before") for text in said)


IDS = st.lists(st.sampled_from(["x", "y", "z", "w"]), min_size=1, max_size=7)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(IDS, IDS)
def test_a_pair_never_multiplies(tmp_path_factory: pytest.TempPathFactory, left: list[str], right: list[str]) -> None:
    folder = tmp_path_factory.mktemp("runs")
    a, b = (
        stored(folder, name, [{"id": id, "output": f"{name} {i}", "expected": f"text of {id}"} for i, id in enumerate(ids)])
        for name, ids in (("a", left), ("b", right))
    )
    found = align(a, b)
    assert len(found) == sum(min(left.count(id), right.count(id)) for id in set(left))
    assert len(set(found.a.tolist())) == len(set(found.b.tolist())) == len(found)
    assert found.only_a == sum(id not in right for id in left) and found.only_b == sum(id not in left for id in right)
