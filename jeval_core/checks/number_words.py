"""Numbers spelled out in English: "twenty-five", "one hundred and five", "third", "three quarters", "twice"."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

import regex

from jeval_core.checks.values import Value

_SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_ORDINALS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth"
    " fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth"
).split()
_TENTHS = "twentieth thirtieth fortieth fiftieth sixtieth seventieth eightieth ninetieth".split()
SCALES = {
    "hundred": 10**2,
    "thousand": 10**3,
    "million": 10**6,
    "billion": 10**9,
    "trillion": 10**12,
    "lakh": 10**5,
    "crore": 10**7,
    "dozen": 12,
}

CARDINALS = {name: number for number, name in enumerate(_SMALL)} | {
    name: 20 + 10 * index for index, name in enumerate(_TENS)
}
CARDINALS |= {"fourty": 40}  # a common misspelling
ORDINALS = {name: number for number, name in enumerate(_ORDINALS, 1)} | {
    name: 20 + 10 * index for index, name in enumerate(_TENTHS)
}
ORDINALS |= {"hundredth": 100, "thousandth": 1000}
_PARTS = {"half": 2, "halves": 2, "quarter": 4, "quarters": 4} | {
    name + plural: number for name, number in ORDINALS.items() if number > 2 for plural in ("", "s")
}
_FACTORS = {
    "twice": 2, "thrice": 3, "once": 1, "double": 2, "doubled": 2, "doubles": 2, "doubling": 2, "twofold": 2, "triple": 3, "tripled": 3,
    "triples": 3, "tripling": 3, "threefold": 3, "quadruple": 4, "quadrupled": 4, "fourfold": 4, "fivefold": 5, "tenfold": 10, "hundredfold": 100,
}  # fmt: skip
_HARD_FACTORS = ("twice", "thrice", "twofold", "threefold", "fourfold", "fivefold", "tenfold", "hundredfold")


@dataclass(frozen=True, slots=True)
class Raw:
    """A number at ``text[start:end]`` before its sign and unit are read.

    ``kind`` is "digits", "cardinal", "ordinal", "fraction", "factor" or "count" (a word like "both").
    ``soft`` is the family of words that may be no number, or empty.
    """

    start: int
    end: int
    value: Value
    kind: str
    soft: str = ""


def _either(words: Iterable[str]) -> str:
    return "|".join(sorted(words, key=lambda word: (-len(word), word)))


_WORD = regex.compile(
    rf"(?<![\w'])(?:(?:an?\ (?=(?:{_either(SCALES)})\b))|(?P<w>{_either([*CARDINALS, *SCALES, *ORDINALS])})(?!\w))",
    regex.IGNORECASE,
)
_NUMERATOR = rf"(?P<n>an?|{_either(CARDINALS)}|\d{{1,3}})"
_FRACTION = regex.compile(
    rf"(?<![\w'.,/-])(?:{_NUMERATOR}[ -](?P<d>{_either(_PARTS)})(?!\w)(?P<of>\ of\b)?"
    rf"|(?P<bare>half)(?![\w'])(?!-(?:life|lives|time|brother|sister|heartedly|hearted))"
    rf"|(?<![\w-])(?P<quarter>quarter)(?=\ of\ (?:an?|the|all)\b))",
    regex.IGNORECASE,
)
_FACTOR = regex.compile(rf"(?<![\w-])(?:{_either(_FACTORS)})(?![\w-])", regex.IGNORECASE)
_ONCE_COUNTS = regex.compile(
    r"\ (?:a|an|per|every|each|daily|weekly|monthly|yearly|annually|hourly|in\ \d)\b", regex.IGNORECASE
)
_COUNT = regex.compile(
    r"(?<![\w-])(?:(?P<both>both|a\ couple\ of|a\ pair\ of)|(?P<single>single))(?![\w-])", regex.IGNORECASE
)
_NOT_ONE = regex.compile(
    r"(?i)\b(?:no|any|every|each|some|this|that|which|another|the|other|first|last|good|great|new|right|wrong)[ -]$"
)
_PRONOUN_ONE = regex.compile(
    r"(?:'s|'d|'ll|\ (?:another|must|should|can|could|may|might|will|would|has|needs|cannot|who|that|which))\b|-(?:on-one|time|way|size|sided|off)\b",
    regex.IGNORECASE,
)
_ENUMERATING = regex.compile(r"(?:^|[.!?:;\n]\ *+)(?:and\ )?$", regex.IGNORECASE)
_JOINTS = frozenset({" ", "-", " and "})


def fraction_words(text: str) -> list[Raw]:
    """Return the spelled fractions of ``text``: "half", "two thirds", "a quarter of", "1 third"."""
    found = []
    for match in _FRACTION.finditer(text):
        if match["bare"] or match["quarter"]:
            found.append(Raw(match.start(), match.end(), Fraction(1, 2 if match["bare"] else 4), "fraction"))
            continue
        top, bottom = match["n"].lower(), match["d"].lower()
        count = 1 if top in ("a", "an") else CARDINALS.get(top) or int(top if top[0] <= "9" else 0)
        plural = bottom.endswith("s")
        named = bottom.startswith(("half", "quarter"))
        article = top in ("a", "an")
        fits = plural or count == 1 and (named or not article or bool(match["of"]))
        if (
            count
            and fits
            and not (
                article
                and regex.search(r"(?:once|twice|times|per)\ $", text[max(0, match.start() - 7) : match.start()])
            )
        ):
            found.append(Raw(match.start(), match.end("d"), Fraction(count, _PARTS[bottom]), "fraction"))
    return found


def factor_words(text: str) -> list[Raw]:
    """Return "twice", "once a", "double", "tripled" and the like, and the counting words "both" and "single"."""
    found = []
    for match in _FACTOR.finditer(text):
        word = match[0].lower()
        hard = word in _HARD_FACTORS or word == "once" and bool(_ONCE_COUNTS.match(text, match.end()))
        found.append(Raw(match.start(), match.end(), Fraction(_FACTORS[word]), "factor", "" if hard else "factor"))
    for match in _COUNT.finditer(text):
        found.append(Raw(match.start(), match.end(), Fraction(2 if match["both"] else 1), "count", "count"))
    return sorted(found, key=lambda raw: raw.start)


@dataclass(frozen=True, slots=True)
class _Word:
    start: int
    end: int
    word: str


def cardinal_words(text: str) -> list[Raw]:
    """Return the cardinal and ordinal numbers that ``text`` spells out."""
    runs: list[list[_Word]] = []
    for match in _WORD.finditer(text):
        word = _Word(match.start(), match.end() - (0 if match["w"] else 1), (match["w"] or "a").lower())
        if runs and text[runs[-1][-1].end : word.start].lower() in _JOINTS:
            runs[-1].append(word)
        else:
            runs.append([word])
    found = []
    for run in runs:
        at = 0
        while at < len(run):
            raw, at = _read(text, run, at)
            if raw:
                found.append(raw)
    return found


def _read(text: str, run: list[_Word], at: int) -> tuple[Raw | None, int]:
    """Read one number from ``run[at:]``; return it, or None for words that are no number, and where to go on."""
    total, current, last, first = 0, None, "", at
    limit = 10**15
    while at < len(run):
        word = run[at].word
        gap = text[run[at - 1].end : run[at].start].lower() if at > first else ""
        after_and = gap == " and " and (last not in ("hundred", "scale") or _scale_follows(run, at))
        if after_and or word == "a" and at > first:
            break
        if word in ORDINALS and _fits(ORDINALS[word], current, last, gap):
            value = total + (current or 0) + ORDINALS[word]
            return _ordinal(text, run[first], run[at], value), at + 1
        if word == "a":
            last = "a"
        elif word == "hundred" and (last == "a" or current and current < 100 and last != "year"):
            current, last = (current or 1) * 100, "hundred"
        elif word in SCALES and word != "hundred" and (last == "a" or current) and SCALES[word] < limit:
            total, current, limit, last = total + (current or 1) * SCALES[word], None, SCALES[word], "scale"
        elif word in CARDINALS and _fits(CARDINALS[word], current, last, gap):
            current, last = (current or 0) + CARDINALS[word], "ten" if CARDINALS[word] > 19 else "small"
        elif (
            word in CARDINALS
            and total == 0
            and current
            and 11 <= current <= 20
            and CARDINALS[word] > 9
            and gap == " "
            and last != "year"
        ):
            current, last = (
                current * 100 + CARDINALS[word],
                "ten" if CARDINALS[word] > 19 else "small",
            )  # "nineteen ninety-eight"
        else:
            break
        at += 1
    if at == first or last == "a":
        return None, max(at, first + 1)
    return _cardinal(text, run[first], run[at - 1], Fraction(total + (current or 0))), at


def _scale_follows(run: list[_Word], at: int) -> bool:
    return at + 1 < len(run) and run[at + 1].word in SCALES


def _fits(number: int, current: int | None, last: str, gap: str) -> bool:
    """Whether a word worth ``number`` continues a number whose last word was of the class ``last``."""
    if last in ("", "scale"):
        return True
    if last == "hundred":
        return number < 100
    return last == "ten" and 0 < number < 10 and gap != " and "


def _ordinal(text: str, first: _Word, last: _Word, value: int) -> Raw | None:
    """An ordinal; None where it only enumerates ("First, ...") or names a part of a second."""
    if (
        first is last
        and text[last.end : last.end + 1] in (",", ":")
        and _ENUMERATING.search(text, max(0, first.start - 12), first.start)
    ):
        return None
    return Raw(first.start, last.end, Fraction(value), "ordinal", "ordinal" if value <= 2 else "")


def _cardinal(text: str, first: _Word, last: _Word, value: Fraction) -> Raw | None:
    if first.word == "one" and first is last:
        before = text[max(0, first.start - 10) : first.start]
        if _NOT_ONE.search(before) or _PRONOUN_ONE.match(text, first.end):
            return None
        return Raw(first.start, last.end, value, "cardinal", "count")
    return Raw(first.start, last.end, value, "cardinal")
