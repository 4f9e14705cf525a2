"""What can go wrong with stored things, as a branch of the error tree.

::

    JevalError
    ├── StoreUnavailable    the folder or the database cannot be used
    ├── UnknownRun          no run of that id is stored
    ├── UnknownJob          there is no job of that id
    └── UploadRefused       an upload is too large or has no content
"""

from __future__ import annotations

from jeval_core.errors import JevalError, said


class StoreUnavailable(JevalError):
    """The store cannot be opened, read or written."""

    code = "store_unavailable"


class UnknownRun(JevalError):
    """No run of that id is stored."""

    code = "unknown_run"

    @classmethod
    def of(cls, id: str) -> UnknownRun:
        """The error for an id that was asked for."""
        return cls(
            f"There is no run `{said(id)}`; it was never stored here, or it was deleted.",
            field="run",
            hint="`jeval runs` lists the stored ones.",
        )


class UnknownJob(JevalError):
    """There is no job of that id."""

    code = "unknown_job"

    @classmethod
    def of(cls, id: str) -> UnknownJob:
        """The error for an id that was asked for."""
        return cls(f"There is no job `{said(id)}`.", field="job", hint="Start it again from the file.")


class UploadRefused(JevalError):
    """An upload was not kept."""

    code = "upload_refused"
