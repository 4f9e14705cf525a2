"""One pair by every evaluator that takes it, as cards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from console import cache, judges
from console.components.cards import Card
from console.components.cards.picture import picture
from console.components.side.why import why
from console.names import caution
from console.state import Query
from jeval_core import JevalError, list_evaluators
from jeval_core.evaluators.judged import no_model
from jeval_core.trace import Trace


@dataclass(frozen=True)
class Outcome:
    """An evaluator's trace of the pair, or why there is none."""

    query: Query
    trace: Trace | None
    why_not: str = ""

    @property
    def counts(self) -> bool:
        """Whether its verdict is one: word overlap and made-up answers have none."""
        return self.trace is not None and self.trace.gauge is not None and not no_model(self.trace.result.signature)

    @property
    def passed(self) -> bool:
        """The verdict, of an outcome that counts."""
        return bool(self.trace and self.trace.result.passed)

    @property
    def margin(self) -> float:
        """How far beyond its threshold the pair is, as a share of the scale; below 0 where it fails."""
        gauge = self.trace.gauge if self.trace else None
        if gauge is None:
            return float("inf")
        far = abs(gauge.value - gauge.threshold) / (gauge.max - gauge.min)
        return far if gauge.passed else -far


SORTS: dict[str, Callable[[Outcome], float]] = {
    "as in the catalogue": lambda one: 0.0,
    "fails first": lambda one: one.margin,
    "passes first": lambda one: -one.margin if one.margin != float("inf") else one.margin,
    "nearest to its threshold": lambda one: abs(one.margin),
}


def outcomes(query: Query) -> list[Outcome]:
    """Of every evaluator whose fields have text, in the order of the catalogue."""
    found = []
    for card in list_evaluators():
        if not query.fields.fits(card):
            continue
        own = replace(query, evaluator=card.id, options={}, threshold=None)
        if judges.would_spend(own):
            found.append(Outcome(own, None, "These texts came with a link. Asking the judge may cost money."))
            continue
        try:
            found.append(Outcome(own, cache.traced(cache.key(own))))
        except JevalError as error:
            found.append(Outcome(own, None, str(error)))
    return found


def apart(found: Sequence[Outcome]) -> set[str]:
    """The evaluators whose verdict is that of the few; none where they are even or all agree."""
    ids = {verdict: [o.query.evaluator for o in found if o.counts and o.passed is verdict] for verdict in (True, False)}
    few, many = sorted(ids.values(), key=len)
    return set(few) if len(few) < len(many) else set()


def said(found: Sequence[Outcome]) -> tuple[str, str]:
    """A headline and a line below it: how many pass, and who says otherwise."""
    counted = [o for o in found if o.counts]
    passing, failing = ([o.query.card.name for o in counted if o.passed is verdict] for verdict in (True, False))
    head = f"{len(passing)} of {len(counted)} evaluators pass this pair"
    if not counted:
        return "No evaluator scores this pair", "An expected text is needed, or criteria for a judge."
    if not passing or not failing:
        return head, "They agree. Each is held against its own threshold; scores of different scales do not compare."
    return head, f"They disagree: it passes by {_names(passing)}, and fails by {_names(failing)}."


def _names(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def warnings(found: Sequence[Outcome]) -> list[str]:
    """What the texts themselves warn of: it is the same for every evaluator that compares them."""
    each = (one.trace.result.warnings for one in found if one.trace and one.query.card.kind != "judge")
    return [*dict.fromkeys(warning.message for several in each for warning in several)]


def card(outcome: Outcome, few: set[str], shared: Sequence[str]) -> Card:
    """The card of an outcome, without the warnings that are `shared`."""
    query, trace = outcome.query, outcome.trace
    about, href = query.card, f"./?{urlencode(query.params(), doseq=True)}"
    if trace is None or trace.gauge is None:
        said = outcome.why_not or (trace.result.reason if trace else "")
        return Card(about.id, about.name, href, "–", None, said.partition(": ")[2] or f"{said[:1].upper()}{said[1:]}")
    gauge, wide = trace.gauge, trace.gauge.max - trace.gauge.min
    caption, bars = picture(trace)
    return Card(
        about.id,
        about.name,
        href,
        gauge.label,
        gauge.passed,
        why(trace.result),
        (gauge.value - gauge.min) / wide,
        (gauge.threshold - gauge.min) / wide,
        gauge.pass_side == "left",
        about.id in few,
        caution(trace.result.signature),
        tuple(w.message for w in trace.result.warnings if w.message not in shared),
        caption,
        bars,
    )
