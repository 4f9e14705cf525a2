"""Files through judges: columns are what each row gets alone, failures have names, nothing is asked twice."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from typer.testing import CliRunner

from console.cli import app
from jeval_core import BadInput, MissingField, evaluate, evaluate_frame, get_evaluator, list_evaluators
from jeval_core.batch.engine import Cancelled, score_columns
from jeval_core.batch.judged import Judging, Texts, judge_columns
from jeval_core.batch.scored import FAILED, SCORED, SKIPPED
from jeval_core.evaluators.judged import Judged
from jeval_core.harness.jobs import Jobs
from jeval_core.harness.spec import Spec
from jeval_core.harness.store import Store
from jeval_core.judge.client import Client
from jeval_core.judge.heuristic import Heuristic
from jeval_core.judge.systemone import SystemOne
from jeval_core.runs import run_file
from tests.data import FOLDER
from tests.judge.faults import Drop, FaultServer, Say, systemone_body

ROOT = Path(__file__).parents[2]
JUDGES = [c.id for c in list_evaluators() if c.kind == "judge"]
ROWS: list[dict[str, str | None]] = [
    {"output": "Paris", "expected": "Paris, France", "input": "Capital?", "criteria": "Names it", "conversation": "user: hi"},
    {"output": "", "expected": "x", "input": "q", "criteria": "c", "conversation": '[{"role": "user", "content": "q"}]'},
    {"output": "no criteria here", "expected": "y", "input": "q", "criteria": " ", "conversation": ""},
    {"output": None, "expected": "z", "input": "q", "criteria": "c", "conversation": "user: hi"},
    {"output": "only this", "expected": None, "input": None, "criteria": None, "conversation": None},
    {"output": "broken talk", "expected": "e", "input": "i", "criteria": "c", "conversation": "who says this"},
    {"output": "你好，世界", "expected": "你好", "input": "hello", "criteria": "礼貌", "conversation": "user: 你好"},
]  # fmt: skip


def run(*args: str) -> Any:
    return CliRunner().invoke(app, ["run", *args])


def result(*args: str) -> dict[str, Any]:
    done = run(*args, "--json")
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout, parse_constant=lambda c: pytest.fail(f"{c} in the output"))
    return dict(found)


def file_of(folder: Path, rows: int, *, gold: bool = False) -> Path:
    path = folder / "rows.csv"
    with path.open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(["id", "input", "output", "criteria", *(["gold_level"] if gold else [])])
        for i in range(rows):
            writer.writerow([i, f"question {i}", f"answer {i}", "It answers.", *([i % 5 + 1] if gold else [])])
    return path


def columns(**more: Any) -> tuple[dict[str, Any], Any]:
    judges: Any = {id: (get_evaluator(id), get_evaluator(id).card.threshold) for id in JUDGES}
    col = {n: pa.array([r[n] for r in ROWS], pa.string()) for n in ROWS[0]}
    texts = Texts(col["output"], [col["expected"]], col["input"], col["criteria"], col["conversation"])
    return judge_columns(judges, texts, Judging(Heuristic()), **more)


def test_more_reasons_than_a_byte_can_count() -> None:
    n = 300
    with FaultServer(lambda i, path, body: Say({"error": {"message": body["state"]["output"]}}, 422)) as server:
        judge = SystemOne(Client(server.url), "jev-latest")
        df = pd.DataFrame({"output": [f"text {i}" for i in range(n)], "criteria": ["c"] * n})
        out = evaluate_frame(df, "g_eval", judge=judge)
    assert set(out["g_eval.status"]) == {"failed"} and out["g_eval.reason"].notna().all()
    assert all(reason.startswith(("refused_question", "unauthorised")) for reason in out["g_eval.reason"])


def test_names_of_columns_that_are_not_there() -> None:
    df = pd.DataFrame({"output": ["o"], "criteria": ["c"], "question": ["i"]})
    with pytest.raises(MissingField, match="no column `questoin`"):
        evaluate_frame(df, "g_eval", input="questoin")
    with pytest.raises(MissingField):
        evaluate_frame(df, "bleu", expected=[])


def judged_by(tmp_path: Path, header: str, rows: list[str], evaluator: str) -> dict[str, Any]:
    path = tmp_path / "labels.csv"
    path.write_text("\n".join([header, *rows]) + "\n", "utf-8")
    return dict(result(str(path), "--evaluators", evaluator, "--judge", "heuristic", "--no-store").get("judged", {}))


def test_levels_from_zero_are_read_as_such(tmp_path: Path) -> None:
    rows = [f"output {i},it says so,{i % 5}" for i in range(10)]
    found = judged_by(tmp_path, "output,criteria,gold_level", rows, "g_eval")["gold_level"]["g_eval"]
    assert found["scale"] == [0.0, 4.0] and found["levels"]["n"] == 10 and found["no_model"] is True


def test_labels_of_a_choice_and_of_yes_and_no(tmp_path: Path) -> None:
    rows = [f"q,answer {i},answer,{label}" for i, label in enumerate(["same", "conflict", "sme", "subset"])]
    found = judged_by(tmp_path, "input,output,expected,relation", rows, "factuality")["relation"]["factuality"]
    assert (found["labels"]["n"], found["labels"]["n_unknown"]) == (3, 1)
    rows = [f"q,answer {i},it answers,{label}" for i, label in enumerate(["yes", "no", "", "yes"])]
    found = judged_by(tmp_path, "input,output,criteria,human_ok", rows, "closed_qa")
    assert found["human_ok"]["closed_qa"]["passes"]["n"] == 3


def test_a_column_called_history_fails_only_who_reads_it(tmp_path: Path) -> None:
    path = tmp_path / "h.csv"
    path.write_text("output,criteria,history\nfine,be fine,customer for two years\n", "utf-8")
    out = result(str(path), "--evaluators", "g_eval,conversation_relevance", "--no-store")
    assert out["aggregates"]["g_eval"]["n"] == 1 and out["aggregates"]["conversation_relevance"]["n_failed"] == 1


def alone(id: str, row: dict[str, str | None]) -> Any:
    card = get_evaluator(id).card
    given = {n: row[n] or "" for n in card.required} | {n: row[n] for n in card.optional if row[n]}
    return evaluate(id, **given, judge="heuristic")


def test_columns_are_what_each_row_gets_alone() -> None:
    found, report = columns()
    for id, scored in found.items():
        one = get_evaluator(id)
        assert isinstance(one, Judged)
        for i, row in enumerate(ROWS):
            why = scored.reasons[scored.reason[i]]
            if row["output"] is None:
                assert (scored.status[i], why) == (SKIPPED, "no output")
            elif row["output"] == "broken talk" and id == "conversation_relevance":
                assert scored.status[i] == FAILED and why.startswith("The conversation is no list of turns.")
            else:
                want = alone(id, row)
                assert scored.status[i] == (SCORED if want.status == "scored" else SKIPPED), (id, i)
                if want.status == "scored":
                    assert (scored.score[i], scored.passed[i], why) == (want.score, want.passed, "")
                    assert {n: c[i] for n, c in scored.counts.items()} == {n: want.evidence[n] for n in scored.counts}
                    assert scored.signature == want.signature
                else:
                    assert why == want.reason
    assert (report.kind, report.calibrated, report.progress.done) == ("heuristic", False, report.progress.answered)


def test_thresholds_of_rows_beat_the_others() -> None:
    limits = np.array([0.0, np.nan, 0, 0, 0, 0, 1.0])
    found, _ = columns(row_thresholds=limits)
    g = found["g_eval"]
    assert g.passed[0] and not g.passed[6] and g.passed[1] == (g.score[1] >= 0.75)


def test_progress_counts_rows_and_cancelling_keeps_nothing() -> None:
    seen: list[int] = []
    columns(progress=lambda done, rows, so_far: seen.append(done) or seen.append(rows))  # type: ignore[func-returns-value]
    assert {*seen[1::2]} == {len(ROWS)} and seen[::2] == sorted(seen[::2]) and seen[-2] >= len(ROWS) - 2
    with pytest.raises(Cancelled):
        columns(cancelled=lambda: True)


def test_frames_of_pandas() -> None:
    df = pd.DataFrame(ROWS).drop(index=5)
    out = evaluate_frame(df, ["bleu", "g_eval", "factuality"], evidence=True, judge="heuristic")
    assert [*out.index] == [*df.index]
    for i in df.index:
        for id in ("g_eval", "factuality"):
            want = None if ROWS[int(str(i))]["output"] is None else alone(id, ROWS[int(str(i))])
            score = out.loc[i, f"{id}.score"]
            assert (want is None or want.score is None) == bool(np.isnan(score))
            assert want is None or want.score is None or want.score == score
    assert set(out["g_eval.judge"]) == {"word-overlap/1 (heuristic)"} and "bleu.judge" not in out
    with pytest.raises(MissingField, match="no column `criteria`"):
        evaluate_frame(df.drop(columns="criteria"), "g_eval")
    suite = evaluate_frame(df.drop(columns="criteria"), "suite:promptfoo")
    assert set(suite["g_eval.reason"].dropna()) == {"g_eval needs `criteria`."}
    with pytest.raises(BadInput, match="asks a judge"):
        score_columns(["g_eval"], pa.array(["x"]), [pa.array(["x"])])


def test_mixed_types_of_the_messy_files() -> None:
    out = result(str(FOLDER / "messy" / "22_mixed_types.csv"), "--evaluators", "answer_correctness", "--no-store")
    levels = out["judged"]["gold_level"]["answer_correctness"]["levels"]
    gold, score = (
        {0: 4.0, 3: 3.0},
        evaluate_frame(
            pd.DataFrame({"output": ["yes", "3"], "expected": ["yes", "3"]}), "answer_correctness", judge="heuristic"
        )["answer_correctness.score"],
    )
    mae = sum(abs(4 * s - g) for s, g in zip(score, gold.values(), strict=True)) / 2
    assert (levels["n"], levels["mae"]) == (2, pytest.approx(mae)) and levels["n_scored"] == 6
    assert "gold" not in out or "answer_correctness" not in out["gold"]["gold_level"]  # no judge, no headline


STATUSES = {
    401: "unauthorised", 403: "forbidden", 404: "not_found", 413: "too_large", 422: "refused_question",
    429: "rate_limited", 529: "overloaded", 500: "server_error", 503: "server_error",
}  # fmt: skip
HEADERS = {429: {"retry-after-ms": "1", "retry-after": "0"}, 529: {"retry-after": "0"}}


def test_every_failure_is_a_status_of_its_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    faults: list[Any] = [*STATUSES, "malformed", "bare", "drop", "sum", "ok"]

    def act(n: int, path: str, body: Any) -> Any:
        fault = faults[int(body["state"]["output"].split()[1])]
        if fault == "drop":
            return Drop()
        said = systemone_body(body)
        if fault == "bare":
            del said["answers"]["g_eval"]["probabilities"]
        if fault == "sum":
            said["answers"]["g_eval"]["probabilities"]["4"] = 0.5
        if fault == "malformed":
            return Say(b"{nope")
        return (
            Say(said)
            if isinstance(fault, str)
            else Say({"error": {"message": "K-secret no"}}, fault, HEADERS.get(fault, {}))
        )

    file = file_of(tmp_path, len(faults))
    with FaultServer(act) as server:
        monkeypatch.setenv("TYPESAFE_BASE_URL", server.url)
        monkeypatch.setenv("TYPESAFE_API_KEY", "K-secret")
        monkeypatch.setenv("JEVAL_JUDGE_TIMEOUT", "5")
        monkeypatch.setenv("JEVAL_JUDGE_RETRIES", "2")
        done = run(
            str(file), "--evaluators", "g_eval", "--judge", "systemone", "--json", "--out", str(tmp_path / "o.csv")
        )
        counts = {
            code: sum(int(b["state"]["output"].split()[1]) == i for _, _, b in server.seen)
            for i, code in enumerate(faults)
        }
    out = json.loads(done.stdout)
    assert out["aggregates"]["g_eval"]["n"] == 1 and out["aggregates"]["g_eval"]["n_failed"] == len(faults) - 1
    rows = [*csv.DictReader((tmp_path / "o.csv").open(encoding="utf-8"))]
    said = {fault: row["g_eval.reason"].partition(":")[0] for fault, row in zip(faults, rows, strict=True)}
    assert said == {
        **STATUSES, "malformed": "malformed_answer", "bare": "no_distribution", "drop": "connection_lost",
        "sum": "bad_distribution", "ok": "",
    }  # fmt: skip
    assert all(counts[code] == 1 for code in (401, 403, 404, 413, 422)) and all(
        counts[code] > 1 for code in (429, 529, 500)
    )
    everything = done.stdout + done.stderr + (tmp_path / "o.csv").read_text("utf-8")
    assert "K-secret" not in everything
    for path in Path(os.environ["JEVAL_HOME"]).rglob("*"):
        assert path.is_dir() or b"K-secret" not in path.read_bytes()


def test_failed_rows_are_asked_again_and_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    down = threading.Event()

    def act(n: int, path: str, body: Any) -> Any:
        bad = int(body["state"]["output"].split()[1]) % 3 == 0
        return Say({"error": {"message": "no"}}, 403) if bad and not down.is_set() else Say(systemone_body(body))

    with FaultServer(act) as server:
        monkeypatch.setenv("TYPESAFE_BASE_URL", server.url)
        monkeypatch.setenv("JEVAL_JUDGE_CONCURRENCY", "1")
        args = (str(file_of(tmp_path, 30)), "--evaluators", "g_eval,closed_qa", "--judge", "systemone")
        first = result(*args)
        assert (first["judge"]["failed"], first["judge"]["requests"]) == ({"forbidden": 10}, 30)
        asked = len(server.seen)
        down.set()
        second = result(*args)
        assert len(server.seen) - asked == 10 and second["judge"]["cached"] == 20
        assert second["aggregates"]["g_eval"]["n"] == 30 and second["run_id"] != first["run_id"]


def test_replaying_a_recording_is_byte_identical(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def act(n: int, path: str, body: Any) -> Any:
        i = int(body["state"]["output"].split()[1])
        said = systemone_body(body)
        if i == 4:
            del said["answers"]["g_eval"]["probabilities"]
        said["answers"].get("g_eval", {}).get("probabilities", {}).update({"4": 0.74})
        return Say(said)

    file, tape = file_of(tmp_path, 20, gold=True), tmp_path / "tape.jsonl"
    with FaultServer(act) as server:
        monkeypatch.setenv("TYPESAFE_BASE_URL", server.url)
        live = result(str(file), "--evaluators", "g_eval,closed_qa", "--judge", "systemone", "--record", str(tape))
    outs = []
    for i in range(2):
        target = tmp_path / f"{i}.csv"
        done = run(
            str(file), "--evaluators", "g_eval,closed_qa", "--judge", f"recorded:{tape}", "--json", "--out", str(target)
        )
        outs.append((done.stdout, target.read_bytes()))
    assert outs[0] == outs[1]
    replayed = json.loads(outs[0][0])
    same = ("run_id", "dataset", "rows", "signatures", "aggregates", "groups", "judged", "gold")
    assert {k: replayed[k] for k in same} == {k: live[k] for k in same}
    assert live["aggregates"]["g_eval"]["n_failed"] == 1 and replayed["judge"]["failed"] == {"no_distribution": 1}


@pytest.mark.parametrize("suffix", [".csv", ".parquet", ".jsonl", ".xml"])
def test_every_export_says_that_it_was_word_overlap(tmp_path: Path, suffix: str) -> None:
    target = tmp_path / f"out{suffix}"
    out = result(str(file_of(tmp_path, 3)), "--evaluators", "g_eval", "--out", str(target))
    assert "(heuristic)" in out["signatures"]["g_eval"] and out["judge"]["kind"] == "heuristic"
    assert [p["code"] for p in out["problems"]] == ["no_judge"]
    stored = tmp_path / f"stored{suffix}"
    Store.open().run(out["run_id"]).export({".xml": "junit"}.get(suffix, suffix[1:]), str(stored))
    for path in (target, stored):
        if suffix == ".parquet":
            assert set(pd.read_parquet(path)["g_eval.judge"]) == {"word-overlap/1 (heuristic)"}
        elif suffix == ".xml":
            assert ElementTree.parse(path).find(".//property").get("value") == "word-overlap/1 (heuristic)"  # type: ignore[union-attr]
        else:
            assert path.read_text("utf-8").count("word-overlap/1 (heuristic)") == 3


def test_what_a_suite_brings_and_the_file_lacks_is_left_out(tmp_path: Path) -> None:
    out = result(str(FOLDER / "messy" / "31_header_case_space.csv"), "--suite", "promptfoo", "--no-store")
    assert [*out["aggregates"]] == ["bleu", "gleu", "rouge_n", "levenshtein", "semantic_similarity"]
    said = {p["reason"] for p in out["problems"] if p["code"] == "left_out"}
    assert said == {
        "Left out, since no column holds criteria: g_eval, llm_judge.",
        "Left out, since no column holds criteria or input: closed_qa.",
        "Left out, since no column holds input: factuality.",
    }
    done = run(str(FOLDER / "messy" / "31_header_case_space.csv"), "--evaluators", "g_eval")
    assert done.exit_code == 2 and "No column holds the criteria" in done.stderr
    only = result(str(file_of(tmp_path, 2)), "--suite", "promptfoo", "--no-store")
    assert [*only["aggregates"]] == ["g_eval", "llm_judge", "closed_qa"]


def test_a_judge_that_is_set_up_wrongly_stops_before_anything_is_scored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TYPESAFE_API_KEY", raising=False)
    monkeypatch.delenv("TYPESAFE_BASE_URL", raising=False)
    for judge, words in (
        ("systemone", "needs a key"),
        ("recorded:none.jsonl", "cannot be read"),
        ("nobody", "no judge"),
    ):
        done = run(str(file_of(tmp_path, 2)), "--evaluators", "g_eval", "--judge", judge)
        assert done.exit_code == 3 and words in done.stderr
    done = run(str(file_of(tmp_path, 2)), "--evaluators", "g_eval", "--record", str(tmp_path / "no" / "r.jsonl"))
    assert done.exit_code == 3 and "There is no folder" in done.stderr


def test_the_limit_on_spending_leaves_rows_that_say_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with FaultServer(lambda n, path, body: Say(systemone_body(body))) as server:
        monkeypatch.setenv("TYPESAFE_BASE_URL", server.url)
        monkeypatch.setenv("JEVAL_JUDGE_PRICE", "1000000")  # a dollar a token
        out = result(str(file_of(tmp_path, 10)), "--evaluators", "g_eval", "--judge", "systemone", "--max-usd", "1000")
        assert out["judge"]["usd"] <= 1000 and set(out["judge"]["failed"]) == {"over_budget"}
        assert out["aggregates"]["g_eval"]["n"] == len(server.seen) < 10


def test_jobs_ask_and_say_how_far_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with FaultServer(lambda n, path, body: Say(systemone_body(body), seconds=0.05)) as server:
        monkeypatch.setenv("TYPESAFE_BASE_URL", server.url)
        monkeypatch.setenv("JEVAL_JUDGE_CONCURRENCY", "2")
        file = file_of(tmp_path, 60)
        spec = Spec(((str(file), file.name),), ("g_eval",), judge={"judge": "systemone"})
        jobs = Jobs(Store.open())
        id = jobs.add(spec)
        jobs.start(id)
        stages = set()
        places = set()
        while (job := jobs.get(id)).state in ("queued", "running"):
            stages.add(job.stage)
            places.add((job.done, job.rows))
            time.sleep(0.02)
    assert job.state == "done" and any(s.startswith("asking the judge: ") and " request" in s for s in stages)
    assert any(0 < done < 60 and rows == 60 for done, rows in places)
    assert jobs.store.run(job.run_id or "").record["judge"]["requests"] == 60


def test_a_run_killed_half_way_asks_only_the_rest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows, at_once = 120, 4
    half = threading.Event()

    def act(n: int, path: str, body: Any) -> Any:
        if n == rows // 2:
            half.set()
        return Say(systemone_body(body), seconds=0.02)

    file = file_of(tmp_path, rows)
    with FaultServer(act) as server:
        env = {
            **os.environ,
            "TYPESAFE_BASE_URL": server.url,
            "JEVAL_JUDGE_CONCURRENCY": str(at_once),
            "PYTHONPATH": str(ROOT),
        }
        command = [
            sys.executable,
            "-m",
            "console.cli",
            "run",
            str(file),
            "--evaluators",
            "g_eval",
            "--judge",
            "systemone",
            "--json",
        ]
        process = subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        assert half.wait(60)
        process.send_signal(signal.SIGKILL)
        process.wait()
        time.sleep(0.3)
        before = len(server.seen)
        done = subprocess.run(command, env=env, capture_output=True, text=True)
        out = json.loads(done.stdout)
    assert out["aggregates"]["g_eval"]["n"] == rows and rows // 2 <= before < rows
    assert rows <= len(server.seen) <= rows + at_once
    assert out["judge"]["cached"] == rows - (len(server.seen) - before)


def test_run_file_takes_a_judge_of_your_own(tmp_path: Path) -> None:
    from jeval_core.harness.judging import Asks

    with FaultServer(lambda n, path, body: Say(systemone_body(body))) as server:
        judge = SystemOne(Client(server.url), "jev-latest")
        found = run_file(file_of(tmp_path, 3), ["g_eval"], judge=Asks(judge))
    assert found.summaries["g_eval"].mean == pytest.approx(0.925)
    assert found.scored["g_eval"].signature.endswith("|judge:jev-1.13.0|rev:1")


def test_a_recording_replaces_nothing_that_is_needed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, tape = file_of(tmp_path, 2), tmp_path / "tape.jsonl"
    out = tmp_path / "out.jsonl"
    for args in (("--record", str(file)), ("--record", str(tmp_path)), ("--record", str(out), "--out", str(out))):
        done = run(str(file), "--evaluators", "g_eval", *args)
        assert done.exit_code == 3 and "--record" in done.stderr or "is a folder" in done.stderr
    before = file.read_bytes()
    result(str(file), "--evaluators", "g_eval", "--record", str(tape))
    kept = tape.read_bytes()
    done = run(str(file), "--evaluators", "g_eval", "--judge", f"recorded:{tape}", "--record", str(tape))
    assert done.exit_code == 3 and (file.read_bytes(), tape.read_bytes()) == (before, kept)
    with FaultServer(lambda n, path, body: Say({"error": {"message": "no"}}, 401)) as server:
        monkeypatch.setenv("TYPESAFE_BASE_URL", server.url)
        run(str(file), "--evaluators", "g_eval", "--judge", "systemone", "--record", str(tape))
    assert tape.read_bytes() == kept and [p.name for p in tmp_path.glob(".*")] == []


def test_a_number_that_no_float_holds_fails_its_row_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def act(n: int, path: str, body: Any) -> Any:
        said = json.dumps(systemone_body(body))
        row = int(body["state"]["output"].split()[1])
        huge = {0: ('"0": 0.0', '"0": 1' + "0" * 400), 1: ('"input_tokens": 318', '"input_tokens": 1' + "0" * 4000)}
        return Say(said.replace(*huge[row]).encode() if row in huge else said.encode())

    with FaultServer(act) as server:
        monkeypatch.setenv("TYPESAFE_BASE_URL", server.url)
        out = result(str(file_of(tmp_path, 5)), "--evaluators", "g_eval", "--judge", "systemone")
    assert out["aggregates"]["g_eval"]["n"] == 4 and out["judge"]["failed"] == {"bad_distribution": 1}


def test_a_key_that_comes_back_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TYPESAFE_API_KEY", "sk-live-0123456789")
    for body, status in (({"model": "sk-live-0123456789", "answers": {}}, 200), ({"error": "bad key sk-live-0123***"}, 401)):
        with FaultServer(lambda n, path, _, body=body, status=status: Say(body, status)) as server:
            monkeypatch.setenv("TYPESAFE_BASE_URL", server.url)
            done = run(str(file_of(tmp_path, 1)), "--evaluators", "g_eval", "--judge", "systemone", "--json")
        assert "0123" not in done.stdout + done.stderr and "g_eval" in done.stdout
