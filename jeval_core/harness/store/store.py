"""The store: runs go in whole, come out by their id, and are never seen half written."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from sqlalchemy import Connection, Engine, Table, delete, false, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from jeval_core.errors import BadInput, said
from jeval_core.harness.errors import StoreUnavailable, UnknownRun
from jeval_core.harness.store import database, files
from jeval_core.harness.store.records import StoredDataset, StoredRun
from jeval_core.harness.store.schema import datasets, now, runs, summaries, systems
from jeval_core.home import home as default_home

if TYPE_CHECKING:
    from jeval_core.harness.results import Results
    from jeval_core.harness.spec import Spec
    from jeval_core.runs import Run

T = TypeVar("T")
_LISTED = [c for c in runs.c if c.name != "record"]
_TRIES = 5
SHORT = 6
"""Characters of a data set's version that stand for it."""


class Store:
    """Opened by `Store.open`; may be used by several threads and processes at once."""

    def __init__(self, home: Path, engine: Engine, url: str | None = None) -> None:
        self.home = home
        self.engine = engine
        self.url = url

    @classmethod
    def open(cls, home: Path | None = None, url: str | None = None) -> Store:
        """Open the store in a folder (default: `JEVAL_HOME`), its database there or at `url` (`JEVAL_DATABASE_URL`).

        What is missing is made, what dead processes left half written is removed. Raises StoreUnavailable.
        """
        home = (home or default_home()).expanduser().absolute()
        store = cls(home, database.connect(home, url), url)
        with store._disk():
            files.sweep(home)
        return store

    def close(self) -> None:
        """Close the connections."""
        self.engine.dispose()

    def reading(self) -> AbstractContextManager[Connection]:
        """A connection to read from."""
        return database.reading(self.engine)

    def writing(self) -> AbstractContextManager[Connection]:
        """A transaction to write in."""
        return database.writing(self.engine)

    def save_run(self, run: Run, spec: Spec | None = None, submitter: str | None = None) -> str:
        """Keep a run and return its id; what is kept already is not written again.

        The rows are on the disk before the run is listed. `spec` says how to make it again. Raises StoreUnavailable;
        nothing is left behind then.
        """
        record = run.to_dict() | {"seconds": {id: round(s, 3) for id, s in run.seconds.items()}}
        cases = _cases(run)
        for _ in range(_TRIES):
            known = self._files(run.id)
            with self._disk():
                name = known if known and files.whole(self.home, known) else files.write_run(self.home, run)
            try:
                kept = self._again(partial(self._insert, run, record, cases, name, known, spec, submitter))
            except BaseException:
                if name != known:
                    files.remove_files(self.home, name)
                raise
            if name not in (known, kept):
                files.remove_files(self.home, name)  # another process was first
            if kept is not None:
                return run.id
        raise StoreUnavailable(f"Run {run.id} is deleted as fast as it is stored.", hint="Try again.")

    def run(self, id: str) -> Results:
        """The results of a run, or of one model version in it. Raises UnknownRun."""
        from jeval_core.harness.results import Results

        with self.reading() as c:
            system = c.execute(select(systems).where(systems.c.id == id)).first()
            row = c.execute(select(runs).where(runs.c.id == (system.run if system else id))).first()
        if row is None or not files.whole(self.home, row.files):
            raise UnknownRun.of(id)
        version = system.model_version if system else None
        return Results(row, *files.paths_of(self.home, row.files), system=version, id=id)

    def found(self, start: str) -> str:
        """The id of the only run, or model version of one, that starts so. Raises UnknownRun, BadInput for several."""
        columns = [table.c.id for table in (runs, systems)]
        with self.reading() as c:
            ids = [r.id for id in columns for r in c.execute(select(id).where(id.startswith(start, autoescape=True)))]
        if start in ids or (len(ids) == 1 and len(start) >= SHORT):
            return start if start in ids else str(ids[0])
        if len(ids) > 1 and len(start) >= SHORT:
            raise BadInput(f"Several runs start with `{said(start)}`.", field="run", hint=f"Known: {', '.join(ids)}.")
        raise UnknownRun.of(start)

    def runs(self, dataset: str | None = None, limit: int | None = None) -> list[StoredRun]:
        """Stored runs, newest first; of the data sets with this name, version or start of a version."""
        query = select(*_LISTED).order_by(runs.c.created.desc(), runs.c.id).limit(limit)
        if dataset is not None:
            versions = runs.c.dataset.startswith(dataset, autoescape=True)
            query = query.where((runs.c.name == dataset) | (versions if len(dataset) >= SHORT else false()))
        with self.reading() as c:
            return [StoredRun.of(row) for row in c.execute(query)]

    def systems(self, id: str) -> dict[str, str]:
        """The model versions of a run that has several: id of each as a run of its own → name."""
        with self.reading() as c:
            found = c.execute(select(systems).where(systems.c.run == id).order_by(systems.c.model_version))
            return {row.id: row.model_version for row in found}

    def all_systems(self) -> dict[str, dict[str, str]]:
        """The same of all runs that have several: run → id → name."""
        out: dict[str, dict[str, str]] = {}
        with self.reading() as c:
            for row in c.execute(select(systems).order_by(systems.c.model_version)):
                out.setdefault(row.run, {})[row.id] = row.model_version
        return out

    def datasets(self) -> list[StoredDataset]:
        """Versions of data sets that a stored run has scored, newest first."""
        query = (
            select(datasets, func.count().label("n"))
            .join(runs, runs.c.dataset == datasets.c.version)
            .group_by(*datasets.c)
            .order_by(datasets.c.created.desc(), datasets.c.version)
        )
        with self.reading() as c:
            return [StoredDataset(r.version, r.name, r.cases, r.created, r.n) for r in c.execute(query)]

    def summaries(
        self, dataset: str | None = None, metric: str | None = None, column: str = ""
    ) -> list[tuple[StoredRun, str, str, dict[str, Any]]]:
        """(run, metric, value, summary), oldest first, without reading a row.

        `column` is the group column whose values are asked for; without it the value is "" and the summary is of all.
        """
        query = (
            select(*_LISTED, summaries.c.metric, summaries.c.value, summaries.c.summary)
            .join(summaries, summaries.c.run == runs.c.id)
            .where(summaries.c.group_column == column)
            .order_by(runs.c.created, runs.c.id, summaries.c.metric, summaries.c.value)
        )
        if dataset is not None:
            query = query.where((runs.c.name == dataset) | (runs.c.dataset == dataset))
        if metric is not None:
            query = query.where(summaries.c.metric == metric)
        with self.reading() as c:
            return [(StoredRun.of(r), r.metric, r.value, json.loads(r.summary)) for r in c.execute(query)]

    def delete_run(self, id: str) -> None:
        """Forget a run and its rows; one model version of a run cannot go alone. Raises UnknownRun."""

        def gone(c: Connection) -> str:
            row = c.execute(select(runs.c.files, runs.c.dataset).where(runs.c.id == id).with_for_update()).first()
            if row is None:
                raise UnknownRun.of(id)
            for table in (systems, summaries):
                c.execute(delete(table).where(table.c.run == id))
            c.execute(delete(runs).where(runs.c.id == id))
            if not c.execute(select(runs.c.id).where(runs.c.dataset == row.dataset).limit(1)).first():
                c.execute(delete(datasets).where(datasets.c.version == row.dataset))
            return str(row.files)

        name = self._again(gone)
        with self._disk():
            files.remove_files(self.home, name)

    def take_in(self, manifest: Mapping[str, Any], name: str) -> None:
        """List a run that came as an archive (`harness.archive`), whose files called `name` are here."""
        run, data = manifest["run"], manifest["dataset"]

        def listed(c: Connection) -> None:
            _put(c, datasets, {"version": data["version"]}, {}, {k: v for k, v in data.items() if k != "version"})
            _put(c, runs, {"id": run["id"]}, {**{k: v for k, v in run.items() if k != "id"}, "files": name}, {})
            for part in manifest["systems"]:
                one = {"run": run["id"], "model_version": part["model_version"]}
                _put(c, systems, {"id": part["id"]}, one, {})
            c.execute(delete(summaries).where(summaries.c.run == run["id"]))
            c.execute(insert(summaries), [*_summaries(run["id"], json.loads(run["record"]))])

        self._again(listed)

    def _files(self, id: str) -> str | None:
        with self.reading() as c:
            return c.execute(select(runs.c.files).where(runs.c.id == id)).scalar()

    def _insert(
        self,
        run: Run,
        record: dict[str, Any],
        cases: int,
        name: str,
        known: str | None,
        spec: Spec | None,
        submitter: str | None,
        c: Connection,
    ) -> str | None:
        """Put the run into the tables; returns the name of its files, None where they are gone or about to go.

        Files that were `known` and are listed no more belong to whoever deleted the run: they are not used again.
        """
        columns = (runs.c.files, runs.c.record, runs.c.spec, runs.c.submitter)
        old = c.execute(select(*columns).where(runs.c.id == run.id).with_for_update()).first()
        if old is not None and files.whole(self.home, old.files):
            name = old.files
        elif name == known or not files.whole(self.home, name):
            return None
        if old is not None:  # groups that were asked for before stay
            record = record | {"groups": json.loads(old.record)["groups"] | record["groups"]}
        _put(c, datasets, {"version": run.version}, {"name": run.name, "cases": cases}, {"created": now()})
        values = {
            "dataset": run.version,
            "name": run.name,
            "model_version": run.model_version,
            "evaluators": json.dumps([*run.scored]),
            "signatures": json.dumps(record["signatures"]),
            "spec": json.dumps(spec.to_dict()) if spec else old and old.spec,
            "record": json.dumps(record, allow_nan=False),
            "submitter": submitter or (old and old.submitter),
            "rows": len(run.rows),
            "files": name,
        }
        _put(c, runs, {"id": run.id}, values, {"created": now()})
        for system in run.systems() if "runs" in record else ():
            one = {"run": run.id, "model_version": system["model_version"]}
            _put(c, systems, {"id": system["run_id"]}, one, {})
        c.execute(delete(summaries).where(summaries.c.run == run.id))
        c.execute(insert(summaries), [*_summaries(run.id, record)])
        return name

    def _again(self, work: Callable[[Connection], T]) -> T:
        """Do it in a transaction, once more where another writer came between (databases that let two write)."""
        for left in reversed(range(_TRIES)):
            try:
                with self.writing() as c:
                    return work(c)
            except IntegrityError:
                if not left:
                    raise
        raise AssertionError

    @contextmanager
    def _disk(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise StoreUnavailable(
                f"The rows of a run cannot be written in {self.home}: {error.strerror or error}.",
                hint="Make room there, or name another folder by JEVAL_HOME.",
            ) from error


def _put(
    c: Connection, table: Table, key: Mapping[str, Any], values: Mapping[str, Any], new: Mapping[str, Any]
) -> None:
    """Update a row, or insert it; `new` are values that a row keeps from its first day."""
    ((name, value),) = key.items()
    there = update(table).where(table.c[name] == value).values(**(values or key))
    if not c.execute(there).rowcount:
        c.execute(insert(table).values(**key, **values, **new))


def _summaries(id: str, record: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    whole = {"": {"": record["aggregates"]}}
    for column, values in (whole | record["groups"]).items():
        for value, each in values.items():
            for metric, summary in each.items():
                body = json.dumps(summary, allow_nan=False)
                yield {"run": id, "metric": metric, "group_column": column, "value": value, "summary": body}


def _cases(run: Run) -> int:
    from jeval_core.data.codes import distinct, first_equal
    from jeval_core.data.content import content

    return len(distinct(first_equal([run.rows.id, *content(run.rows).values()])))
