"""Semantic similarity on many rows: the same numbers, the bands of a run, the time it took."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from jeval_core import evaluate
from jeval_core.batch.frame import evaluate_frame
from jeval_core.embed import weights
from jeval_core.harness.spec import Spec
from jeval_core.harness.store import Store
from jeval_core.runs import run_file
from tests.embed.test_encoder import needs_weights

PLACES = (
    "lake river valley forest harbour bridge castle tower market library museum garden station school hospital".split()
)
TIMES = "morning noon evening night spring summer autumn winter".split()


@pytest.fixture
def pairs() -> pd.DataFrame:
    rows = [
        (f"We reach the {place} in the {time}.", f"In the {time} we will be at the {place}.")
        for place in PLACES
        for time in TIMES[:4]
    ]
    return pd.DataFrame(rows, columns=["output", "expected"])


@needs_weights
def test_many_rows_have_the_scores_of_one(pairs: pd.DataFrame) -> None:
    pairs.loc[3, "output"], pairs.loc[4, "expected"], pairs.loc[5, "output"] = None, " ", ""
    found = evaluate_frame(pairs, "semantic_similarity", evidence=True)
    for i, row in pairs.iterrows():
        if not isinstance(row.output, str):
            assert found["semantic_similarity.status"][i] == "skipped"
            continue
        one = evaluate("semantic_similarity", output=row.output, expected=row.expected)
        assert found["semantic_similarity.status"][i] == one.status
        if one.score is not None:
            assert found["semantic_similarity.score"][i] == pytest.approx(one.score, abs=2e-6)
    assert found["semantic_similarity.cosine"].dtype == "Float64"


@needs_weights
def test_a_run_knows_its_bands_and_its_time(
    pairs: pd.DataFrame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JEVAL_HOME", str(tmp_path / "home"))
    path = tmp_path / "pairs.csv"
    pairs.to_csv(path, index=False)
    spec = Spec(((str(path), "pairs.csv"),), ("suite:harness",))
    run = spec.run()
    band = run.bands["semantic_similarity"]
    assert band.rows == len(pairs) and band.others >= 30
    assert band.matched[0] > band.unrelated[1] and band.matched[1] > band.unrelated[2]
    scores = run.scored["semantic_similarity"].score
    assert band.matched[1] == pytest.approx(np.median(scores), abs=1e-4)
    assert {"bleu", "rouge_n", "rouge_l", "semantic_similarity", "counting n-grams"} == {*run.seconds}
    assert run.seconds["semantic_similarity"] > run.seconds["rouge_n"] > 0
    assert "|v:sacrebleu" in run.scored["bleu"].signature or "version:" in run.scored["bleu"].signature
    again = json.dumps(spec.run().to_dict())
    assert again == json.dumps(run.to_dict())
    store = Store.open()
    kept = store.run(store.save_run(run, spec))
    assert kept.record["bands"]["semantic_similarity"] == json.loads(json.dumps(band.to_dict()))
    assert kept.seconds["semantic_similarity"] > 0
    assert kept.spec["options"]["bleu"] == {"variant": "sacrebleu"}


def test_a_file_without_weights_is_scored_by_the_rest(
    pairs: pd.DataFrame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(weights.FOLDER, str(tmp_path))
    path = tmp_path / "pairs.csv"
    pairs.to_csv(path, index=False)
    run = run_file(path, ["bleu", "semantic_similarity"])
    assert run.account()["scored"] == len(pairs) and run.bands == {}
    outcome = run.scored["semantic_similarity"]
    assert {outcome.reasons[i] for i in outcome.reason} == {f"no_weights: {weights_reason()}"}


def weights_reason() -> str:
    with pytest.raises(weights.NoWeights) as error:
        weights.find()
    return str(error.value)
