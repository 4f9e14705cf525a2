"""The token rows and n-gram orders that the frames of every n-gram evaluator stand on."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from jeval_core.blocks import Bar, CountTable, Field, Lengths, TextFields
from jeval_core.ngrams import Gram as Tokens
from jeval_core.ngrams import total
from jeval_core.text.tokenizers import Span
from jeval_core.trace import Frame, Gram, Mark, Order, Row, Scene, Token

NAMES = ("", "unigram", "bigram", "trigram", "4-gram")
DIGITS = "₀₁₂₃₄"
_GAP = 8  # n-grams named in one sentence before "and … more"


def row(id: str, label: str, text: str, spans: Sequence[Span], shown: Sequence[str] | None = None) -> Row:
    """A row of the scene; `shown` replaces the spans' tokens (their stems) where given."""
    tokens = tuple(
        Token(shown[i] if shown else s.token, (s.start, s.end) if s.end > s.start else None)
        for i, s in enumerate(spans)
    )
    return Row(id, "output" if id == "output" else "expected", label, text, tokens)


def _places(tokens: Sequence[str], n: int) -> dict[Tokens, list[int]]:
    places: dict[Tokens, list[int]] = defaultdict(list)
    for i in range(total(len(tokens), n)):
        places[tuple(tokens[i : i + n])].append(i)
    return places


def order(n: int, output: Row, references: Sequence[Row], against: str | None = None) -> Order:
    """Counts of one order and which occurrences are credited: the leftmost ones.

    Each n-gram counts at most as often as in the reference that has it most; `against` names the one reference
    used where a rule compares with a single one.
    """
    used = [r for r in references if against in (None, r.id)]
    out = _places([t.t for t in output.tokens], n)
    refs = {r.id: _places([t.t for t in r.tokens], n) for r in used}
    grams: list[Gram] = []
    for tokens, starts in out.items():
        counts = {id: len(places.get(tokens, ())) for id, places in refs.items()}
        limit = max(counts.values())
        clipped = min(len(starts), limit)
        over: Mark = "over" if limit else "miss"
        at = {"output": _marks(starts, clipped, over)}
        for id, places in refs.items():
            there = places.get(tokens, [])
            at[id] = _marks(there, min(len(starts), len(there)), "over")
        limited = max(counts, key=lambda k: counts[k]) if len(refs) > 1 and limit else None
        grams.append(Gram(f"{n}.{len(grams)}", tokens, len(starts), limit, clipped, limited, at))
    grams += _only_expected(n, len(grams), out, refs)
    matched = sum(g.clipped for g in grams)
    return Order(n, matched, total(len(output.tokens), n), total(len(used[0].tokens), n), against, tuple(grams))


def _marks(starts: Sequence[int], credited: int, rest: Mark) -> tuple[tuple[int, Mark], ...]:
    return tuple((start, "hit" if i < credited else rest) for i, start in enumerate(starts))


def _only_expected(
    n: int, first: int, out: dict[Tokens, list[int]], refs: dict[str, dict[Tokens, list[int]]]
) -> list[Gram]:
    """The n-grams that no output holds, so that every token of every row has its mark."""
    missing: dict[Tokens, dict[str, tuple[tuple[int, Mark], ...]]] = {}
    for id, places in refs.items():
        for tokens, starts in places.items():
            if tokens not in out:
                missing.setdefault(tokens, {})[id] = tuple((start, "miss") for start in starts)
    return [
        Gram(f"{n}.{first + k}", tokens, 0, max(map(len, at.values())), 0, None, at)
        for k, (tokens, at) in enumerate(missing.items())
    ]


def cuts(r: Row) -> tuple[tuple[int, int], ...]:
    """Code point ranges that no token covers; runs of white space alone are left out."""
    covered = bytearray(len(r.text))
    for token in r.tokens:
        if token.at:
            covered[token.at[0] : token.at[1]] = b"\1" * (token.at[1] - token.at[0])
    gone = [i for i, c in enumerate(r.text) if not covered[i] and not c.isspace()]
    out: list[list[int]] = []
    for i in gone:
        if out and out[-1][1] == i:
            out[-1][1] = i + 1
        else:
            out.append([i, i + 1])
    return tuple((a, b) for a, b in out)


def plural(n: int, noun: str) -> str:
    """A count with its noun: 1 token, 2 tokens."""
    return f"{n} {noun}" + ("" if n == 1 else "s")


def named(grams: Sequence[str]) -> str:
    """N-grams in quotation marks, the first few by name."""
    rest = f" and {len(grams) - _GAP} more" if len(grams) > _GAP else ""
    return ", ".join(f"“{g}”" for g in grams[:_GAP]) + rest


def inputs_frame(scene: Scene, tokenizer: str, about: str) -> Frame:
    """Frame 1 of every n-gram evaluator: the texts, what tokenizing removed, the lengths."""
    sizes = [len(r.tokens) for r in scene.rows]
    lengths = tuple(
        {
            "label": r.label,
            "n": n,
            "note": None if n == sizes[0] else f"{abs(n - sizes[0])} {'more' if n > sizes[0] else 'fewer'}",
        }
        for r, n in zip(scene.rows, sizes, strict=True)
    )
    expected = " and ".join(map(str, sizes[1:]))
    return Frame(
        "inputs",
        "the two inputs" if len(scene.rows) == 2 else "the inputs",
        f"Tokenizer {tokenizer}: {about}. {plural(sizes[0], 'token')} in the output, {expected} expected.",
        "positions",
        (
            TextFields(
                caption="As sent. Struck out: what tokenizing removed.",
                fields=tuple(Field(r.label, r.text, cuts(r)) for r in scene.rows),
            ),
            Lengths(area="wide", caption="Lengths", rows=lengths),
        ),
        tuple((f"|{r.label}|", "number of tokens", len(r.tokens)) for r in scene.rows),
    )


def matched_note(o: Order) -> str:
    """What of one order did not count, by name."""
    missing = [" ".join(g.tokens) for g in o.grams if g.in_output and not g.in_expected]
    over = sum(g.in_output - g.clipped for g in o.grams if g.clipped)
    parts = []
    if missing:
        parts.append(f"Not in the expected text: {named(missing)}.")
    if over:
        parts.append(f"{plural(over, 'occurrence')} over the limit: the expected text does not have it that often.")
    return " ".join(parts) or "Every word of the output is in the expected text."


def count_table(orders: Sequence[Order]) -> CountTable:
    """The table of n-grams with its text alternative."""
    return CountTable(area="side", said=tuple(_said(o) for o in orders if o.total))


def _said(o: Order) -> str:
    hit = [" ".join(g.tokens) for g in o.grams if g.clipped]
    miss = [" ".join(g.tokens) for g in o.grams if g.in_output > g.clipped]
    return f"{NAMES[o.n]}s counted: {named(hit) or 'none'}; not or not all counted: {named(miss) or 'none'}"


def raw_bars(orders: Sequence[Order]) -> tuple[Bar, ...]:
    """Matched over all n-grams of the output, one bar per order."""
    return tuple(
        Bar(f"n{o.n}", f"n = {o.n}", o.n, o.matched, o.total, value=o.matched / o.total)
        if o.total
        else Bar(f"n{o.n}", f"n = {o.n}", o.n, skipped=f"the output has no {NAMES[o.n]}")
        for o in orders
    )
