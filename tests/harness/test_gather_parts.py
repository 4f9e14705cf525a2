"""Files that are parts of one: parallel text, the halves of a HELM run; and real files of several systems."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from jeval_core.data import MissingExpected, MissingOutput, UnreadableFile
from jeval_core.errors import BadInput
from jeval_core.runs import run_file, run_files
from tests.data_io.files import NO_REAL, REAL, write
from tests.harness.systems import alike, answers, plain


def test_parallel_text_is_one_run(tmp_path: Path) -> None:
    sides = {"news.hyp.txt": "the cat sat\n\na dog ran\n", "news.ref.txt": "the cat sat\nx\na dog sat\n", "news.src.txt": "eins\nzwei\ndrei\n"}
    paths = [write(tmp_path, name, text) for name, text in sides.items()]
    run = run_files(paths, ["rouge_n"])
    assert plain(run.rows.output) == ["the cat sat", "", "a dog ran"] and plain(run.rows.input) == ["eins", "zwei", "drei"]
    assert run.source.format == "mt-text" and run.rows.model_version is None and run.systems() == []
    assert "file" not in run.rows.extra.column_names and run.name == ", ".join(sides)
    packed = [tmp_path / "p" / f"{name}.gz" for name in sides]
    packed[0].parent.mkdir()
    for path, text in zip(packed, sides.values(), strict=True):
        path.write_bytes(gzip.compress(text.encode()))
    assert run_files(packed, ["rouge_n"]).id == run.id
    with pytest.raises(UnreadableFile, match="equally many lines"):
        run_files([paths[0], write(tmp_path, "short.ref.txt", "x\n")], ["rouge_n"])
    with pytest.raises(MissingExpected, match="^news.hyp.txt: "):  # text and a table are two systems
        run_files([paths[0], answers(tmp_path, "a.csv")], ["rouge_n"])


def helm(model: str, texts: list[tuple[str, str]]) -> tuple[str, str]:
    """The answers of a HELM run, and its metrics in another order."""
    states = [
        {
            "instance": {"id": f"i{i}", "input": {"text": "q"}, "references": [{"output": {"text": right}, "tags": ["correct"]}]},
            "train_trial_index": 0,
            "result": {"completions": [{"text": output}]},
        }
        for i, (output, right) in enumerate(texts)
    ]
    stats = [{"instance_id": f"i{i}", "train_trial_index": 0, "stats": [{"name": {"name": "f1"}, "mean": i / 4}]} for i in range(len(texts))]
    return json.dumps({"adapter_spec": {"model": model}, "request_states": states}), json.dumps(stats[::-1], indent=2)


@pytest.mark.parametrize("names", [("scenario_state.json", "per_instance_stats.json"), ("run_7_state.json", "run_7_numbers.json"), ("s.json.gz", "p.json.gz")])
@pytest.mark.parametrize("metrics_first", [False, True])
def test_helm_halves_are_one_run(tmp_path: Path, names: tuple[str, str], metrics_first: bool) -> None:
    both = helm("m1", [("a b", "a b"), ("a c", "a d"), ("x", "y")])
    paths = [write(tmp_path, n, gzip.compress(t.encode()) if n.endswith("gz") else t) for n, t in zip(names, both, strict=True)]
    run = run_files(paths[::-1] if metrics_first else paths, ["rouge_n"])
    alone = run_file(paths[0], ["rouge_n"])
    alike(run, alone, 0)
    assert len(run.rows) == 3 and run.version == alone.version and [s["model_version"] for s in run.systems()] == ["m1"]
    assert plain(run.rows.extra["helm.f1"]) == ["0.0", "0.25", "0.5"] and plain(run.rows.model_version) == ["m1"] * 3


def test_several_helm_runs(tmp_path: Path) -> None:
    first, metrics = helm("m1", [("a b", "a b"), ("a c", "a d")])
    second, _ = helm("m2", [("a", "a b"), ("a d", "a d")])
    paths = [write(tmp_path, n, t) for n, t in (("one.json", first), ("two.json", second), ("stats.json", metrics))]
    run = run_files(paths[:2], ["rouge_n"], group_by=["model_version"])
    assert plain(run.rows.model_version) == ["m1", "m1", "m2", "m2"] and [*run.groups["model_version"]] == ["m1", "m2"]
    with pytest.raises(BadInput, match="2 HELM runs and 1 files of metrics"):
        run_files(paths, ["rouge_n"])
    with pytest.raises(MissingOutput, match="^stats.json: These are HELM's metrics without the outputs"):
        run_files([paths[2], write(tmp_path, "more stats.json", metrics)], ["rouge_n"])


@pytest.mark.skipif(not REAL.is_dir(), reason=NO_REAL)
def test_real_systems_of_a_translation_task() -> None:
    paths = sorted(REAL.glob("mt_ted_zhen_*.csv"))
    run = run_files(paths, ["bleu", "rouge_l"], group_by=["model_version"])
    start = 0
    for path in paths:
        alone = run_file(path, ["bleu", "rouge_l"])
        alike(run, alone, start)
        start += len(alone.rows)
        assert run.groups["model_version"][path.stem]["bleu"].mean == pytest.approx(alone.summaries["bleu"].mean, rel=1e-12)
    assert len(paths) == 4 and start == len(run.rows) and len(run.systems()) == 4


@pytest.mark.skipif(not REAL.is_dir(), reason=NO_REAL)
def test_real_helm_halves() -> None:
    state, stats = (REAL / f"helm_narrative_qa_{half}.json" for half in ("scenario_state", "per_instance_stats"))
    run, alone = run_files([stats, state], ["rouge_l"]), run_file(state, ["rouge_l"])
    alike(run, alone, 0)
    means = [json.loads(stats.read_text("utf-8"))[i]["instance_id"] for i in range(len(run.rows))]
    assert sorted(plain(run.rows.id)) == sorted(means)
    given = {r["instance_id"]: {s["name"]["name"]: s.get("mean") for s in r["stats"] if not s["name"].get("perturbation")} for r in json.loads(stats.read_text("utf-8"))}
    assert [float(v) for v in plain(run.rows.extra["helm.f1_score"])] == [given[i]["f1_score"] for i in plain(run.rows.id)]
