"""A database of any earlier version opens with all that is in it."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import MetaData, inspect, select, text

from jeval_core.harness.errors import StoreUnavailable
from jeval_core.harness.jobs import Jobs
from jeval_core.harness.spec import Spec
from jeval_core.harness.store import Store, database, schema
from jeval_core.harness.store.database import MIGRATIONS
from jeval_core.harness.work import work
from jeval_core.runs import run_file
from tests.harness.files import everything

REVISIONS = [script.revision for script in ScriptDirectory(str(MIGRATIONS)).walk_revisions()][::-1]


def at(home: Path, revision: str) -> Any:
    """An engine whose database has the schema of that version."""
    engine = database._engine(home, None)
    with database.writing(engine) as c:
        database._migrate(c, revision)
    return engine


def content(engine: Any) -> dict[str, list[dict[str, Any]]]:
    """Table → its rows."""
    found = MetaData()
    found.reflect(engine)
    with database.reading(engine) as c:
        return {t.name: [dict(r) for r in c.execute(select(t)).mappings()] for t in found.sorted_tables}


def test_the_newest_is_known() -> None:
    assert REVISIONS[-1] == schema.HEAD and len(REVISIONS) == len(set(REVISIONS))


@pytest.mark.parametrize("revision", REVISIONS)
def test_rows_stay(tmp_path: Path, home: Path, revision: str) -> None:
    """Rows as this version makes them, in the tables that the earlier one had."""
    store = Store.open(tmp_path / "new")
    run = run_file(everything(tmp_path / "a.jsonl"), ["bleu", "gleu"], group_by=["task_type"])
    store.save_run(run, submitter="me")
    spec = Spec(((str(tmp_path / "a.jsonl"), "a.jsonl"),), ("rouge_l",))
    Jobs(store).add(spec)
    full = content(store.engine)
    assert all(full[name] for name in ("datasets", "runs", "systems", "summaries", "jobs"))

    old = at(home, revision)
    tables = MetaData()
    tables.reflect(old)
    with database.writing(old) as c:
        for table in tables.sorted_tables:
            if table.name != "alembic_version" and full[table.name]:
                rows = [{n: row[n] for n in table.columns.keys()} for row in full[table.name]]
                c.execute(table.insert(), rows)
    before = content(old)
    assert before["alembic_version"] == [{"version_num": revision}] and before["runs"] == full["runs"]
    old.dispose()

    opened = Store.open(home)
    after = content(opened.engine)
    assert after.pop("alembic_version") == [{"version_num": schema.HEAD}]
    for name, rows in before.items():
        if name != "alembic_version":
            kept = [{key: row[key] for key in rows[0]} for row in after[name]] if rows else after[name]
            assert kept == rows, name
    assert [r.submitter for r in opened.runs()] == ["me"] and opened.systems(run.id) == store.systems(run.id)
    assert opened.summaries(metric="bleu") == store.summaries(metric="bleu")
    jobs = Jobs(opened)
    id = jobs.add(spec)
    work(opened, id)
    assert jobs.get(id).state == "done" and len(opened.runs()) == 2


def test_migrations_make_the_tables_of_the_schema(home: Path) -> None:
    store = Store.open()
    with store.engine.connect() as c:
        assert compare_metadata(MigrationContext.configure(c), schema.metadata) == []
        for table in schema.metadata.sorted_tables:
            found = {i["name"]: i["column_names"] for i in inspect(c).get_indexes(table.name)}
            assert found == {i.name: [column.name for column in i.columns] for i in table.indexes}


def test_opening_again_changes_nothing(home: Path) -> None:
    first = Store.open()
    with first.engine.connect() as c:
        version = c.execute(text("PRAGMA schema_version")).scalar()
    with Store.open().engine.connect() as c:
        assert c.execute(text("PRAGMA schema_version")).scalar() == version


def test_a_newer_database_is_left_alone(home: Path) -> None:
    store = Store.open()
    with store.writing() as c:
        c.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    store.close()
    with pytest.raises(StoreUnavailable, match="written by a newer jeval console.*Update"):
        Store.open()
    assert content(database._engine(home, None))["alembic_version"] == [{"version_num": "9999"}]


STEPS = [(start, fails) for i, start in enumerate([None, *REVISIONS[:-1]]) for fails in REVISIONS[i:]]


@pytest.mark.parametrize(("start", "fails"), STEPS)
def test_a_migration_that_fails_changes_nothing(
    tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch, start: str | None, fails: str
) -> None:
    """All steps or none: whoever opens it next starts from where it was. Also from a folder with a % in its name."""
    if start is not None:
        at(home, start).dispose()
    engine = database._engine(home, None)
    before = content(engine)
    broken = tmp_path / "100%(here)s"
    shutil.copytree(MIGRATIONS, broken)
    (step,) = (broken / "versions").glob(f"{fails}_*.py")
    step.write_text(step.read_text("utf-8") + "    1 / 0\n", "utf-8")  # after all that the step does

    with monkeypatch.context() as patch:
        patch.setattr(database, "MIGRATIONS", broken)
        with pytest.raises(ZeroDivisionError):
            Store.open()
    assert content(engine) == before
    assert content(Store.open().engine)["alembic_version"] == [{"version_num": schema.HEAD}]
