"""Where runs stay: a database for what is listed, Parquet files for rows."""

from jeval_core.harness.store.records import StoredDataset, StoredRun
from jeval_core.harness.store.store import Store

__all__ = ["Store", "StoredDataset", "StoredRun"]
