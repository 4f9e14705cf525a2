from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from jeval_core.judge.base import ask_one
from jeval_core.judge.chat import Chat
from jeval_core.judge.errors import BadRecording, BadSetting, JudgeError
from jeval_core.judge.heuristic import Heuristic
from jeval_core.judge.recorded import Recorded
from jeval_core.judge.settings import Choice, choose, is_here, make, probe
from jeval_core.judge.systemone import SystemOne
from tests.judge.faults import FaultServer, Say
from tests.judge.test_chat import completion
from tests.judge.test_systemone import QUESTIONS, STATE

KEY = "sk-test-0123456789abcdef"
PAID = {"TYPESAFE_API_KEY": KEY, "JEVAL_CHAT_API_KEY": KEY, "OPENAI_API_KEY": KEY}
CHAT = {"JEVAL_CHAT_BASE_URL": "http://localhost:8080/v1", "JEVAL_CHAT_MODEL": "m"}


@pytest.mark.parametrize(
    ("given", "env", "chosen"),
    [
        (None, {}, "heuristic"),
        (None, PAID, "heuristic"),
        ("", PAID, "heuristic"),
        (None, {"JEVAL_JUDGE": "systemone"}, "systemone"),
        (None, {"JEVAL_JUDGE": " chat "}, "chat"),
        ("heuristic", {"JEVAL_JUDGE": "systemone", **PAID}, "heuristic"),
        ("recorded:a b.jsonl", {"JEVAL_JUDGE": "systemone"}, "recorded:a b.jsonl"),
        ("recorded:C:\\x.jsonl", {}, "recorded:C:\\x.jsonl"),
        (None, {"JEVAL_JUDGE": "recorded:example"}, "recorded:example"),
    ],
)
def test_an_explicit_choice_wins_and_a_key_chooses_nothing(given: str | None, env: dict[str, str], chosen: str) -> None:
    assert str(choose(given, env)) == chosen


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("sistemone", "Did you mean `systemone`"),
        ("recorded", "needs its file"),
        ("recorded:", "needs its file"),
        ("chat:gpt", "takes nothing after"),
        ("<b>", "There is no judge"),
    ],
)
def test_a_judge_that_does_not_exist(given: str, words: str) -> None:
    with pytest.raises(BadSetting) as found:
        choose(given, {})
    assert words in str(found.value)


def test_what_is_made() -> None:
    assert isinstance(make(choose(None, PAID), PAID), Heuristic)
    assert isinstance(make(choose("recorded:example", {}), PAID), Recorded)
    jev = make(choose("systemone", {}), PAID)
    assert isinstance(jev, SystemOne) and jev.base_url == "https://api.typesafe.ai" and jev.model == "jev-latest"
    assert (
        jev.price == 0.042
        and jev.client.limits.requests_per_minute == 1200
        and KEY not in repr(vars(jev)) + repr(vars(jev.client))
    )
    chat = make(choose("chat", {}), {**CHAT, "JEVAL_CHAT_EXTRA": '{"cache_prompt": false}'})
    assert isinstance(chat, Chat) and chat.price == 0 and chat.extra == {"cache_prompt": False}
    assert chat.client.limits.requests_per_minute is None


@pytest.mark.parametrize(
    ("base", "path"),
    [
        ("", "/v1/systemone"),
        ("/", "/v1/systemone"),
        ("/v1", "/v1/systemone"),
        ("/api", "/api/v1/systemone"),
        ("/v1/systemone", "/v1/systemone"),
        ("/api/alpha/decisions", "/api/alpha/decisions"),
    ],
)
def test_addresses_of_other_hosts(base: str, path: str) -> None:
    with FaultServer(lambda n, path, body: Say()) as server:
        env = {"TYPESAFE_BASE_URL": server.url + base, "TYPESAFE_API_KEY": KEY, "TYPESAFE_DEFAULT_MODEL": "jev-1.13"}
        ask_one(make(choose("systemone", {}), env), STATE, QUESTIONS)
        assert server.seen[0][0] == path and server.seen[0][2]["model"] == "jev-1.13"


@pytest.mark.parametrize("base", ["", "/v1", "/v1/", "/v1/chat/completions"])
def test_addresses_of_chat_hosts(base: str) -> None:
    with FaultServer(lambda n, path, body: Say(completion([("4", 0.9)]))) as server:
        env = {**CHAT, "JEVAL_CHAT_BASE_URL": server.url + base, "JEVAL_CHAT_API_KEY": KEY}
        ask_one(make(choose("chat", {}), env), STATE, {"q": QUESTIONS["q"]})
        path, headers, _ = server.seen[0]
    assert path == "/v1/chat/completions" and headers["authorization"] == f"Bearer {KEY}"


