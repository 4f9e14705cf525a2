from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from jeval_core import example_answers as example
from jeval_core.evaluators.judged import Judged
from jeval_core.judge.answers import Answers, Usage
from jeval_core.judge.base import ask_one
from jeval_core.judge.client import Client
from jeval_core.judge.errors import BadRecording
from jeval_core.judge.heuristic import Heuristic
from jeval_core.judge.lines import key_of
from jeval_core.judge.recorded import EXAMPLE_FILE, Recorded, Recorder
from jeval_core.judge.systemone import SystemOne
from jeval_core.registry import get_evaluator
from tests.judge.faults import FaultServer, Say, systemone_body
from tests.judge.test_systemone import QUESTIONS

G_EVAL = get_evaluator("g_eval")
assert isinstance(G_EVAL, Judged)
STATE, QUESTION = G_EVAL.request(example.inputs("g_eval"))
STATES: list[dict[str, Any]] = [
    {"output": f"text {i} \ud800 你好\u2028", "turns": [{"role": "user"}]} for i in range(20)
]


def record(path: Path, judge: Any, states: list[dict[str, Any]] = STATES) -> list[Answers]:
    with Recorder(path) as recorder:
        found = []
        for state in states:
            found.append(ask_one(judge, state, QUESTIONS))
            recorder.add(state, QUESTIONS, found[-1])
    return found


def rounded(n: int, path: str, body: Any) -> Say:
    """Sums of .99, odd scores, and now and then a question without a distribution."""
    said = systemone_body(body)
    said["answers"]["q"]["probabilities"]["4"] = 0.74
    if n % 5 == 0:
        del said["answers"]["q"]["probabilities"]
    return Say(said)


def test_a_replay_gives_the_same_numbers_and_the_same_bytes(tmp_path: Path) -> None:
    with FaultServer(rounded) as server:
        first = record(tmp_path / "a.jsonl", SystemOne(Client(server.url)))
    replay = record(tmp_path / "b.jsonl", Recorded(tmp_path / "a.jsonl"))
    again = record(tmp_path / "c.jsonl", Recorded(tmp_path / "b.jsonl"), STATES[::-1])
    one, two, three = ((tmp_path / name).read_bytes() for name in ("a.jsonl", "b.jsonl", "c.jsonl"))
    assert one == two == three and one.count(b"\n") == 60
    for was, now, later in zip(first, replay, reversed(again), strict=True):
        assert now.answers == was.answers and repr(now) == repr(later)
        assert now.usage == was.usage and now.latency == was.latency and now.model == "jev-1.13.0"
        assert now.kind == "recording" and now.attempts == 0 and was.kind == "model"
        assert {k: (e.code, str(e)) for k, e in now.failed.items()} == {
            k: (e.code, str(e)) for k, e in was.failed.items()
        }
    assert first[0].failed and first[1]["q"].renormalised and not (tmp_path / "a.jsonl.part").exists()


def test_packing_does_not_matter(tmp_path: Path) -> None:
    with FaultServer(lambda n, path, body: Say()) as server:
        record(tmp_path / "a.jsonl", SystemOne(Client(server.url)))
    judge = Recorded(tmp_path / "a.jsonl")
    whole = ask_one(judge, STATES[3], QUESTIONS)
    for id, question in QUESTIONS.items():
        assert ask_one(judge, STATES[3], {"other": question})["other"] == whole[id]
    assert whole.usage == Usage(318, 34)


def test_what_is_not_recorded_is_named() -> None:
    answers = ask_one(Recorded("example"), {"output": "another"}, {"q": QUESTION})
    assert answers.failed["q"].code == "not_recorded" and not answers.answers


def test_heuristic_answers_stay_heuristic(tmp_path: Path) -> None:
    record(tmp_path / "a.jsonl", Heuristic())
    assert {a.kind for a in record(tmp_path / "b.jsonl", Recorded(tmp_path / "a.jsonl"))} == {"heuristic"}
    assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()


def test_the_shipped_example() -> None:
    answers = ask_one(Recorded("example"), STATE, {"q": QUESTION})
    a = answers["q"]
    assert answers.kind == "illustrative" and not answers.calibrated and answers.model == "example"
    assert a.expected == pytest.approx(3.7) and a.score == pytest.approx(0.925) and a.confidence == pytest.approx(0.75)


