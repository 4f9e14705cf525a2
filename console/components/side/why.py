"""One sentence about a score, made of what was counted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import acos, degrees

from jeval_core.types import Result

Evidence = Mapping[str, float | None]


def _n(e: Evidence, name: str) -> int:
    return int(e.get(name) or 0)


def _bleu(e: Evidence) -> str:
    shares = ", ".join(f"{_n(e, f'match_{n}')}/{_n(e, f'total_{n}')}" for n in range(1, 5) if _n(e, f"total_{n}"))
    penalty = e.get("brevity_penalty")
    short = f" Being short costs a factor of {penalty:.2f}." if penalty is not None and 0 < penalty < 1 else ""
    return f"Of its runs of 1 to 4 words {shares or 'none'} are expected.{short}"


def _gleu(e: Evidence) -> str:
    side = "expected text" if _n(e, "reference_ngrams") >= _n(e, "output_ngrams") else "output"
    most = max(_n(e, "output_ngrams"), _n(e, "reference_ngrams"))
    return f"Shared n-grams: {_n(e, 'match')} of {most} in the {side}."


def _rouge_n(e: Evidence) -> str:
    output, expected = _n(e, "output_1"), _n(e, "reference_1")
    return f"Words in both: {_n(e, 'match_1')}, of {output} in the output and {expected} expected."


def _rouge_l(e: Evidence) -> str:
    output, expected = _n(e, "output_tokens"), _n(e, "reference_tokens")
    return f"Words in the same order in both: {_n(e, 'lcs')}, of {output} and {expected}."


def _cosine(e: Evidence) -> str:
    return f"To the encoder the two texts stand {degrees(acos(e.get('cosine') or 0.0)):.0f}° apart."


_WAYS: dict[str, Callable[[Evidence], str]] = {
    "bleu": _bleu, "gleu": _gleu, "rouge_n": _rouge_n, "rouge_l": _rouge_l, "semantic_similarity": _cosine,
}  # fmt: skip


def why(result: Result) -> str:
    """Why the score is what it is."""
    way = _WAYS.get(result.evaluator)
    return way(result.evidence) if way and result.status == "scored" else result.reason
