"""Runs of other runners: their reports read, and what they prove by the same laws."""

from marg_reports.foreign.case import ForeignCase, ForeignRun
from marg_reports.foreign.foreign_evidence import LEAST_RERUNS, ForeignRuns, foreign_evidence
from marg_reports.foreign.json_runs import ctrf_run, report_log_run
from marg_reports.foreign.junit_run import junit_run

__all__ = [
    "LEAST_RERUNS",
    "ForeignCase",
    "ForeignRun",
    "ForeignRuns",
    "ctrf_run",
    "foreign_evidence",
    "junit_run",
    "report_log_run",
]
