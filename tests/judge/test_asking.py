from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import threading
import tracemalloc
from collections import Counter, deque
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from jeval_core.judge.answers import Answers, Usage, answer
from jeval_core.judge.asking import GIVE_UP, HOPELESS, Asking, Outcome, Request, ask_all, estimate
from jeval_core.judge.base import estimated_tokens
from jeval_core.judge.cache import Cache
from jeval_core.judge.client import Client, Limits, Secret
from jeval_core.judge.errors import BadSetting, NoLevel, TimedOut
from jeval_core.judge.heuristic import Heuristic
from jeval_core.judge.progress import Progress
from jeval_core.judge.questions import score_question, yes_no_question
from jeval_core.judge.recorded import Recorded, Recorder
from jeval_core.judge.systemone import SystemOne
from tests.judge.faults import Act, Cut, Drop, FaultServer, Say, systemone_body
from tests.judge.timing import StillClock

KEY = "sk-test-0123456789abcdef"
FIVE = score_question("How good?", ["a", "b", "c", "d", "e"])
ASKED = {"q": FIVE, "n": yes_no_question("Is it so?", "It is.", "It is not.")}


def rows(n: int) -> Iterator[Request]:
    return (Request(i, {"output": f"row {i} says something of its own"}, ASKED) for i in range(n))


class Fake:
    """A judge without a host: `say(i)` answers the request of that number."""

    backend, base_url, model = "systemone", "http://fake.example", "jev-latest"

    def __init__(
        self, say: Callable[[int], Any] = lambda i: 100, *, concurrency: int = 4, price: float | None = 1.0
    ) -> None:
        self.say, self.concurrency, self.price = say, concurrency, price
        self.asked: list[int] | deque[int] = []
        self.resolved = "jev-1"

    async def ask(self, state: Any, questions: Any, *, sample: int = 0) -> Answers:
        number = int(state["output"].split()[1])
        self.asked.append(number)
        await asyncio.sleep(0)
        said = self.say(number)
        if isinstance(said, Exception):
            raise said
        found = {id: answer(q, [0.0] * (len(q.options) - 1) + [1.0]) for id, q in questions.items()}
        return Answers(found, self.model, self.resolved, "model", True, Usage(said, 1))

    async def aclose(self) -> None:
        pass


def run(asking: Asking, requests: Any) -> tuple[list[Outcome], Progress]:
    found: list[Outcome] = []
    return found, ask_all(asking, requests, lambda outcome, _: found.append(outcome))


def test_every_request_has_an_outcome() -> None:
    found, progress = run(Asking(Fake(), total=50), rows(50))
    assert sorted(int(o.request.id) for o in found) == [*range(50)] and {o.status for o in found} == {"answered"}
    assert progress.done == progress.answered == progress.sent == 50 and progress.retried == progress.cached == 0
    assert progress.input_tokens == 5_000 and progress.usd == pytest.approx(0.005) and progress.models == ("jev-1",)
    assert progress.eta == 0 and progress.rate and progress.rate > 0
    assert all(o.answers and o.answers["q"].expected == 4 and o.error is None for o in found)


def test_nothing_to_ask() -> None:
    found, progress = run(Asking(Fake(), total=0), [])
    assert found == [] and progress.done == 0 and progress.rate is None and progress.eta is None


ACTS: dict[str, tuple[Act, int]] = {
    "answered": (Say(), 1),
    "unauthorised": (Say({"detail": "no"}, 401), 1),
    "forbidden": (Say({"detail": "no"}, 403), 1),
    "not_found": (Say({"detail": "no"}, 404), 1),
    "too_large": (Say({"detail": "no"}, 413), 1),
    "refused_question": (Say({"detail": [{"loc": ["q"], "msg": "no", "type": "x"}]}, 422), 1),
    "bad_request": (Say({"error": {"message": "no", "code": 400}}, 400), 1),
    "rate_limited": (Say({"detail": "no"}, 429, {"retry-after-ms": "5", "retry-after": "60"}), 3),
    "overloaded": (Say({"detail": "no"}, 529, {"retry-after": "0"}), 3),
    "server_error": (Say(b"<html>", 503), 3),
    "malformed_answer": (Say(b"{"), 1),
    "no_distribution": (Say({"model": "m", "answers": {"q": {"type": "score", "score": 3}, "n": {"type": "noul"}}}), 1),
    "bad_distribution": (
        Say({"model": "m", "answers": {"q": {"probabilities": {str(i): 0.15 for i in range(5)}}, "n": {"noul": 1}}}),
        1,
    ),
    "connection_lost": (Drop(), 3),
    "timed_out": (Say(seconds=30), 3),
}
KINDS = [*ACTS]


