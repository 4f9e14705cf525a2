"""The tokenizer `words/1`: a table of texts and tokens, the same on every Python."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from jeval_core.text import make_table
from jeval_core.text.tokenizers import TOKENIZERS
from jeval_core.text.unicode import nfc, tables
from jeval_core.text.words import spans, words

ROOT = Path(__file__).parents[2]

TABLE = {
    "The model returns calibrated probabilities, not text.": "the model returns calibrated probabilities not text",
    # numbers keep what changes their value
    "-5 5": "-5 5", "−5": "-5", "+5": "+5", "-.5 .5 0.5": "-.5 .5 0.5", "0.5 0-5": "0.5 0 5", "5% 5 5‰": "5% 5 5‰",
    "10:30 10.30": "10:30 10.30", "5-7": "5 7", "5–7": "5 7", "b-3": "b 3", "温度-5": "温 度 -5", "3,000": "3,000", "1/2": "1/2",
    "v1.2.3": "v1.2.3", "5mg": "5mg", "5%-7%": "5% 7%", "wait...5": "wait 5", "see 12.": "see 12", "x=-5": "x = -5", "5−3": "5 3",
    # scripts
    "कि की": "कि की", "นี่คือ": "นี่ คื อ", "今天天气": "今 天 天 气", "カメラ": "カ メ ラ", "한국어 텍스트": "한국어 텍스트", "ｶﾞ": "ｶﾞ",
    "ΦΙΛΟΣ φίλος": "φιλοσ φίλοσ", "İstanbul": "istanbul", "STRASSE Straße": "strasse straße", "ĳ": "ĳ", "ក្ក": "ក្ក", "ပါ": "ပါ",
    "١٢ ٣": "١٢ ٣", "ﾊﾟ": "ﾊﾟ", "学习Python3": "学 习 python3",
    # symbols, emoji
    "👍🏽 👍": "👍🏽 👍", "👨‍👩‍👧": "👨‍👩‍👧", "🇩🇪🇫🇷": "🇩🇪 🇫🇷", "5€ $5": "5 € $ 5", "a + b": "a + b", "C++ C#": "c + + c", "5°C": "5 ° c",
    # Markdown and what separates
    "`code` **bold** | a | ~x~ ^y": "code bold a x y", "don't": "don t", "snake_case": "snake_case", "a\u200bb": "a b", "a\u00a0b": "a b",
    "\ud800 x \x00 y": "x y", "́ x": "x", "…": "", "": "", "。、「」": "", "A\ufeffB": "a b", "e.g. U.S.": "e g u s",
}  # fmt: skip


@pytest.mark.parametrize(("text", "tokens"), TABLE.items(), ids=ascii)
def test_tokens(text: str, tokens: str) -> None:
    assert words(text) == tokens.split(" ")[: None if tokens else 0]


DIFFERENT = [
    ("-5", "5"),
    ("0.5", "0-5"),
    ("5%", "5"),
    ("10:30", "10.30"),
    ("कि", "की"),
    ("5mg", "50mg"),
    (".5", "5"),
    ("1/2", "12"),
]
SAME = [
    ("5-7", "5–7"),
    ("é", "e\u0301"),
    ("`x`", "x"),
    ("| a |", "a"),
    ("ς", "σ"),
    ("−5", "-5"),
    ("가", "\u1100\u1161"),
    ("Å", "\u212b"),
]


@pytest.mark.parametrize(("a", "b"), DIFFERENT, ids=ascii)
def test_different(a: str, b: str) -> None:
    assert words(a) != words(b)


@pytest.mark.parametrize(("a", "b"), SAME, ids=ascii)
def test_same(a: str, b: str) -> None:
    assert words(a) == words(b)


CORPUS = """
import hashlib, random, sys
sys.path.insert(0, sys.argv[1])
from jeval_core.text.words import words
rng = random.Random(7)
every = [chr(c) for c in range(0x110000)]  # in odd company, then at random
text = "".join(c + rng.choice(("", " ", "a", "5", "\\u0301", "\\u200d", "-")) for c in every)
text += "".join(rng.choices(every, k=200_000)) + "".join(rng.choices(every[:0x3000], k=200_000))
print(hashlib.sha256("\\x1f".join(words(text)).encode("utf-8", "surrogatepass")).hexdigest())
"""
FROZEN = json.loads((ROOT / "tests" / "golden" / "tokens.json").read_text("utf-8"))


def pythons() -> list[str]:
    """This Python and others on the machine, each once, whatever it is called."""
    found = [sys.executable, *(shutil.which(f"python3.{minor}") for minor in (11, 12, 13))]
    found += [str(p) for p in sorted(Path.home().glob(".pyenv/versions/3.1[123].*/bin/python"))]
    known: dict[str, str] = {}
    for path in filter(None, found):
        said = subprocess.run([path, "-c", "import sys; print(sys.version)"], capture_output=True, text=True)
        if said.returncode == 0:
            known.setdefault(said.stdout, path)
    return [*known.values()]


@pytest.mark.slow
@pytest.mark.parametrize("python", pythons(), ids=lambda p: "/".join(Path(p).parts[-3:]))
def test_frozen(python: str) -> None:
    run = subprocess.run([python, "-I", "-c", CORPUS, str(ROOT)], capture_output=True, text=True, check=False)
    assert run.stdout.strip() == FROZEN["words/1"], run.stderr


@pytest.mark.slow
@pytest.mark.skipif(unicodedata.unidata_version != "14.0.0", reason="the table is made with CPython 3.11")
def test_table_is_what_the_generator_makes() -> None:
    sample = [*range(0x3100), *range(0x1F000, 0x1FB00), *range(0xA000, 0xA500), *range(0xE0000, 0xE0080)]
    assert bytes(tables().classes[c] for c in sample).decode() == "".join(make_table.class_of(sample))
    assert bytes(tables().forms[c] for c in sample).decode() == "".join(make_table.form_of(sample))


any_text = st.text(st.characters() | st.sampled_from("aA5.-,%:/ \u0301\u200d\ud800\u0e33ม한漢か゛👍🏽🇩"), max_size=60)


@given(any_text)
def test_normal_forms_have_the_same_tokens(text: str) -> None:
    assigned = "".join(c for c in text if unicodedata.category(c) not in ("Cn", "Cs"))
    known = "".join(c for c in assigned if tables().forms[ord(c)] != ord("n"))
    assert words(unicodedata.normalize("NFD", known)) == words(unicodedata.normalize("NFC", known))
    assert nfc(known)[0] == unicodedata.normalize("NFC", known)


@given(any_text)
def test_spans_are_in_order_and_inside(text: str) -> None:
    found = [*spans(text)]
    assert [t for t, _, _ in found] == words(text)
    # two tokens may share a place: one cluster of the source that normalises to both
    for places in ([a for _, a, _ in found], [b for _, _, b in found]):
        assert places == sorted(places)
    assert all(0 <= a < b <= len(text) for _, a, b in found)


@given(st.sampled_from(sorted(TOKENIZERS)), any_text)
def test_every_tokenizer_takes_every_text(id: str, text: str) -> None:
    tokenizer = TOKENIZERS[id]
    found = tokenizer.locate(text)
    assert [s.token for s in found] == tokenizer.words(text)
    assert all(0 <= s.start <= s.end <= len(text) for s in found)


THAI = "กขคงจฉชะาิีึืุูเแโใไ่้๊๋์ำ"


@given(st.text(st.sampled_from(THAI), max_size=30))
def test_thai_tokens_are_grapheme_clusters(text: str) -> None:
    text = text.lstrip("ิีึืุู่้๊๋์ำ")  # a mark without a letter is no token
    assert words(text) == [lower for lower in regex.findall(r"\X", unicodedata.normalize("NFC", text))]
