"""The Compare page, without a browser."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import console
from console import compared
from console.components.aligned import runs as aligned_runs
from console.components.compare import export, movers
from console.components.compare.place import Place
from jeval_core.compare import compare
from jeval_core.harness.store import Store
from tests.compare.made import both, rows_of, stored

APP = Path(console.__file__).with_name("app.py")


def open_at(place: Place, page: str = "views/compare.py") -> AppTest:
    app = AppTest.from_file(str(APP), default_timeout=60)
    app.switch_page(page)
    for name, value in place.params().items():
        app.query_params[name] = value
    return checked(app.run())


def checked(app: AppTest) -> AppTest:
    assert not app.exception, app.exception
    return app


def words(app: AppTest) -> str:
    parts = [e.value for kind in (app.caption, app.text, app.markdown, app.error, app.warning) for e in kind]
    return "\n".join(str(p) for p in [*parts, *(e.proto.body for e in app.get("html"))]).replace("\\", "")


def parameters(app: AppTest) -> tuple[str, list[str]]:
    a, b = app.query_params["a"], app.query_params["b"]
    return a if isinstance(a, str) else a[-1], [b] if isinstance(b, str) else [*b]


def drawn(app: AppTest, key: str) -> dict:
    """What a component of ours was given."""
    for one in app.get("bidi_component"):
        if key in one.proto.id:
            return json.loads(one.proto.json)
    raise AssertionError(f"no component {key}")


def test_without_runs_it_says_where_they_come_from() -> None:
    app = open_at(Place())
    assert "There is no run yet" in words(app) and "A comparison needs two" in words(app)
    app.button(key="example").click()
    assert "A: 48 rows = 48 paired. B: 48 rows = 48 paired." in words(checked(app.run()))
    assert {one["claim"] for one in drawn(app, "changed")["lines"]} == {"too few"}
    assert app.warning[0].value.startswith("The reference sets disagree about the winner")


def test_two_runs_are_chosen_by_hand(tmp_path: Path) -> None:
    a, b = both(tmp_path, 30)
    app = open_at(Place())
    app.selectbox(key="choose-a").set_value(a.id)
    checked(app.run())
    app.selectbox(key="choose-b-0").set_value(b.id)
    checked(app.run())
    assert parameters(app) == (a.id, [b.id])
    assert "A: 30 rows = 30 paired. B: 30 rows = 30 paired." in words(app)
    app.button(key="swap").click()
    checked(app.run())
    assert parameters(app) == (b.id, [a.id])


@pytest.mark.parametrize("evaluators", [("bleu",), ("bleu", "rouge_l", "levenshtein"), ("factuality",)], ids="/".join)
def test_the_page_has_the_numbers_of_the_command(tmp_path: Path, evaluators: tuple[str, ...]) -> None:
    a, b = both(tmp_path, 220, evaluators=evaluators)
    wanted = compare(a, b)
    app = open_at(Place(a.id, (b.id,)))
    lines = drawn(app, "changed")["lines"]
    assert [one["id"] for one in lines] == [one.id for one in (*wanted.whole, *(t for t in wanted.tags if not t.by))]
    for one, line in zip(wanted.whole, lines, strict=False):
        assert (line["value"], line["claim"], [line["lo"], line["hi"]]) == (one.delta, one.claim, [*one.ci])
    found = compared.wait(compared.Key(a.id, (b.id,)))
    assert json.loads(export.numbers(found)) == json.loads(json.dumps(wanted.to_dict()))


def test_a_picked_row_is_the_row_that_is_shown(tmp_path: Path) -> None:
    a, b = both(tmp_path, 220)
    for place in (
        Place(a.id, (b.id,), metric="bleu"),
        Place(a.id, (b.id,), metric="bleu", moves="biggest gains"),
        Place(a.id, (b.id,), metric="bleu", by="task_type", group="long"),
        Place(a.id, (b.id,), metric="bleu", moves="biggest gains", page=1),
    ):
        app = open_at(place)
        table = next(d.value for d in app.dataframe if "output of A" in d.value)
        (found,) = compared.wait(compared.Key(a.id, (b.id,)))
        rows = movers.listed(place, found)[place.page * movers.PAGE :]
        pair = int(rows[3])
        texts = a.take([int(found.alignment.a[pair])], ["id", "output"]).to_pylist()[0]
        assert (table["id"][3], table["output of A"][3]) == (texts["id"], texts["output"])
        shown = open_at(Place(**{**place.__dict__, "pair": pair}))
        assert f"Case {texts['id']}" in words(shown)
        sides = drawn(shown, "aligned")["sides"]
        assert "".join(text for text, _ in sides[0]["runs"]) == texts["output"]
        scores = shown.table[0].value
        d = b.scored("bleu").score[found.alignment.b[pair]] - a.scored("bleu").score[found.alignment.a[pair]]
        assert float(scores["B − A"][0].replace("−", "-")) == pytest.approx(d, abs=0.006)


def test_three_runs_against_one(tmp_path: Path) -> None:
    a, b = both(tmp_path, 40)
    c = stored(tmp_path, "c", rows_of(40, 0.9, 7))
    app = open_at(Place(a.id, (b.id, c.id), of=1))
    lines = drawn(app, "against-table")["lines"]
    assert [one["name"] for one in lines] == ["1 · b.csv", "2 · c.csv"]
    assert drawn(app, "against-table")["picked"] == "2 · c.csv"
    app.button(key="remove-run").click()
    assert parameters(checked(app.run())) == (a.id, [b.id])


def test_a_refusal_offers_what_compares(tmp_path: Path) -> None:
    a = stored(tmp_path, "a", rows_of(20, 0.6, 1), ("bleu", "rouge_l"))
    b = stored(tmp_path, "b", rows_of(20, 0.6, 2), ("bleu", "rouge_l"), options={"bleu": {"smoothing": "none"}})
    app = open_at(Place(a.id, (b.id,)))
    assert "smoothing is add1 in A and none in B" in app.error[0].value.replace("\\", "")
    app.button(key="only").click()
    checked(app.run())
    assert [one["id"] for one in drawn(app, "changed")["lines"]][:1] == ["rouge_l.mean"]


ODD = {
    "the same run": (lambda a, b: Place(a, (a,)), "the same run"),
    "no such run": (lambda a, b: Place(a, ("nothing",)), "There is no run"),
    "no such pair": (lambda a, b: Place(a, (b,), pair=99), "there is none with this number"),
    "no such metric": (lambda a, b: Place(a, (b,), metric="nothing"), "What changed"),
    "no such column": (lambda a, b: Place(a, (b,), by="nothing", group="x"), "What changed"),
    "no such group": (lambda a, b: Place(a, (b,), by="task_type", group="nothing"), "What changed"),
    "no such cluster": (lambda a, b: Place(a, (b,), cluster="nothing"), "There is no column"),
    "no such candidate": (lambda a, b: Place(a, (b,), of=7), "What changed"),
    "no such page": (lambda a, b: Place(a, (b,), page=77), "What changed"),
}


@pytest.mark.parametrize("name", ODD)
def test_an_odd_address_is_no_fault(tmp_path: Path, name: str) -> None:
    make, said = ODD[name]
    a, b = both(tmp_path, 12)
    assert said in words(open_at(make(a.id, b.id)))


def test_a_run_that_is_deleted_meanwhile(tmp_path: Path) -> None:
    a, b = both(tmp_path, 12)
    stored(tmp_path, "c", rows_of(12, 0.5, 3))
    app = open_at(Place(a.id, (b.id,)))
    Store.open().delete_run(b.id)
    assert "There is no run" in words(checked(app.run()))


def test_hostile_texts_stay_texts(tmp_path: Path) -> None:
    rows = rows_of(12, 0.6, 1)
    evil = "<script>alert(1)</script> ![x](http://x.example/y) $\\frac{1}{2}$ :red[x]"
    rows = [row | {"id": f"{evil} {i}", "task_type": evil, "input": evil} for i, row in enumerate(rows)]
    a = stored(tmp_path, "a", rows)
    b = stored(tmp_path, "b", [row | {"output": evil} for row in rows])
    for place in (Place(a.id, (b.id,)), Place(a.id, (b.id,), by="task_type", group=evil), Place(a.id, (b.id,), pair=0)):
        app = open_at(place)
        assert not any("<script>" in e.proto.body for e in app.get("html"))
        for text in [e.value for kind in (app.markdown, app.caption, app.button) for e in kind if getattr(e, "value", None)]:
            assert "![x](" not in str(text) and ":red[x]" not in str(text)
        assert not any("![x](" in button.label for button in app.button)


@pytest.mark.parametrize(("a", "b", "left", "right"), [
    ("give 5 mg", "give 50 mg", [("give ", False), ("5", True), (" mg", False)], [("give ", False), ("50", True), (" mg", False)]),
    ("", "x", [], [("x", True)]),
    ("", "", [], []),
    ("same", "same", [("same", False)], [("same", False)]),
])  # fmt: skip
def test_two_texts_word_by_word(a: str, b: str, left: list, right: list) -> None:
    assert aligned_runs(a, b) == (left, right)
