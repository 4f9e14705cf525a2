"""The `recorded` backend: answers from a file, so that a run can be repeated without network, key or cost.

A recording is JSON Lines, one answer a line, sorted by key; `key` is the sha256 of {state, questions, model}. Every
line holds its state and question too, so that the file can be audited; its key is checked when it is read.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, BinaryIO

from jeval_core.data.export import written
from jeval_core.errors import said
from jeval_core.judge import lines
from jeval_core.judge.answers import AnswerKind, Answers, join
from jeval_core.judge.base import Questions, check_request
from jeval_core.judge.errors import BadRecording, NotRecorded
from jeval_core.judge.questions import State, question_of

EXAMPLE = "example"
"""The name of the recording that comes with the program."""
EXAMPLE_FILE = Path(__file__).with_name("recordings") / "example.jsonl"


class Recorded:
    """Answers from a recording. `model`: whose, where the file has answers of several.

    Raises BadRecording, naming the line.
    """

    backend = "recorded"
    price: float | None = 0.0
    concurrency = 1

    def __init__(self, path: Path | str, model: str | None = None) -> None:
        self.path = EXAMPLE_FILE if str(path) == EXAMPLE else Path(path)
        self.base_url = self.path.name
        self._at: dict[str, tuple[int, int, int]] = {}
        models: set[str] = set()
        for number, offset, raw in self._lines():
            data = self._checked(raw, number)
            models.add(data["model"])
            self._at.setdefault(data["key"], (number, offset, len(raw)))
        self.model = model or self._only(models)

    async def ask(self, state: State, questions: Questions, *, sample: int = 0) -> Answers:
        """The recorded answers; `failed` holds NotRecorded for a question that the file does not have."""
        check_request(state, questions)
        parts: list[Answers] = []
        for id, question in questions.items():
            at = self._at.get(lines.key_of(state, question, self.model, sample))
            if at is None:
                hint = "It was made with another text, question or model; record it again."
                error = NotRecorded(f"{self.path.name} holds no answer to this question.", hint=hint)
                parts.append(Answers({}, self.model, self.model, "recording", False, failed={id: error}))
            else:
                found = lines.read(self._checked(self._read(at), at[0]), id)
                parts.append(replace(found, kind=_replayed(found.kind)))
        parts.sort(key=lambda part: any(e.code == NotRecorded.code for e in part.failed.values()))
        return replace(join(parts, questions), requests=0, attempts=0)

    async def aclose(self) -> None:
        """There is nothing to give back."""

    def _lines(self) -> Iterator[tuple[int, int, bytes]]:
        try:
            with self.path.open("rb") as file:
                offset = 0
                for number, raw in enumerate(file, 1):
                    if raw.strip():
                        yield number, offset, raw
                    offset += len(raw)
        except OSError as error:
            hint = "Record one with --record FILE."
            raise BadRecording(f"{self.path.name} cannot be read: {error.strerror}.", hint=hint) from None

    def _read(self, at: tuple[int, int, int]) -> bytes:
        try:
            with self.path.open("rb") as file:
                file.seek(at[1])
                return file.read(at[2])
        except OSError as error:
            raise BadRecording(f"{self.path.name} cannot be read: {error.strerror}.") from None

    def _checked(self, raw: bytes, number: int) -> dict[str, Any]:
        try:
            data = lines.load(raw)
            lines.read(data, "q")
            key = lines.key_of(data["state"], question_of(data["question"]), data["model"], data.get("sample", 0))
            if key != data["key"]:
                raise BadRecording("its key is not that of its state, question and model")
        except BadRecording as error:
            raise BadRecording(f"Line {number} of {self.path.name} is no answer: {error.message}.") from None
        except (KeyError, TypeError, ValueError):
            raise BadRecording(f"Line {number} of {self.path.name} is no answer: it has no state or key.") from None
        return dict(data)

    def _only(self, models: set[str]) -> str:
        if len(models) == 1:
            return models.pop()
        if not models:
            raise BadRecording(f"{self.path.name} holds no answer.", hint="Record one with --record FILE.")
        raise BadRecording(
            f"{self.path.name} holds answers of {len(models)} models.",
            hint=f"Name one: {', '.join(map(said, sorted(models)))}.",
        )


class Recorder:
    """Writes a recording. The file is complete, and replaced as a whole, when the recorder is closed.

    A recorder to which nothing was added leaves a file that is there.
    """

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)
        self._at: dict[str, tuple[int, int]] = {}
        self._size = 0
        try:
            self._file = TemporaryFile(dir=self.path.absolute().parent)  # noqa: SIM115 (closed by `close`)
        except OSError as error:
            raise BadRecording(f"{self.path.name} cannot be written: {error.strerror}.", field="record") from None

    def add(self, state: State, questions: Questions, answers: Answers, sample: int = 0) -> None:
        """Note every answer that came, also one that cannot be used."""
        ids = [*answers.answers, *answers.failed]
        for i, id in enumerate(ids):
            if id in answers.failed and answers.failed[id].code == NotRecorded.code:
                continue
            share = replace(answers, usage=answers.usage.share(i, len(ids)), kind=_replayed(answers.kind))
            line = lines.write(state, questions[id], share, id, sample)
            raw = lines.dump(line).encode("ascii") + b"\n"
            if line["key"] not in self._at:
                self._file.write(raw)
                self._at[line["key"]] = self._size, len(raw)
                self._size += len(raw)

    def close(self) -> None:
        """Sort what was noted and put it in its place."""
        with self._file as noted:
            if not self._at and self.path.exists():
                return  # what was recorded before is more than nothing

            def write(out: BinaryIO) -> None:
                for key in sorted(self._at):
                    offset, length = self._at[key]
                    noted.seek(offset)
                    out.write(noted.read(length))

            written(self.path, write)

    def __enter__(self) -> Recorder:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is None:
            self.close()
        else:  # what was there before is whole, this is not
            self._file.close()


def _replayed(kind: AnswerKind) -> AnswerKind:
    return "recording" if kind == "model" else kind