def faulty(n: int, path: str, body: Any) -> Act:
    return ACTS[KINDS[int(body["state"]["output"].split()[1]) % len(KINDS)]][0]


def test_every_failure_has_its_name_and_nothing_is_lost(tmp_path: Path) -> None:
    n = 2 * len(KINDS)
    with FaultServer(faulty) as server, Recorder(tmp_path / "r.jsonl") as recorder:
        limits = Limits(concurrency=16, timeout=2.5, retries=2)
        judge = SystemOne(Client(server.url, Secret(KEY), limits), price=1.0)
        found, progress = run(Asking(judge, cache=Cache(), recorder=recorder), rows(n))
    assert {int(o.request.id): o.status for o in found} == {i: KINDS[i % len(KINDS)] for i in range(n)}
    tries = Counter(KINDS[int(body["state"]["output"].split()[1]) % len(KINDS)] for _, _, body in server.seen)
    assert tries == {kind: 2 * tried for kind, (_, tried) in ACTS.items()}
    assert (
        progress.sent == len(server.seen) and progress.retried == 4 * 5 and progress.statuses == dict.fromkeys(KINDS, 2)
    )
    assert all((o.error is None) == (o.status == "answered") for o in found)
    assert KEY not in repr(found) + "".join(str(o.error) for o in found) + (tmp_path / "r.jsonl").read_text()
    assert all(f"row {o.request.id} says" not in str(o.error) for o in found)


def test_only_what_is_missing_is_asked_again() -> None:
    cache, broken = Cache(), {3, 8}
    judge = Fake(lambda i: TimedOut("slow") if i in broken else 100)
    found, progress = run(Asking(judge, cache=cache), rows(10))
    assert progress.statuses == {"answered": 8, "timed_out": 2}
    broken.clear()
    judge.asked.clear()
    found, progress = run(Asking(judge, cache=cache), rows(12))
    assert sorted(judge.asked) == [3, 8, 10, 11] and progress.answered == 12 and progress.cached == 8
    assert {int(o.request.id) for o in found if o.answers and o.answers.cached} == {*range(10)} - {3, 8}
    assert progress.usd == pytest.approx(4 * 100 / 1e6) and progress.sent == 4


def test_another_question_about_the_same_state_is_asked_alone() -> None:
    cache, judge = Cache(), Fake()
    one = [Request(i, {"output": f"row {i}"}, {"q": FIVE}) for i in range(3)]
    both = [Request(i, {"output": f"row {i}"}, ASKED) for i in range(3)]
    run(Asking(judge, cache=cache), one)
    found, progress = run(Asking(judge, cache=cache), both)
    assert progress.answered == 3 and progress.cached == 0
    assert all(o.answers and o.answers.cached == {"q"} and [*o.answers.answers] == ["q", "n"] for o in found)
    judge.resolved = "jev-2"  # what is asked for under the same name is another model now
    more = [Request(0, {"output": "row 0"}, {**ASKED, "z": score_question("New?", ["a", "b"])})]
    found, _ = run(Asking(judge, cache=cache), more)
    assert found[0].answers and found[0].answers.model == "jev-2" and not found[0].answers.cached


def test_local_judges_need_no_cache() -> None:
    cache = Cache()
    found, progress = run(Asking(Heuristic(), cache=cache), rows(5))
    assert progress.answered == 5 and progress.sent == 0 and progress.usd == 0 and len(cache) == 0
    assert {o.answers.kind for o in found if o.answers} == {"heuristic"}


def test_a_run_recorded_is_a_run_replayed(tmp_path: Path) -> None:
    with Recorder(tmp_path / "a.jsonl") as recorder:
        first, _ = run(Asking(Fake(), cache=Cache(), recorder=recorder), rows(40))
    with Recorder(tmp_path / "b.jsonl") as recorder:  # from the cache: the same
        run(Asking(Fake(concurrency=1), cache=Cache(), recorder=recorder), rows(40))
    with Recorder(tmp_path / "c.jsonl") as recorder:
        again, progress = run(Asking(Recorded(tmp_path / "a.jsonl"), recorder=recorder), rows(41))
    assert (
        (tmp_path / "a.jsonl").read_bytes()
        == (tmp_path / "b.jsonl").read_bytes()
        == (tmp_path / "c.jsonl").read_bytes()
    )
    assert progress.statuses == {"answered": 40, "not_recorded": 1}
    numbers = {o.request.id: dict(o.answers.answers) for o in first if o.answers}
    assert all(numbers[o.request.id] == dict(o.answers.answers) for o in again if o.answers and o.status == "answered")


