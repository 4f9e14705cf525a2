from __future__ import annotations

import asyncio
import logging
import pickle
import traceback
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from jeval_core.judge import errors
from jeval_core.judge.client import Client, Limits, Secret, checked_url
from jeval_core.judge.errors import BadSetting, JudgeError
from tests.judge.faults import Act, Cut, Drip, Drop, FaultServer, Reset, Say
from tests.judge.timing import StillClock

KEY = "sk-test-0123456789abcdef"
TEXT = "The patient took fifty milligrams of the wrong medicine at noon."


class Host:
    """A host without a network: `say(n)` answers request n; `at` holds when each came."""

    def __init__(self, say: Callable[[int], Any], limits: Limits | None = None, seconds: float = 0.0) -> None:
        self.clock, self.say, self.at, self.seconds = StillClock(), say, [], seconds
        self.running = self.most = 0
        self.client = Client(
            "https://judge.example",
            Secret(KEY),
            limits,
            clock=self.clock,
            transport=httpx.MockTransport(self.serve),
            seed=1,
        )

    at: list[float]

    async def serve(self, request: httpx.Request) -> httpx.Response:
        number = len(self.at)
        self.at.append(self.clock.at)
        self.running += 1
        self.most = max(self.most, self.running)
        if self.seconds:
            await self.clock.sleep(self.seconds)
        self.running -= 1
        said = self.say(number)
        if isinstance(said, Exception):
            raise said
        return said if isinstance(said, httpx.Response) else httpx.Response(200, json={"ok": said})

    def post(self, n: int = 1, tokens: int = 0) -> list[Any]:
        async def work() -> list[Any]:
            sent = [self.client.post("/x", {"a": 1}, tokens=tokens, hidden=[TEXT]) for _ in range(n)]
            return await asyncio.gather(*sent, return_exceptions=True)

        return self.clock.run(work())


def failing(status: int, times: int, **headers: str) -> Callable[[int], Any]:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda n: httpx.Response(status, json={"detail": "later"}, headers=named) if n < times else True


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 504, 529])
def test_what_may_pass_is_tried_again(status: int) -> None:
    host = Host(failing(status, 2))
    (reply,) = host.post()
    assert reply.data == {"ok": True} and reply.attempts == 3 and len(host.at) == 3
    first, second = host.at[1] - host.at[0], host.at[2] - host.at[1]
    assert 0.25 <= first <= 0.5 and 0.5 <= second <= 1.0


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (400, errors.BadRequest),
        (401, errors.Unauthorised),
        (402, errors.BadRequest),
        (403, errors.Forbidden),
        (404, errors.NotFound),
        (405, errors.BadRequest),
        (409, errors.BadRequest),
        (413, errors.TooLarge),
        (422, errors.RefusedQuestion),
        (307, errors.BadRequest),
        (204, errors.BadRequest),
        (501, errors.NotFound),
    ],
)
def test_what_will_not_pass_is_asked_once(status: int, error: type[JudgeError]) -> None:
    host = Host(failing(status, 99, retry_after="1", location="https://elsewhere.example/x"))
    (found,) = host.post()
    assert type(found) is error and found.status == status and len(host.at) == 1 and host.clock.slept == []


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (httpx.ReadTimeout("x"), "timed_out"),
        (httpx.ConnectTimeout("x"), "timed_out"),
        (httpx.PoolTimeout("x"), "timed_out"),
        (httpx.ConnectError("x"), "connection_lost"),
        (httpx.RemoteProtocolError("x"), "connection_lost"),
        (httpx.ReadError("x"), "connection_lost"),
    ],
)
def test_a_broken_connection_is_tried_again_and_then_named(error: Exception, code: str) -> None:
    assert Host(lambda n: error if n < 3 else True).post()[0].attempts == 4
    host = Host(lambda n: error, Limits(retries=2))
    assert host.post()[0].code == code and len(host.at) == 3


@pytest.mark.parametrize("status", [429, 529, 503])
@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry_after_ms": "2500"}, 2.5),
        ({"retry_after": "7"}, 7),
        ({"retry_after": "0.5"}, 0.5),
        ({"retry_after_ms": "1500", "retry_after": "90"}, 1.5),
        ({"retry_after_ms": "soon", "retry_after": "3"}, 3),
        ({"retry_after": "Fri, 15 Jan 2027 08:17:00 GMT"}, 20),
        ({"retry_after": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0),
    ],
)
def test_the_time_that_a_host_asks_for_is_kept(status: int, headers: dict[str, str], seconds: float) -> None:
    host = Host(failing(status, 1, **headers))
    host.post()
    assert seconds <= host.at[1] - host.at[0] <= seconds + 0.25


