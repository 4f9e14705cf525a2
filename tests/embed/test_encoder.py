"""The embedded encoder against sentence-transformers, and what happens without its weights or with others."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jeval_core import evaluate, explain
from jeval_core.embed import encoder, weights
from jeval_core.embed.errors import NoWeights, WrongWeights

GOLDEN = Path(__file__).parents[1] / "golden" / "vectors.json"


def there() -> bool:
    try:
        weights.find()
    except NoWeights:
        return False
    return True


needs_weights = pytest.mark.skipif(not there(), reason="the weights are not installed: jeval weights --install")
PAIRS = [
    ("The patient should be monitored overnight", "Overnight monitoring of the patient is recommended", 0.9239, 0.9239),
    ("administer 5mg", "administer 50mg", 0.8369, 0.8369),
    ("The cat sat on the mat", "Quarterly revenue rose by 8%", -0.0234, 0.0),
]


@needs_weights
@pytest.mark.parametrize(("output", "expected", "cosine", "score"), PAIRS)
def test_known_cosines(output: str, expected: str, cosine: float, score: float) -> None:
    result = evaluate("semantic_similarity", output=output, expected=expected)
    assert result.evidence["cosine"] == pytest.approx(cosine, abs=0.0005)
    assert result.score == pytest.approx(score, abs=0.0005)
    assert "model:all-MiniLM-L6-v2|weights:53aa51172d14|reads:256" in result.signature


@needs_weights
@pytest.mark.parametrize("together", [True, False])
def test_equal_to_sentence_transformers(together: bool) -> None:
    golden = json.loads(GOLDEN.read_text("utf-8"))
    texts, wanted = golden["texts"], np.array(golden["vectors"])
    model = encoder("minilm")
    found = model.encode(texts) if together else np.concatenate([model.encode([text]) for text in texts])
    assert len(texts) == 50 and np.abs(found - wanted).max() < 1e-5


@needs_weights
@settings(deadline=None)  # the first one reads the weights
@given(st.lists(st.text(max_size=60), min_size=1, max_size=6))
def test_vectors_have_length_one_whatever_the_text(texts: list[str]) -> None:
    found = encoder("minilm").encode(texts)
    assert found.shape == (len(texts), 384)
    assert np.allclose(np.linalg.norm(found, axis=1), 1, atol=1e-5)


@needs_weights
def test_what_is_read_and_what_is_not() -> None:
    model = encoder("minilm")
    text = " ".join(["word"] * 300)
    extent = model.extent(text)
    assert (extent.tokens, extent.read, text[: extent.end].count("word")) == (300, 254, 254)
    assert model.extent("two words").end == 9 and model.extent("\ud800 x").tokens == 2
    result = evaluate("semantic_similarity", output=text, expected="word")
    assert result.evidence["unread_tokens"] == 46
    trace = explain("semantic_similarity", output=text, expected="word")
    assert trace.frames[0].blocks[0].fields[0].cut == ((extent.end, len(text)),)
    assert "46 of 300 tokens of output do not count" in trace.frames[0].note


@needs_weights
def test_several_references_and_blank_texts() -> None:
    refs = ["", "Quarterly revenue rose", "The cat sat on a mat"]
    result = evaluate("semantic_similarity", output="The cat sat on the mat", expected=refs)
    assert result.evidence["reference"] == 3 and result.passed
    assert evaluate("semantic_similarity", output=" ", expected="x").score == 0.0
    assert evaluate("semantic_similarity", output="x", expected=" ").status == "skipped"
    same = evaluate("semantic_similarity", output="the same text", expected="the same text")
    assert same.score == 1.0


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    if not there():
        pytest.skip("the weights are not installed")
    files = weights.find()
    for path in (files.weights, files.tokenizer):
        shutil.copy(path, tmp_path / path.name)
    return tmp_path


@needs_weights
def test_a_folder_of_the_model_is_as_good(copied: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(weights.FOLDER, str(copied))
    assert evaluate("semantic_similarity", output="administer 5mg", expected="administer 50mg").score == pytest.approx(
        0.8369, abs=5e-4
    )


@needs_weights
@pytest.mark.parametrize("name", [*weights.SHA256])
def test_one_wrong_byte_is_refused_by_name(copied: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    data = bytearray((copied / name).read_bytes())
    data[-1] ^= 1
    (copied / name).write_bytes(data)
    monkeypatch.setenv(weights.FOLDER, str(copied))
    with pytest.raises(WrongWeights, match="sha256"):
        weights.find()
    result = evaluate("semantic_similarity", output="a", expected="b")
    assert result.status == "failed" and result.reason.startswith(f"wrong_weights: {name} is not that of")


def test_without_weights_nothing_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(weights.FOLDER, str(tmp_path))
    result = evaluate("semantic_similarity", output="a", expected="b")
    assert (result.status, result.score) == ("failed", None)
    assert result.reason.startswith("no_weights: ") and weights.FOLDER in result.reason
    assert explain("semantic_similarity", output="a", expected="b").frames == ()
    assert evaluate("bleu", output="a", expected="a").score == 1.0
    monkeypatch.delenv(weights.FOLDER)
    monkeypatch.setattr(weights, "PACKAGE", "jeval_no_such_package")
    assert "jeval weights --install" in evaluate("semantic_similarity", output="a", expected="b").reason


@needs_weights
def test_a_file_that_cannot_be_read_is_said(copied: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> str:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setenv(weights.FOLDER, str(copied))
    monkeypatch.setattr(weights, "_sha256", refuse)
    result = evaluate("semantic_similarity", output="a", expected="b")
    assert result.reason.startswith("no_weights: model.safetensors cannot be read: Permission denied.")


def test_the_other_library_is_asked_for_by_name() -> None:
    result = evaluate("semantic_similarity", output="a", expected="b", options={"variant": "sentence-transformers"})
    assert result.status in ("failed", "scored")
    if result.status == "failed":
        assert "pip install 'jeval-console[sbert]'" in result.reason and "weights:none" in result.signature
