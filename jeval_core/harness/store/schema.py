"""The tables, as the newest migration leaves them. Times are UTC in ISO 8601, long values JSON text."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import Boolean, Column, Float, ForeignKey, Index, Integer, MetaData, String, Table, Text

HEAD = "0002"
"""The newest migration."""

metadata = MetaData()

datasets = Table(
    "datasets",
    metadata,
    Column("version", String(64), primary_key=True),
    Column("name", Text, nullable=False),
    Column("cases", Integer, nullable=False),
    Column("created", String(32), nullable=False),
)

runs = Table(
    "runs",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("dataset", String(64), ForeignKey("datasets.version"), nullable=False),
    Column("name", Text, nullable=False),
    Column("model_version", Text),
    Column("evaluators", Text, nullable=False),
    Column("signatures", Text, nullable=False),
    Column("spec", Text),
    Column("record", Text, nullable=False),
    Column("submitter", Text),
    Column("created", String(32), nullable=False),
    Column("rows", Integer, nullable=False),
    Column("files", String(64), nullable=False),
    Index("runs_dataset", "dataset"),
    Index("runs_created", "created"),
)

systems = Table(
    "systems",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("run", String(16), ForeignKey("runs.id", ondelete="CASCADE"), nullable=False),
    Column("model_version", Text, nullable=False),
    Index("systems_run", "run"),
)

summaries = Table(
    "summaries",
    metadata,
    Column("run", String(16), ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
    Column("metric", String(64), primary_key=True),
    Column("group_column", Text, primary_key=True),
    Column("value", Text, primary_key=True),
    Column("summary", Text, nullable=False),
)

jobs = Table(
    "jobs",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("spec", Text, nullable=False),
    Column("state", String(16), nullable=False),
    Column("stage", Text, nullable=False),
    Column("done", Integer, nullable=False),
    Column("rows", Integer, nullable=False),
    Column("rate", Float, nullable=False),
    Column("created", String(32), nullable=False),
    Column("started", String(32)),
    Column("ended", String(32)),
    Column("heartbeat", Float),
    Column("host", Text),
    Column("pid", Integer),
    Column("pid_started", Float),
    Column("attempt", Integer, nullable=False),
    Column("cancel", Boolean, nullable=False),
    Column("error", Text),
    Column("run", String(16)),
    Column("submitter", Text),
    Index("jobs_created", "created"),
)


def now() -> str:
    """This moment as `time_text`."""
    return time_text(datetime.now(UTC))


def time_text(moment: datetime) -> str:
    """A moment in UTC to the microsecond, so that texts sort as times do."""
    return moment.isoformat(timespec="microseconds")
