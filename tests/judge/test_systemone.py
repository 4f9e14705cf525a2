from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from jevcompat.mock import FAULTS, MockConfig, make_server

from jeval_core.errors import BadInput
from jeval_core.judge import systemone
from jeval_core.judge.answers import Answers, Usage
from jeval_core.judge.base import ask_one, estimated_tokens
from jeval_core.judge.client import Client, Limits, Secret
from jeval_core.judge.errors import JudgeError, NoDistribution
from jeval_core.judge.questions import Question, choice_question, score_question, yes_no_question
from jeval_core.judge.systemone import SystemOne, wire
from tests.judge.faults import FaultServer, Say, systemone_body

KEY = "sk-test-0123456789abcdef"
STATE = {"input": "How much?", "output": "Fifty milligrams at noon, every day of the week.", "criteria": "Be exact."}
LEVELS = ["Useless.", "Poor.", "Fair.", "Good.", "Perfect."]
QUESTIONS: dict[str, Question] = {
    "q": score_question("How well does the output meet the criteria?", LEVELS),
    "n": yes_no_question("Is it true?", "It is true.", "It is not."),
    "c": choice_question("Which fault is there?", {"Formät": "Wrong form.", "none": None}),
}


@contextmanager
def mock(config: MockConfig) -> Iterator[str]:
    """The mock server on a free port; gives its URL."""
    server = make_server(config)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()


def judge(url: str, key: str = "", model: str = "jev-latest") -> SystemOne:
    return SystemOne(Client(url, Secret(key), Limits(timeout=10, retries=1, budget=20)), model)


def outcome(answers: Answers) -> dict[str, str]:
    """Each question's outcome: the code of its error, its notes, or "answered"."""
    found = {id: error.code for id, error in answers.failed.items()}
    for id, given in answers.answers.items():
        found[id] = "; ".join(given.notes) or "answered"
    return found


def test_the_request_is_that_of_the_wire_format() -> None:
    with FaultServer(lambda n, path, body: Say()) as server:
        answers = ask_one(judge(server.url, KEY), STATE, QUESTIONS)
        path, headers, body = server.seen[0]
    assert path == "/v1/systemone" and headers["authorization"] == f"Bearer {KEY}"
    assert body == {
        "model": "jev-latest",
        "state": STATE,
        "questions": {
            "q": {"type": "score", "instructions": "How well does the output meet the criteria?", "criteria": LEVELS},
            "n": {
                "type": "noul",
                "instructions": "Is it true?",
                "criteria": {"true": "It is true.", "false": "It is not."},
            },
            "c": {
                "type": "choice",
                "instructions": "Which fault is there?",
                "criteria": {"Formät": "Wrong form.", "none": None},
            },
        },
    }
    assert answers["q"].expected == pytest.approx(3.7) and answers["n"].score == pytest.approx(0.98)
    assert answers["c"].probabilities == (0.95, 0.05) and outcome(answers) == dict.fromkeys("qnc", "answered")
    assert answers.requested_model == "jev-latest" and answers.model == "jev-1.13.0" and answers.kind == "model"
    assert answers.usage == Usage(318, 34) and answers.latency > 0 and answers.attempts == 1


