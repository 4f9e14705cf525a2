"""A trace's key frame as a few bars: the small picture on a card."""

from __future__ import annotations

from console.components.cards import Bar
from jeval_core.answer_blocks import LevelBars, OptionBars
from jeval_core.blocks import Alignment, Block, FractionBars, PooledSquares, TwoBars
from jeval_core.trace import Trace
from jeval_core.vector_blocks import AngleDial

MOST = 5
"""Bars on a card."""
ORDER = (LevelBars, OptionBars, AngleDial, PooledSquares, FractionBars, TwoBars, Alignment)
"""Blocks that say most about a score, the best first."""


def picture(trace: Trace) -> tuple[str, tuple[Bar, ...]]:
    """A caption and bars; nothing for a trace without a block that can be told in bars."""
    found: list[Block] = [block for frame in trace.frames if not frame.extra for block in frame.blocks]
    for kind in ORDER:
        block = next((b for b in found if isinstance(b, kind)), None)
        if block is not None:
            caption, bars = _bars(block)
            return caption, tuple(bars[:MOST])
    return "", ()


def _bars(block: Block) -> tuple[str, list[Bar]]:
    match block:
        case LevelBars():
            top = max((level["p"] for level in block.levels), default=1) or 1
            return "Probability of each level", [
                Bar(f"level {level['index']}", level["p"] / top, f"{level['p']:.2f}") for level in block.levels
            ]
        case OptionBars():
            return "Probability of each answer", [Bar(o["name"], o["p"], f"{o['p']:.2f}") for o in block.options]
        case AngleDial():
            return "Angle between the vectors", [
                Bar("cosine", max(0.0, block.cosine), f"{block.cosine:.3f}".replace("-", "−")),
                Bar("angle", block.degrees / 180, f"{block.degrees:.1f}°"),
            ]
        case PooledSquares():
            rows = ((row.label, row.shared, row.total) for row in block.rows)
            return "Shared n-grams of 1 to 4 words", [Bar(n, k / (of or 1), f"{k} of {of}") for n, k, of in rows]
        case FractionBars() | TwoBars():
            bars = (bar for bar in block.bars if bar.skipped is None)
            return "Counted, before smoothing" if isinstance(block, FractionBars) else "Precision and recall", [
                Bar(bar.label, bar.value or 0.0, f"{bar.num}/{bar.den}") for bar in bars
            ]
        case Alignment():
            kinds = ("keep", "substitute", "insert", "delete")
            tally = {kind: sum(op == kind for op, _, _ in block.ops) for kind in kinds}
            whole = max(1, len(block.ops))
            return "Characters, kept and edited", [Bar(kind, n / whole, f"{n}") for kind, n in tally.items()]
    return "", []
