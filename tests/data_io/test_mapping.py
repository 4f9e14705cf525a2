"""Names to fields: what is clear is mapped, what is not is asked with the option to give."""

from __future__ import annotations

from pathlib import Path

import pytest

from jeval_core.data import (
    AmbiguousMapping,
    ColumnMap,
    MissingExpected,
    MissingOutput,
    UnknownColumn,
    listed_columns,
    map_columns,
    read,
)
from jeval_core.data.errors import as_map
from jeval_core.errors import BadOption
from tests.data_io.files import csv_text, write


def mapped(tmp_path: Path, names: str, row: str = "", **options) -> ColumnMap:
    header = names.split("|")
    first = row.split("|") if row else ["some text"] * len(header)
    return map_columns(read(write(tmp_path, "t.csv", csv_text([header, first]))), **options)


CLEAR = [
    ("id|output|expected", {"id": "id", "output": "output", "expected": ["expected"]}),
    ("Response|Ground Truth", {"output": "Response", "expected": ["Ground Truth"]}),
    ("completion|ideal|prompt", {"output": "completion", "expected": ["ideal"], "input": "prompt"}),
    ("model-output|target|doc_id", {"output": "model-output", "expected": ["target"], "id": "doc_id"}),
    ("output|expected|expected_2|expected_10", {"expected": ["expected", "expected_2", "expected_10"]}),
    ("output|ref_1|ref_2", {"expected": ["ref_1", "ref_2"]}),
    ("output|reference1|reference2", {"expected": ["reference1", "reference2"]}),
    ("output|references|source_zh", {"input": "source_zh", "expected": ["references"]}),
    ("output|source_file|source_url", {"input": None, "unmapped": ["source_file", "source_url"]}),
    ("output|input|prompt", {"input": "input", "unmapped": ["prompt"]}),
    ("output|id|doc_id", {"id": "id", "unmapped": ["doc_id"]}),
    ("output|task_type|category", {"task_type": "task_type", "unmapped": ["category"]}),
    ("output|category|risk_tier|rubric", {"task_type": "category", "risk_tier": "risk_tier", "criteria": "rubric"}),
    ("output|messages|input", {"conversation": "messages", "input": "input"}),
    ("output|Chat|rubric", {"conversation": "Chat", "criteria": "rubric"}),
    ("output|history|conversation|dialogue", {"conversation": "conversation", "unmapped": ["history", "dialogue"]}),
    ("output|chat_id|vars.messages", {"conversation": None, "unmapped": ["chat_id", "vars.messages"]}),
    ("output|system|threshold", {"model_version": "system", "threshold": "threshold"}),
    ("actual_output|expected_output|input|context", {"output": "actual_output", "expected": ["expected_output"], "unmapped": ["context"]}),
]  # fmt: skip


@pytest.mark.parametrize(("names", "right"), CLEAR, ids=lambda v: v if isinstance(v, str) else "")
def test_clear_names(tmp_path: Path, names: str, right: dict[str, object]) -> None:
    found = mapped(tmp_path, names)
    for field, column in right.items():
        got = getattr(found, "references" if field == "expected" else field)
        assert (list(got) if isinstance(got, tuple) else got) == column, field


ASKED = [
    ("output|response|expected", "output", "--map output=output or --map output=response"),
    ("output|target|expected", "expected", "--map expected=target or --map expected=expected"),
    ("output|question|query", "input", "--map input=question or --map input=query"),
    ("output|model|system", "model_version", "--map model_version=model or --map model_version=system"),
    ("output|messages|history", "conversation", "--map conversation=messages or --map conversation=history"),
    ("Model Output|response", "output", "--map 'output=Model Output' or --map output=response"),
]


@pytest.mark.parametrize(("names", "field", "hint"), ASKED)
def test_ambiguous_names_are_asked(tmp_path: Path, names: str, field: str, hint: str) -> None:
    with pytest.raises(AmbiguousMapping) as e:
        mapped(tmp_path, names)
    assert e.value.field == field and e.value.hint == f"Say which: {hint}" and len(e.value.candidates) == 2


def test_given_beats_every_guess(tmp_path: Path) -> None:
    found = mapped(tmp_path, "output|response|target|expected", given={"output": "response", "expected": "target"})
    assert (found.output, found.references, found.unmapped) == ("response", ("target",), ("output", "expected"))
    several = mapped(tmp_path, "output|a|b", given={"expected": "a,b"})
    assert several.references == ("a", "b")
    names = ('a, "b"', "c", " d ")
    assert mapped(tmp_path, "|".join(("output", *names)), given={"expected": listed_columns(names)}).references == names
    assert mapped(tmp_path, "output|prompt|question", given={"input": ""}).input is None
    assert mapped(tmp_path, "OUT put|x", given={"output": "out put"}).output == "OUT put"


def test_unknown_names_are_named_with_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(UnknownColumn, match="`respons`.*Did you mean `response`"):
        mapped(tmp_path, "response|x", given={"output": "respons"})
    with pytest.raises(UnknownColumn, match="is_halluc"):
        mapped(tmp_path, "response|x", tag_columns={"hallucination": "is_halluc"})
    with pytest.raises(BadOption, match="Did you mean `output`"):
        mapped(tmp_path, "response|x", given={"outptu": "x"})


def test_missing_fields_name_the_likely_column(tmp_path: Path) -> None:
    with pytest.raises(MissingOutput, match="--map output=chatgpt_response$"):
        mapped(tmp_path, "id|chatgpt_response", "1|Hello there")
    with pytest.raises(MissingOutput, match="--map output=summary$"):
        mapped(tmp_path, "bbcid|summary", "1|More than 50 pupils")
    with pytest.raises(MissingExpected, match="`output`, `truth`.*--map expected=truth"):
        mapped(tmp_path, "output|truth", "a b|c d", require=("output", "expected"))
    assert mapped(tmp_path, "id|expected", require=()).output is None


def test_gold_and_tags(tmp_path: Path) -> None:
    found = mapped(
        tmp_path,
        "output|human_mqm|label|is_hallucination",
        "x|-1.5|good|yes",
        tag_columns={"hallucination": "is_hallucination"},
    )
    assert found.gold == {"human_mqm": "human_mqm"} and found.unmapped == ("label",)
    assert found.tags == {"hallucination": "is_hallucination"}
    several = mapped(tmp_path, "output|gold_coherence|gold_relevance", "x|1|2")
    assert list(several.gold) == ["gold_coherence", "gold_relevance"]
    assert mapped(tmp_path, "output|a|b", "x|1|2", given={"gold.A": "a", "gold.B": "b"}).gold == {"A": "a", "B": "b"}
    assert mapped(tmp_path, "output|score5", "x|1", given={"gold": "score5"}).gold == {"score5": "score5"}


def test_repeated_expected_columns_are_references(tmp_path: Path) -> None:
    assert mapped(tmp_path, "output|expected|expected").references == ("expected #2", "expected #3")


def test_options_are_quoted_for_a_shell() -> None:
    assert as_map("output", "a b") == "--map 'output=a b'"
    assert as_map("output", "it's") == "--map 'output=it'\\''s'"
    assert as_map("output", "$x") == "--map 'output=$x'"
