"""The database: SQLite in the home folder, or any other by its URL. All that only one of them knows stands here."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import portalocker
from sqlalchemy import Connection, Engine, create_engine, event, inspect, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError, NoSuchModuleError, SQLAlchemyError

from jeval_core.errors import said
from jeval_core.harness.errors import StoreUnavailable
from jeval_core.harness.store import schema

URL = "JEVAL_DATABASE_URL"
BUSY_SECONDS = 30
FILE = "jeval.sqlite"
MIGRATIONS = Path(__file__).with_name("migrations")
POSTGRES_LOCK = 0x6A6576616C
"""Any number, as long as every process takes the same."""


def connect(home: Path, url: str | None) -> Engine:
    """An engine whose database has the newest schema; the folder is made where it is missing.

    Raises StoreUnavailable.
    """
    try:
        make_private(home)
        engine = _engine(home, url)
        with portalocker.Lock(str(home / "store.lock"), "a", timeout=BUSY_SECONDS):  # one migrates, the others wait
            _prepare(engine)
    except (OSError, SQLAlchemyError, sqlite3.Error, ImportError, portalocker.LockException) as error:
        raise _unavailable(home, url or os.environ.get(URL), error) from error
    return engine


@contextmanager
def reading(engine: Engine) -> Iterator[Connection]:
    """A connection that sees one state of the database."""
    with translated(), engine.connect() as connection:
        yield connection


@contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """A transaction that writes.

    On SQLite it waits its turn, so that what it has read still holds when it writes. Elsewhere two write at once: lock
    the rows that are read (`with_for_update`), or let the update ask again for what was read.
    """
    with translated(), engine.connect().execution_options(jeval_write=True) as connection, connection.begin():
        yield connection


@contextmanager
def translated() -> Iterator[None]:
    """Turn a failing database into an error that says what to do."""
    try:
        yield
    except IntegrityError:  # two writers at once: the caller tries again
        raise
    except DBAPIError as error:
        if isinstance(error.orig, Exception):
            raise StoreUnavailable(
                f"The database cannot be used: {error.orig}.", hint="Is the disk full, or the folder not writable?"
            ) from error
        raise


def make_private(folder: Path) -> None:
    """Make a folder that only its owner can enter; one that exists keeps its permissions."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)


def _engine(home: Path, url: str | None) -> Engine:
    url = url or os.environ.get(URL)
    if url and make_url(url).get_backend_name() != "sqlite":
        return create_engine(url, pool_pre_ping=True)
    if not url:
        file = home / FILE
        os.close(os.open(file, os.O_RDWR | os.O_CREAT, 0o600))  # readable by its owner only, as is what SQLite adds
        url = f"sqlite:///{file}"
    engine = create_engine(url, connect_args={"timeout": BUSY_SECONDS, "check_same_thread": False})
    event.listen(engine, "connect", _on_connect)
    event.listen(engine, "begin", _on_begin)
    return engine


def _on_connect(connection: Any, _: Any) -> None:
    connection.isolation_level = None  # the driver must not open transactions by itself
    for pragma in (f"busy_timeout = {BUSY_SECONDS * 1000}", "foreign_keys = ON", "synchronous = FULL"):
        connection.execute(f"PRAGMA {pragma}")


def _on_begin(connection: Connection) -> None:
    write = connection.get_execution_options().get("jeval_write")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if write else "BEGIN")


def _prepare(engine: Engine) -> None:
    """Bring the schema up to date. The caller holds the lock of this home; another host has to be kept off too."""
    if engine.dialect.name == "sqlite":
        raw = engine.raw_connection()
        try:
            if raw.cursor().execute("PRAGMA journal_mode").fetchone() != ("wal",):
                raw.cursor().execute("PRAGMA journal_mode = WAL")
        finally:
            raw.close()
    with engine.connect() as connection:
        if _version(connection) == schema.HEAD:
            return
    with engine.connect().execution_options(jeval_write=True) as connection, connection.begin():
        if engine.dialect.name == "postgresql":
            connection.execute(text(f"SELECT pg_advisory_xact_lock({POSTGRES_LOCK})"))
        if _version(connection) != schema.HEAD:
            _migrate(connection)


def _version(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    found = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    return None if found is None else str(found)


def _migrate(connection: Connection, target: str = schema.HEAD) -> None:
    from alembic import command
    from alembic.config import Config
    from alembic.util import CommandError

    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    try:
        command.upgrade(config, target)
    except CommandError as error:
        raise StoreUnavailable(
            "The database was written by a newer jeval console than this one.",
            hint="Update jeval console, or name another folder by JEVAL_HOME.",
        ) from error


def _unavailable(home: Path, url: str | None, error: Exception) -> StoreUnavailable:
    if isinstance(error, ArgumentError | NoSuchModuleError | ImportError):
        return StoreUnavailable(
            f"{URL} names a database that cannot be used: {said(type(error).__name__)}.",
            hint="For example postgresql+psycopg://user@host/name, with its driver installed.",
        )
    if isinstance(error, portalocker.LockException):
        return StoreUnavailable(f"Another process holds the store in {home}.", hint="Wait for it to end.")
    reason = (error.strerror if isinstance(error, OSError) else str(getattr(error, "orig", None) or error)) or "unknown"
    if url and not isinstance(error, OSError):
        return StoreUnavailable(
            f"The database of {URL} cannot be used: {reason}.", hint="Is it there, and may this user write to it?"
        )
    return StoreUnavailable(
        f"Runs cannot be stored in {home}: {reason}.", hint="Name a folder that can be written by JEVAL_HOME."
    )
