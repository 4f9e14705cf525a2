"""The two Parquet files of a run: texts in small groups of rows, to be opened anywhere; scores in large ones."""

from __future__ import annotations

import json
import os
import secrets
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jeval_core.data.arrow import pa, parquet
from jeval_core.data.export import durable
from jeval_core.harness.layout import score_columns, text_columns
from jeval_core.harness.store.database import make_private

if TYPE_CHECKING:
    from jeval_core.runs import Run

TEXT_ROWS = 8_192
"""Rows of a group of texts: what is read at least to show one row."""
SCORE_ROWS = 65_536
END = b"PAR1"
META = b"jeval"
FOLDER = "runs"
STALE_SECONDS = 86_400.0
"""No process writes that long on one run."""


def paths_of(home: Path, name: str) -> tuple[Path, Path]:
    """The files called `name`: texts, scores."""
    return home / FOLDER / f"{name}.texts.parquet", home / FOLDER / f"{name}.scores.parquet"


def write_run(home: Path, run: Run) -> str:
    """Write both files, safely on the disk when this returns, and return their name; no file is ever written twice.

    Raises OSError when the folder cannot be written or is full; nothing is left behind then.
    """
    name = new_name(home, run.id)
    texts, scores = paths_of(home, name)
    try:
        with ThreadPoolExecutor(2, "jeval-store") as pool:
            both = [pool.submit(_write_texts, run, texts), pool.submit(_write_scores, run, scores)]
            for one in both:
                one.result()
        sync_folder(texts.parent)
    except BaseException:
        remove_files(home, name)
        raise
    return name


def new_name(home: Path, id: str) -> str:
    """A name for the files of a run that no other files have; the folder is there when this returns."""
    make_private(home / FOLDER)
    return f"{id}-{secrets.token_hex(4)}"


def remove_files(home: Path, name: str) -> None:
    """Remove the files called `name`, where they are there."""
    for path in paths_of(home, name):
        path.unlink(missing_ok=True)


def whole(home: Path, name: str) -> bool:
    """Whether both files are there and end as Parquet files do."""
    return all(_ended(path) for path in paths_of(home, name))


def _ended(path: Path) -> bool:
    try:
        with path.open("rb") as stream:
            stream.seek(-len(END), os.SEEK_END)
            return stream.read() == END
    except OSError:
        return False


def sweep(home: Path) -> None:
    """Remove what processes that died while writing left a day ago or earlier: parts, and files without their other.

    A whole pair always stays: what this database does not list another may.
    """
    folder, oldest = home / FOLDER, time.time() - STALE_SECONDS
    names = {path.name for path in folder.iterdir()} if folder.is_dir() else set()
    for path in map(folder.joinpath, names):
        name = path.name.removesuffix(".texts.parquet").removesuffix(".scores.parquet")
        pair = {each.name for each in paths_of(home, name)}
        if path.suffix == ".part" or (path.name in pair and not pair <= names):
            with suppress(FileNotFoundError):  # another process removes it too
                if path.stat().st_mtime < oldest:
                    path.unlink()


def _write_texts(run: Run, path: Path) -> None:
    columns = text_columns(run.rows)
    coded = [n for n, c in columns.items() if pa.types.is_dictionary(c.type)]
    _write(pa.table(columns), path, TEXT_ROWS, coded, {})


def _write_scores(run: Run, path: Path) -> None:
    columns = score_columns(run.scored)
    # Whole numbers repeat; scores stay as they are, since a dictionary would make one of nan and another nan.
    coded = [n for n, c in columns.items() if pa.types.is_integer(c.type)]
    meta = {
        id: {"signature": s.signature, "native": s.native, "reasons": [*s.reasons], "counts": [*s.counts]}
        for id, s in run.scored.items()
    }
    _write(pa.table(columns), path, SCORE_ROWS, coded, meta)


def _write(table: pa.Table, path: Path, rows: int, coded: list[str], meta: dict[str, Any]) -> None:
    table = table.replace_schema_metadata({META: json.dumps(meta).encode()})

    def write(stream: Any) -> None:
        parquet.write_table(
            table,
            stream,
            compression="zstd",
            compression_level=1,
            row_group_size=rows,
            use_dictionary=coded or False,
            write_statistics=False,
        )

    durable(path, write)


def sync_folder(folder: Path) -> None:
    """Make the names in a folder survive a power cut, where the system can."""
    if hasattr(os, "O_DIRECTORY"):
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