def test_the_shipped_example_is_what_its_module_writes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(example, "EXAMPLE_FILE", tmp_path / "example.jsonl")
    example.write()
    assert (tmp_path / "example.jsonl").read_bytes() == EXAMPLE_FILE.read_bytes()


def lines(**change: Any) -> bytes:
    each = map(json.loads, EXAMPLE_FILE.read_bytes().splitlines())
    data = next(line for line in each if line["question"] == QUESTION.to_dict())
    data.update(change)
    return json.dumps({name: value for name, value in data.items() if value != "gone"}).encode()


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (b"", "holds no answer"),
        (b"not json\n", "Line 1 of r.jsonl is no answer: it is not JSON"),
        (b"[]\n", "it is not an object"),
        (b"\xff\n", "it is not JSON"),
        (EXAMPLE_FILE.read_bytes() + b"{}\n", "Line 10 of r.jsonl is no answer: it has no 'question'"),
        (lines(model="other"), "its key is not that"),
        (lines(state={"output": "changed"}), "its key is not that"),
        (lines(key="gone"), "it has no state or key"),
        (lines(given=[0, 0, 0, 0, 0.5]), "add up to 0.5"),
        (lines(given="gone"), "it has no 'given'"),
        (lines(given=5), "wrong type"),
        (lines(kind="human"), "its kind is none of"),
        (lines(usage="many"), "wrong type"),
        (lines(resolved=5), "wrong type"),
        (lines(question={"type": "score"}), "A question is an object"),
    ],
)
def test_a_recording_that_cannot_be_read(tmp_path: Path, raw: bytes, words: str) -> None:
    (tmp_path / "r.jsonl").write_bytes(raw)
    with pytest.raises(BadRecording) as found:
        Recorded(tmp_path / "r.jsonl")
    assert words in str(found.value)


def test_files_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(BadRecording, match="cannot be read"):
        Recorded(tmp_path / "none.jsonl")
    with pytest.raises(BadRecording, match="cannot be read"):
        Recorded(tmp_path)
    with pytest.raises(BadRecording, match="cannot be written"):
        Recorder(tmp_path / "no" / "r.jsonl")


def test_answers_of_several_models_have_to_be_told_apart(tmp_path: Path) -> None:
    data = json.loads(lines())
    data["model"] = "jev-2"
    data["given"] = [1.0, 0.0, 0.0, 0.0, 0.0]
    data["key"] = key_of(data["state"], QUESTION, "jev-2")
    (tmp_path / "r.jsonl").write_bytes(lines() + b"\n" + json.dumps(data).encode())
    with pytest.raises(BadRecording, match="2 models.*example, jev-2"):
        Recorded(tmp_path / "r.jsonl")
    asked = {"q": QUESTION}
    assert ask_one(Recorded(tmp_path / "r.jsonl", "jev-2"), STATE, asked)["q"].expected == 0
    assert ask_one(Recorded(tmp_path / "r.jsonl", "example"), STATE, asked)["q"].expected > 3


def test_a_run_that_broke_leaves_the_recording_of_before(tmp_path: Path) -> None:
    record(tmp_path / "r.jsonl", Heuristic())
    before = (tmp_path / "r.jsonl").read_bytes()
    with pytest.raises(KeyboardInterrupt), Recorder(tmp_path / "r.jsonl") as recorder:
        recorder.add(STATES[0], QUESTIONS, ask_one(Heuristic(), STATES[0], QUESTIONS))
        raise KeyboardInterrupt
    assert (tmp_path / "r.jsonl").read_bytes() == before and [p.name for p in tmp_path.iterdir()] == ["r.jsonl"]


def test_samples_are_kept_apart(tmp_path: Path) -> None:
    with FaultServer(lambda n, path, body: Say()) as server, Recorder(tmp_path / "r.jsonl") as recorder:
        judge = SystemOne(Client(server.url))
        for sample in (0, 1):
            recorder.add(STATES[0], QUESTIONS, ask_one(judge, STATES[0], QUESTIONS, sample=sample), sample)
    replay = Recorded(tmp_path / "r.jsonl")
    assert not ask_one(replay, STATES[0], QUESTIONS, sample=1).failed
    assert {*ask_one(replay, STATES[0], QUESTIONS, sample=2).failed} == {*QUESTIONS}
