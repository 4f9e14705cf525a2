"""What alembic runs to migrate: the connection is the caller's, in whose transaction all steps happen or none."""

from alembic import context

from jeval_core.harness.store import schema

context.configure(connection=context.config.attributes["connection"], target_metadata=schema.metadata)
context.run_migrations()