@pytest.mark.parametrize(
    ("given", "env", "field"),
    [
        ("systemone", {}, "TYPESAFE_API_KEY"),
        ("systemone", {"TYPESAFE_API_KEY": " "}, "TYPESAFE_API_KEY"),
        ("systemone", {"TYPESAFE_API_KEY": "a b"}, "key"),
        ("systemone", {"TYPESAFE_BASE_URL": "nonsense"}, "base_url"),
        ("systemone", {"TYPESAFE_BASE_URL": f"https://{KEY}@host"}, "base_url"),
        ("chat", {}, "JEVAL_CHAT_BASE_URL"),
        ("chat", {"JEVAL_CHAT_BASE_URL": "http://localhost:1"}, "JEVAL_CHAT_MODEL"),
        ("chat", {**CHAT, "JEVAL_CHAT_EXTRA": "[1]"}, "JEVAL_CHAT_EXTRA"),
        ("chat", {**CHAT, "JEVAL_CHAT_EXTRA": "{"}, "JEVAL_CHAT_EXTRA"),
        ("chat", {**CHAT, "JEVAL_JUDGE_CONCURRENCY": "many"}, "JEVAL_JUDGE_CONCURRENCY"),
        ("chat", {**CHAT, "JEVAL_JUDGE_CONCURRENCY": "0"}, "limits"),
        ("chat", {**CHAT, "JEVAL_JUDGE_TIMEOUT": "-1"}, "limits"),
        ("chat", {**CHAT, "JEVAL_JUDGE_REQUESTS_PER_MINUTE": "0"}, "limits"),
        ("chat", {**CHAT, "JEVAL_JUDGE_PRICE": "-1"}, "JEVAL_JUDGE_PRICE"),
        ("chat", {**CHAT, "JEVAL_JUDGE_PRICE": "nan"}, "JEVAL_JUDGE_PRICE"),
    ],
)
def test_settings_that_cannot_be_used_name_themselves(given: str, env: dict[str, str], field: str) -> None:
    with pytest.raises(BadSetting) as found:
        make(choose(given, {}), env)
    assert found.value.field == field and KEY not in str(found.value)


def test_limits_from_the_environment() -> None:
    env = {
        **CHAT,
        "JEVAL_JUDGE_CONCURRENCY": "32",
        "JEVAL_JUDGE_REQUESTS_PER_MINUTE": "90",
        "JEVAL_JUDGE_TOKENS_PER_MINUTE": "1e5",
        "JEVAL_JUDGE_TIMEOUT": "2.5",
        "JEVAL_JUDGE_PRICE": "0.1",
    }
    judge: Any = make(choose("chat", {}), env)
    limits = judge.client.limits
    assert (limits.concurrency, limits.requests_per_minute, limits.tokens_per_minute, limits.timeout) == (
        32,
        90,
        1e5,
        2.5,
    )
    assert judge.price == 0.1 and judge.concurrency == 32


@pytest.mark.parametrize(
    ("url", "price"),
    [
        ("http://localhost:8080", 0.0),
        ("http://127.0.0.1:1", 0.0),
        ("http://[::1]:1", 0.0),
        ("https://api.openai.com/v1", None),
        ("http://localhost.evil.example", None),
    ],
)
def test_only_this_machine_is_free_of_charge(url: str, price: float | None) -> None:
    assert make(choose("chat", {}), {**CHAT, "JEVAL_CHAT_BASE_URL": url}).price == price and is_here(url) == (
        price == 0
    )


def test_a_page_may_only_name_hosts_of_the_list() -> None:
    def named(base_url: str, hosts: str = "") -> str:
        return make(Choice("chat", base_url=base_url), {**CHAT, "JEVAL_JUDGE_HOSTS": hosts}).base_url

    assert named("http://localhost:8080/v1") == named("http://localhost:8080/v1/") == "http://localhost:8080/v1"
    assert named("http://gpu.example:9000", "other.example, GPU.example:9000") == "http://gpu.example:9000"
    for url in (
        "http://169.254.169.254",
        "http://localhost:22",
        "http://gpu.example",
        "http://gpu.example:9000@evil.example",
        "x",
    ):
        with pytest.raises(BadSetting, match="JEVAL_JUDGE_HOSTS"):
            named(url, "gpu.example:9000,")


def test_a_recording_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(BadRecording):
        make(choose(f"recorded:{tmp_path / 'none.jsonl'}", {}), {})


def test_the_connection_can_be_tried() -> None:
    with FaultServer(
        lambda n, path, body: Say() if "Bearer" in server.seen[n][1].get("authorization", "") else Say({}, 401)
    ) as server:
        env = {"TYPESAFE_BASE_URL": server.url, "TYPESAFE_API_KEY": KEY}
        answers = probe(make(choose("systemone", {}), env))
        assert answers.model == "jev-1.13.0" and answers.latency > 0 and answers["q"].score > 0.9
        with pytest.raises(JudgeError, match="Check TYPESAFE_API_KEY") as found:
            probe(make(choose("systemone", {}), {"TYPESAFE_BASE_URL": server.url}))
        assert found.value.code == "unauthorised"
    assert probe(Heuristic()).kind == "heuristic"
    assert probe(Recorded("example")).failed["q"].code == "not_recorded"


LIGHT = """
import sys
import jeval_core, jeval_core.judge, jeval_core.judge.settings
heavy = {"httpx", "httpcore", "sqlalchemy"} & set(sys.modules)
assert not heavy, heavy
from jeval_core.judge.settings import choose, make
make(choose("heuristic", {}), {})
make(choose("recorded:example", {}), {})
assert not {"httpx", "httpcore", "sqlalchemy"} & set(sys.modules)
"""


def test_nothing_heavy_is_loaded_before_a_host_is_asked() -> None:
    run = subprocess.run([sys.executable, "-c", LIGHT], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
