"""Calendar dates: full and partial dates, months, weekdays and decades.

A date written with slashes is ambiguous (5/3 is May or March). It equals any date that one of its two readings
gives, but another slash date only when that has the same numbers in the same order. With full stops the day
is first.
"""

from __future__ import annotations

import datetime
from dataclasses import replace

import regex

from jeval_core.checks.calendar_words import (
    DAY_WORD,
    DECADE_NUMBER,
    FULL_MONTH,
    SHORT_MONTH,
    WEEKDAY_NUMBER,
    day_number,
    month_number,
)
from jeval_core.checks.items import Canvas, Item, Key

_DAY = rf"(?:\d{{1,2}}(?:st|nd|rd|th)?(?![\d:%]|[.,]\d)|(?:{DAY_WORD})\b)"
_MONTH = rf"(?:(?:{FULL_MONTH})\b|{SHORT_MONTH})"
_TO = r"(?:\ ?[-—/]\ ?|\ (?:to|and|or|through|until|till|&)\ (?:the\ )?)"
_YEAR = r"\d{4}(?!\d|s\b|[.,]\d|\ ?%)"
_NUMERIC = regex.compile(
    r"""(?<![\d.,/-])(?:
      (?P<y>\d{4})(?P<s>[-/.])(?P<m>\d{1,2})(?P=s)(?P<d>\d{1,2})(?=T\d|[^\d\w/-]|\Z|[-/](?!\d)|[^\x00-\x7f])
    | (?P<yy>\d{4})-(?P<mm>0[1-9])(?![\d-])
    | (?P<a>\d{1,2})(?P<t>[-/.])(?P<b>\d{1,2})(?P=t)(?P<c>\d{4}|(?<=/)\d{2})(?![\d/-]|\.\d)
    | (?:(?P<cy>\d{4})年\ ?)?(?P<cm>\d{1,2})月(?:\ ?(?P<cd>\d{1,2})[日号])?
    )""",
    regex.VERBOSE,
)
_NAMED = regex.compile(
    rf"""(?<![\w.])(?:
      (?:(?P<d0>{_DAY}){_TO})?(?P<d1>{_DAY})(?:\ of\ |[ -])(?P<m1>{_MONTH})(?:(?:,?\ (?:of\ )?|-)(?P<y1>{_YEAR}))?
    | (?P<m2>{_MONTH})\ (?:the\ )?(?P<d2>{_DAY})(?:{_TO}(?P<d3>{_DAY})(?!\ (?:{FULL_MONTH})\b))?(?:,?\ (?:of\ )?(?P<y2>{_YEAR}))?
    | (?P<m3>{_MONTH}),?\ (?:of\ )?(?P<y3>{_YEAR})
    )""",
    regex.VERBOSE | regex.IGNORECASE,
)
_LEAD = r"(?:(?i:in|of|by|since|until|till|from|during|early|late|mid|last|next|this|every|each|before|after|between|through|to)[ -])"
_MONTH_ALONE = regex.compile(
    rf"""(?<![\w.])(?:
      (?P<sure>(?:January|February|April|June|July|August|September|October|November|December)\b)
    | (?<=[a-z,;]\ )(?P<march>March\b)(?!\ (?:of|for|against|on|in|and\ [A-Z])\ [A-Z])
    | (?<={_LEAD})(?P<led>(?:March|May|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\b)
    )""",
    regex.VERBOSE,
)
_WEEKDAY = regex.compile(
    r"(?<!\w)(?:(?P<long>(?i:mon|tues|wednes|thurs|fri|satur|sun)day)s?\b"
    r"|(?P<short>Mon|Tues?|Wed|Thurs?|Thu|Fri|Sat|Sun)\b(?=[.,]?\ (?:\d|[A-Z][a-z]{2,8}\ \d)))"
)
_DECADE = regex.compile(
    rf"""(?<!\w|[.,])(?:(?P<full>\d{{3}}0)'?s\b | '(?P<quoted>\d0)s\b
    | (?<=\b(?i:the|early|mid|late|his|her|their|my|your|our)[ -])(?:(?P<short>\d0)'?s\b | (?P<word>(?i:{"|".join(DECADE_NUMBER)})\b))
    | (?P<han>\d{{2}})年代)""",
    regex.VERBOSE,
)


def read_dates(canvas: Canvas) -> None:
    """Add every date of the text to the canvas."""
    for pattern, build in (
        (_NUMERIC, _numeric),
        (_NAMED, _named),
        (_DECADE, _decade),
        (_MONTH_ALONE, _month_alone),
        (_WEEKDAY, _weekday),
    ):
        found: list[Item] = []
        for match in pattern.finditer(canvas.unread):
            found += build(match)
        canvas.add(found)
    canvas.items = _without_implied_weekdays(canvas)


