"""Files through several evaluators: read, map, score, aggregate. `jeval run` and the Datasets page call this."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa  # type: ignore[import-untyped]
from numpy.typing import NDArray

from jeval_core import data
from jeval_core.batch.engine import score_columns
from jeval_core.batch.judged import Report
from jeval_core.batch.scored import SCORED, STATUSES, Numbers, Scored, account
from jeval_core.data.arrow import codes_of, release
from jeval_core.embed.band import Band
from jeval_core.errors import BadInput, nearest
from jeval_core.evaluators.base import Evaluator
from jeval_core.evaluators.judged import Judged, judge_in, no_model
from jeval_core.harness.bands import bands
from jeval_core.harness.gather import Reading, gather, shown
from jeval_core.harness.gold import beside_gold, label_columns
from jeval_core.harness.judging import Asks, left_out, notices
from jeval_core.harness.layout import JUDGE, text_columns
from jeval_core.harness.layout import digest as digest_of
from jeval_core.harness.layout import score_columns as score_columns_of
from jeval_core.judge.progress import Progress
from jeval_core.registry import expand, get_evaluator, settled
from jeval_core.service import Options, check_keys
from jeval_core.stats import Summary, agreements, by_group, summarise


@dataclass(frozen=True)
class Run:
    """A scored file. `rows` are the texts, `scored` the outcome of each evaluator in the same order.

    `thresholds` are those that rows without one of their own were held against, by evaluator; `judge` says what it took
    to ask one, None where no evaluator does, and `judged` how its answers stand to human labels (`beside_gold`).
    `bands` are those of cosines (`harness.bands`). `seconds`, what each evaluator took (`score_columns`), are not in
    `to_dict`, which is the same whenever the same was scored.
    """

    name: str
    version: str
    source: data.Source
    mapping: data.ColumnMap
    rows: data.Rows
    scored: dict[str, Scored]
    summaries: dict[str, Summary]
    groups: dict[str, dict[str, dict[str, Summary]]]
    thresholds: Mapping[str, float]
    model_version: str | None = None
    judge: Report | None = None
    judged: Mapping[str, Mapping[str, Mapping[str, Any]]] = field(default_factory=dict)
    bands: Mapping[str, Band] = field(default_factory=dict)
    seconds: Mapping[str, float] = field(default_factory=dict)

    @cached_property
    def id(self) -> str:
        """Known by content: the same rows, texts, scores, signatures and thresholds have the same id."""
        digest = hashlib.sha256(self.version.encode())
        how = [f"{s.signature} {self.thresholds[id]!r}" for id, s in self.scored.items()]
        for part in (self.model_version or "", *how):
            digest.update(b"\0" + part.encode())
        digest.update(digest_of(text_columns(self.rows) | score_columns_of(self.scored)))
        return digest.hexdigest()[:16]

    def account(self) -> dict[str, int]:
        """Rows in the file = scored + skipped + failed + rejected; a row that any evaluator scored is scored."""
        statuses = [s.status for s in self.scored.values()]
        counts = account(statuses, blank=self.rows.blank, rejected=self.rows.rejected)
        return counts | {"in_file": self.rows.rows_in_file}

    def table(self) -> pa.Table:
        """Texts and scores as one table, ready for export."""
        table = self.rows.table()
        for id, s in self.scored.items():
            kept = s.status == SCORED
            columns = {
                "score": pa.array(s.score, mask=~kept),
                "passed": pa.array(s.passed, mask=~kept),
                "status": pa.DictionaryArray.from_arrays(pa.array(s.status), pa.array(STATUSES)).cast(pa.string()),
                "reason": pa.DictionaryArray.from_arrays(pa.array(s.reason), pa.array(s.reasons)).cast(pa.string()),
            }
            judge = judge_in(s.signature)
            columns |= {} if judge is None else {JUDGE: pa.repeat(judge, len(s))}
            for part, column in (columns | {k: _counted(v, kept) for k, v in s.counts.items()}).items():
                table = table.append_column(f"{id}.{part}", column)
        return table

    def to_dict(self) -> dict[str, Any]:
        """The object that `jeval run --json` prints; no NaN."""
        source = self.source
        out: dict[str, Any] = {
            "run_id": self.id,
            "dataset": {"name": self.name, "version": self.version},
            "source": {
                "format": source.format,
                "encoding": source.encoding,
                "delimiter": source.delimiter,
                "header_row": source.header_row,
            },
            "mapping": self.mapping.to_dict(),
            "rows": self.account(),
            "problems": [asdict(p) for p in self.rows.problems],
            "signatures": {id: s.signature for id, s in self.scored.items()},
            "aggregates": {id: s.to_dict() for id, s in self.summaries.items()},
            "groups": {
                column: {value: {id: s.to_dict() for id, s in each.items()} for value, each in values.items()}
                for column, values in self.groups.items()
            },
        }
        if self.bands:
            out["bands"] = {id: band.to_dict() for id, band in self.bands.items()}
        if self.judge is not None:
            out["judge"] = self.judge.to_dict()
            out |= {"judged": self.judged} if self.judged else {}
        release()  # what the id needed, before the correlations need more
        out |= agreements({id: s.score for id, s in self.scored.items() if not no_model(s.signature)}, self.rows.gold)
        systems = self.systems()
        return out | ({"runs": systems} if len(systems) > 1 else {})

    def systems(self) -> list[dict[str, str]]:
        """A run for each model version in the file."""
        column = self.rows.model_version
        values = [] if column is None else [v for v in column.unique().to_pylist() if v]
        base = self.id
        return [
            {"run_id": hashlib.sha256(f"{base}\0{v}".encode()).hexdigest()[:16], "model_version": v} for v in values
        ]


def _counted(values: Numbers, kept: NDArray[np.bool_]) -> pa.Array:
    return pa.array(values.astype(np.int32) if values.dtype.kind == "u" else values, mask=~kept)


def run_file(path: str | Path, evaluators: Sequence[str], **settings: Any) -> Run:
    """Score a file; `settings` are those of `run_files`."""
    return run_files([path], evaluators, **settings)


def run_files(
    paths: Sequence[str | Path],
    evaluators: Sequence[str],
    *,
    names: Sequence[str] | None = None,
    encoding: str | None = None,
    delimiter: str | None = None,
    header_row: int | None = None,
    sheet: str | None = None,
    reference_delimiter: str | None = None,
    columns: Mapping[str, str] | None = None,
    tag_columns: Mapping[str, str] | None = None,
    options: Mapping[str, Options] | None = None,
    thresholds: Mapping[str, float] | None = None,
    group_by: Sequence[str] = (),
    gold_scale: tuple[float, float] | None = None,
    model_version: str | None = None,
    judge: Asks | None = None,
    workers: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    asking: Callable[[int, int, Progress], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> Run:
    """Score a file, the parts of one (parallel text, the halves of a HELM run), or a file for each system.

    Args:
        paths: where the files are.
        evaluators: ids or suites.
        names: what the files are called, where their paths do not say it.
        encoding: how to read them, as are `delimiter`, `header_row` (a line, from 1), `sheet`; see `data.read`.
        delimiter: one character.
        header_row: the line of the header.
        sheet: of a workbook.
        reference_delimiter: what joins several references in a cell, such as `|||`.
        columns: field → column, where the names of columns do not say it.
        tag_columns: tag → column that says yes or no.
        options: by evaluator.
        thresholds: by evaluator.
        group_by: columns to aggregate by; of several files, `file` is one, and without any it is `model_version`.
        gold_scale: lowest and highest gold value.
        model_version: the system, where a file does not say; without it, each of several files is one by its name.
        judge: who answers judge evaluators; None for JEVAL_JUDGE, else word overlap.
        workers: threads; they change no number.
        progress: called with (rows done, rows).
        asking: called with (rows done, rows, what was asked so far) while a judge is asked.
        cancelled: asked between files and between blocks of rows.

    Raises:
        JevalError: those of `jeval_core.data` for a file that cannot be read or mapped, and those of `evaluate`. An
            evaluator that only a suite brought in and that lacks a column is left out, and a problem says so.
        Cancelled: `cancelled` said so.
    """
    asked = dict(expand([*evaluators]))
    options, thresholds = options or {}, thresholds or {}
    check_keys([*asked], thresholds, "thresholds")
    check_keys([*asked], options, "options")
    options = settled(evaluators, options)
    named = {field for id, suite in asked.items() if not suite for field in get_evaluator(id).card.required}
    reading = Reading(
        encoding, delimiter, header_row, sheet, reference_delimiter, columns, tag_columns, gold_scale,
        {"output", *named}, [] if named else [get_evaluator(id).card.required for id in asked],
    )  # fmt: skip
    called = [Path(path).name for path in paths] if names is None else [*names]
    part = gather(paths, called, reading, model_version, cancelled)
    rows = part.rows
    several = not group_by and len(paths) > 1 and rows.model_version is not None
    columns_of = _group_columns(rows, ("model_version",) if several else group_by)
    version = data.dataset_version(rows)
    release()
    ids, problems = left_out(asked, rows)
    ones = {id: get_evaluator(id, options.get(id)) for id in ids}
    held = {id: one.card.check_threshold(thresholds.get(id)) for id, one in ones.items()}
    judges = {id: (one, held[id]) for id, one in ones.items() if isinstance(one, Judged)}
    asks = (judge or Asks()).ready() if judges else None
    seconds: dict[str, float] = {}
    scored = _in_code(ones, rows, held, workers, progress, cancelled, seconds)
    report = None
    if asks is not None:
        begun = time.perf_counter()
        found, report = asks.columns(judges, rows, asking, cancelled)
        scored |= found
        seconds["judge"] = time.perf_counter() - begun
        problems += notices(report, rows, (judge or Asks()).explicit)
    rows.problems[:] = sorted([*problems, *rows.problems], key=lambda p: p.line)
    scored = {id: scored[id] for id in ids}
    summaries = {id: summarise(s, corpus=_corpus(ones[id], s, rows)) for id, s in scored.items()}
    groups = {name: by_group(scored, *column) for name, column in columns_of.items()}
    release()
    return Run(
        shown(called), version, part.source, part.mapping, rows, scored, summaries, groups, held, model_version, report,
        beside_gold(judges, scored, rows.gold, label_columns(rows), rows.tags, gold_scale), bands(ones, scored, rows),
        seconds,
    )  # fmt: skip


def _in_code(
    ones: Mapping[str, Evaluator],
    rows: data.Rows,
    held: Mapping[str, float],
    workers: int | None,
    progress: Callable[[int, int], None] | None,
    cancelled: Callable[[], bool] | None,
    seconds: dict[str, float],
) -> dict[str, Scored]:
    """The scores of the evaluators that ask nobody."""
    code = [id for id, one in ones.items() if not isinstance(one, Judged)]
    if not code:
        return {}
    return score_columns(
        code,
        rows.output,
        [column for _, column in rows.references],
        options={id: ones[id].options for id in code},
        thresholds={id: held[id] for id in code},
        row_thresholds=None if np.isnan(rows.threshold).all() else rows.threshold,
        workers=workers,
        progress=None if progress is None else lambda done: progress(done, len(rows)),
        cancelled=cancelled,
        seconds=seconds,
    )


def _corpus(one: Evaluator, scored: Scored, rows: data.Rows) -> tuple[float, str] | None:
    kept = scored.status == SCORED
    if not scored.counts or not kept.any():
        return None
    present = {sum(bool(column[0].is_valid) for _, column in rows.references)} if len(rows) else set()
    varies = any(column.null_count for _, column in rows.references)
    return one.corpus(scored.counts, None if varies or not present else present.pop())


def _group_columns(rows: data.Rows, group_by: Sequence[str]) -> dict[str, tuple[NDArray[np.int64], list[str | None]]]:
    """For each column a code for every row and the values that the codes stand for."""
    known = {name: column for name, column in rows.groups.items()}
    if rows.model_version is not None:
        known["model_version"] = rows.model_version
    known |= {name: rows.extra[name] for name in rows.extra.column_names} | dict(rows.tags)
    for name in group_by:
        if name not in known:
            raise BadInput(f"There is no column `{name}` to group by.", field="group_by", hint=nearest(name, known))
    return {name: codes_of(known[name].cast(pa.string())) for name in group_by}
