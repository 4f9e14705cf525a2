"""Datasets, runs, the systems of a run, summaries."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """The first schema."""
    op.create_table(
        "datasets",
        sa.Column("version", sa.String(64), primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("cases", sa.Integer, nullable=False),
        sa.Column("created", sa.String(32), nullable=False),
    )
    op.create_table(
        "runs",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("dataset", sa.String(64), sa.ForeignKey("datasets.version"), nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("model_version", sa.Text),
        sa.Column("evaluators", sa.Text, nullable=False),
        sa.Column("signatures", sa.Text, nullable=False),
        sa.Column("spec", sa.Text),
        sa.Column("record", sa.Text, nullable=False),
        sa.Column("submitter", sa.Text),
        sa.Column("created", sa.String(32), nullable=False),
        sa.Column("rows", sa.Integer, nullable=False),
        sa.Column("files", sa.String(64), nullable=False),
    )
    op.create_index("runs_dataset", "runs", ["dataset"])
    op.create_index("runs_created", "runs", ["created"])
    op.create_table(
        "systems",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("run", sa.String(16), sa.ForeignKey("runs.id", ondelete="CASCADE"), nullable=False),
        sa.Column("model_version", sa.Text, nullable=False),
    )
    op.create_index("systems_run", "systems", ["run"])
    op.create_table(
        "summaries",
        sa.Column("run", sa.String(16), sa.ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("metric", sa.String(64), primary_key=True),
        sa.Column("group_column", sa.Text, primary_key=True),
        sa.Column("value", sa.Text, primary_key=True),
        sa.Column("summary", sa.Text, nullable=False),
    )
