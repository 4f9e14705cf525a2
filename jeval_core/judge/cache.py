"""Answers that were already paid for, kept on disk and shared by all processes of a home folder."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import portalocker
from sqlalchemy import Column, Connection, MetaData, String, Table, Text, create_engine, delete, event, func, select
from sqlalchemy.dialects.sqlite import insert
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.schema import CreateTable

from jeval_core.harness.errors import StoreUnavailable
from jeval_core.harness.store.database import BUSY_SECONDS, make_private, reading, writing
from jeval_core.harness.store.schema import now
from jeval_core.home import home
from jeval_core.judge import lines
from jeval_core.judge.answers import Answers, join
from jeval_core.judge.base import Judge, Questions
from jeval_core.judge.errors import BadRecording
from jeval_core.judge.questions import Question, State, digest

FILE = "judge-answers-1.sqlite"
"""The number is that of the layout: another one starts an empty cache."""
NOT_KEPT = ("key", "state", "question")

_answers = Table(
    "answers",
    MetaData(),
    Column("key", String(64), primary_key=True),
    Column("line", Text, nullable=False),
    Column("created", String(32), nullable=False),
)
_NEW = insert(_answers)
_UPSERT = _NEW.on_conflict_do_update(
    index_elements=["key"], set_={"line": _NEW.excluded.line, "created": _NEW.excluded.created}
)


class Cache:
    """The cache of a home folder. It holds answers and hashes, never the texts that were judged.

    Every method raises StoreUnavailable when the disk fails.
    """

    def __init__(self, folder: Path | None = None) -> None:
        folder = folder or home()
        try:
            make_private(folder)
            file = folder / FILE
            os.close(os.open(file, os.O_RDWR | os.O_CREAT, 0o600))
            self._engine = create_engine(f"sqlite:///{file}", connect_args={"timeout": BUSY_SECONDS})
            event.listen(self._engine, "connect", _on_connect)
            event.listen(self._engine, "begin", _on_begin)
            with portalocker.Lock(str(folder / f"{FILE}.lock"), "a", timeout=BUSY_SECONDS):
                self._prepare()
        except (OSError, SQLAlchemyError, sqlite3.Error, portalocker.LockException) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else type(error).__name__
            raise StoreUnavailable(
                f"Answers of judges cannot be kept in {folder}: {reason}.",
                hint="Name a folder that can be written by JEVAL_HOME.",
            ) from None

    def find(self, judge: Judge, state: State, questions: Questions, sample: int = 0) -> Answers | None:
        """The answers to those of the questions that were asked before, None for none of them."""
        keys = {id: _key(judge, state, question, sample) for id, question in questions.items()}
        with reading(self._engine) as connection:
            rows = connection.execute(select(_answers.c.key, _answers.c.line).where(_answers.c.key.in_(keys.values())))
            found = {key: line for key, line in rows}
        parts = [part for id, key in keys.items() if (part := _part(found.get(key), id, questions[id]))]
        if not parts or len({part.model for part in parts}) > 1:  # the model moved on between two of the answers
            return None
        return join(parts, questions)

    def keep(self, judge: Judge, state: State, questions: Questions, answers: Answers, sample: int = 0) -> None:
        """Note every usable answer; one that is there is replaced."""
        rows = []
        for id, one in answers.split():
            line = lines.write(state, questions[id], one, id, sample)
            kept = lines.dump({name: value for name, value in line.items() if name not in NOT_KEPT})
            rows.append({"key": _key(judge, state, questions[id], sample), "line": kept, "created": now()})
        if rows:
            with writing(self._engine) as connection:
                connection.execute(_UPSERT, rows)

    def __len__(self) -> int:
        with reading(self._engine) as connection:
            return int(connection.execute(select(func.count()).select_from(_answers)).scalar_one())

    def clear(self) -> None:
        """Forget every answer."""
        with writing(self._engine) as connection:
            connection.execute(delete(_answers))

    def close(self) -> None:
        """Close the connections to the file."""
        self._engine.dispose()

    def _prepare(self) -> None:
        raw = self._engine.raw_connection()
        try:
            raw.cursor().execute("PRAGMA journal_mode = WAL")
        finally:
            raw.close()
        with self._engine.connect().execution_options(jeval_write=True) as connection, connection.begin():
            connection.execute(CreateTable(_answers, if_not_exists=True))


def _key(judge: Judge, state: State, question: Question, sample: int) -> str:
    who: Mapping[str, Any] = {"backend": judge.backend, "base_url": judge.base_url, "model": judge.model}
    return digest({**who, "state": dict(state), "question": question.to_dict(), "sample": sample})


def _part(line: str | None, id: str, question: Question) -> Answers | None:
    if line is None:
        return None
    try:
        found = lines.read({**lines.load(line), "question": question.to_dict()}, id)
    except (BadRecording, TypeError):
        return None  # not ours, or damaged: ask again
    return replace(found, requests=0, attempts=0, cached=frozenset({id}), usd=0.0)


def _on_connect(connection: Any, _: Any) -> None:
    connection.isolation_level = None
    for pragma in (f"busy_timeout = {BUSY_SECONDS * 1000}", "synchronous = NORMAL"):
        connection.execute(f"PRAGMA {pragma}")


def _on_begin(connection: Connection) -> None:
    write = connection.get_execution_options().get("jeval_write")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if write else "BEGIN")
