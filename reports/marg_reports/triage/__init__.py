"""The triage of reds: cells of evidence in, a class or the command that would decide it out."""

from marg_reports.triage.cell import (
    BundleCell,
    Cell,
    CellRun,
    IntentCell,
    LiveCell,
    OutageCell,
    RunsCell,
    SettingsCell,
)
from marg_reports.triage.classify import classify
from marg_reports.triage.evidence import Evidence, RedFacts
from marg_reports.triage.verdict import Tried, Verdict
from marg_reports.triage.words import CellName, Confidence, RedClass, Unclassified

__all__ = [
    "BundleCell",
    "Cell",
    "CellName",
    "CellRun",
    "Confidence",
    "Evidence",
    "IntentCell",
    "LiveCell",
    "OutageCell",
    "RedClass",
    "RedFacts",
    "RunsCell",
    "SettingsCell",
    "Tried",
    "Unclassified",
    "Verdict",
    "classify",
]
