"""Times of day: 10:30, 3 pm, 15h30, noon, half past three.

A time without am or pm is read on the 24-hour clock. "o'clock" and "past" may be either half of the day.
"""

from __future__ import annotations

from fractions import Fraction

import regex

from jeval_core.checks.items import Canvas, Item, Key

_HOURS = ("twelve", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven")
_HOUR = rf"(?:\d{{1,2}}(?!\d)|(?:{'|'.join(_HOURS)})\b)"
_HALF = r"(?P<{0}>a\.m\.|p\.m\.|a\.m\b|p\.m\b|am\b|pm\b)"
_TO = r"\ ?(?:[-—]|to|and|until|till)\ ?"
_PAST = {"half past": 30, "quarter past": 15, "a quarter past": 15, "quarter to": -15, "a quarter to": -15}
_CLOCK = regex.compile(
    rf"""(?<![\w:.$€£-]|\d-)(?:
      (?P<h0>{_HOUR})(?:[:.](?P<m0>[0-5]\d))?(?:\ ?{_HALF.format("x0")})?{_TO}(?P<h1>{_HOUR})(?:[:.](?P<m1>[0-5]\d))?\ ?{_HALF.format("x1")}
    | (?P<h2>{_HOUR})(?:[:.](?P<m2>[0-5]\d))?\ ?(?:{_HALF.format("x2")}|(?P<oclock>o'clock\b))
    | (?P<past>(?:a\ )?(?:half\ past|quarter\ past|quarter\ to))\ (?P<h4>{_HOUR})
    | (?P<h3>\d{{1,2}})h(?P<m3>[0-5]\d)\b
    | (?P<word>noon|midday|midnight)\b
    )
    | (?<![\d:.,]|\b(?:ratio|odds|scale)(?:\ of|\ is|\ was|\ are)?\ )
      (?P<h5>\d{{1,2}})[:](?P<m5>[0-5]\d)(?::(?P<s5>[0-5]\d)(?:\.\d+)?)?(?![\d:])(?:\ ?{_HALF.format("x5")})?""",
    regex.VERBOSE | regex.IGNORECASE,
)


def read_times(canvas: Canvas) -> None:
    """Add every time of day of the text to the canvas."""
    found: list[Item] = []
    for match in _CLOCK.finditer(canvas.unread):
        found += _times(match)
    canvas.add(found)


def _times(match: regex.Match[str]) -> list[Item]:
    start, end = match.span()
    if match["h0"]:
        return _range(match)
    if match["word"]:
        return [_item(start, end, 0 if match["word"].lower() == "midnight" else 720)]
    group = next(number for number in "2345" if match[f"h{number}"])
    hour = _hour(match[f"h{group}"])
    if match["past"] or match["oclock"]:
        minutes = hour % 12 * 60 + (_PAST[match["past"].lower()] if match["past"] else 0)
        readings = [minutes % 1440, (minutes + 720) % 1440]
        return (
            [Item(start, end, ("date", "clock", minutes % 720), tuple(_key(reading) for reading in readings))]
            if hour <= 12
            else []
        )
    minute = int(match[f"m{group}"] or 0)
    second = int(match["s5"] or 0)
    half = (match["x2"] or match["x5"] or "").lower()
    return [_item(start, end, _minutes(hour, minute, half), second)] if hour <= 24 else []


def _range(match: regex.Match[str]) -> list[Item]:
    later_half = match["x1"].lower()
    from_hour, to_hour = _hour(match["h0"]), _hour(match["h1"])
    if from_hour > 24 or to_hour > 24:
        return []
    late = _minutes(to_hour, int(match["m1"] or 0), later_half)
    early = _minutes(from_hour, int(match["m0"] or 0), (match["x0"] or later_half).lower())
    if early > late and not match["x0"]:  # "11 to 1 pm" starts in the morning
        early = (early + 720) % 1440
    cut = max(match.end("h0"), match.end("m0"), match.end("x0"))
    return [_item(match.start(), cut, early), _item(match.start("h1"), match.end(), late)]


def _hour(text: str) -> int:
    return int(text) if text[0] <= "9" else _HOURS.index(text.lower()) or 12


def _minutes(hour: int, minute: int, half: str) -> int:
    if half and hour <= 12:
        hour = hour % 12 + (12 if half[0] == "p" else 0)
    return (hour * 60 + minute) % 1440


def _key(minutes: int, second: int = 0) -> Key:
    return ("date", "time", minutes, second)


def _item(start: int, end: int, minutes: int, second: int = 0) -> Item:
    # The value is what the time would be with a point for its colon.
    value = Fraction(minutes // 60) + Fraction(minutes % 60, 100)
    return Item(start, end, _key(minutes, second), value=value, parts=frozenset({minutes // 60, minutes % 60}))