@pytest.mark.parametrize("header", ["-1", "nan", "inf", "", "soon", "9" * 400])
def test_a_nonsense_wait_falls_back_to_our_own(header: str) -> None:
    host = Host(failing(429, 1, retry_after=header))
    host.post()
    assert 0.25 <= host.at[1] - host.at[0] <= 0.5


def test_a_wait_holds_for_everyone() -> None:
    host = Host(failing(429, 1, retry_after="30"), Limits(concurrency=1))
    assert all(reply.data == {"ok": True} for reply in host.post(5))
    assert host.at[1] - host.at[0] >= 30
    busy = Host(failing(429, 1, retry_after="30"), Limits(concurrency=4), seconds=1)
    busy.post(12)
    first_wave = [at for at in busy.at if at < busy.at[0] + 30]
    assert len(first_wave) <= 7  # those under way when the answer came, and who took their places at that moment


def test_a_wait_beyond_the_budget_ends_it_at_once() -> None:
    host = Host(failing(429, 99, retry_after="600"), Limits(budget=60))
    (error,) = host.post()
    assert error.code == "rate_limited" and error.retry_after == 600 and len(host.at) == 1 and host.clock.slept == []


def test_the_budget_bounds_all_tries_together() -> None:
    host = Host(lambda n: httpx.Response(503), Limits(budget=20, retries=1000))
    (error,) = host.post()
    assert error.code == "server_error" and host.clock.at - host.at[0] < 20 and len(host.at) >= 5


