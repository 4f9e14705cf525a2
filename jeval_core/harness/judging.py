"""The judge part of a run: who is asked, what about, and what is said about it."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from jeval_core import data
from jeval_core.asked import Chosen, judge_of, kept_answers
from jeval_core.batch.judged import Judging, Report, Texts, judge_columns
from jeval_core.batch.scored import Scored
from jeval_core.data.errors import listed
from jeval_core.errors import BadInput, nearest
from jeval_core.evaluators.judged import Judged
from jeval_core.judge.progress import Progress
from jeval_core.judge.recorded import Recorder
from jeval_core.judge.settings import CHOSEN, choose
from jeval_core.registry import get_evaluator

SETTINGS = ("judge", "base_url", "model", "max_usd", "record")
"""What a run says about its judge, as plain data: `judge` as `settings.choose` takes it."""


@dataclass(frozen=True)
class Asks:
    """How judges are asked in a run; `chosen` None stands for JEVAL_JUDGE, else word overlap."""

    chosen: Chosen = None
    max_usd: float | None = None
    record: Path | None = None

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> Asks:
        """From plain data with the keys of SETTINGS. Raises BadInput, BadSetting."""
        for name in settings:
            if name not in SETTINGS:
                raise BadInput(f"A judge has no setting `{name}`.", field="judge", hint=nearest(name, SETTINGS))
        who = {name: settings.get(name) for name in ("base_url", "model")}
        chosen = choose(settings.get("judge"), **who) if settings.get("judge") or any(who.values()) else None
        record = settings.get("record")
        return cls(chosen, settings.get("max_usd"), None if record is None else Path(record))

    @property
    def explicit(self) -> bool:
        """Whether somebody chose the judge, in the run or in the environment."""
        return self.chosen is not None or bool(os.environ.get(CHOSEN))

    def ready(self) -> Asks:
        """With the judge itself, so that a wrong setting is found before anything is scored.

        Raises BadSetting and BadRecording.
        """
        return replace(self, chosen=judge_of(self.chosen))

    def columns(
        self,
        judges: Mapping[str, tuple[Judged, float]],
        rows: data.Rows,
        progress: Callable[[int, int, Progress], None] | None,
        cancelled: Callable[[], bool] | None,
    ) -> tuple[dict[str, Scored], Report]:
        """Ask about every row; errors of `judge_columns`, BadSetting and BadRecording."""
        judge = judge_of(self.chosen)
        texts = Texts(rows.output, [c for _, c in rows.references], rows.input, rows.criteria, rows.conversation)
        limits = None if np.isnan(rows.threshold).all() else rows.threshold
        with Recorder(self.record) if self.record is not None else nullcontext() as recorder:
            judging = Judging(judge, kept_answers(judge), recorder, self.max_usd)
            return judge_columns(
                judges, texts, judging, row_thresholds=limits, progress=progress, cancelled=cancelled
            )


def notices(report: Report, rows: data.Rows, chosen: bool) -> list[data.Problem]:
    """What people should know about the answers of a run."""
    out = []
    if "heuristic" in (report.kind or ""):
        why = "" if chosen else f" No judge was chosen: choose one in the Judge panel, by --judge or by {CHOSEN}."
        out.append(
            data.Problem(0, "no_judge", f"The questions were answered by word overlap, which is no judge.{why}")
        )
    if "illustrative" in (report.kind or ""):
        out.append(data.Problem(0, "no_judge", "The answers were made up to show how it works; no model was asked."))
    if len(report.progress.models) > 1:
        names = listed(sorted(report.progress.models))
        out.append(data.Problem(0, "several_models", f"Rows were answered by different models: {names}."))
    for row in report.suspects:
        reason = "The output speaks to its judge, which may have moved the score."
        out.append(data.Problem(int(rows.lines[row]), "addresses_judge", reason))
    if report.suspected > len(report.suspects):
        more = f"{report.suspected - len(report.suspects):,} more rows like this are not listed one by one."
        out.append(data.Problem(0, "addresses_judge", more))
    return out


def left_out(asked: Mapping[str, bool], rows: data.Rows) -> tuple[list[str], list[data.Problem]]:
    """The evaluators that can score these rows, and what to say of those that only a suite brought in and that cannot.

    `asked`: by id, whether a suite brought it in.
    """
    there = {"output", *(["expected"] if rows.references else [])}
    there |= {name for name in ("input", "criteria", "conversation") if getattr(rows, name) is not None}
    lacking: dict[str, list[str]] = {}
    for id, suite in asked.items():
        missing = sorted({*get_evaluator(id).card.required} - there)
        if suite and missing:
            lacking.setdefault(" or ".join(missing), []).append(id)
    out = [
        data.Problem(0, "left_out", f"Left out, since no column holds {fields}: {', '.join(ids)}.")
        for fields, ids in lacking.items()
    ]
    gone = {id for ids in lacking.values() for id in ids}
    return [id for id in asked if id not in gone], out
