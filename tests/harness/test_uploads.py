"""Uploads: one place on the disk for the same file, whatever it is called."""

from __future__ import annotations

import gzip
import io
import os
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from jeval_core.data import read
from jeval_core.errors import BadInput
from jeval_core.harness import uploads
from jeval_core.harness.errors import UploadRefused
from jeval_core.harness.jobs import LIVE, Jobs
from jeval_core.harness.spec import Spec
from jeval_core.harness.store import Store
from jeval_core.harness.store.schema import time_text
from tests.harness.working import put


def save(content: bytes, name: str) -> str:
    return uploads.save(io.BytesIO(content), name)


NAMES = {
    "answers.csv": "answers.csv",
    "../x": "x",
    "/etc/passwd": "passwd",
    "..\\..\\boot.csv": "boot.csv",
    "C:\\data\\run 1.jsonl": "run 1.jsonl",
    "": "file",
    "..": "file",
    "a/..": "file",
    " . ": "file",
    ".hidden.csv": "hidden.csv",
    "a\0b\n\x1b[31mc\x7f.txt": "ab[31mc.txt",
    "cv\u202egpj.csv": "cvgpj.csv",
    "two\u2028lines\u200b.csv": "twolines.csv",
    "a\ud800.csv": "a.csv",
    'q<u>o"t|e?*:.csv': "quote.csv",
    "Ünïcode 数据 🙂.csv": "Ünïcode 数据 🙂.csv",
    "e\u0301.csv": "é.csv",
    "many.dots.in.name.tar.gz": "many.dots.in.name.tar.gz",
    "x" * 300: "x" * 120,
    "x" * 300 + ".csv.gz": "x" * 113 + ".csv.gz",
    "数" * 300 + ".txt": "数" * 38 + ".txt",
    "a." + "b" * 300: "a." + "b" * 118,
}


@pytest.mark.parametrize(("name", "kept"), NAMES.items(), ids=[repr(n)[:24] for n in NAMES])
def test_names(home: Path, name: str, kept: str) -> None:
    id = save(b"x", name)
    path, shown = uploads.find(id)
    assert shown == path.name == kept and path.read_bytes() == b"x"
    assert path == home / "uploads" / id / kept and len(kept.encode()) <= 120
    assert [p for p in home.rglob("*") if p.is_file()] == [path]


@pytest.mark.parametrize("name", ["a.csv.gz", "x" * 300 + ".csv.gz", "a.JSONL", "b.txt"])
def test_a_reader_gets_what_was_brought(tmp_path: Path, name: str) -> None:
    content = b'{"output": "a", "expected": "b"}\n' if "JSONL" in name else b"output,expected\na,b\n"
    content = gzip.compress(content) if name.endswith(".gz") else content
    (tmp_path / "direct").mkdir()
    direct = tmp_path / "direct" / name[-100:]
    direct.write_bytes(content)
    path, _ = uploads.find(save(content, name))
    kept, wanted = read(path), read(direct)
    assert kept.source.format == wanted.source.format
    assert kept.columns.to_pydict() == wanted.columns.to_pydict() and len(kept) == 1


def test_an_id_is_content_and_name(home: Path) -> None:
    one = save(b"content", "a.csv")
    assert save(b"content", "a.csv") == one == save(b"content", "/somewhere/a.csv")
    others = {save(b"content", "b.csv"), save(b"contenu", "a.csv"), save(b"vcontent", "a.cs")}
    assert len(others | {one}) == 4
    assert sorted(p.name for p in (home / "uploads").iterdir()) == sorted(others | {one})


def test_what_streams_in_pieces(home: Path) -> None:
    class Slow(io.RawIOBase):
        """Gives less than it is asked for, as sockets do."""

        left = bytes(range(256)) * 20_000

        def read(self, size: int = -1) -> bytes:
            assert 0 < size <= 1 << 20
            piece, self.left = self.left[:70_001], self.left[70_001:]
            return piece

    path, _ = uploads.find(uploads.save(Slow(), "a.bin"))
    assert path.read_bytes() == bytes(range(256)) * 20_000
    assert save(bytes(range(256)) * 20_000, "a.bin") == path.parent.name


