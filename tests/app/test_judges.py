"""Judges on the pages, without a browser: who answers, what is shown, what is asked."""

from __future__ import annotations

import json
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from console import judges, state
from console.components import send
from console.examples import examples
from console.fields import Fields
from console.state import Query
from jeval_core import evaluate, get_evaluator, list_evaluators
from jeval_core.judge.settings import Choice
from tests.app.test_explore import checked, component, home, open_app, parameter, submit
from tests.judge.faults import FaultServer, Say, systemone_body

__all__ = ["home"]
JUDGES = [card.id for card in list_evaluators() if card.kind == "judge"]
ALL = [(id, name) for id in JUDGES for name in examples(id)]


@pytest.fixture(autouse=True)
def nothing_set_up(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("JEVAL_JUDGE", "TYPESAFE_API_KEY", "TYPESAFE_BASE_URL", "JEVAL_CHAT_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    st.cache_resource.clear()  # the environment of a server does not change, that of these tests does


def facts(app: AppTest) -> dict[str, str]:
    found = component(app, "jeval_reading")
    assert found is not None
    return {name: text for name, text, _ in found["facts"]}


def result(app: AppTest) -> dict[str, Any]:
    found = component(app, "jeval_stage")
    assert found is not None
    return dict(found["trace"]["result"])


@pytest.mark.parametrize(("id", "name"), ALL)
def test_every_example_has_its_illustrative_answer(id: str, name: str) -> None:
    fields = examples(id)[name].fields
    more = {k: v for k in ("input", "criteria", "conversation") if (v := getattr(fields, k))}
    app = open_app(evaluator=id, output=fields.output, expected=[*fields.expected], **more)
    assert result(app)["judge"]["kind"] == "illustrative"
    assert facts(app)["answered by"] == "made up to show how it works"
    if name != "Example":
        says = examples(id)[name].shows
        assert result(app)["label"] in says or name == "Split judgement"


def test_the_three_g_eval_examples_are_the_ones_to_learn_from() -> None:
    good, short, split = (open_app(evaluator="g_eval", **_address("g_eval", n)) for n in examples("g_eval"))
    assert (result(good)["label"], result(good)["passed"]) == ("3.7 / 4", True)
    assert (result(short)["label"], result(short)["passed"]) == ("2.8 / 4", False)
    assert result(short)["score"] == pytest.approx(0.6875, abs=1e-12)
    assert [w["code"] for w in result(split)["warnings"]] == ["split"] and result(split)["confidence"] == 0


def _address(id: str, name: str) -> dict[str, Any]:
    fields = examples(id)[name].fields
    more = {k: v for k in ("input", "criteria", "conversation") if (v := getattr(fields, k))}
    return {"output": fields.output, "expected": [*fields.expected], **more}


def test_an_edited_text_gets_word_overlap_and_says_so() -> None:
    app = open_app(evaluator="g_eval")
    app.text_area(key=state.OUTPUT).set_value("Polite reply with a step.")
    submit(app)
    assert result(app)["judge"]["kind"] == "heuristic"
    assert facts(app)["answered by"] == "word overlap, not a judge"
    assert parameter(app, "criteria").startswith("The reply") and parameter(app, "output") == "Polite reply with a step."


@pytest.mark.parametrize("id", JUDGES)
def test_the_fields_are_those_of_the_evaluator(id: str) -> None:
    card, app = get_evaluator(id).card, open_app(evaluator=id)
    shown = {area.key for area in app.text_area}
    wanted = {state.expected_key(0) if n == "expected" else n for n in (*card.required, *card.optional)}
    assert shown == wanted


def test_texts_stay_while_their_field_is_away() -> None:
    app = open_app(evaluator="g_eval")
    app.text_area(key="criteria").set_value("Mine alone.")
    app.text_area(key=state.expected_key(0)).set_value("A reference of mine.")
    submit(app)
    app.button(key="pick-bleu").click()
    checked(app.run())
    assert app.title[0].value == "BLEU" and app.text_area(key=state.expected_key(0)).value == "A reference of mine."
    app.button(key="pick-g_eval").click()
    checked(app.run())
    assert app.text_area(key="criteria").value == "Mine alone."


def test_an_untouched_example_gives_way_to_one_that_fits() -> None:
    app = open_app()
    app.button(key="pick-translation").click()
    checked(app.run())
    assert result(app)["judge"]["kind"] == "illustrative"
    app.button(key="pick-bleu").click()
    checked(app.run())
    assert component(app, "jeval_reading")["gauge"]["label"] == "0.61"  # type: ignore[index]


def test_a_blank_field_is_not_scored() -> None:
    app = open_app(evaluator="g_eval", output="x", criteria=" ")
    assert component(app, "jeval_stage") is None
    app.button(key="fill").click()
    assert result(checked(app.run()))["label"] == "3.7 / 4"


def test_a_conversation_that_cannot_be_read_says_how_to_write_one() -> None:
    app = open_app(evaluator="conversation_relevance", output="x", conversation="no turns here")
    assert "no list of turns" in app.error[0].value and component(app, "jeval_stage") is None


def choose(app: AppTest, backend: str) -> AppTest:
    app.radio(key="judge-backend").set_value(backend)
    return checked(app.run())


def test_jev_is_asked_once_when_it_is_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    with FaultServer(lambda n, path, body: Say(systemone_body(body))) as server:
        monkeypatch.setenv("TYPESAFE_BASE_URL", server.url)
        monkeypatch.setenv("TYPESAFE_API_KEY", "top-secret")
        app = open_app(evaluator="g_eval")
        assert result(app)["judge"]["kind"] == "illustrative" and not server.seen  # a key alone chooses nothing
        choose(app, "systemone")
        assert result(app)["judge"]["kind"] == "model" and len(server.seen) == 1
        assert facts(app)["cost"].startswith("$0 (")
        submit(app)
        open_app(evaluator="g_eval")
        assert len(server.seen) == 1
        app.button(key="judge-test").click()
        checked(app.run())
        assert len(server.seen) == 2
        assert "top-secret" not in str([e.proto for e in app.main])


def test_a_judge_that_is_down_is_said_and_can_be_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = iter([False, True])

    def say(n: int, path: str, body: Any) -> Say:
        return Say(systemone_body(body)) if next(answers) else Say({"error": {"message": "no"}}, status=403)

    with FaultServer(say) as server:
        monkeypatch.setenv("TYPESAFE_BASE_URL", server.url)
        monkeypatch.setenv("JEVAL_JUDGE", "systemone")
        app = open_app(evaluator="g_eval")
        assert component(app, "jeval_stage") is None and any("(forbidden)" in str(h.proto) for h in app.get("html"))
        app.button(key="again").click()
        assert result(checked(app.run()))["status"] == "scored"


def test_a_judge_without_its_settings_says_what_to_set() -> None:
    app = choose(open_app(evaluator="g_eval"), "chat")
    assert any("JEVAL_CHAT_BASE_URL" in e.value.replace("\\", "") for e in app.error)


def test_an_address_that_is_not_allowed_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JEVAL_JUDGE_HOSTS", "allowed.example")
    monkeypatch.setenv("TYPESAFE_BASE_URL", "http://127.0.0.1:9")  # nobody listens there
    monkeypatch.setenv("JEVAL_JUDGE_RETRIES", "0")
    app = choose(open_app(evaluator="g_eval"), "systemone")
    app.text_input(key="judge-url").set_value("http://169.254.169.254")
    checked(app.run())
    assert any("does not ask judges at that host" in e.value for e in app.error)


def test_a_wrong_judge_in_the_environment_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JEVAL_JUDGE", "nobody")
    app = open_app(evaluator="g_eval")
    assert any("There is no judge" in e.value for e in app.error)


@pytest.mark.parametrize("how", ["curl", "Python", "Command line"])
@pytest.mark.parametrize("id", JUDGES)
def test_what_is_sent_names_the_judge_and_every_field(id: str, how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    query = Query(id, next(iter(examples(id).values())).fields)
    monkeypatch.setattr(judges.st, "session_state", {})
    said = send.snippet(how, query)
    assert "recorded:example" in said and all(name in said for name in get_evaluator(id).card.required)
    if how == "Python":
        scope: dict[str, Any] = {}
        exec(said, scope)
        assert scope["r"].judge["kind"] == "illustrative"


def test_fields_as_data() -> None:
    fields = Fields("o", ("e", "f"), criteria="c")
    assert Fields.from_dict(json.loads(json.dumps(fields.to_dict()))) == fields
    for wrong in ({}, {"output": 5, "expected": []}, {"output": "x", "expected": [1]}, {"output": "x"}):
        with pytest.raises((KeyError, TypeError)):
            Fields.from_dict(wrong)


def test_names_of_judges() -> None:
    assert judges.named(Choice("chat", model="qwen")) == "a chat model, qwen"
    assert judges.named(judges.EXAMPLES) == "illustrative answer"
    assert evaluate("g_eval", output="x", criteria="x").judge["kind"] == "heuristic"  # type: ignore[index]


def test_a_link_alone_spends_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    with FaultServer(lambda n, path, body: Say(systemone_body(body))) as server:
        monkeypatch.setenv("TYPESAFE_BASE_URL", server.url)
        monkeypatch.setenv("JEVAL_JUDGE", "systemone")
        app = open_app(evaluator="g_eval", output="a text of a stranger", criteria="short")
        assert component(app, "jeval_stage") is None and not server.seen
        app.button(key="ask").click()
        checked(app.run())
        assert result(app)["status"] == "scored" and len(server.seen) == 1
