"""What is unusual about an answer, in words."""

from __future__ import annotations

import math
from dataclasses import dataclass

from jeval_core.blocks import say
from jeval_core.judge.answers import Answer
from jeval_core.labels import EPSILON

NEAR = 0.02
"""A score this close to its threshold could fall on either side when it is asked again: answers jitter by 0.01."""
PEAK = 0.25
"""The least weight of either side of a split judgement."""
LOW_MASS = 0.9
"""Below this share of a chat model's probability on the options the frame says so; below 0.5 there is no answer."""


@dataclass(frozen=True, slots=True)
class Remark:
    """`word` as a chip, `text` as a sentence; `serious`: it bears on the score, so that a result carries it too."""

    code: str
    word: str
    text: str
    serious: bool = True


def remarks(answer: Answer, score: float, threshold: float) -> list[Remark]:
    """Everything to say about an answer, the most important first. `score` and `threshold` in 0..1."""
    found = [remark for remark in (_uniform(answer), _split(answer), _mass(answer)) if remark]
    if abs(score - threshold) <= NEAR + EPSILON:
        text = f"The score is within {NEAR} of its threshold; asked again, a judge may land on the other side."
        found.append(Remark("borderline", "borderline", text))
    if answer.missing and answer.bound is not None:
        which = f"{len(answer.missing)} of the {len(answer.given)} options"
        text = f"The judge named no probability for {which}; each had at most {say(answer.bound)} and counts as 0."
        found.append(Remark("not_named", "not named", text, serious=False))
    found += [Remark("note", "note", note, serious=False) for note in answer.notes]
    if answer.renormalised:
        total = math.fsum(answer.given)
        text = f"The judge's numbers add up to {say(total)}; each was divided by that."
        found.append(Remark("renormalised", "renormalised", text, serious=False))
    return found


def _uniform(answer: Answer) -> Remark | None:
    if not answer.uniform or len(answer.given) < 3:
        return None
    text = "Every option got the same weight: this judge may not look at the texts at all."
    return Remark("uniform", "says nothing", text)


def _split(answer: Answer) -> Remark | None:
    """Two peaks with a valley between them: the mean is a level that the judge does not hold for likely."""
    p = answer.probabilities
    if answer.question.type != "score":
        return None
    for i in range(len(p)):
        for j in range(i + 2, len(p)):
            low = min(p[i], p[j])
            if low >= PEAK and min(p[i + 1 : j]) < low / 2:
                text = f"The judge wavers between level {i} and level {j}; the mean lies where it puts little weight."
                return Remark("split", "split judgement", text)
    return None


def _mass(answer: Answer) -> Remark | None:
    if answer.mass is None or answer.mass >= LOW_MASS:
        return None
    text = f"Only {say(answer.mass)} of the model's probability lay on the options at all; they were divided by that."
    return Remark("low_mass", "low mass", text)
