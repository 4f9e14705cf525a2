"""The HTTP API: right numbers, and a clear no in one shape."""

from __future__ import annotations

import json
import logging
import math
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from jeval_core import evaluate, explain
from jeval_core.registry import CATALOGUE
from tests.api.conftest import make_client

EVALUATE = "/api/v1/evaluate"
PAIR = {
    "output": "The model returns calibrated probabilities, not text.",
    "expected": "The model returns calibrated probabilities rather than text.",
}
SECRET = "zebra-crossing-4711"


def body(**more: object) -> dict:
    return {"evaluators": ["bleu"], **PAIR, **more}


@pytest.mark.parametrize(("evaluator", "score"), [("bleu", 0.6098), ("gleu", 0.5769)])
def test_source_pages(client: TestClient, evaluator: str, score: float) -> None:
    response = client.post(EVALUATE, json=body(evaluators=[evaluator]))
    (result,) = response.json()["results"]
    assert response.status_code == 200
    assert (round(result["score"], 4), result["passed"], result["status"]) == (score, True, "scored")
    assert list(result) == [
        "evaluator",
        "kind",
        "status",
        "score",
        "label",
        "passed",
        "threshold",
        "confidence",
        "probabilities",
        "signature",
        "evidence",
        "warnings",
        "reason",
    ]


def test_same_as_python(client: TestClient) -> None:
    options, thresholds = (
        {"bleu": {"variant": "sacrebleu"}, "rouge_n": {"stemmer": True}},
        {"bleu": 0.7, "levenshtein": 20},
    )
    results = client.post(
        EVALUATE, json=body(evaluators=["suite:everything"], options=options, thresholds=thresholds)
    ).json()["results"]
    assert [r["evaluator"] for r in results] == [*CATALOGUE]
    left = {r["evaluator"]: r["reason"] for r in results if r["status"] == "skipped"}
    assert left == {
        "g_eval": "g_eval needs `criteria`.",
        "llm_judge": "llm_judge needs `criteria`.",
        "closed_qa": "closed_qa needs `input`.",
        "factuality": "factuality needs `input`.",
        "conversation_relevance": "conversation_relevance needs `conversation`.",
        "translation": "translation needs `input`.",
    }
    for r in (r for r in results if r["status"] == "scored"):
        assert (
            r
            == evaluate(
                r["evaluator"], **PAIR, options=options.get(r["evaluator"]), threshold=thresholds.get(r["evaluator"])
            ).to_dict()
        )


def test_explain(client: TestClient) -> None:
    trace = client.post("/api/v1/explain", json={"evaluator": "bleu", **PAIR}).json()
    assert trace == json.loads(json.dumps(explain("bleu", **PAIR).to_dict()))
    inline = client.post(EVALUATE, json=body(explain=True)).json()["results"][0]["trace"]
    assert inline == trace


# name, change of the body (or the raw body), status, code, field
REFUSED = [
    ("unknown evaluator", {"evaluators": ["blue"]}, 422, "unknown_evaluator", "evaluators"),
    ("unknown suite", {"evaluators": ["suite:none"]}, 422, "unknown_evaluator", "evaluators"),
    ("no evaluators", {"evaluators": []}, 422, "bad_input", "evaluators"),
    ("evaluators as text", {"evaluators": "bleu"}, 422, "bad_input", "evaluators"),
    ("missing output", {"output": ...}, 422, "missing_field", "output"),
    ("missing expected", {"expected": ...}, 422, "missing_field", "expected"),
    ("null expected", {"expected": None}, 422, "missing_field", "expected"),
    ("empty list", {"expected": []}, 422, "bad_input", "expected"),
    ("wrong type", {"output": 4711}, 422, "bad_input", "output"),
    ("wrong type in a list", {"expected": ["a", 4711]}, 422, "bad_input", "expected"),
    ("extra field", {SECRET: SECRET}, 422, "unknown_field", "body"),
    ("unknown option", {"options": {"bleu": {"token": SECRET}}}, 422, "unknown_option", "options.bleu"),
    ("bad option", {"options": {"bleu": {"tokens": SECRET}}}, 422, "bad_option", "options.bleu.tokens"),
    ("option of no evaluator asked", {"options": {"gleu": {}}}, 422, "unknown_option", "options"),
    ("option of the wrong type", {"options": {"bleu": {"tokens": 4711}}}, 422, "bad_input", "options"),
    ("threshold too high", {"thresholds": {"bleu": 47.11}}, 422, "bad_input", "thresholds.bleu"),
    ("threshold as text", {"thresholds": {"bleu": "0.5"}}, 422, "bad_input", "thresholds"),
    ("threshold of no evaluator asked", {"thresholds": {"gleu": 0.5}}, 422, "unknown_option", "thresholds"),
    ("explain as text", {"explain": "yes"}, 422, "bad_input", "explain"),
    ("bad JSON", b'{"evaluators": ["bleu"], "output": "' + SECRET.encode(), 400, "bad_json", "body"),
    ("no JSON at all", b"", 422, "missing_field", "body"),
    ("not an object", b'["bleu"]', 422, "bad_input", "body"),
    ("bad UTF-8", b'{"output": "\xff\xfe"}', 400, "bad_json", None),
    ("deep nesting", b"[" * 500_000, 400, "bad_json", None),
    ("NaN", b'{"evaluators":["bleu"],"output":"a","expected":"b","thresholds":{"bleu":NaN}}', 422, "bad_input", "thresholds"),
    ("2 MB", json.dumps({"output": SECRET + "x" * 2_000_000}).encode(), 413, "too_large", None),
]  # fmt: skip