@pytest.mark.parametrize("concurrency", [1, 4, 32])
@pytest.mark.parametrize("max_usd", [0.0, 0.00095, 0.002, 1.0])
def test_the_limit_on_spending_is_kept(concurrency: int, max_usd: float) -> None:
    request = next(rows(1))
    tokens = estimated_tokens(request.state, request.questions)
    judge = Fake(lambda i: tokens // 2, concurrency=concurrency)
    found, progress = run(Asking(judge, max_usd=max_usd), rows(50))
    assert progress.usd is not None and progress.usd <= max_usd and progress.done == len(found) == 50
    over = [o for o in found if o.status == "over_budget"]
    assert len(judge.asked) + len(over) == 50 and progress.statuses.get("answered", 0) == len(judge.asked)
    if over:  # it stopped only when one more request might have passed the limit
        assert progress.usd + (tokens + 4) / 1e6 > max_usd and "what was answered is not asked again" in str(
            over[0].error
        )
    assert bool(over) == (max_usd < 1.0)


def test_requests_that_broke_off_count_against_the_limit() -> None:
    request = next(rows(1))
    cost = estimated_tokens(request.state, request.questions) / 1e6
    judge = Fake(lambda i: TimedOut("slow"), concurrency=1)
    _, progress = run(Asking(judge, max_usd=3.5 * cost), rows(10))
    assert progress.statuses == {"timed_out": 3, "over_budget": 7} and progress.usd == 0


def test_usage_that_is_not_told_is_estimated() -> None:
    _, progress = run(Asking(Fake(lambda i: None)), rows(10))
    expected = sum(estimated_tokens(r.state, r.questions) for r in rows(10)) / 1e6
    assert progress.usd == pytest.approx(expected)
    assert estimate(Fake(), rows(10)).usd == pytest.approx(expected) and estimate(Fake(), rows(10)).requests == 10


def test_no_limit_without_a_price() -> None:
    with pytest.raises(BadSetting, match="JEVAL_JUDGE_PRICE"):
        Asking(Fake(price=None), max_usd=1.0)
    with pytest.raises(BadSetting, match="0 dollars or more"):
        Asking(Fake(), max_usd=-1.0)
    _, progress = run(Asking(Fake(price=None)), rows(3))
    assert progress.usd is None and progress.answered == 3 and estimate(Fake(price=None), rows(3)).usd is None


@pytest.mark.parametrize("status", [401, 403, 404])
def test_what_is_without_hope_is_not_asked_a_thousand_times(status: int) -> None:
    with FaultServer(lambda n, path, body: Say({"detail": "no"}, status)) as server:
        found, progress = run(Asking(SystemOne(Client(server.url, limits=Limits(concurrency=4)))), rows(1000))
        assert len(server.seen) <= HOPELESS + 4 and progress.done == len(found) == 1000 and len(progress.statuses) == 1


def test_one_refused_row_does_not_stop_the_others() -> None:
    def act(n: int, path: str, body: Any) -> Act:
        return Say({"detail": "flagged"}, 403) if "row 7 " in body["state"]["output"] else Say()

    with FaultServer(act) as server:
        _, progress = run(Asking(SystemOne(Client(server.url, limits=Limits(concurrency=2)))), rows(30))
    assert progress.statuses == {"answered": 29, "forbidden": 1}


def test_a_host_that_is_down_is_given_up() -> None:
    judge = Fake(lambda i: 100 if i < 5 else TimedOut("No answer."), concurrency=3)
    found, progress = run(Asking(judge), rows(500))
    assert progress.statuses == {"answered": 5, "timed_out": 495} and len(judge.asked) <= 5 + GIVE_UP + 3
    assert "was not asked" in str(found[-1].error)
    flaky = Fake(lambda i: 100 if i % GIVE_UP == 0 else TimedOut("No answer."), concurrency=1)
    run(Asking(flaky), rows(200))
    assert len(flaky.asked) == 200


def test_cancelling_names_every_request() -> None:
    stop = threading.Event()

    def act(n: int, path: str, body: Any) -> Act:
        if n == 10:
            stop.set()
        return Say(seconds=60 if n >= 10 else 0)

    with FaultServer(act) as server:
        judge = SystemOne(Client(server.url, limits=Limits(concurrency=4)))
        found, progress = run(Asking(judge, cancelled=stop.is_set), rows(300))
        assert len(server.seen) <= 14
    assert progress.done == len({o.request.id for o in found}) == 300
    answered = progress.statuses["answered"]  # up to three of the first ten were still under way
    assert 7 <= answered <= 10 and progress.statuses == {"answered": answered, "cancelled": 300 - answered}


def test_leaving_early_leaves_nothing_running() -> None:
    judge = Fake(concurrency=8)

    async def work() -> int:
        asking = Asking(judge)
        async for _ in asking.outcomes(rows(100)):
            break
        return 0

    def stop(outcome: Outcome, progress: Progress) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ask_all(Asking(judge), rows(100), stop)
    assert len(judge.asked) <= 16


def test_a_fault_of_ours_is_not_swallowed() -> None:
    with pytest.raises(ZeroDivisionError):
        run(Asking(Fake(lambda i: ZeroDivisionError() if i == 5 else 100)), rows(10))


def test_a_row_that_cannot_be_asked_is_named() -> None:
    with FaultServer(lambda n, path, body: Say()) as server:
        requests = [*rows(2), Request("bad", {}, ASKED), Request("none", {"output": "x"}, {})]
        found, progress = run(Asking(SystemOne(Client(server.url))), requests)
    assert {o.request.id: o.status for o in found} == {
        0: "answered",
        1: "answered",
        "bad": "bad_input",
        "none": "bad_input",
    }


def test_one_question_of_a_request_may_fail() -> None:
    class Half(Fake):
        async def ask(self, state: Any, questions: Any, *, sample: int = 0) -> Answers:
            found = await super().ask(state, {"q": FIVE})
            return Answers(found.answers, "m", "m", "model", True, failed={"n": NoLevel(0.2)})

    found, progress = run(Asking(Half()), rows(3))
    assert progress.statuses == {"no_level": 3} and all(o.answers and o.answers["q"].score == 1 for o in found)


def test_memory_stays_flat() -> None:
    def peak(n: int) -> int:
        judge = Fake(concurrency=32)
        judge.asked = deque(maxlen=1)
        asking = Asking(judge)
        tracemalloc.start()
        ask_all(asking, rows(n), lambda outcome, progress: None)
        top = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return top

    peak(100)
    assert peak(10_000) < peak(1_000) + 400_000


def test_two_thousand_rows_take_little_more_than_the_host() -> None:
    clock = StillClock()

    async def serve(request: httpx.Request) -> httpx.Response:
        body = json.loads(request.content)
        await clock.sleep(0.2)
        return httpx.Response(200, json=systemone_body(body))

    transport = httpx.MockTransport(serve)
    judge = SystemOne(Client("http://host.example", limits=Limits(concurrency=32), clock=clock, transport=transport))
    asking = Asking(judge, clock=clock)

    async def work() -> int:
        return len([outcome async for outcome in asking.outcomes(rows(2000))])

    assert clock.run(work()) == 2000
    assert asking.progress().seconds <= 1.02 * 2000 / 32 * 0.2 + 0.2


@pytest.mark.slow
@pytest.mark.parametrize("kill_at", [30, 75])
def test_a_killed_run_goes_on_where_it_was(kill_at: int) -> None:
    rows_, concurrency = 150, 8
    process: list[subprocess.Popen[str]] = []

    def act(n: int, path: str, body: Any) -> Act:
        if n == kill_at:
            os.kill(process[0].pid, signal.SIGKILL)
        return Say(seconds=0.005)

    with FaultServer(act) as server:
        command = [sys.executable, "-m", "tests.judge.asked_by_a_process", server.url, str(rows_), str(concurrency)]
        process.append(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
        assert process[0].wait() == -signal.SIGKILL
        before = len(server.seen)
        again = subprocess.run(command, capture_output=True, text=True, check=True)
        told = json.loads(again.stdout)
        assert told["answered"] == told["done"] == rows_ and told["sent"] == len(server.seen) - before
        assert told["cached"] + told["sent"] == rows_
        assert kill_at < before <= kill_at + 1 + concurrency and len(server.seen) <= rows_ + concurrency
        assert len({body["state"]["output"] for _, _, body in server.seen}) == rows_


def test_a_cut_answer_is_asked_again() -> None:
    with FaultServer(lambda n, path, body: Cut() if n == 0 else Say()) as server:
        _, progress = run(Asking(SystemOne(Client(server.url))), rows(1))
    assert progress.answered == 1 and progress.sent == 2 and progress.retried == 1
