"""How a run is made, as plain data: enough to make it again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jeval_core.errors import BadInput, nearest
from jeval_core.registry import settled
from jeval_core.service import Options

if TYPE_CHECKING:
    from jeval_core.judge.progress import Progress
    from jeval_core.runs import Run

READING = ("encoding", "delimiter", "header_row", "sheet", "reference_delimiter")
"""What `reading` may settle; the rest is found in the file."""


@dataclass(frozen=True)
class Spec:
    """Arguments of `run_files`.

    `files` are (path, shown name); `reading` has the keys of READING. The other fields are as `run_file` takes them:
    `columns` field → column, `tag_columns` tag → column, `options` and `thresholds` by evaluator. `judge` has keys of
    `judging.SETTINGS`; without any, it is that of the environment in which the run is made.
    """

    files: tuple[tuple[str, str], ...]
    evaluators: tuple[str, ...]
    reading: Mapping[str, Any] = field(default_factory=dict)
    columns: Mapping[str, str] = field(default_factory=dict)
    tag_columns: Mapping[str, str] = field(default_factory=dict)
    options: Mapping[str, Options] = field(default_factory=dict)
    thresholds: Mapping[str, float] = field(default_factory=dict)
    group_by: tuple[str, ...] = ()
    gold_scale: tuple[float, float] | None = None
    model_version: str | None = None
    judge: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuse settings that no reader knows."""
        for name in self.reading:
            if name not in READING:
                raise BadInput(
                    f"There is no setting `{name}` for reading.", field="reading", hint=nearest(name, READING)
                )
        object.__setattr__(self, "options", settled(self.evaluators, self.options))  # so that a row is explained alike
        if not self.files:
            raise BadInput("No file was given.", field="files", hint="Name at least one.")

    def run(
        self,
        progress: Callable[[int, int], None] | None = None,
        cancelled: Callable[[], bool] | None = None,
        asking: Callable[[int, int, Progress], None] | None = None,
    ) -> Run:
        """Read and score; `progress` gets (rows done, rows), `cancelled` is asked between blocks of rows.

        `asking` gets (rows done, rows, what a judge was asked so far).

        Raises what `run_files` raises, Cancelled among it.
        """
        from jeval_core.harness.judging import Asks
        from jeval_core.runs import run_files

        return run_files(
            [path for path, _ in self.files],
            self.evaluators,
            names=[name for _, name in self.files],
            **self.reading,
            columns=self.columns,
            tag_columns=self.tag_columns,
            options=self.options,
            thresholds=self.thresholds,
            group_by=self.group_by,
            gold_scale=self.gold_scale,
            model_version=self.model_version,
            judge=Asks.of(self.judge) if self.judge else None,
            progress=progress,
            asking=asking,
            cancelled=cancelled,
        )

    def size(self) -> int:
        """Bytes of all files; one that is gone counts as none."""
        return sum(path.stat().st_size for path in map(Path, dict(self.files)) if path.exists())

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON data."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Spec:
        """The opposite of `to_dict`, after JSON too. Raises BadInput for a key that it does not know."""
        known = [f.name for f in fields(cls)]
        for name in data:
            if name not in known:
                raise BadInput(f"A run has no setting `{name}`.", field=name, hint=nearest(name, known))
        values = dict(data)
        values["files"] = tuple((str(path), str(name)) for path, name in values["files"])
        values |= {k: tuple(values[k]) for k in ("evaluators", "group_by") if k in values}
        if values.get("gold_scale") is not None:
            low, high = values["gold_scale"]
            values["gold_scale"] = (low, high)
        return cls(**values)