@pytest.mark.parametrize(("name", "change", "status", "code", "field"), REFUSED, ids=[r[0] for r in REFUSED])
def test_refused(
    client: TestClient,
    caplog: pytest.LogCaptureFixture,
    name: str,
    change: dict | bytes,
    status: int,
    code: str,
    field: str | None,
) -> None:
    caplog.set_level(logging.DEBUG)
    if isinstance(change, bytes):
        sent = change
    else:
        request = body(output=f"{SECRET} text", expected=SECRET) | change
        sent = json.dumps({k: v for k, v in request.items() if v is not ...}).encode()
    response = client.post(EVALUATE, content=sent, headers={"content-type": "application/json"})
    error = response.json()["error"]
    assert (response.status_code, error["code"]) == (status, code), error
    assert field is None or error["field"] == field
    assert set(error) == {"code", "message", "field", "hint"} and error["message"]
    for forbidden in (SECRET, "4711", "47.11"):
        assert forbidden not in response.text and forbidden not in caplog.text


def test_blank_is_skipped_not_refused(client: TestClient) -> None:
    (result,) = client.post(EVALUATE, json=body(expected=" ")).json()["results"]
    assert (result["status"], result["score"], result["reason"]) == ("skipped", None, "no expected text")
    (result,) = client.post(EVALUATE, json=body(output="")).json()["results"]
    assert (result["status"], result["score"]) == ("scored", 0.0)


def test_a_suite_skips_what_lacks_a_field(client: TestClient) -> None:
    response = client.post(EVALUATE, json={"evaluators": ["suite:promptfoo"], "output": "a"})
    assert response.status_code == 200
    assert {(r["status"], r["reason"]) for r in response.json()["results"]} >= {("skipped", "bleu needs `expected`.")}


def test_other_fields_are_accepted(client: TestClient) -> None:
    more = {"input": "q", "criteria": "c", "conversation": [{"role": "user", "content": "hi"}]}
    assert client.post(EVALUATE, json=body(**more)).status_code == 200
    error = client.post(EVALUATE, json=body(conversation=[{"role": "king", "content": "hi"}])).json()["error"]
    assert error["field"] == "conversation.0.role"


METHODS = [
    ("GET", EVALUATE, 405),
    ("DELETE", EVALUATE, 405),
    ("POST", "/api/health", 405),
    ("GET", "/api/nothing", 404),
    ("GET", "/api/v1/evaluators/blue", 404),
]


@pytest.mark.parametrize(("method", "path", "status"), METHODS)
def test_wrong_methods_and_addresses(client: TestClient, method: str, path: str, status: int) -> None:
    response = client.request(method, path)
    assert response.status_code == status and set(response.json()["error"]) == {"code", "message", "field", "hint"}


def test_catalogue_and_health(client: TestClient) -> None:
    cards = client.get("/api/v1/evaluators").json()["evaluators"]
    assert [c["id"] for c in cards] == [*CATALOGUE]
    for card in cards:
        assert client.get(f"/api/v1/evaluators/{card['id']}").json() == card
        assert client.post(EVALUATE, json=card["example"]).status_code == 200
    assert client.get("/api/health").json()["status"] == "ok"
    paths = client.get("/api/openapi.json").json()["paths"]
    assert {"/v1/evaluate", "/v1/explain", "/v1/evaluators", "/v1/evaluators/{id}", "/health"} <= {
        p.removeprefix("/api") for p in paths
    }


