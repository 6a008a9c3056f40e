"""Reports: the record of a run, and what is made of it for people."""

from marg_reports.difference import differences
from marg_reports.errors import RecordError
from marg_reports.record import CheckRecord, Line, Owner, Raised, Red, RunRecord, ScenarioRecord, StopKind, TurnRecord
from marg_reports.record_file import lines_of, write_record
from marg_reports.record_scrubbed import scrubbed_run
from marg_reports.red import red_text, reds_text

__all__ = [
    "CheckRecord",
    "Line",
    "Owner",
    "Raised",
    "RecordError",
    "Red",
    "RunRecord",
    "ScenarioRecord",
    "StopKind",
    "TurnRecord",
    "differences",
    "lines_of",
    "red_text",
    "reds_text",
    "scrubbed_run",
    "write_record",
]
