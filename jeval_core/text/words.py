"""The tokenizer `words/1`: what counts as a word, in every script.

Text → NFC → lower case → tokens. A token is found by a pattern over the *shape* of the text, one class letter per
code point (`unicode.py`), so the rules below are the whole definition:

- a **word** is a run of letters, marks, numbers and `_`. Between two digits `. , : /` belong to it (0.75, 10:30,
  1/2), as do `%` and `‰` after a digit; a sign before a number that follows no word (-5, but 5-7 is two words); a
  leading point (.5).
- every Han, Hiragana or Katakana letter, every Thai, Lao, Khmer or Myanmar cluster, every emoji or symbol is a
  token **of its own**;
- everything else separates.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from jeval_core.text.unicode import lower, nfc, shape

_TOKEN = re.compile(
    rb"""
      h m*                                        # Han, Hiragana, Katakana with its marks
    | t [mv]* (?: (?<=v) t [mv]* )*               # a cluster; a stacking sign joins the next consonant
    | p [mf]* (?: z p [mf]* )*                    # emoji, with modifiers, joined ones as one
    | r r                                         # a flag
    | [er] m*                                     # any other symbol
    | (?: (?<![adm])(?<!d%) [-+] (?= \.? d) )?    # a sign, unless a word stands before it
      (?: (?<![adm.]) \. (?= d) )?                # a point that starts a number
      (?: (?<!m) m++ (?= [ad]) )? [ad]            # marks without a letter are no token
      (?: [adm] | (?<=d)[.,](?=d) | (?<=d)% )*
    | \+                                          # a plus that is no sign is a symbol
    """,
    re.X,
)


def spans(text: str) -> Iterator[tuple[str, int, int]]:
    """Tokens of `text` in order, each with its half-open code point range in `text` as given."""
    normal, sources = nfc(text)
    low = lower(normal)
    for found in _TOKEN.finditer(shape(normal)):
        a, b = found.span()
        if sources is None:
            yield low[a:b], a, b
            continue
        end = b
        while sources[end] == sources[b - 1]:  # several code points may come from one place
            end += 1
        yield low[a:b], sources[a], sources[end]


def words(text: str) -> list[str]:
    """Tokens of `text` in order."""
    normal, _ = nfc(text)
    low = lower(normal)
    return [low[a:b] for a, b in (m.span() for m in _TOKEN.finditer(shape(normal)))]
