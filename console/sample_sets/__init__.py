"""Small example sets for the Datasets page. Every text is made up, and each set shows one thing that a score misses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class SampleSet:
    """A file that ships with the console.

    `note` is one line on what there is to see; `rows` counts the rows of the file, all of them good. `evaluators` are
    those to tick, `group_by` the columns worth a table; `tag_columns` (tag → column) says what no name gives away.
    """

    key: str
    name: str
    note: str
    path: Path
    rows: int
    evaluators: tuple[str, ...]
    group_by: tuple[str, ...]
    tag_columns: Mapping[str, str] = field(default_factory=dict)


SETS: tuple[SampleSet, ...] = (
    SampleSet(
        "translation",
        "Translations, two systems",
        "A changed number or a lost “not” hardly moves the score but ruins the translation, and the two references "
        "disagree about which system is better.",
        FOLDER / "translation.csv",
        96,
        ("bleu", "rouge_n", "rouge_l"),
        ("model_version", "task_type"),
    ),
    SampleSet(
        "support",
        "Support answers",
        "Long polite answers that miss the point score well, short right ones badly: the scores hardly follow people.",
        FOLDER / "support.jsonl",
        60,
        ("bleu", "rouge_n", "rouge_l"),
        ("task_type", "risk_tier"),
    ),
    SampleSet(
        "qa",
        "Questions and answers",
        "Confident wrong answers share nearly all words with the expected one; right answers in other words share few.",
        FOLDER / "qa.csv",
        64,
        ("bleu", "rouge_n", "rouge_l"),
        ("model_version", "hallucination", "task_type"),
        {"hallucination": "label"},
    ),
)
"""In the order in which they are offered."""
