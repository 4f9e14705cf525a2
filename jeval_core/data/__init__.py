"""Data in and out: any file people already have → clean rows, with an account of every row that is not among them.

::

    table = read("answers.csv")            # text as people wrote it; problems with line numbers
    columns = map_columns(table)           # which column is which field
    data = rows(table, columns)            # columns ready for scoring
    dataset_version(data)                  # the same for the same cases, whatever file they came in
    quality(data), diff(before, data)      # what is wrong with the cases, and what changed since
"""

from jeval_core.data.cases import Case, Response, dataset_version
from jeval_core.data.diff import Diff, diff
from jeval_core.data.errors import (
    AmbiguousMapping,
    LimitExceeded,
    MissingColumn,
    MissingExpected,
    MissingOutput,
    UnknownColumn,
    UnreadableFile,
)
from jeval_core.data.export import to_csv, to_jsonl, to_parquet
from jeval_core.data.junit import to_junit
from jeval_core.data.mapping import FIELDS, ColumnMap, listed_columns, map_columns
from jeval_core.data.peek import peek
from jeval_core.data.prepare import rows
from jeval_core.data.quality import Leak, Quality, Twins, quality
from jeval_core.data.reading import read
from jeval_core.data.records import FORMATS, Format, Limits, Problem, Source, Table
from jeval_core.data.rows import Rows
from jeval_core.data.sniff import sniff

__all__ = [
    "FIELDS",
    "FORMATS",
    "AmbiguousMapping",
    "Case",
    "ColumnMap",
    "Diff",
    "Format",
    "Leak",
    "LimitExceeded",
    "Limits",
    "MissingColumn",
    "MissingExpected",
    "MissingOutput",
    "Problem",
    "Quality",
    "Response",
    "Rows",
    "Source",
    "Table",
    "Twins",
    "UnknownColumn",
    "UnreadableFile",
    "dataset_version",
    "diff",
    "listed_columns",
    "map_columns",
    "peek",
    "quality",
    "read",
    "rows",
    "sniff",
    "to_csv",
    "to_jsonl",
    "to_junit",
    "to_parquet",
]