@pytest.mark.parametrize("most", [1, 3, 8])
def test_no_more_at_once_than_allowed(most: int) -> None:
    host = Host(lambda n: True, Limits(concurrency=most), seconds=1)
    assert len(host.post(40)) == 40 and host.most == most
    assert host.clock.at - host.at[0] == pytest.approx(-(-40 // most))


def most_in_a_minute(at: list[float]) -> int:
    return max(sum(1 for other in at if start <= other < start + 60 - 1e-6) for start in at)


@pytest.mark.parametrize("limit", [1, 5, 19, 20, 60, 600])
def test_requests_per_minute(limit: int) -> None:
    host = Host(lambda n: True, Limits(concurrency=64, requests_per_minute=limit))
    host.post(3 * limit)
    assert most_in_a_minute(host.at) <= limit
    assert host.at[-1] - host.at[0] <= 60 * 3 * limit / max(1, limit - limit // 10 - 1) + 60


def test_tries_count_as_requests() -> None:
    host = Host(lambda n: httpx.Response(503) if n % 2 else True, Limits(concurrency=64, requests_per_minute=60))
    host.post(90)
    assert len(host.at) > 120 and most_in_a_minute(host.at) <= 60


@pytest.mark.parametrize(("limit", "tokens"), [(10_000, 400), (1_000, 900), (1_000, 3_000)])
def test_tokens_per_minute(limit: int, tokens: int) -> None:
    host = Host(lambda n: True, Limits(concurrency=64, tokens_per_minute=limit))
    host.post(40, tokens)
    assert most_in_a_minute(host.at) * tokens <= max(limit + tokens, 2 * tokens)
    assert (host.at[-1] - host.at[0]) / 60 <= 40 * tokens / limit * 1.15


def test_a_status_wrapped_into_a_200_counts() -> None:
    wrapped = {"error": {"message": "slow down", "code": 429}}
    host = Host(lambda n: httpx.Response(200, json=wrapped) if n == 0 else True)
    assert host.post()[0].attempts == 2
    (error,) = Host(lambda n: httpx.Response(200, json={"error": {"message": "no", "code": 401}})).post()
    assert error.code == "unauthorised"


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (
            {"detail": [{"loc": ["body", "questions", "q"], "msg": "Too many levels", "type": "x"}]},
            "body.questions.q: Too many levels",
        ),
        ({"detail": {"error_type": "x", "message": "Unknown model"}}, "“Unknown model”"),
        ({"detail": "Not today"}, "“Not today”"),
        ({"error": {"message": "No credits", "code": 422}}, "“No credits”"),
        ({"error": "flat"}, "“flat”"),
        ({"message": "top"}, "“top”"),
        ("plain text", "“plain text”"),
        ({"detail": "x" * 5000}, "x" * 199 + "…"),
        ({"detail": "a\u202e\x1b[31m\nb"}, "“a [31m b”"),
    ],
)
def test_the_host_s_own_words_are_told(body: Any, words: str) -> None:
    (error,) = Host(lambda n: httpx.Response(422, json=body)).post()
    assert error.code == "refused_question" and words in str(error) and "\n" not in str(error)


@pytest.mark.parametrize(
    "body", [TEXT, f"Bad: {TEXT[:30]}…", f"key {KEY} is bad", "<html>hello</html>", [], 5, None, {}]
)
def test_texts_and_keys_are_not_told(body: Any) -> None:
    (error,) = Host(lambda n: httpx.Response(400, json={"detail": body} if body != {} else {})).post()
    assert str(error) == "judge.example answered 400: it refused the request."


@pytest.mark.parametrize("raw", [b"", b"not json", b"{", b")]}'\n{}", b"\xff\xfe", b"[" * 100_000])
def test_what_is_not_json_is_named(raw: bytes) -> None:
    host = Host(lambda n: httpx.Response(200, content=raw))
    assert host.post()[0].code == "malformed_answer" and len(host.at) == 1


def test_a_huge_answer_is_not_read() -> None:
    (error,) = Host(lambda n: httpx.Response(200, content=b"[" + b" " * 9_000_000 + b"]")).post()
    assert error.code == "malformed_answer" and "8,000,000" in str(error)


@pytest.mark.parametrize(
    ("acts", "code", "requests"),
    [
        ([Drop(), Say()], None, 2),
        ([Reset(), Cut(), Say()], None, 3),
        (
            [Say(status=429, headers={"retry-after-ms": "1"}), Say(status=529, headers={"retry-after": "0"}), Say()],
            None,
            3,
        ),
        ([Say(seconds=30), Say()], None, 2),
        ([Say(seconds=30)], "timed_out", 3),
        ([Drip()], "timed_out", 3),
        ([Drop()], "connection_lost", 3),
        ([Cut()], "connection_lost", 3),
        ([Reset()], "connection_lost", 3),
        ([Say(b"<html>")], "malformed_answer", 1),
        ([Say({"detail": "no"}, 401)], "unauthorised", 1),
    ],
)
def test_over_a_real_connection(acts: list[Act], code: str | None, requests: int) -> None:
    async def work(client: Client) -> Any:
        try:
            return await client.post("/v1/systemone", {"questions": {}})
        finally:
            await client.aclose()

    with FaultServer(lambda n, path, body: acts[min(n, len(acts) - 1)]) as server:
        client = Client(server.url, Secret(KEY), Limits(timeout=1.5, retries=2))
        if code is None:
            assert asyncio.run(work(client)).attempts == requests
        else:
            with pytest.raises(JudgeError) as found:
                asyncio.run(work(client))
            assert found.value.code == code
        assert len(server.seen) == requests
        assert all(headers["authorization"] == f"Bearer {KEY}" for _, headers, _ in server.seen)


def test_nobody_listens() -> None:
    with FaultServer(lambda n, path, body: Say()) as server:
        url = server.url
    with pytest.raises(errors.ConnectionLost, match="Is the server running"):
        asyncio.run(Client(url, limits=Limits(retries=0)).get("/v1/models"))


def test_the_key_shows_nowhere(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    answers = [Say({"detail": f"{KEY} is wrong"}, 401), Drop()]
    with FaultServer(lambda n, path, body: answers[min(n, 1)]) as server:
        client = Client(server.url, Secret(KEY), Limits(retries=0), key_hint="Set TYPESAFE_API_KEY.")
        for _ in answers:
            with pytest.raises(JudgeError) as found:
                asyncio.run(client.post("/x", {"a": 1}))
            shown = "".join(traceback.format_exception(found.value)) + repr(found.value.to_dict())
            assert KEY not in shown and KEY not in repr(vars(found.value))
    assert KEY not in caplog.text + repr(client) + repr(vars(client)) + repr(Secret(KEY)) + str(Secret(KEY))
    with pytest.raises(TypeError):
        pickle.dumps(Secret(KEY))


@pytest.mark.parametrize(
    "url",
    [
        "",
        "api.typesafe.ai",
        "ftp://x",
        "http://",
        f"https://{KEY}@host",
        "https://host?key=1",
        "https://host#k",
        "http://h:99999",
        "http://[",
        "http://h/\n",
    ],
)
def test_a_base_url_that_cannot_be_used(url: str) -> None:
    with pytest.raises(BadSetting) as found:
        checked_url(url)
    assert KEY not in str(found.value)


@pytest.mark.parametrize("text", ["a b", "a\nb", "ключ", "a\x00"])
def test_a_key_that_is_none(text: str) -> None:
    with pytest.raises(BadSetting):
        Secret(text)


@pytest.mark.parametrize(
    "about",
    [
        {"concurrency": 0},
        {"timeout": 0},
        {"budget": -1},
        {"retries": -1},
        {"requests_per_minute": 0},
        {"tokens_per_minute": float("nan")},
    ],
)
def test_limits_that_make_no_sense(about: dict[str, Any]) -> None:
    with pytest.raises(BadSetting):
        Limits(**about)
