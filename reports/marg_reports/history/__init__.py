"""Runs over time: which checks were red, of which class, since when; as a table, a Parquet dataset and a page."""

from marg_reports.history.history import CheckHistory, History, RunOfHistory, history_of
from marg_reports.history.history_page import history_page
from marg_reports.history.table import load, write_parquet

__all__ = ["CheckHistory", "History", "RunOfHistory", "history_of", "history_page", "load", "write_parquet"]
