"""A run as one HTML file that opens from disk, asks nobody for anything and can be printed."""

from console.report.build import report_of

__all__ = ["report_of"]
