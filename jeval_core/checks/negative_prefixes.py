"""Words that negate by their prefix: "unsafe", "non-toxic", "ineffective", where the other text has the bare word."""

from __future__ import annotations

import regex

_WORD = regex.compile(r"[^\W\d_]++(?:-[^\W\d_]++)*+")
_ANY_STEM = regex.compile(r"(?:non-?|un-?)(?P<stem>[a-z-]{3,})")
_NO_NEGATION = frozenset("unless unlike until unions uncover under unite unties".split())
_SHORTEST_UN_STEM = 4

# "in-", "im-" and "dis-" more often do not negate ("inform", "impress", "display"), so their words are listed.
_LISTED = {
    prefix + stem: stem
    for prefix, stems in {
        "in": "accurate active adequate appropriate complete compatible consistent correct dependent direct effective efficient eligible"
        " frequent operable secure significant stable sufficient valid visible voluntary flexible capable",
        "im": "mature material mobile moral patient perfect permeable possible practical precise probable proper pure",
        "il": "legal legible logical legitimate",
        "ir": "rational regular relevant reversible responsible",
        "dis": "able advantage agree agreed agrees allow allowed approve approved continue continued honest proved similar satisfied abled",
        "a": "symptomatic typical",
        "contra": "indicated",
    }.items()
    for stem in stems.split()
}


def prefixed_words(output: str, expected: str) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Return for each text the spans of its negative words whose bare form only the other text has."""
    spans = [[(match.start(), match[0].lower()) for match in _WORD.finditer(text)] for text in (output, expected)]
    words = [_with_parts({word for _, word in found}) for found in spans]
    result: list[list[tuple[int, int]]] = [[], []]
    for index in (0, 1):
        mine, others = words[index], words[1 - index]
        for start, word in spans[index]:
            stem = _stem(word)
            if stem and word not in others and stem in others and stem not in mine:
                result[index].append((start, start + len(word)))
    return result[0], result[1]


def _with_parts(words: set[str]) -> set[str]:
    """Add the parts of hyphenated words, except of those that negate."""
    return words | {
        part for word in words if "-" in word and not word.startswith(("non-", "un-")) for part in word.split("-")
    }


def _stem(word: str) -> str:
    if word in _LISTED:
        return _LISTED[word]
    match = _ANY_STEM.fullmatch(word)
    if not match or word in _NO_NEGATION or word.startswith("un") and len(match["stem"]) < _SHORTEST_UN_STEM:
        return ""
    return str(match["stem"])