@pytest.mark.parametrize(
    "header",
    [
        {"host": "evil.example"},
        {"host": "localhost.evil.example:8501"},
        {"host": ""},
        {"host": "[::1"},
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": "http://localhost:9999"},
        {"origin": "http://localhost@evil.example:8501"},
    ],
)
def test_foreign_host_or_origin(client: TestClient, header: dict) -> None:
    response = client.post(EVALUATE, json=body(), headers=header)
    assert response.status_code == 403
    assert response.json()["error"]["code"] in ("foreign_host", "foreign_origin")


def test_own_host_and_origin(client: TestClient) -> None:
    for header in (
        {"origin": "http://localhost:8501"},
        {"host": "127.0.0.1:8501", "origin": "http://127.0.0.1:8501"},
        {"host": "[::1]:8501"},
    ):
        assert client.post(EVALUATE, json=body(), headers=header).status_code == 200


def test_allowed_hosts(monkeypatch: pytest.MonkeyPatch, clients: Callable[..., TestClient]) -> None:
    monkeypatch.setenv("JEVAL_ALLOWED_HOSTS", "Scores.example, other.example")
    assert clients(base_url="http://scores.example").get("/api/health").status_code == 200
    assert clients(base_url="http://third.example").get("/api/health").status_code == 403


def test_token_off_loopback(monkeypatch: pytest.MonkeyPatch, clients: Callable[..., TestClient]) -> None:
    monkeypatch.delenv("JEVAL_API_TOKEN", raising=False)
    monkeypatch.setenv("JEVAL_ALLOWED_HOSTS", "scores.example")
    there = {"address": "0.0.0.0", "base_url": "http://scores.example"}
    assert clients(**there).post(EVALUATE, json=body()).json()["error"]["code"] == "token_required"
    monkeypatch.setenv("JEVAL_API_TOKEN", "s3cret")
    for given_, status in ((None, 401), ("Bearer wrong", 401), ("Bearer s3cret", 200), ("s3cret", 401)):
        headers = {"authorization": given_} if given_ else {}
        response = clients(**there, **headers).post(EVALUATE, json=body())
        assert response.status_code == status, given_
        assert "s3cret" not in response.text
    assert clients(**there).get("/api/health").status_code == 200


def test_headers(client: TestClient) -> None:
    for response in (
        client.get("/api/health"),
        client.get("/api/nothing"),
        client.get("/api/health", headers={"host": "evil"}),
    ):
        policy = response.headers["content-security-policy"]
        assert "default-src 'self'" in policy and "http" not in policy and "*" not in policy
        assert response.headers["x-content-type-options"] == "nosniff"
        assert "access-control-allow-origin" not in response.headers


def test_body_limit_counts_what_is_sent(client: TestClient) -> None:
    def endless():
        for _ in range(3000):
            yield b" " * 1000

    response = client.post(EVALUATE, content=endless())
    assert (response.status_code, response.json()["error"]["code"]) == (413, "too_large")
    response = client.post(EVALUATE, content=b"{}", headers={"content-length": "-5"})
    assert response.status_code == 413


def test_one_log_line_without_texts(client: TestClient, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "jeval.api"):
        client.post(f"{EVALUATE}?q={SECRET}", json=body(output=SECRET))
    (line,) = [r.getMessage() for r in caplog.records if r.name == "jeval.api"]
    assert line.startswith(f"POST {EVALUATE} 200 ") and SECRET not in line


def test_lone_surrogates_come_back(client: TestClient) -> None:
    sent = rb'{"evaluator": "bleu", "output": "a \ud800 b", "expected": "a \udfff"}'
    response = client.post("/api/v1/explain", content=sent, headers={"content-type": "application/json"})
    assert response.status_code == 200
    assert response.json()["scene"]["rows"][0]["text"] == "a \ud800 b"


junk = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda x: st.lists(x, max_size=3) | st.dictionaries(st.text(max_size=8), x, max_size=3),
    max_leaves=6,
)
names = st.sampled_from(
    ["evaluators", "output", "expected", "input", "criteria", "conversation", "thresholds", "options", "explain"]
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.dictionaries(names, junk | st.just(["bleu"]) | st.text(max_size=5), max_size=6))
def test_no_body_breaks_the_server(sent: dict) -> None:
    response = make_client().post(
        EVALUATE, content=json.dumps(sent).encode(), headers={"content-type": "application/json"}
    )
    assert response.status_code in (200, 422)
    json.loads(response.text, parse_constant=lambda c: math.nan / 0)
