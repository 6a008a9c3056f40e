"""The triage report: what every rendering draws."""

from marg_reports.report.report_file import read_report, report_lines
from marg_reports.report.scrubbed import scrubbed
from marg_reports.report.triaged import (
    CLASSES,
    CheckLine,
    Gate,
    Label,
    Place,
    Square,
    TranscriptTurn,
    TriagedRed,
    TriageReport,
    triage_report,
)

__all__ = [
    "CLASSES",
    "CheckLine",
    "Gate",
    "Label",
    "Place",
    "Square",
    "TranscriptTurn",
    "TriageReport",
    "TriagedRed",
    "read_report",
    "report_lines",
    "scrubbed",
    "triage_report",
]
