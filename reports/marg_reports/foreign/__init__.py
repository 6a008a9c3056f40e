"""Runs of other runners: their reports read, and what they prove by the same laws."""

from marg_reports.foreign.case import Dialect, ForeignCase, ForeignRun
from marg_reports.foreign.ctrf_run import ctrf_run
from marg_reports.foreign.dialect import HEAD_BYTES, dialect_of, foreign_run
from marg_reports.foreign.foreign_evidence import EXONERATING_RUNS, foreign_evidence
from marg_reports.foreign.foreign_report import foreign_report
from marg_reports.foreign.junit_run import junit_run
from marg_reports.foreign.open_question import OpenQuestion, open_question
from marg_reports.foreign.report_log_run import report_log_run
from marg_reports.foreign.runs import LEAST_RUNS, SWAPPED, ForeignRuns, RunKind, runs_needed

__all__ = [
    "EXONERATING_RUNS",
    "HEAD_BYTES",
    "LEAST_RUNS",
    "SWAPPED",
    "Dialect",
    "ForeignCase",
    "ForeignRun",
    "ForeignRuns",
    "OpenQuestion",
    "RunKind",
    "ctrf_run",
    "dialect_of",
    "foreign_evidence",
    "foreign_report",
    "foreign_run",
    "junit_run",
    "open_question",
    "report_log_run",
    "runs_needed",
]
