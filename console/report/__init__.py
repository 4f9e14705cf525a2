"""A run as one HTML file that opens from disk, asks nobody for anything and can be printed."""

from console.report.build import report_of
from console.report.page import Chart, html_report

__all__ = ["Chart", "html_report", "report_of"]