OK = dict.fromkeys("qnc", "answered")
RENAMED = {**OK, "q": "bad_distribution"}
EXPECTED: dict[str, dict[str, str] | str] = {
    "wrong-route": "not_found",
    "xssi-200": "malformed_answer",
    "auth-x-api-key": "forbidden",
    "auth-plain": "unauthorised",
    "auth-invalid-403-text": "unauthorised",
    "auth-rejects-header": "unauthorised",
    "reject-jev-latest": "not_found",
    "first-question-only": {"q": "answered", "n": "no_distribution", "c": "no_distribution"},
    "no-null-description": "refused_question",
    "noul-range": {**OK, "n": "bad_distribution"},
    "choice-key-case": {**OK, "c": "bad_distribution"},
    "choice-sum": {**OK, "c": "bad_distribution"},
    "choice-second": {**OK, "c": systemone.OTHER_CHOICE},
    "legend-1-based": {**OK, "q": systemone.OTHER_LEGEND},
    "score-keys-1-based": RENAMED,
    "score-sum": RENAMED,
    "score-argmax": {**OK, "q": systemone.OTHER_SCORE},
    "confidence-over": {**OK, "q": systemone.ODD_CONFIDENCE, "c": systemone.ODD_CONFIDENCE},
    "cap-5-levels": "refused_question",
    "cap-64": "refused_question",
    "validation-400": "bad_request",
    "error-flat": "bad_request",
    "text-errors": "bad_request",
}
"""Fault → outcome of each question, or the code of the whole request; every fault that is not named changes nothing."""
HARMLESS = {
    "plain-content-type", "models-404", "reject-array-state", "strict-ids", "nfd-keys", "forbid-extra",
    "string-only-text", "noul-two-sided", "noul-needs-instructions", "accept-map-score", "no-usage", "float-usage",
    "extra-answer", "boolean-type", "nan", "unprefixed-extra", "choice-no-confidence", "score-no-legend",
    "confidence-margin", "500-on-unknown-type", "accept-boolean", "id-leaks", "batch-leaks", "order-leaks",
}  # fmt: skip
KEYS = {
    "auth-x-api-key": (KEY, KEY),
    "auth-plain": (KEY, ""),
    "auth-invalid-403-text": (KEY, "wrong-key"),
    "auth-rejects-header": (None, KEY),
}
MODELS = {"error-flat": "jev-0", "text-errors": "jev-0"}
ASKED = {
    "cap-5-levels": {"q": score_question("How good?", [f"Level {i}." for i in range(10)])},
    "cap-64": {"c": choice_question("Which?", {f"o{i}": None for i in range(65)})},
    "validation-400": {"c": choice_question("Which?", {f"o{i}": None for i in range(255)})},
}


def test_every_fault_has_an_expected_outcome() -> None:
    assert {*EXPECTED} | HARMLESS == {*FAULTS} and not {*EXPECTED} & HARMLESS


@pytest.mark.parametrize("fault", sorted(FAULTS))
def test_the_faults_of_the_mock(fault: str) -> None:
    expected = EXPECTED.get(fault, OK)
    needed, given = KEYS.get(fault, (None, ""))
    also = {"cap-64"} if fault == "validation-400" else set()
    config = MockConfig(key=needed, faults=frozenset({fault} | also))
    asked = ASKED.get(fault, QUESTIONS)
    with mock(config) as url:
        one = judge(url, given, MODELS.get(fault, "jev-latest"))
        if isinstance(expected, str):
            with pytest.raises(JudgeError) as found:
                ask_one(one, STATE, asked)
            assert found.value.code == expected and config.requests <= 1
            assert KEY not in str(found.value) and STATE["output"] not in str(found.value)
            return
        answers = ask_one(one, STATE, asked)
    assert outcome(answers) == expected
    assert answers.model == "jevcompat-mock-0.1"
    assert (answers.usage.input_tokens is None) == (fault == "no-usage")


def test_the_mock_without_a_fault() -> None:
    with mock(MockConfig(key=KEY)) as url:
        one = judge(url, KEY)
        together = ask_one(one, STATE, QUESTIONS)
        alone = {id: ask_one(one, STATE, {id: q}) for id, q in QUESTIONS.items()}
        assert asyncio.run(_models(one)) == ["jev-latest", "mock"]
    assert outcome(together) == OK
    assert {id: answers[id] for id, answers in alone.items()} == together.answers
    for id in "qc":
        assert together[id].confidence == pytest.approx(together[id].provider_confidence, abs=1e-9)


