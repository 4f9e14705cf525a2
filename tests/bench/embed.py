"""The encoder: many short texts together against one at a time."""

from __future__ import annotations

from time import perf_counter

from jeval_core.embed import encoder
from jeval_core.embed.errors import EncoderError
from tests.bench.core import pairs

ROWS = 1_000


def run() -> None:
    """Print one line."""
    try:
        model = encoder("minilm")
    except EncoderError as error:
        print(f"encoder: not measured. {error}")
        return
    texts = [f"{output} {i}" for i, (output, _) in enumerate(pairs(ROWS, 7))]
    longest = max(model.extent(text).tokens for text in texts)
    model.encode(texts[:50])
    together, single = [], []
    for _ in range(3):
        start = perf_counter()
        model.encode(texts)
        together.append(perf_counter() - start)
        start = perf_counter()
        for text in texts:
            model.encode([text])
        single.append(perf_counter() - start)
    ratio = min(single) / min(together)
    print(f"encoder, {ROWS:,} texts of up to {longest} tokens: together {ratio:.2f} times the speed of one at a time")
