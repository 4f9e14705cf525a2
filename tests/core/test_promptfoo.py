"""The `promptfoo` variant gives promptfoo's numbers."""

from __future__ import annotations

import pytest

from jeval_core import evaluate
from tests.data import golden

NAMES = {"bleu": "bleu", "gleu": "gleu", "rouge-n": "rouge_n", "levenshtein": "levenshtein"}


def vectors() -> list[dict]:
    """All vectors of the four metrics that promptfoo scored and whose reference has text."""

    def has_text(v: dict) -> bool:
        return any(isinstance(r, str) and r.strip() for r in v["references"])

    return [
        v
        for v in golden("promptfoo")["vectors"]
        if v["metric"] in NAMES and v["promptfoo_score"] is not None and has_text(v)
    ]


# promptfoo scores a reference of full stops alone; without a token there is nothing to compare here
NO_TOKENS = {"punct_only_both:gleu"}


@pytest.mark.parametrize("vector", vectors(), ids=lambda v: v["id"])
def test_same_number(vector: dict) -> None:
    result = evaluate(
        NAMES[vector["metric"]],
        output=vector["output"],
        expected=vector["references"],
        options={"variant": "promptfoo"},
    )
    if vector["id"] in NO_TOKENS:
        assert (result.status, vector["promptfoo_score"]) == ("skipped", 0)
        return
    if vector["metric"] == "levenshtein":  # the vectors hold the distance
        assert result.evidence["distance"] == vector["promptfoo_score"]
        assert result.score == float(vector["promptfoo_pass"])
    else:
        assert result.score == pytest.approx(vector["promptfoo_score"], abs=1e-9)
    assert result.passed == vector["promptfoo_pass"]


def test_nothing_is_left_out() -> None:
    assert len(vectors()) == 322
