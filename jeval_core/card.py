"""What an evaluator says about itself: fields, options, named variants, catalogue texts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from jeval_core.errors import BadInput, BadOption, UnknownOption, nearest, said
from jeval_core.types import Kind, OptionValue

MOST_EDITS = 1_000_000_000
"""The largest threshold of an evaluator whose threshold is a distance."""


@dataclass(frozen=True)
class Option:
    """A setting. `values` maps a variant to the values it takes there, the default first."""

    name: str
    about: str
    values: Mapping[str, tuple[OptionValue, ...]]


@dataclass(frozen=True)
class Preset:
    """Options under a name: one row of "who gets which number"."""

    label: str
    detail: str
    options: Mapping[str, OptionValue]


@dataclass(frozen=True)
class Aggregate:
    """How results of many rows become one number; `formula` in plain text, `latex` for the page."""

    name: str
    formula: str
    latex: str
    about: str


MEAN = Aggregate("mean", "Σ scoreᵢ / n", r"\frac{1}{n}\sum_i s_i", "The average score of the rows that were scored.")
PASS_RATE = Aggregate("pass rate", "k / n", r"k / n", "The share of scored rows at or beyond their threshold.")

MAE = Aggregate(
    "mean absolute error",
    "Σ |Eᵢ − goldᵢ| / n",
    r"\frac{1}{n}\sum_i |E_i - g_i|",
    "How many levels the expected level is from a human's, where the file has one.",
)
BRIER = Aggregate(
    "Brier score",
    "Σ (pᵢ − yᵢ)² / n",
    r"\frac{1}{n}\sum_i (p_i - y_i)^2",
    "How far the probability is from what a human said, 0 at best. Always yes or no at 0.5 gives 0.25.",
)
CONFUSION = Aggregate(
    "confusion",
    "count(gold = a, answer = b)",
    r"\#\{i : g_i = a,\ \hat g_i = b\}",
    "How often each human label got each answer, where the file has labels.",
)
JUDGED = (MEAN, PASS_RATE, MAE)


@dataclass(frozen=True)
class Texts:
    """The catalogue page of an evaluator, in plain sentences. `example` holds request fields."""

    what: str
    use: tuple[str, ...]
    avoid: tuple[str, ...]
    watch: tuple[str, ...]
    questions: tuple[tuple[str, str], ...]
    example: Mapping[str, str]
    example_says: str
    shape: str


@dataclass(frozen=True)
class Card:
    """Everything about an evaluator that is not a formula. Pages, API, tables and tests follow from it."""

    id: str
    name: str
    line: str
    threshold: float
    passes: str
    texts: Texts
    kind: Kind = "code"
    required: tuple[str, ...] = ("output", "expected")
    optional: tuple[str, ...] = ()
    aggregates: tuple[Aggregate, ...] = (MEAN, PASS_RATE)
    suites: tuple[str, ...] = ("everything",)
    related: tuple[str, ...] = ()
    variants: tuple[str, ...] = ("jeval",)
    options: tuple[Option, ...] = ()
    presets: tuple[Preset, ...] = field(default=())
    max_threshold: float | None = 1.0

    def resolve(self, given: Mapping[str, OptionValue]) -> dict[str, OptionValue]:
        """All options of the chosen variant with their values, defaults filled in.

        Raises UnknownOption for a name that neither the evaluator nor this variant has, BadOption for a value.
        """
        known = {o.name: o.values for o in self.options}
        for name in given:
            if name != "variant" and name not in known:
                raise UnknownOption(
                    f"{self.id} has no option `{said(name)}`.",
                    field=f"options.{self.id}",
                    hint=nearest(name, ["variant", *known]),
                )
        variant = str(self._pick("variant", self.variants, given))
        out: dict[str, OptionValue] = {"variant": variant}
        for name, values in known.items():
            if variant in values:
                out[name] = self._pick(name, values[variant], given)
            elif name in given:
                raise UnknownOption(
                    f"{self.id} takes no `{name}` with variant {variant}.",
                    field=f"options.{self.id}",
                    hint=f"It goes with: {', '.join(values)}.",
                )
        return out

    def _pick(self, name: str, values: tuple[OptionValue, ...], given: Mapping[str, OptionValue]) -> OptionValue:
        if name not in given:
            return values[0]
        for value in values:  # a command line gives every value as text
            if option_text(value) == option_text(given[name]):
                return value
        raise BadOption(
            f"{self.id} does not take that value for `{name}`.",
            field=f"options.{self.id}.{name}",
            hint=nearest(option_text(given[name]), map(option_text, values)),
        )

    def check_threshold(self, given: float | None) -> float:
        """The threshold to use: `given`, or the evaluator's own for None. BadInput for one that makes no sense."""
        if given is None:
            return float(self.threshold)
        field = f"thresholds.{self.id}"
        if not isinstance(given, (int, float)) or isinstance(given, bool):
            raise BadInput(f"The threshold of {self.id} must be a number, not {type(given).__name__}.", field=field)
        top = MOST_EDITS if self.max_threshold is None else self.max_threshold
        if not 0 <= given <= top:  # nan is neither
            scale = "a distance " if self.max_threshold is None else ""
            raise BadInput(f"The threshold of {self.id} must be {scale}between 0 and {top:,.10g}.", field=field)
        return float(given)

    def to_dict(self) -> dict[str, Any]:
        """The catalogue entry as plain JSON data."""
        return {
            "id": self.id,
            "name": self.name,
            "kind": self.kind,
            "line": self.line,
            "required": [*self.required],
            "optional": [*self.optional],
            "threshold": self.threshold,
            "passes": self.passes,
            "suites": [*self.suites],
            "options": [
                {"name": "variant", "about": "Whose definition.", "values": {"": [*self.variants]}},
                *(
                    {"name": o.name, "about": o.about, "values": {k: [*v] for k, v in o.values.items()}}
                    for o in self.options
                ),
            ],
            "presets": [{"label": p.label, "detail": p.detail, "options": dict(p.options)} for p in self.presets],
            "aggregates": [{"name": a.name, "formula": a.formula, "about": a.about} for a in self.aggregates],
            "what": self.texts.what,
            "use": [*self.texts.use],
            "avoid": [*self.texts.avoid],
            "watch": [*self.texts.watch],
            "questions": [{"q": q, "a": a} for q, a in self.texts.questions],
            "example": {"evaluators": [self.id], **self.texts.example},
            "example_says": self.texts.example_says,
            "shape": self.texts.shape,
            "related": [*self.related],
        }


def option_text(value: object) -> str:
    """An option's value as it is written on a command line."""
    return str(value).lower() if isinstance(value, bool) else str(value)