def test_a_stream_that_breaks_leaves_nothing(home: Path) -> None:
    class Broken(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            if self.tell() >= 1 << 20:
                raise ConnectionResetError("gone")
            return super().read(size)

    with pytest.raises(ConnectionResetError):
        uploads.save(Broken(bytes(3 << 20)), "a.csv")
    assert not [*(home / "uploads").iterdir()]


@pytest.mark.parametrize(("size", "taken"), [(1 << 20, True), ((1 << 20) + 1, False), (5 << 20, False)])
def test_limit(home: Path, monkeypatch: pytest.MonkeyPatch, size: int, taken: bool) -> None:
    monkeypatch.setenv(uploads.LIMIT, "1")
    assert uploads.limit_mb() == 1
    if taken:
        path, _ = uploads.find(save(bytes(size), "a.csv"))
        assert path.stat().st_size == size
        return
    with pytest.raises(UploadRefused, match=r"a\.csv has more than 1 MB\. .*`jeval run`.*JEVAL_MAX_UPLOAD_MB"):
        save(bytes(size), "a.csv")
    assert not [*(home / "uploads").iterdir()]


def test_empty_is_refused(home: Path) -> None:
    with pytest.raises(UploadRefused, match=r"empty.*Was a\.csv saved completely"):
        save(b"", "a.csv")
    assert not [*(home / "uploads").iterdir()]


@pytest.mark.parametrize("value", ["0", "-1", "1.5", "many", "٣", " 5", "1e3"])
def test_limit_that_is_no_number(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv(uploads.LIMIT, value)
    with pytest.raises(BadInput, match="JEVAL_MAX_UPLOAD_MB.*Give a whole number"):
        uploads.limit_mb()


def test_usual_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(uploads.LIMIT, "")
    assert uploads.limit_mb() == uploads.USUAL_MB
    monkeypatch.delenv(uploads.LIMIT)
    assert uploads.limit_mb() == uploads.USUAL_MB


@pytest.mark.parametrize(
    "id", ["", "..", "../runs", "0" * 16, "0" * 15, "zz", "/etc", "0" * 16 + "\n", "%2e%2e", "A" * 16]
)
def test_ids_that_are_none(home: Path, id: str) -> None:
    (home / "runs").mkdir()
    (home / "runs" / "secret").write_text("x")
    save(b"x", "a.csv")
    assert uploads.find(id) is None


def test_before_any_upload() -> None:
    assert uploads.find("0" * 16) is None
    uploads.prune([])


def test_only_the_owner_can_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JEVAL_HOME", str(tmp_path / "new"))
    save(b"x", "a.csv")
    assert len([*(tmp_path / "new").rglob("*")]) == 3
    for path in (tmp_path / "new", *(tmp_path / "new").rglob("*")):
        assert not path.stat().st_mode & 0o077, path


def aged(path: Path, days: float) -> None:
    then = time.time() - days * 86_400
    os.utime(path, (then, then))


def test_prune_keeps_what_is_used_or_young(home: Path) -> None:
    used, old, young = (save(name.encode(), f"{name}.csv") for name in ("used", "old", "young"))
    part = home / "uploads" / ".x.part"
    part.write_bytes(b"half")
    for path in (home / "uploads" / used, home / "uploads" / old, part):
        aged(path, 31)
    aged(home / "uploads" / young, 29)
    uploads.prune([uploads.find(used)[0]])
    assert uploads.find(used) and uploads.find(young) and not uploads.find(old) and not part.exists()
    uploads.prune([], days=1)
    assert not [*(home / "uploads").iterdir()]


def test_a_file_brought_again_is_young_again(home: Path) -> None:
    id = save(b"x", "a.csv")
    aged(home / "uploads" / id, 31)
    assert save(b"x", "a.csv") == id
    uploads.prune([])
    assert uploads.find(id)


def test_a_new_job_prunes_what_no_job_names(home: Path, tmp_path: Path) -> None:
    """Also where one of the two knows the home by a link."""
    named, loose = save(b"output,expected\na,b\n", "named.csv"), save(b"x", "loose.csv")
    (tmp_path / "link").symlink_to(home)
    path = tmp_path / "link" / uploads.find(named)[0].relative_to(home)
    jobs = Jobs(Store.open())
    jobs.add(Spec(((str(path), "named.csv"),), ("bleu",)))
    for id in (named, loose):
        aged(home / "uploads" / id, 31)
    jobs.add(Spec((("elsewhere.csv", "elsewhere.csv"),), ("bleu",)))
    assert uploads.find(named) and not uploads.find(loose)


def ago(days: float) -> datetime:
    return datetime.now(UTC) - timedelta(days=days)


@pytest.mark.parametrize("state", ["queued", "running", "interrupted", "failed", "cancelled", "done"])
@pytest.mark.parametrize("days", [29.9, 30.1])
def test_what_old_jobs_name(home: Path, state: str, days: float) -> None:
    """A job that can still come to a result keeps its files, for as long as it is kept itself; one that is done does not."""
    jobs, live = Jobs(Store.open()), state in LIVE
    upload = save(b"output,expected\na,b\n", "named.csv")
    aged(home / "uploads" / upload, 40)
    spec = Spec(((str(uploads.find(upload)[0]), "named.csv"),), ("bleu",))
    id = jobs.add(spec)
    beat = ago(days).timestamp() if live else ago(99).timestamp()
    put(jobs, id, state=state, created=time_text(ago(99)), heartbeat=beat, ended=None if live else time_text(ago(days)))
    jobs.add(replace(spec, files=(("elsewhere.csv", "elsewhere.csv"),)))
    young = days < 30
    assert (id in [job.id for job in jobs.recent()]) == young
    assert (uploads.find(upload) is not None) == (young and state != "done")
