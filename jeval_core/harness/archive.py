"""A whole run as one file: what the store holds of it, to be opened by another store."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO

from sqlalchemy import select

from jeval_core.data.arrow import pa, parquet
from jeval_core.errors import BadInput
from jeval_core.harness.errors import UnknownRun
from jeval_core.harness.spec import Spec
from jeval_core.harness.store import Store, files
from jeval_core.harness.store.schema import datasets, runs, systems

FORMAT = "jeval run 1"
MANIFEST, TEXTS, SCORES = "run.json", "texts.parquet", "scores.parquet"
RECORD = ("run_id", "dataset", "source", "mapping", "rows", "problems", "signatures", "aggregates", "groups")
"""What every record of a run holds."""
MOST_MANIFEST = 256_000_000
MOST_BYTES = 64_000_000_000
"""Bytes of either table when unpacked."""
CHUNK = 1 << 20
HEX = re.compile("[0-9a-f]+")


def export_run(store: Store, id: str, target: Path | BinaryIO) -> None:
    """Write a run as a zip file: a manifest, its texts and its scores as Parquet. Raises UnknownRun."""
    with store.reading() as c:
        row = c.execute(select(runs).where(runs.c.id == id)).mappings().first()
        if row is None or not files.whole(store.home, row["files"]):
            raise UnknownRun.of(id)
        data = c.execute(select(datasets).where(datasets.c.version == row["dataset"])).mappings().first()
        parts = [*c.execute(select(systems).where(systems.c.run == id)).mappings()]
    paths = dict(zip((TEXTS, SCORES), files.paths_of(store.home, row["files"]), strict=True))
    manifest = {
        "format": FORMAT,
        "run": {name: value for name, value in row.items() if name != "files"},
        "dataset": dict(data) if data else None,
        "systems": [dict(part) for part in parts],
        "sha256": {name: _digest(path) for name, path in paths.items()},
    }
    with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as archive:  # Parquet is compressed already
        archive.writestr(MANIFEST, json.dumps(manifest, allow_nan=False))
        for name, path in paths.items():
            archive.write(path, name)


def import_run(store: Store, source: Path | BinaryIO) -> tuple[str, bool]:
    """Take in what `export_run` wrote: the run's id, and whether it is new here. Raises BadInput, StoreUnavailable."""
    try:
        with zipfile.ZipFile(source) as archive:
            manifest = _manifest(archive)
            id = str(manifest["run"]["id"])
            if _known(store, id):
                return id, False
            name = _unpacked(store, archive, manifest)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise _refused(f"it is no zip file that can be read ({error})") from error
    try:
        _check_tables(store, name, manifest)
        _check_systems(store, manifest)
        store.take_in(manifest, name)
    except BaseException:
        files.remove_files(store.home, name)
        raise
    return id, True


def _refused(why: str) -> BadInput:
    return BadInput(f"This is not an exported run: {why}.", field="file", hint="Export it again on the Runs page.")


def _manifest(archive: zipfile.ZipFile) -> dict[str, Any]:
    sizes = {info.filename: info.file_size for info in archive.infolist()}
    if sorted(sizes) != sorted((MANIFEST, TEXTS, SCORES)):
        raise _refused(f"it should hold {MANIFEST}, {TEXTS} and {SCORES}, and nothing else")
    if sizes[MANIFEST] > MOST_MANIFEST or max(sizes.values()) > MOST_BYTES:
        raise _refused("it is too large")
    try:
        found = json.loads(archive.read(MANIFEST))
    except (ValueError, RecursionError) as error:
        raise _refused(f"{MANIFEST} is not JSON") from error
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise _refused(f"its format is not “{FORMAT}”")
    _check(found)
    return found


def _check(found: Mapping[str, Any]) -> None:
    """Every value that goes into the tables has its kind."""
    run, data, parts, sums = (found.get(name) for name in ("run", "dataset", "systems", "sha256"))
    if not (isinstance(run, dict) and isinstance(data, dict) and isinstance(parts, list) and isinstance(sums, dict)):
        raise _refused(f"{MANIFEST} lacks a part")
    needed = {c.name: c for c in runs.c if c.name != "files"}
    if set(run) != set(needed) or set(data) != {c.name for c in datasets.c}:
        raise _refused(f"{MANIFEST} has other fields than a run of this version")
    for name, column in needed.items():
        kinds = (column.type.python_type,) if not column.nullable else (column.type.python_type, type(None))
        if not isinstance(run[name], kinds):
            raise _refused(f"`{name}` has the wrong type")
    own = [(run["id"], 16), (run["dataset"], 64)]
    hashes = [*own, *((part.get("id"), 16) for part in parts if isinstance(part, dict))]
    good = all(isinstance(x, str) and len(x) == n and HEX.fullmatch(x) for x, n in hashes)
    texts = all(isinstance(part, dict) and isinstance(part.get("model_version"), str) for part in parts)
    if not good or not texts or data["version"] != run["dataset"] or not isinstance(data["name"], str):
        raise _refused(f"{MANIFEST} contradicts itself")
    try:
        evaluators, signatures, record = (json.loads(run[name]) for name in ("evaluators", "signatures", "record"))
        if run["spec"] is not None:
            Spec.from_dict(json.loads(run["spec"]))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise _refused("what it says about the run cannot be read") from error
    whole = isinstance(record, dict) and {*RECORD} <= set(record)
    parts_of = whole and all(isinstance(record[name], dict) for name in RECORD if name not in ("run_id", "problems"))
    ids = isinstance(evaluators, list) and isinstance(signatures, dict) and set(evaluators) == set(signatures)
    if not parts_of or not ids or set(record["aggregates"]) != set(evaluators):
        raise _refused("what it says about the run is not whole")


def _known(store: Store, id: str) -> bool:
    try:
        store.run(id)
    except UnknownRun:
        return False
    return True


def _unpacked(store: Store, archive: zipfile.ZipFile, manifest: Mapping[str, Any]) -> str:
    name = files.new_name(store.home, str(manifest["run"]["id"]))
    try:
        for part, path in zip((TEXTS, SCORES), files.paths_of(store.home, name), strict=True):
            with archive.open(part) as source, path.open("xb") as target:
                shutil.copyfileobj(source, target, CHUNK)
            if _digest(path) != manifest["sha256"].get(part):
                raise _refused(f"{part} was changed or cut off")
    except BaseException:
        files.remove_files(store.home, name)
        raise
    return name


def _check_tables(store: Store, name: str, manifest: Mapping[str, Any]) -> None:
    for path in files.paths_of(store.home, name):
        try:
            found = parquet.read_metadata(path).num_rows
        except (pa.ArrowException, OSError) as error:
            raise _refused("a table in it cannot be read") from error
        if found != manifest["run"]["rows"]:
            raise _refused(f"it lists {manifest['run']['rows']:,} rows and holds {found:,}")


def _check_systems(store: Store, manifest: Mapping[str, Any]) -> None:
    ids = {part["id"]: None for part in manifest["systems"]}
    with store.reading() as c:
        of = [row.run for row in c.execute(select(systems.c.run).where(systems.c.id.in_([*ids])))]
    if any(run != manifest["run"]["id"] for run in of):
        raise _refused("its model versions belong to another run that is here")


def _digest(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