def _date(
    start: int, end: int, year: int | None, month: int | None, day: int | None, alternatives: tuple[Key, ...] = ()
) -> Item:
    parts = frozenset(number for number in (year, month, day) if number)
    return Item(start, end, ("date", year, month, day), alternatives, parts=parts)


def _numeric(match: regex.Match[str]) -> list[Item]:
    start, end = match.span()
    year, month, day, first, second, short_year = (int(match[name] or 0) for name in ("y", "m", "d", "a", "b", "c"))
    if match["yy"]:
        return [_date(start, end, int(match["yy"]), int(match["mm"]), None)]
    if match["cm"]:
        year, month, day = (int(match[name] or 0) for name in ("cy", "cm", "cd"))
        return [_date(start, end, year or None, month, day or None)] if month <= 12 and day <= 31 else []
    if year:
        return [_date(start, end, year, month, day)] if 1 <= month <= 12 and 1 <= day <= 31 else []
    year = short_year if short_year > 99 else 2000 + short_year
    if match["t"] == "." or first > 12:
        return [_date(start, end, year, second, first)] if 1 <= second <= 12 and 1 <= first <= 31 else []
    if second > 12 or first == second:
        return [_date(start, end, year, first, second)] if 1 <= first and second <= 31 else []
    if not first or not second:
        return []
    readings = (("date", year, first, second), ("date", year, second, first))
    return [
        Item(start, end, ("date", "ambiguous", year, first, second), readings, parts=frozenset({year, first, second}))
    ]


def _named(match: regex.Match[str]) -> list[Item]:
    name = match["m1"] or match["m2"] or match["m3"]
    year_text = match["y1"] or match["y2"] or match["y3"]
    if name in ("may", "mar", "march") and not year_text and not regex.search(r"\d(?:st|nd|rd|th)", match[0]):
        return []  # "you may 5 times" and "march 20 miles" are no dates
    month, year = month_number(name), int(year_text) if year_text else None
    if match["m3"]:
        return [_date(match.start(), match.end(), year, month, None)]
    groups = ("d0", "d1") if match["m1"] else ("d2", "d3")
    days = [(group, day_number(match[group])) for group in groups if match[group]]
    if not all(day for _, day in days):
        return []
    if len(days) == 1:
        return [_date(match.start(), match.end(), year, month, days[0][1])]
    cut = match.end(groups[0])
    later = match.start(groups[1])
    return [_date(match.start(), cut, year, month, days[0][1]), _date(later, match.end(), year, month, days[1][1])]


def _decade(match: regex.Match[str]) -> list[Item]:
    if match["full"]:
        decade = int(match["full"])
        return [Item(match.start(), match.end(), ("date", "decade", decade), (("date", "decade", decade % 100),))]
    short = (
        DECADE_NUMBER[match["word"].lower()]
        if match["word"]
        else int(match["quoted"] or match["short"] or match["han"])
    )
    return [Item(match.start(), match.end(), ("date", "decade", short))]


def _month_alone(match: regex.Match[str]) -> list[Item]:
    return [_date(match.start(), match.end(), None, month_number(match[0]), None)]


def _weekday(match: regex.Match[str]) -> list[Item]:
    return [
        Item(match.start(), match.end(), ("date", "weekday", WEEKDAY_NUMBER[(match["long"] or match["short"]).lower()]))
    ]


def _without_implied_weekdays(canvas: Canvas) -> list[Item]:
    """Drop a weekday beside a full date that falls on it; a range end lends its year to the start."""
    items = sorted(canvas.items, key=lambda item: item.start)
    kept: list[Item] = []
    for index, item in enumerate(items):
        following = items[index + 1] if index + 1 < len(items) else None
        gap = canvas.text[item.end : following.start] if following else ""
        if (
            following
            and gap.strip(" ,.").lower() in ("", "the")
            and len(gap) < 7
            and _falls_on(following.key, item.key)
        ):
            continue
        if kept and canvas.text[kept[-1].end : item.start].strip(" ,(") == "" and _falls_on(kept[-1].key, item.key):
            continue
        if following and gap.lower().strip() in ("to", "-", "and", "until", "through", "—"):
            item = _with_year_of(item, following)
        kept.append(item)
    return kept


def _with_year_of(item: Item, following: Item) -> Item:
    if (
        len(item.key) == 4
        and len(following.key) == 4
        and item.key[1] is None
        and item.key[3]
        and isinstance(following.key[1], int)
    ):
        return replace(item, key=("date", following.key[1], *item.key[2:]), parts=item.parts | {following.key[1]})
    return item


def _falls_on(date: Key, weekday: Key) -> bool:
    if weekday[1] != "weekday" or len(date) != 4:
        return False
    year, month, day = date[1:]
    if not (isinstance(year, int) and isinstance(month, int) and isinstance(day, int)):
        return False
    try:
        return datetime.date(year, month, day).weekday() == weekday[2]
    except ValueError:  # 31 April, or the year 0
        return False
