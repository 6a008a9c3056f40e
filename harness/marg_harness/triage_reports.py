"""Finding a red in a triage report by what a person types of its id."""

from __future__ import annotations

from pathlib import Path

from marg_reports.report import TriagedRed, TriageReport
from marg_runtime.errors import UsageError

DEFAULT_REPORT = Path(".marg") / "triage.jsonl"
MOST_NAMED = 5


def red_of(report: TriageReport, typed: str) -> TriagedRed:
    """The red whose id is `typed`, or the only one that has it in its id; raises UsageError for none or several."""
    exact = [red for red in report.reds if red.place.id == typed]
    found = exact or [red for red in report.reds if typed in red.place.id]
    if len(found) == 1:
        return found[0]
    named = "; ".join(red.place.id for red in (found or report.reds)[:MOST_NAMED])
    if not found:
        raise UsageError(f"no red has {typed!r} in its id; there are {named or 'none'}")
    raise UsageError(f"{len(found)} reds have {typed!r} in their ids; type more of one: {named}")
