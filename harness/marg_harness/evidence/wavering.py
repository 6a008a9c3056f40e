"""What runs that waver say beside the base's: that a red comes and goes on both sides alike, or on the head alone.

A few runs that differ prove that something wavers, and never on which side it began: of code that fails half of the
time on both sides three runs of the base pass by chance once in eight.
"""

from __future__ import annotations

from collections.abc import Sequence

from marg_harness.evidence.run import VARIATIONS
from marg_reports.statistics import STAGES, Rate, difference_below, fisher_greater
from marg_reports.triage import CellRun
from marg_reports.triage.findings import LIVE_CERTAINTY, LIVE_MARGIN

ROUNDS = (4 * len(VARIATIONS), STAGES[-1].runs)
"""How many runs a side are made of what wavers: each variation four times, then as many as rates take."""


def wavers(runs: Sequence[CellRun]) -> bool:
    """Whether runs of one side differ: some pass and some fail, or they fail in several ways."""
    return len({(run.outcome, run.signature) for run in runs}) > 1


def tells(head: Sequence[CellRun], base: Sequence[CellRun], *, signature: str) -> bool:
    """Whether wavering runs of both sides, made in the same variations, say on which side it is. signature: of the red.

    They do where each run is the same on both sides, so that what wavers is the same. Where a variation gives the same
    however often it is run, it is what decides, and a base that passes in all of them tells. Else rates do: where only
    the head fails, more often than chance would have it; and where both fail, this red among the base's, and surely
    about as often. A base that wavers less than the head tells nothing: what is old and what is new cannot be taken
    apart by counting.
    """
    counted = {run.outcome for run in (*head, *base)} <= {"pass", "fail"}
    if not counted or len(head) != len(base) or len(head) < ROUNDS[0]:
        return False
    if [(run.outcome, run.signature) for run in head] == [(run.outcome, run.signature) for run in base]:
        return True
    ours, theirs = _failures(head), _failures(base)
    risen = fisher_greater(ours, theirs) <= _alpha(len(head))
    if theirs.hits == 0:
        return risen or _steady(head)
    close = difference_below(ours, theirs, margin=LIVE_MARGIN) >= LIVE_CERTAINTY
    return close and not risen and signature in {run.signature for run in base}


def _steady(runs: Sequence[CellRun]) -> bool:
    """Whether a variation gives the same each time that it is run."""
    each = len(VARIATIONS)
    return not any(wavers(runs[place::each]) for place in range(each))


def _failures(runs: Sequence[CellRun]) -> Rate:
    return Rate(hits=sum(run.outcome == "fail" for run in runs), of=len(runs))


def _alpha(runs: int) -> float:
    return max((stage.alpha for stage in STAGES if stage.runs <= runs), default=0.0)
