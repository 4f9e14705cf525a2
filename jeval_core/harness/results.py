"""The results of a stored run: columns and rows, each read when it is asked for."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jeval_core.batch.scored import SCORED, STATUSES, Scored, account
from jeval_core.data.arrow import codes_of, pa, parquet, plain
from jeval_core.errors import BadInput, nearest
from jeval_core.evaluators.judged import judge_in, no_model
from jeval_core.harness.layout import FIELDS, JUDGE, LINE, PARTS, ROLES, public_names
from jeval_core.harness.store.files import META, SCORE_ROWS, TEXT_ROWS

Rows = NDArray[np.int64]


class Results:
    """Rows are counted from 0 in the order of the file; of a single model version, among its own rows.

    `id`, `name`, `dataset` (its version), `created`, `submitter`, `spec` (plain JSON data or None) and
    `model_version` say which run it is. The files never change, so every answer stays the same.
    """

    def __init__(self, row: Any, texts: Path, scores: Path, *, system: str | None, id: str) -> None:
        """From a row of the table `runs`; `system` limits it to a model version."""
        self.id, self.name, self.dataset = id, str(row.name), str(row.dataset)
        self.created, self.submitter = str(row.created), row.submitter
        self.model_version: str | None = system or row.model_version
        self.spec: dict[str, Any] | None = None if row.spec is None else json.loads(row.spec)
        self.evaluators: tuple[str, ...] = tuple(json.loads(row.evaluators))
        self._record, self._texts, self._scores = str(row.record), texts, scores
        self._system, self._all = system, int(row.rows)

    @cached_property
    def record(self) -> dict[str, Any]:
        """What `jeval run --json` printed; of a single model version, the same made of its own rows, without groups."""
        whole: dict[str, Any] = json.loads(self._record)
        whole.pop("seconds", None)
        if self._system is None:
            return whole
        from jeval_core.stats import agreements, summarise

        own = {id: summarise(self.scored(id)).to_dict() for id in self.evaluators}
        same = ("dataset", "source", "mapping", "problems", "signatures", "judge", "bands")
        kept: dict[str, Any] = {k: whole[k] for k in same if k in whole}
        each = {id: self.scored(id) for id in self.evaluators}
        gold = {name: self.numbers(name) for name in self.columns["gold"]}
        made = {"rows": account([s.status for s in each.values()]), "aggregates": own, "groups": {}}
        also = agreements({id: s.score for id, s in each.items() if not no_model(s.signature)}, gold)
        if "judge" in whole:  # what asking took is that of the whole file
            kept["judge"] = {k: whole["judge"][k] for k in ("backend", "model", "answered_by", "kind", "calibrated")}
            also |= {"judged": self.judged} if self.judged else {}
        return {"run_id": self.id, "model_version": self._system, **kept, **made, **also}

    @cached_property
    def seconds(self) -> dict[str, float]:
        """What each evaluator took, and what several share, summed over processors; of the whole file."""
        return dict(json.loads(self._record).get("seconds", {}))

    @cached_property
    def judged(self) -> dict[str, Any]:
        """How answers of judges stand to human labels, as `beside_gold`."""
        from jeval_core.harness.gold import beside_gold
        from jeval_core.registry import get_evaluator

        spec = self.spec or {}
        ones = {id: get_evaluator(id, spec.get("options", {}).get(id)) for id in self.evaluators}
        held = {
            id: (one, one.card.check_threshold(spec.get("thresholds", {}).get(id)))
            for id, one in ones.items()
            if one.card.kind == "judge"
        }
        gold = {name: self.numbers(name) for name in self.columns["gold"]}
        names = [*self.columns["groups"], *self.columns["extra"]]
        texts = {name: self._text_column(self.names[name]) for name in names}
        scale, scored = spec.get("gold_scale"), {id: self.scored(id) for id in held}
        return beside_gold(held, scored, gold, texts, self.tags, tuple(scale) if scale else None)

    @cached_property
    def n(self) -> int:
        """How many rows there are."""
        return self._all if self._own is None else len(self._own)

    def __len__(self) -> int:
        return self.n

    @property
    def is_part(self) -> bool:
        """Whether these are the rows of a single model version."""
        return self._system is not None

    @cached_property
    def columns(self) -> dict[str, list[str]]:
        """Role → names of its columns, as `take` knows them.

        Roles are id, model_version, input, output, criteria, conversation, threshold (at most one column each),
        references, groups, tags, gold, extra and line; a role without a column has an empty list.
        """
        out: dict[str, list[str]] = {role: [] for role in (*FIELDS, *ROLES)}
        roles = {start: role for role, start in ROLES.items()}
        for name, stored in self.names.items():
            out[stored if stored in FIELDS else roles[stored.split(":", 1)[0]]].append(name)
        return out

    @property
    def lines(self) -> Rows:
        """The line of each row in its file, shape (n,)."""
        return self._numpy(self._text_column(LINE))

    def scored(self, evaluator: str) -> Scored:
        """The outcome of an evaluator, bit for bit as it was. Raises BadInput for one that did not take part."""
        meta = self._scored_meta.get(evaluator)
        if meta is None:
            raise BadInput(
                f"Run {self.id} has no scores of `{evaluator}`.",
                field="evaluator",
                hint=nearest(evaluator, self.evaluators),
            )
        names = [f"{evaluator}.{part}" for part in (*PARTS, *meta["counts"])]
        table = self._own_rows(_open(self._scores, self._score_meta).read(columns=names))
        columns = {name: self._numpy(table[f"{evaluator}.{name}"]) for name in (*PARTS, *meta["counts"])}
        score, passed, status, reason = (columns.pop(part) for part in PARTS)
        reasons = tuple(meta["reasons"])
        return Scored(meta["signature"], meta["native"], score, passed, status, reason, reasons, columns)

    def numbers(self, name: str) -> NDArray[np.float64]:
        """A gold column, or `threshold`, shape (n,); nan where the row has none."""
        if name == "threshold" and not self.columns["threshold"]:
            return np.full(self.n, np.nan)
        return self._numpy(self._text_column(self._stored(name, ("gold", "threshold"))))

    @property
    def tags(self) -> dict[str, pa.ChunkedArray]:
        """Tag → yes, no or null for each row."""
        return {name: self._text_column(self.names[name]) for name in self.columns["tags"]}

    def column(self, name: str) -> pa.ChunkedArray:
        """A column of texts or of yes and no, by its name in `columns`; null where a row has none."""
        return self._text_column(self._stored(name))

    def codes(self, column: str) -> tuple[Rows, list[str | None]]:
        """For each row which of the column's texts it has, shape (n,), and the texts; the last is None."""
        found = self._text_column(self._stored(column))
        return codes_of(plain(found).cast(pa.string()))

    def take(self, rows: Sequence[int] | Rows, columns: Sequence[str] | None = None) -> pa.Table:
        """Some rows in the order given, a row as often as it is named; only the parts of the file needed are read.

        `columns` are names of `self.columns` or `<evaluator>.score` and so on. Without them these are the columns of
        `Run.table`. Raises BadInput for a row or column that is not there.
        """
        wanted = self._checked(rows)
        names = [*self.default_columns] if columns is None else [*dict.fromkeys(columns)]
        at = wanted if self._own is None else self._own[wanted]
        texts = {n: self.names[n] for n in names if n in self.names}
        parts: dict[str, Any] = {}
        if texts:
            read = _rows_of(_open(self._texts, self._text_meta), at, [*dict.fromkeys(texts.values())], TEXT_ROWS)
            parts |= {n: plain(read[stored]) for n, stored in texts.items()}
        scores = [n for n in names if n not in texts]
        self._check_scores(scores)
        if scores:
            needed = dict.fromkeys(
                c for n in scores for c in (n, n[: n.index(".")] + ".status") if not c.endswith(f".{JUDGE}")
            )
            read = _rows_of(_open(self._scores, self._score_meta), at, [*needed], SCORE_ROWS)
            parts |= {n: self._readable(n, read) for n in scores}
        return pa.table({n: parts[n] for n in names}) if names else pa.table({})

    def row(self, i: int) -> dict[str, Any]:
        """Everything about row `i`, by role; `references` are (name, text), `scores` are by evaluator."""
        cells = {n: c[0].as_py() for n, c in zip(t.column_names, t.columns, strict=True)} if (t := self._one(i)) else {}
        roles = self.columns
        out: dict[str, Any] = {f: cells[roles[f][0]] if roles[f] else None for f in FIELDS}
        out["line"] = cells[roles["line"][0]]
        out["references"] = [(n, cells[n]) for n in roles["references"] if cells[n] is not None]
        for role in ("groups", "tags", "gold", "extra"):
            out[role] = {n: cells[n] for n in roles[role]}
        out["gold"] = {n: v for n, v in out["gold"].items() if v == v}
        out["threshold"] = (
            None if out["threshold"] is None or out["threshold"] != out["threshold"] else out["threshold"]
        )
        out["scores"] = {
            id: {name: cells[f"{id}.{name}"] for name in self._parts(id)} for id in self._scored_meta
        }
        return out

    def export(self, kind: str, target: Any, rows: Sequence[int] | Rows | None = None) -> None:
        """Write rows as `csv`, `parquet`, `jsonl` or `junit`; see `jeval_core.harness.exports`."""
        from jeval_core.harness.exports import export

        export(self, kind, target, rows)

    @cached_property
    def default_columns(self) -> tuple[str, ...]:
        """The columns of `Run.table`."""
        names = [n for n, stored in self.names.items() if stored != LINE]
        return (*names, *self._score_names)

    @cached_property
    def _text_meta(self) -> Any:
        return parquet.read_metadata(self._texts)

    @cached_property
    def _score_meta(self) -> Any:
        return parquet.read_metadata(self._scores)

    @cached_property
    def _score_names(self) -> tuple[str, ...]:
        return tuple(f"{id}.{part}" for id in self._scored_meta for part in self._parts(id))

    def _parts(self, id: str) -> tuple[str, ...]:
        """What is there of an evaluator, in the order of `Run.table`."""
        meta = self._scored_meta[id]
        return (*PARTS, *([JUDGE] if judge_in(meta["signature"]) else []), *meta["counts"])

    @cached_property
    def _scored_meta(self) -> dict[str, dict[str, Any]]:
        found: dict[str, dict[str, Any]] = json.loads(self._score_meta.schema.to_arrow_schema().metadata[META])
        return found

    @cached_property
    def names(self) -> dict[str, str]:
        """The names in `columns` → how the file calls them."""
        return public_names(self._text_meta.schema.to_arrow_schema().names, self._score_names)

    @cached_property
    def _own(self) -> Rows | None:
        """Which rows of the file belong to this model version; None stands for all."""
        if self._system is None:
            return None
        file = _open(self._texts, self._text_meta)
        codes, values = codes_of(plain(file.read(columns=["model_version"])["model_version"]))
        return np.flatnonzero(codes == values.index(self._system))

    def _own_rows(self, table: pa.Table) -> pa.Table:
        return table if self._own is None else table.take(pa.array(self._own))

    def _text_column(self, stored: str) -> pa.ChunkedArray:
        return self._own_rows(_open(self._texts, self._text_meta).read(columns=[stored]))[stored]

    @staticmethod
    def _numpy(column: pa.ChunkedArray) -> NDArray[Any]:
        values: NDArray[Any] = column.to_numpy()
        return values

    def _stored(self, name: str, roles: Sequence[str] | None = None) -> str:
        known = [n for role, names in self.columns.items() if roles is None or role in roles for n in names]
        if name not in known:
            raise BadInput(f"Run {self.id} has no column `{name}`.", field="column", hint=nearest(name, known))
        return self.names[name]

    def _checked(self, rows: Sequence[int] | Rows) -> Rows:
        wanted = np.asarray(rows, dtype=np.int64)
        if len(wanted) and (wanted.min() < 0 or wanted.max() >= self.n):
            raise BadInput(f"Run {self.id} has rows 0 to {self.n - 1:,}.", field="rows")
        return wanted

    def _check_scores(self, names: Sequence[str]) -> None:
        for name in names:
            if name not in self._score_names:
                known = [*self.names, *self._score_names]
                raise BadInput(f"Run {self.id} has no column `{name}`.", field="columns", hint=nearest(name, known))

    def _readable(self, name: str, table: pa.Table) -> pa.ChunkedArray:
        """A column of scores as people read it: null where nothing was scored, words for codes."""
        id, part = name.split(".", 1)
        if part == JUDGE:
            return pa.chunked_array([pa.repeat(judge_in(self._scored_meta[id]["signature"]), len(table))])
        if part in ("status", "reason"):
            words = STATUSES if part == "status" else self._scored_meta[id]["reasons"]
            return pa.chunked_array([pa.array([*words]).take(table[name].combine_chunks())])
        values = table[name].combine_chunks()
        kind = pa.int32() if pa.types.is_unsigned_integer(values.type) else values.type
        kept = pa.array(table[f"{id}.status"].to_numpy() == SCORED)
        return pa.chunked_array([pa.compute.if_else(kept, values.cast(kind), pa.scalar(None, kind))])

    def _one(self, i: int) -> pa.Table:
        return self.take([i], [*self.names, *self._score_names])


def _open(path: Path, metadata: Any) -> Any:
    return parquet.ParquetFile(path, metadata=metadata)


def _rows_of(file: Any, rows: Rows, columns: list[str], size: int) -> pa.Table:
    """Rows in the order given, from the groups of `size` rows that hold them."""
    groups = np.unique(rows // size)
    table = file.read_row_groups(groups.tolist(), columns=columns)
    within = np.searchsorted(groups, rows // size) * size + rows % size
    if len(rows) and len(rows) == within[-1] - within[0] + 1 and (np.diff(within) == 1).all():
        return table.slice(int(within[0]), len(rows))
    return table.take(pa.array(within))
