"""Side by side, without a browser: cards, cases, which number, what moves, and labels of a run."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import console
from console import state
from console.components.cards.picture import picture
from console.components.side import found
from console.components.side.why import why
from console.examples import CASES
from console.state import Query
from jeval_core import evaluate, explain, list_evaluators
from jeval_core.embed import weights
from jeval_core.harness.spec import Spec
from jeval_core.harness.store import Store
from tests.app.test_explore import checked, component

VIEW = Path(console.__file__).parent / "views" / "side_by_side.py"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JEVAL_HOME", str(tmp_path / "home"))


def open_page(**params: str | list[str]) -> AppTest:
    app = AppTest.from_file(str(VIEW), default_timeout=60)
    for name, value in params.items():
        app.query_params[name] = value
    return checked(app.run())


def shown(app: AppTest) -> dict[str, dict]:
    return {card["id"]: card for card in component(app, "jeval_cards")["cards"]}


@pytest.mark.parametrize("name", CASES)
def test_cards_say_what_evaluate_says(name: str) -> None:
    fields = CASES[name].fields
    cards = shown(open_page(output=fields.output, expected=[*fields.expected]))
    assert [*cards] == [c.id for c in list_evaluators() if fields.fits(c)]
    for id, card in cards.items():
        result = evaluate(id, output=fields.output, expected=fields.expected, judge="heuristic")
        if result.status == "scored":
            assert (card["label"], card["passed"]) == (explain(id, output=fields.output, expected=fields.expected, judge="heuristic").gauge.label, result.passed)
            assert card["why"] == why(result) and card["bars"]
        assert card["href"].startswith("./?")


def test_a_case_is_chosen_and_goes_along_to_the_address() -> None:
    app = open_page()
    app.button_group(key="case").set_value("Dose")
    checked(app.run())
    assert app.text_area(key=state.OUTPUT).value == "administer 5mg"
    assert app.query_params["output"] in ("administer 5mg", ["administer 5mg"])
    assert any("5mg" in w.value for w in app.warning)
    app.text_area(key=state.OUTPUT).set_value("administer 50mg")
    checked(app.run())
    assert app.button_group(key="case").value in (None, []) and shown(app)["bleu"]["label"] == "1.00"


def test_who_stands_apart() -> None:
    fields = CASES["Paraphrase"].fields
    outcomes = found.outcomes(Query(fields=fields))
    counted = [o for o in outcomes if o.counts]
    assert {o.query.evaluator for o in outcomes} - {o.query.evaluator for o in counted} == {"answer_correctness"}
    few = found.apart(outcomes)
    passing = {o.query.evaluator for o in counted if o.passed}
    assert few in (passing, {o.query.evaluator for o in counted} - passing, set()) and len(few) * 2 <= len(counted)
    head, line = found.said(outcomes)
    assert head == f"{len(passing)} of {len(counted)} evaluators pass this pair" and line.startswith("They disagree")
    margins = [o.margin for o in sorted(outcomes, key=found.SORTS["fails first"])]
    assert margins == sorted(margins) and all((o.margin >= 0) == o.passed for o in counted)


def test_every_evaluator_has_a_picture() -> None:
    for card in list_evaluators():
        trace = explain(card.id, **card.texts.example, judge="recorded:example")
        if trace.gauge is not None:
            caption, bars = picture(trace)
            assert caption and bars and all(0 <= bar.share <= 1 and bar.text for bar in bars)


def test_without_weights_the_page_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(weights.FOLDER, str(tmp_path))
    card = shown(open_page(output="nobody scored this", expected="before"))["semantic_similarity"]
    assert card["passed"] is None and weights.FOLDER in card["why"]


def test_nothing_to_score() -> None:
    app = open_page(output="a", expected="")
    assert {card["passed"] for card in shown(app).values()} <= {None, True, False}
    app = open_page(output="", expected="a b c")
    assert shown(app)["bleu"]["label"] == "0.00"


def test_which_number() -> None:
    app = open_page()
    app.text_input(key="seen").set_value("0.3768")
    checked(app.run())
    table = app.dataframe[0].value
    assert table["Computed by"][0] == "promptfoo" and table["Signature"][0].startswith("bleu|v:promptfoo|")
    for text, said in (("abc", "must be a number"), ("7 of 8", "must be a number")):
        app.text_input(key="seen").set_value(text)
        assert said in checked(app.run()).error[0].value
    app.text_input(key="seen").set_value("0.0123456")
    assert any("None gives 0.0123456" in t.value for t in checked(app.run()).text)


def test_over_a_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "labelled.csv"
    with path.open("w", newline="") as file:
        out = csv.writer(file)
        out.writerow(["output", "expected", "hallucination"])
        for i in range(40):
            out.writerow([f"the parcel {i} came on day {i + (i % 3 == 0)} and is here", f"the parcel {i} came on day {i} and is here", "yes" if i % 3 == 0 else "no"])
    spec = Spec(((str(path), path.name),), ("bleu", "rouge_l"))
    id = Store.open().save_run(spec.run(), spec)
    app = open_page()
    app.selectbox(key="moves-over").set_value(id)
    checked(app.run())
    rows = app.dataframe[-1].value
    assert {*rows["Change"]} >= {"a word left out", "a number ten times as large"} and (rows["Rows"] == 40).any()

    page = AppTest.from_file(str(VIEW.with_name("datasets.py")), default_timeout=60)
    page.query_params["run"] = id
    checked(page.run())
    assert page.selectbox(key=f"label-{id}").value == "hallucination"
    ranges = next(json.loads(e.proto.json or e.proto.mixed.json) for e in page.get("bidi_component") if "Area under the ROC curve" in str(e.proto))
    assert {row["label"] for row in ranges["rows"]} == {"BLEU", "ROUGE-L"} and all(row["value"] > 0.9 and row["lo"] < row["value"] for row in ranges["rows"])
    assert any("27 good, 13 bad" not in c.value and "26 good, 14 bad" in c.value for c in page.caption)
    assert any(c.value.startswith("Time, summed over processors") for c in page.caption)
