"""The four frames of BLEU: inputs, clipped precision, smoothing, geometric mean × brevity penalty."""

from __future__ import annotations

import math

import numpy as np

from jeval_core.blocks import Bar, Curve, FractionBars, LogBalance, Product, Table, Weight
from jeval_core.evaluators.base import gauge
from jeval_core.evaluators.bleu_rules import ORDERS, Steps, brevity
from jeval_core.scene import DIGITS, NAMES, count_table, inputs_frame, matched_note, raw_bars
from jeval_core.text.tokenizers import Tokenizer
from jeval_core.trace import Frame, Scene, Storyboard
from jeval_core.types import Counts, Verdict

# smoothing → (frame title, note, tag of a bar that it changes)
SMOOTHING = {
    "add1": (
        "add-one smoothing",
        (
            "From n = 2 on, one is added above and below, so that one empty order cannot make the whole "
            "score zero. Unigrams stay as they are."
        ),
        "+1 / +1",
    ),
    "add1-all": (
        "add-one smoothing",
        ("One is added above and below on every order. On unigrams this gives credit to texts that share little."),
        "+1 / +1",
    ),
    "none": ("no smoothing", "Nothing is added: a single order without a match makes the score zero.", ""),
    "floor": (
        "a floor under zero",
        "An order without a match gets a small number instead of zero, which pulls the mean far down.",
        "floor",
    ),
    "exp": (
        "exponential smoothing",
        "The first order without a match counts as half an n-gram, the next as a quarter, and so on.",
        "halved",
    ),
    "add-k": (
        "add-one smoothing",
        "From n = 2 on, one is added above and below. Unigrams stay as they are.",
        "+1 / +1",
    ),
}
WORDS = ("", "One weight", "Two equal weights", "Three equal weights", "Four equal weights")


def bleu_frames(scene: Scene, s: Steps, counts: Counts, v: Verdict, tokenizer: Tokenizer, smoothing: str) -> Storyboard:
    """The storyboard of one row; every number comes from the counts and the steps."""
    frames = (
        inputs_frame(scene, tokenizer.id, tokenizer.about),
        _precision(scene),
        _smoothing(scene, s, smoothing),
        _product(s, counts, v),
    )
    return Storyboard(scene, gauge(v), frames)


def _kept(s: Steps) -> list[int]:
    return [n for n in ORDERS if s.kept[n - 1, 0]]


def _precision(scene: Scene) -> Frame:
    lines = tuple((f"p{DIGITS[o.n]}", f"{o.matched} / {o.total}", o.matched / o.total) for o in scene.orders if o.total)
    single = [o.against for o in scene.orders if o.against]
    rule = " Each order is counted against the one reference that shares most." if single else ""
    note = (
        "How many n-grams of the output also stand in the expected text, each counted at most as "
        "often as it stands there."
    )
    return Frame(
        "precision",
        "clipped precision",
        f"{note}{rule} {matched_note(scene.orders[0])}",
        "spans",
        (FractionBars(id="orders", area="main", bars=raw_bars(scene.orders)), count_table(scene.orders)),
        lines,
    )


def _smoothing(scene: Scene, s: Steps, smoothing: str) -> Frame:
    title, note, tag = SMOOTHING[smoothing]
    bars, rows, lines = [], [], []
    for o in scene.orders:
        i = o.n - 1
        if not s.kept[i, 0]:
            bars.append(Bar(f"n{o.n}", f"n = {o.n}", o.n, skipped=f"the output has no {NAMES[o.n]}"))
            continue
        p, raw = float(s.p[i, 0]), o.matched / o.total if o.total else 0.0
        num, den = int(s.num[i, 0]), int(s.den[i, 0])
        bonus = num - o.matched
        changed = bool(bonus) or not math.isclose(p, raw)  # the library's percentages come back a bit off
        bars.append(Bar(f"n{o.n}", f"n = {o.n}", o.n, num, den, bonus, p, raw, tag if changed else "kept raw"))
        rows.append((f"n = {o.n}", raw, p, p - raw))
        how = (
            f"({o.matched} + 1) / ({o.total} + 1)"
            if bonus
            else f"{num} / {den}"
            if not changed
            else f"{tag} of {num} / {den}"
        )
        lines.append((f"p{DIGITS[o.n]}", how, p))
    columns = (
        {"label": "order", "head": True},
        {"label": "raw", "num": 3},
        {"label": "smoothed", "num": 3},
        {"label": "change", "num": 3, "sign": True},
    )
    keys = tuple(f"n{n}" for n in _kept(s))
    table = Table(area="side", caption="Raw and smoothed", columns=columns, rows=tuple(rows), keys=keys)
    blocks = (FractionBars(id="orders", area="main", bars=tuple(bars)), *([table] if rows else []))
    return Frame("smoothing", title, note, "spans", blocks, tuple(lines))


