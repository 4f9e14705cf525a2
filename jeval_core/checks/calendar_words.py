"""Names of months, weekdays, decades and small ordinals, with the patterns that recognise them."""

from __future__ import annotations

_MONTHS = (
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
)
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_DECADES = ("twenties", "thirties", "forties", "fifties", "sixties", "seventies", "eighties", "nineties")
_UNITS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")
_TEENS = (
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
    "sixteenth",
    "seventeenth",
    "eighteenth",
    "nineteenth",
)

MONTH_NUMBER = {name: number for number, name in enumerate(_MONTHS, 1)}
MONTH_NUMBER |= {name[:3]: number for name, number in MONTH_NUMBER.items()} | {"sept": 9}
WEEKDAY_NUMBER = {name: number for number, name in enumerate(_WEEKDAYS)}
WEEKDAY_NUMBER |= {name[:3]: number for name, number in WEEKDAY_NUMBER.items()} | {"tues": 1, "thur": 3, "thurs": 3}
DECADE_NUMBER = {name: 20 + 10 * index for index, name in enumerate(_DECADES)}
DAY_NUMBER = {
    **{name: number for number, name in enumerate(_UNITS + _TEENS, 1)},
    "twentieth": 20, "thirtieth": 30, "thirty-first": 31,
    **{f"twenty-{name}": 20 + number for number, name in enumerate(_UNITS, 1)},
}  # fmt: skip

FULL_MONTH = "|".join(_MONTHS)
SHORT_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)\b\.?"
DAY_WORD = "|".join(sorted(DAY_NUMBER, key=len, reverse=True))


def month_number(name: str) -> int:
    """Return 1 to 12 for an English month name, short or long, in any case, with or without its full stop."""
    return MONTH_NUMBER[name.lower().rstrip(".")]


def day_number(text: str) -> int:
    """Return the day for "5", "5th" or "fifth"; 0 when it is no day of a month."""
    word = text.lower()
    number = DAY_NUMBER.get(word) or int("0" + "".join(character for character in word if "0" <= character <= "9"))
    return number if 1 <= number <= 31 else 0
