"""ROUGE-L: longest common subsequence of words, as F1; ROUGE-Lsum: the same line by line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain

from jeval_core.blocks import LcsGrid, Table, TwoBars
from jeval_core.card import Card, Option, Preset, Texts
from jeval_core.errors import BadInput
from jeval_core.evaluators.base import gauge
from jeval_core.evaluators.rouge import REFERENCES, STEMMER, TOKENS, best, f1, f1_one, ratio, ratio_bar, share
from jeval_core.evaluators.tokens import TokenEvaluator
from jeval_core.ngrams import PATH_CELLS, Path, lcs_length, lcs_path
from jeval_core.registry import evaluator
from jeval_core.scene import inputs_frame, plural
from jeval_core.text.tokenizers import Span
from jeval_core.trace import Frame, Scene, Storyboard
from jeval_core.types import Columns, Counts, Evidence, Inputs, Scores, Verdict

GRID = 40
"""Up to so many tokens a side the grid is drawn; beyond it the list of pairs."""
LINE_PAIRS = 40_000
"""Pairs of different lines that ROUGE-Lsum compares at most."""
PAIRS = 2000
"""Pairs of the walk that a trace carries at most."""

TEXTS = Texts(
    what=(
        "The longest run of words that both texts have in the same order, gaps allowed, over each "
        "text's length, as F1. "
        "With `split: lines` it is ROUGE-Lsum: every expected line collects its matches from all output lines."
    ),
    use=(
        "Summaries and answers where order matters and words in between may differ.",
        "Beside ROUGE-N: a gap between the two means that words are there, but in another order.",
    ),
    avoid=(
        "Texts whose parts may be swapped: only one of two swapped parts counts.",
        "Meaning: a “not” between two matches costs almost nothing.",
    ),
    watch=(
        "Papers on summaries usually report ROUGE-Lsum. The signature says which one it is.",
        "Without line breaks ROUGE-L and ROUGE-Lsum are the same.",
    ),
    questions=(
        (
            "ROUGE-L or ROUGE-N?",
            ("ROUGE-N ignores order beyond pairs of words, ROUGE-L wants one order from start to end. Look at both."),
        ),
        (
            "Why does one swap cost so much?",
            (
                "A common subsequence never goes back. When two halves are swapped, only the longer one can "
                "be part of it."
            ),
        ),
    ),
    example={
        "output": "The model returns calibrated probabilities, not text.",
        "expected": "The model returns calibrated probabilities rather than text.",
    },
    example_says="0.80, pass: six words in the same order.",
    shape=(
        "score 0–1, label with two decimals, passed, no probabilities; evidence: lcs, output_tokens, "
        "reference_tokens, precision, recall."
    ),
)

CARD = Card(
    id="rouge_l",
    name="ROUGE-L",
    line="The longest common run of words in order, gaps allowed, as F1.",
    threshold=0.75,
    passes="F1 ≥ 0.75",
    texts=TEXTS,
    suites=("harness", "everything"),
    related=("rouge_n", "bleu", "levenshtein"),
    options=(
        Option("split", "`lines` gives ROUGE-Lsum: texts are compared line by line.", {"jeval": ("none", "lines")}),
        TOKENS,
        STEMMER,
        REFERENCES,
    ),
    presets=(
        Preset("jeval", "words", {}),
        Preset("ROUGE-Lsum", "words, line by line", {"split": "lines"}),
        Preset("with stemmer", "words, Porter stems", {"stemmer": True}),
        Preset("rouge-score", "its tokens", {"tokens": "rouge"}),
        Preset("rouge-score with stemmer", "its tokens, Porter stems", {"tokens": "rouge", "stemmer": True}),
    ),
)


@dataclass(frozen=True)
class WalkDetail:
    """Scene, the row id of the best reference, the walk (None: too long, or by lines) and the marked positions."""

    scene: Scene
    reference: str
    path: Path | None
    marks: dict[str, tuple[int, ...]]


@evaluator
class RougeL(TokenEvaluator):
    """ROUGE-L F1 (Lin 2004). Counts: length of the subsequence, tokens of the output and of the best reference.

    With `references: mean` the mean F1 rides along as `mean_f`.
    """

    card = CARD

    @property
    def by_lines(self) -> bool:
        """Whether texts are compared line by line (ROUGE-Lsum)."""
        return self.options["split"] == "lines"

    def lines(self, text: str) -> list[list[str]]:
        """Tokens line by line."""
        return [super(RougeL, self).tokens(line) for line in text.split("\n")]

    def tokens(self, text: str) -> list[str]:
        return list(chain.from_iterable(self.lines(text))) if self.by_lines else super().tokens(text)

    def locate(self, text: str) -> list[Span]:
        if not self.by_lines:
            return super().locate(text)
        starts = accumulate((len(line) + 1 for line in text.split("\n")), initial=0)
        out = []
        for start, line in zip(starts, text.split("\n"), strict=False):
            out += [Span(s.token, start + s.start, start + s.end) for s in super().locate(line)]
        return out

    def measure(self, x: Inputs, *, detail: bool = False) -> Evidence:
        sides = self.sides(x)
        found = []
        for i, reference in zip(sides.kept, sides.references, strict=True):
            lcs = len(self._union(x, i)) if self.by_lines else lcs_length(sides.output, reference)
            found.append((lcs, len(sides.output), len(reference)))
        scores = [f1_one(*c) for c in found]
        chosen = best(found, lambda c: f1_one(*c))
        counts: dict[str, float] = dict(zip(("lcs", "output_tokens", "reference_tokens"), found[chosen], strict=True))
        if self.options["references"] == "mean":
            counts["mean_f"] = sum(scores) / len(scores)
        return Evidence(counts, self._detail(x, sides.kept, chosen) if detail else None)

    def _union(self, x: Inputs, i: int) -> Path:
        return union_lcs(self.lines(x.output), self.lines(x.expected[i]))

    def _detail(self, x: Inputs, kept: list[int], chosen: int) -> WalkDetail:
        scene = Scene(self.rows(x, kept))
        id = f"expected.{kept[chosen]}"
        a, b = ([t.t for t in r.tokens] for r in scene.rows if r.id in ("output", id))
        pairs: Path | None = None
        if self.by_lines:
            pairs = self._union(x, kept[chosen])
        elif len(a) * len(b) <= PATH_CELLS:
            pairs = lcs_path(a, b)
        marks = {"output": tuple(i for i, _ in pairs or ()), id: tuple(j for _, j in pairs or ())}
        return WalkDetail(scene, id, None if self.by_lines else pairs, marks)

    def score(self, counts: Columns) -> Scores:
        mean = counts.get("mean_f")
        return mean if mean is not None else f1(counts["lcs"], counts["output_tokens"], counts["reference_tokens"])

    def beside(self, counts: Counts) -> dict[str, float | None]:
        return {
            "precision": share(counts, "lcs", "output_tokens"),
            "recall": share(counts, "lcs", "reference_tokens"),
        }

    def frames(self, e: Evidence, v: Verdict) -> Storyboard:
        d: WalkDetail = e.detail
        first = inputs_frame(d.scene, self.tokenizer.id, self.tokenizer.about)
        return Storyboard(
            d.scene, gauge(v), (first, *_walk_frames(d, int(e.counts["lcs"]), self.by_lines), _f1(d, e.counts, v))
        )


def union_lcs(output: Sequence[list[str]], reference: Sequence[list[str]]) -> Path:
    """ROUGE-Lsum (Lin 2004, section 3.2): for each reference line the union of its LCS with every output line.

    A word counts no more often than either text has it. Pairs are (position in the whole output, position in the
    whole reference); of equal output words the leftmost free one is taken. BadInput above 40,000 pairs of lines.
    """
    places: dict[str, list[int]] = {}
    for i, token in enumerate(chain.from_iterable(output)):
        places.setdefault(token, []).append(i)
    free = {token: iter(found) for token, found in places.items()}
    lines = {tuple(line) for line in output if line}
    check_lines(lines, {tuple(line) for line in reference if line})
    unions: dict[tuple[str, ...], list[int]] = {}
    pairs: Path = []
    start = 0
    for line in reference:
        key = tuple(line)
        if key not in unions:
            # walked from the end, dropping reference words first: the same union as rouge-score's
            walks = (lcs_path(other[::-1], key[::-1]) for other in lines if not set(other).isdisjoint(key))
            unions[key] = sorted({len(key) - 1 - k for walk in walks for _, k in walk})
        pairs += [(i, start + j) for j in unions[key] if (i := next(free[key[j]], -1)) >= 0]
        start += len(line)
    return pairs


def check_lines(output: Collection[tuple[str, ...]], reference: Collection[tuple[str, ...]]) -> None:
    """BadInput when comparing every line with every line would take too long."""
    longest = max(map(len, output), default=0) * max(map(len, reference), default=0)
    if len(output) * len(reference) > LINE_PAIRS or longest > PATH_CELLS:
        raise BadInput(
            "The texts have too many or too long lines to compare each with each.",
            field="options.rouge_l.split",
            hint="Use `split: none`, or shorter texts.",
        )


def _walk_frames(d: WalkDetail, lcs: int, by_lines: bool) -> tuple[Frame, Frame]:
    a, b = ([t.t for t in r.tokens] for r in d.scene.rows if r.id in ("output", d.reference))
    small = len(a) <= GRID and len(b) <= GRID
    dots = tuple((i, j) for i, x in enumerate(a) for j, y in enumerate(b) if x == y) if small else None
    places = Counter(b)
    equal = sum(places[x] for x in a)
    grid = LcsGrid(id="grid", area="wide", a="output", b=d.reference, dots=dots, path=None)
    pairs = Frame(
        "grid",
        "where tokens are equal",
        f"Every pair of equal tokens is a dot: {equal} of {len(a) * len(b)} cells.",
        "plain",
        (grid,),
        (("cells", f"{len(a)} × {len(b)}", len(a) * len(b)),),
    )
    if by_lines:
        rows = tuple((a[i], i + 1, j + 1) for i, j in zip(d.marks["output"], d.marks[d.reference], strict=True))[:GRID]
        table = Table(
            caption="Words that count",
            columns=(
                {"label": "word", "head": True},
                {"label": "in output", "num": 0},
                {"label": "in expected", "num": 0},
            ),
            rows=rows,
        )
        note = f"Each expected line collects the words that it shares, in order, with any output line: {lcs} in all."
        return pairs, Frame(
            "walk", "common subsequences, line by line", note, "plain", (table,) if rows else (), marks=d.marks
        )
    if d.path is None:
        note = f"The longest walk through the dots takes {plural(lcs, 'token')}. The texts are too long to trace it."
        return pairs, Frame("walk", "the longest common subsequence", note, "plain")
    path = tuple(d.path[:PAIRS])
    more = f" The first {PAIRS} are shown." if len(d.path) > PAIRS else ""
    long = f"The longest walk down and to the right through the dots takes {plural(lcs, 'token')}."
    note = long + _jumps(a, b, d.path) + more
    steps = tuple((f"step {k + 1}", f"({i}, {j})", a[i]) for k, (i, j) in enumerate(path[:GRID]))
    walked = LcsGrid(id="grid", area="wide", a="output", b=d.reference, dots=dots, path=path)
    return pairs, Frame("walk", "the longest common subsequence", note, "plain", (walked,), steps, marks=d.marks)


def _jumps(a: list[str], b: list[str], path: Path) -> str:
    """The gaps that the walk jumps over, the first three by name."""
    gaps = [
        (a[i + 1 : k], b[j + 1 : m]) for (i, j), (k, m) in zip(path, path[1:], strict=False) if k - i > 1 or m - j > 1
    ]
    named = [f"“{' '.join(x[:6]) or '∅'} | {' '.join(y[:6]) or '∅'}”" for x, y in gaps[:3]]
    return f" It jumps over {'; '.join(named)}." if named else ""


def _f1(d: WalkDetail, counts: Counts, v: Verdict) -> Frame:
    lcs, c, r = (counts[k] for k in ("lcs", "output_tokens", "reference_tokens"))
    bars = (ratio_bar("p", "precision", lcs, c), ratio_bar("r", "recall", lcs, r))
    mean = "mean_f" in counts
    lines = [
        ("precision", *ratio(counts, "lcs", "output_tokens")),
        ("recall", *ratio(counts, "lcs", "reference_tokens")),
        ("ROUGE-L", f"2 × {lcs:.0f} / ({c:.0f} + {r:.0f})", f1_one(lcs, c, r)),
    ]
    if mean:
        lines.append(("mean ROUGE-L", "mean over the references", counts["mean_f"]))
    note = "The walk’s length over each text’s length, and their harmonic mean." + (
        " The score is the mean over all references." if mean else ""
    )
    two = TwoBars(id="pr", area="wide", bars=bars, mean={"label": "mean F1" if mean else "F1", "value": v.score})
    return Frame("f1", "F1", note, "plain", (two,), tuple(lines), filled=True, marks=d.marks)
