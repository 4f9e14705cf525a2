"""Penn Treebank tokens the way promptfoo's ROUGE sees them (js-rouge 3.2): facts of that library, own code."""

from __future__ import annotations

import re

JS_SPACE = "\t\n\v\f\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
"""White space as JavaScript has it, for a character class: with U+FEFF, without U+0085 and U+001C to U+001F."""

_SPACE = re.compile(f"[{JS_SPACE}\x85]+")
_QUOTE = re.compile(r"``|''|\"")
_OPENS_AFTER = re.compile(r"[\s(\[{<]")

# Each rule puts spaces around something; the order matters.
_PUNCTUATION = [
    (re.compile(r"\.{3}"), " ... "),
    (re.compile(r"[:,](?!\d)"), r" \g<0> "),
    (re.compile(r"[;@#$%&]"), r" \g<0> "),
    (re.compile(r"([^.])(?<!\b[A-Za-z]\.[A-Za-z])(\.)([\])}>'\s]*)$"), r"\1 \2\3 "),
    (re.compile(r"[?!]"), r" \g<0> "),
    (re.compile(r"[\][(){}<>]"), r" \g<0> "),
    (re.compile(r"--"), " -- "),
]
_APOSTROPHE = [
    (re.compile(r"([^'])' "), r"\1 ' "),
    (re.compile(r"'([smd]) ", re.I), r" '\1 "),
    (re.compile(r"('ll|'LL|'re|'RE|'ve|'VE|n't|N'T) "), r" \1 "),
]
_CONTRACTION = [
    (re.compile(rf"(?<!\w){pattern}(?!\w)", re.I), r" \1 \2 ")
    for pattern in (
        "(can)(not)",
        "(d)('ye)",
        "(gim)(me)",
        "(gon)(na)",
        "(got)(ta)",
        "(lem)(me)",
        "(more)('n)",
        "(wan)(na)(?= )",
        "('t)(is)",
        "('t)(was)",
    )
]


def _quotes(text: str) -> str:
    """Opening double quotes become ``, closing ones ''."""
    inside = False

    def one(found: re.Match[str]) -> str:
        nonlocal inside
        i = found.start()
        opens = i == 0 or bool(_OPENS_AFTER.match(text[i - 1]))
        inside = found.group() == "``" or (found.group() == '"' and not inside and opens)
        return " `` " if inside else " '' "

    return _QUOTE.sub(one, text)


def treebank(text: str) -> list[str]:
    """Tokens of one text, taken as a single sentence: only its last full stop is split off."""
    text = _quotes(_SPACE.sub(" ", text).strip())
    for rule, put in _PUNCTUATION:
        text = rule.sub(put, text)
    text = f" {text} "
    for rule, put in (*_APOSTROPHE, *_CONTRACTION):
        text = rule.sub(put, text)
    return [token for token in text.split(" ") if token]
