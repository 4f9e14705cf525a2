"""Jobs."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Work that is waiting, running or done."""
    op.create_table(
        "jobs",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("spec", sa.Text, nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("stage", sa.Text, nullable=False),
        sa.Column("done", sa.Integer, nullable=False),
        sa.Column("rows", sa.Integer, nullable=False),
        sa.Column("rate", sa.Float, nullable=False),
        sa.Column("created", sa.String(32), nullable=False),
        sa.Column("started", sa.String(32)),
        sa.Column("ended", sa.String(32)),
        sa.Column("heartbeat", sa.Float),
        sa.Column("host", sa.Text),
        sa.Column("pid", sa.Integer),
        sa.Column("pid_started", sa.Float),
        sa.Column("attempt", sa.Integer, nullable=False),
        sa.Column("cancel", sa.Boolean, nullable=False),
        sa.Column("error", sa.Text),
        sa.Column("run", sa.String(16)),
        sa.Column("submitter", sa.Text),
    )
    op.create_index("jobs_created", "jobs", ["created"])
