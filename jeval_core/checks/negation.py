"""English negations, and how many of them one text has more than another.

Only the number of negations is compared, not their scope. "rather than" and "instead of" count like "not".
Some words may or may not negate and are optional: "nor" after another negation, "No," before a negated
sentence, "no more than" (which is "at most"), and verbs such as "fails to" or "lacks".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable
from dataclasses import dataclass

import regex

from jeval_core.checks.negative_prefixes import prefixed_words


@dataclass(frozen=True, slots=True)
class Negation:
    """A negation at ``text[start:end]``; ``word`` is its dictionary form and ``after`` the word that follows."""

    start: int
    end: int
    word: str
    after: str
    optional: bool = False
    stem: str = ""  # what is left of an optional phrase without its negation: "more than"


_NEUTRAL = (
    r"whether\ or\ not|or\ not(?=\s*[?.,;]|\s*$)|last\ but\ not\ least|second\ to\ none|no\ doubt|no\ matter|no\ wonder|no\ worries|nothing\ but"
    r"|not\ to\ mention|not\ without|no\ sooner|no-?brainer|no-?nonsense|never\ mind|nos?\.\ ?(?=\d|of\b)|why\ not|if\ not(?=,)"
)
_OPTIONAL_PHRASE = (
    r"(?:no|not)\ (?:more|less|fewer|later|earlier|greater|longer|higher|lower|larger|smaller)\ than"
    r"|not?\ (?:only|just|merely|simply|solely|exceed(?:ing|ed|s)?)"
)
_IMPLICIT = (
    r"unable|fail(?:s|ed|ing|ure)?|lack(?:s|ed|ing)?|absen(?:t|ce)|avoid(?:s|ed|ing)?|prohibit(?:s|ed|ing)?|prohibition|forbid(?:s|den)?|forbade"
    r"|refus(?:e|es|ed|ing)|refrain(?:s|ed|ing)?|exclud(?:e|es|ed|ing)|except|hardly|scarcely|barely|rarely|seldom|free|false|wrong|denie[sd]|deny"
    r"|declin(?:e|es|ed)|missing|prevent(?:s|ed|ing)?|omit(?:s|ted)?|skip(?:s|ped)?|devoid|ban(?:s|ned)?|disallow(?:s|ed)?|remains?\ to\ be|yet\ to"
    r"|stop(?:s|ped)?|reject(?:s|ed)?|contraindicated|unlikely|impossible|unknown|unavailable|other\ than|neglect(?:s|ed)?"
)
_HARD = (
    r"rather\ than|instead\ of|as\ opposed\ to|no\ longer|no[ -]one|cannot|can\ not|\p{L}+n't|(?:do|does|did|is|are|was|were|could|would|should|has|have|had)nt"
    r"|not|no|never|none|nobody|nothing|nowhere|neither|nor|without|ain't"
)
_NEGATION = regex.compile(
    rf"(?<![\w'])(?:(?P<neutral>{_NEUTRAL})|(?P<phrase>{_OPTIONAL_PHRASE})|(?P<hard>{_HARD})|(?P<implicit>{_IMPLICIT}))(?:(?<=[.\ ])|(?![\w']))",
    regex.IGNORECASE,
)
_AFTER = regex.compile(r"[^\w.!?\n]{0,3}(\w{1,40})")
_SENTENCE_END = regex.compile(r"[.!?\n]")
_SENTENCE_START = regex.compile(r"(?:\A|[.!?\n\"“:])\s*\Z")
_ANSWER = regex.compile(r"\s*[,;:—-]")


def find_negations(text: str) -> list[Negation]:
    """Return the negations of a normalised text in reading order."""
    found: list[Negation] = []
    for match in _NEGATION.finditer(text):
        if match["neutral"]:
            continue
        after = _AFTER.match(text, match.end())
        word = match[0].lower()
        optional = (
            not match["hard"]
            or word == "nor"
            and bool(found)
            and not _SENTENCE_END.search(text, found[-1].end, match.start())
        )
        stem = word.split(" ", 1)[1] if match["phrase"] else ""
        found.append(
            Negation(
                match.start(),
                match.end(),
                _plain(word) if match["hard"] else word,
                after[1].lower() if after else "",
                optional,
                stem,
            )
        )
    return _without_answers(text, found)


def _plain(word: str) -> str:
    if word.endswith(("n't", "nt")) or word in ("cannot", "can not", "rather than", "instead of", "as opposed to"):
        return "not"
    return word.replace("-", " ")


def _without_answers(text: str, found: list[Negation]) -> list[Negation]:
    """Make the "No" of "No, it is not" optional: the sentence says the same without it."""
    result = []
    for index, negation in enumerate(found):
        following = found[index + 1] if index + 1 < len(found) else None
        answers = (
            negation.word == "no"
            and _SENTENCE_START.search(text, max(0, negation.start - 3), negation.start)
            and _ANSWER.match(text, negation.end)
        )
        if answers and following and not following.optional:
            if not _SENTENCE_END.search(text, negation.end, following.start):
                negation = Negation(negation.start, negation.end, negation.word, negation.after, optional=True)
        result.append(negation)
    return result


def unmatched_negations(output: str, expected: str) -> tuple[list[Negation], list[Negation]]:
    """Return the negations of each normalised text that have no counterpart in the other; one list is empty."""
    sides = (find_negations(output), find_negations(expected))
    hard, optional = _split(sides, (output, expected))
    prefixed = prefixed_words(output, expected)
    for index in (0, 1):
        hard[index] += [Negation(start, end, "prefix", "") for start, end in prefixed[index]]
    if len(hard[0]) > len(hard[1]) + len(optional[1]):
        return _excess(sides[0], hard[0], hard[1], len(optional[1])), []
    if len(hard[1]) > len(hard[0]) + len(optional[0]):
        return [], _excess(sides[1], hard[1], hard[0], len(optional[0]))
    return [], []


def _split(
    sides: tuple[list[Negation], list[Negation]], texts: tuple[str, str]
) -> tuple[list[list[Negation]], list[list[Negation]]]:
    """Separate certain from optional negations; optional ones that both texts have cancel."""
    hard: list[list[Negation]] = [[], []]
    optional: list[list[Negation]] = [[], []]
    for index in (0, 1):
        alone = _stems_alone(
            texts[1 - index], sides[1 - index], {negation.stem for negation in sides[index] if negation.stem}
        )
        for negation in sides[index]:
            # "no more than" against "more than" is a difference, against "at most" it is none.
            certain = not negation.optional or negation.stem in alone
            (hard if certain else optional)[index].append(negation)
    rest = _cancel(optional[0], optional[1], lambda negation: negation.word)
    return hard, list(rest)


def _stems_alone(text: str, negations: list[Negation], stems: set[str]) -> set[str]:
    """Return those stems that the text has more often than its negated phrases account for."""
    negated = Counter(negation.stem for negation in negations)
    return {stem for stem in stems if len(regex.findall(rf"(?i)(?<!\w){stem}(?!\w)", text)) > negated[stem]}


def _cancel(
    left: list[Negation], right: list[Negation], key: Callable[[Negation], Hashable]
) -> tuple[list[Negation], list[Negation]]:
    waiting: dict[Hashable, list[Negation]] = {}
    for negation in reversed(right):
        waiting.setdefault(key(negation), []).append(negation)
    rest = []
    for negation in left:
        same = waiting.get(key(negation))
        if same:
            same.pop()
        else:
            rest.append(negation)
    return rest, sorted(
        (negation for group in waiting.values() for negation in group), key=lambda negation: negation.start
    )


def _excess(all_found: list[Negation], more: list[Negation], fewer: list[Negation], allowance: int) -> list[Negation]:
    """Name the negations of ``more`` that are left when each of ``fewer`` has taken its best match."""
    keys: tuple[Callable[[Negation], Hashable], ...] = (
        lambda n: (n.word, n.after),
        lambda n: n.after,
        lambda n: n.word,
        lambda n: "",
    )
    for key in keys:
        more, fewer = _cancel(more, fewer, key)
    left = sorted(more, key=lambda negation: negation.start)[allowance:]
    if any(negation.word == "neither" for negation in left):
        left += [negation for negation in all_found if negation.word == "nor" and negation.optional]
    return sorted(left, key=lambda negation: negation.start)