async def _models(one: SystemOne) -> list[str]:
    try:
        return await one.models()
    finally:
        await one.aclose()


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"probabilities": None}, "no_distribution"),
        ({"probabilities": {}}, "no_distribution"),
        ({"probabilities": [0, 0, 0, 0, 1]}, "malformed_answer"),
        ({"probabilities": {"0": 0.0, "1": 0.0, "2": 0.05, "3": 0.2, "4": 0.5}}, "bad_distribution"),
        ({"probabilities": {"3": 0.2, "4": 0.8}}, "bad_distribution"),
        ({"probabilities": {"0": None, "1": 0.0, "2": 0.05, "3": 0.2, "4": 0.75}}, "bad_distribution"),
        ({"probabilities": {"0": 0.0, "1": 0.0, "2": 0.05, "3": 0.2, "4": 0.74}, "score": 3.66}, systemone.OTHER_SCORE),
        ({"probabilities": {"0": 0.0, "1": 0.0, "2": 0.05, "3": 0.2, "4": 0.74}, "score": 3.7}, "answered"),
        ({"probabilities": {str(i): 0.2 for i in range(5)}, "score": 2.0}, systemone.UNIFORM),
        ({"type": "choice"}, "malformed_answer"),
        ({"type": None}, "answered"),
        ({"confidence": "high"}, systemone.ODD_CONFIDENCE),
        ({"score": None, "confidence": None}, "answered"),
    ],
)
def test_answers_that_other_hosts_give(change: dict[str, Any], expected: str) -> None:
    def act(n: int, path: str, body: Any) -> Say:
        answers = systemone_body(body)
        answers["answers"]["q"].update(change)
        return Say(answers)

    with FaultServer(act) as server:
        answers = ask_one(judge(server.url), STATE, {"q": QUESTIONS["q"]})
    assert outcome(answers) == {"q": expected}


@pytest.mark.parametrize("body", [[], "text", 5, {"answers": []}, {"model": "m"}, {"answers": None}])
def test_an_answer_without_answers(body: Any) -> None:
    with FaultServer(lambda n, path, _: Say(json.dumps(body).encode())) as server, pytest.raises(JudgeError) as found:
        ask_one(judge(server.url), STATE, QUESTIONS)
    assert found.value.code == "malformed_answer"


@pytest.mark.parametrize(
    ("noul", "expected"),
    [
        (0.5, systemone.UNIFORM),
        (0, "answered"),
        (1, "answered"),
        (None, "no_distribution"),
        (-0.1, "bad_distribution"),
        (True, "bad_distribution"),
        ("1", "bad_distribution"),
    ],
)
def test_yes_or_no(noul: Any, expected: str) -> None:
    body = {"model": "m", "answers": {"n": {"type": "noul", "noul": noul}}}
    with FaultServer(lambda n, path, _: Say(body)) as server:
        assert outcome(ask_one(judge(server.url), STATE, {"n": QUESTIONS["n"]})) == {"n": expected}


def test_an_answer_that_cannot_be_used_raises_when_taken() -> None:
    with FaultServer(lambda n, path, _: Say({"answers": {}})) as server:
        answers = ask_one(judge(server.url), STATE, QUESTIONS)
    assert answers.model == "jev-latest" and answers.usage == Usage()
    with pytest.raises(NoDistribution):
        answers["q"]


@pytest.mark.parametrize(
    ("state", "questions"),
    [({}, QUESTIONS), (STATE, {}), (STATE, {"a b": QUESTIONS["q"]}), (STATE, {"": QUESTIONS["q"]})],
)
def test_what_cannot_be_asked_is_not_sent(state: Any, questions: Any) -> None:
    with FaultServer(lambda n, path, body: Say()) as server:
        with pytest.raises(BadInput):
            ask_one(judge(server.url), state, questions)
        assert server.seen == []


def test_another_route_and_any_text() -> None:
    state = {"output": "lone \ud800 and 你好", "turns": [{"role": "user", "text": "hi"}]}
    with FaultServer(lambda n, path, body: Say()) as server:
        one = SystemOne(Client(server.url + "/api/"), "typesafe/jev-1.13", route="/alpha/decisions")
        ask_one(one, state, {"q": QUESTIONS["q"]})
        path, headers, body = server.seen[0]
    assert path == "/api/alpha/decisions" and "authorization" not in headers and body["state"] == state


def test_the_estimate_is_not_below_what_the_mock_counts() -> None:
    with mock(MockConfig()) as url:
        used = ask_one(judge(url), STATE, QUESTIONS).usage.input_tokens
    assert used is not None and used <= estimated_tokens(STATE, QUESTIONS) <= 3 * used


def test_a_question_on_the_wire_has_no_name_of_ours() -> None:
    assert {wire(q)["type"] for q in QUESTIONS.values()} == {"score", "noul", "choice"}