def _product(s: Steps, counts: Counts, v: Verdict) -> Frame:
    geo, bp = float(s.geo[0]), float(s.bp[0])
    kept = _kept(s) if geo > 0 else []
    logs = {n: (float(s.p[n - 1, 0]), float(s.ln[n - 1, 0])) for n in kept}
    weights = tuple(Weight(f"n{n}", n, p, ln, 1 / len(kept)) for n, (p, ln) in logs.items())
    mean_ln = float(s.mean_ln[0]) if kept else None
    balance = LogBalance(
        area="main", caption="Geometric mean: equal weights at ln p", weights=weights, mean_ln=mean_ln, mean=geo
    )
    factors = ({"label": "geometric mean", "value": geo}, {"label": "brevity penalty", "value": bp})
    blocks = (balance, _curve(counts, bp, s.inverted), Product(area="wide", factors=factors, result=v.score))
    lines = [(f"ln p{DIGITS[n]}", f"ln {p:.6f}", ln) for n, (p, ln) in logs.items()]
    return Frame(
        "product",
        "geometric mean × brevity penalty",
        _product_note(len(kept), counts, bp),
        "rest",
        blocks,
        (*lines, *_product_lines(logs, counts, geo, bp, v.score)),
        filled=True,
    )


def _product_lines(
    logs: dict[int, tuple[float, float]], counts: Counts, geo: float, bp: float, score: float
) -> list[tuple[str, str, float]]:
    c, r = int(counts["output_tokens"]), int(counts["reference_tokens"])
    total = " ".join(f"− {abs(ln):.6f}" for _, ln in logs.values()).replace("− ", "−", 1)
    mean = f"exp(({total}) / {len(logs)})" if logs else "0, as an order has no match"
    penalty = (
        "0, as c = 0"
        if not c
        else "1, as c ≥ r"
        if c >= r
        else f"exp(1 − {r} / {c})"
        if bp <= 1
        else f"exp(1 − {c} / {r})"
    )
    return [
        ("G", mean, geo),
        ("BP", penalty, bp),
        ("BLEU", f"{geo:.6f} × {bp:.6f}" + (", at most 1" if geo * bp > 1 else ""), score),
    ]


def _product_note(weights: int, counts: Counts, bp: float) -> str:
    if not counts["output_tokens"]:
        return "The output has no tokens: the score is 0."
    if not weights:
        why = "No word in common" if not counts["match_1"] else "An order has no match and nothing is added"
        return f"{why}: the geometric mean and the score are 0."
    verb = "balances at its" if weights == 1 else "balance at their"
    lead = f"{WORDS[weights]} at ln p {verb} mean: the geometric mean."
    if bp > 1:
        return f"{lead} The output is shorter than the expected text, and the old formula rewards that."
    return lead + (
        " The output is shorter than the expected text, so it is multiplied by the brevity penalty."
        if bp < 1
        else " The output is long enough: no brevity penalty."
    )


def _curve(counts: Counts, bp: float, inverted: bool) -> Curve:
    c, r = int(counts["output_tokens"]), int(counts["reference_tokens"])
    top = max(1.5 * r, 1.15 * c)
    xs = np.array(sorted([top * i / 60 for i in range(61)] + [float(r)]))
    ys = brevity(xs, np.full_like(xs, r), inverted=inverted)
    return Curve(
        area="side",
        caption="Brevity penalty, by output length in tokens",
        x={"label": "output length, tokens", "min": 0, "max": top},
        y={"label": "BP", "min": 0, "max": math.e if inverted else 1},
        points=tuple(zip(xs.tolist(), ys.tolist(), strict=True)),
        ref={"x": r, "label": f"expected {r}"},
        mark={"x": c, "y": bp, "label": f"output {c}"},
    )
