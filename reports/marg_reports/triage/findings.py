"""What the cells say, in the words that the rules ask for: one word for each cell and respect."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple, TypeAlias

from marg_reports.statistics import STAGES, difference_below, fisher_greater
from marg_reports.triage.cell import BundleCell, Cell, CellRun, IntentCell, LiveCell, OutageCell, RunsCell, SettingsCell
from marg_reports.triage.evidence import Evidence, RedFacts
from marg_reports.triage.words import CellName, Dimension

LIVE_MARGIN = 0.3
LIVE_CERTAINTY = 0.95
"""Rule R6b: a rise of less than the margin must be this sure."""

LEAST_MUTANTS = 5
"""Fewer mutants than this do not show that a check is still sensitive to meaning."""


class About(NamedTuple):
    """In what respect something is said: the cell, or the red itself, and the dimension."""

    cell: CellName | Literal["red"]
    dimension: Dimension = "outcome"


Findings: TypeAlias = Mapping[About, str]


def findings(evidence: Evidence) -> Findings:
    """All that the evidence says."""
    found = dict(_red(evidence.red))
    clean = evidence.cell("clean_wire")
    head = clean.runs[0] if isinstance(clean, RunsCell) and len(clean.runs) == 1 else None
    for cell in evidence.cells:
        found.update(_cell(cell, evidence.red, head))
    return found


def _red(red: RedFacts) -> Iterator[tuple[About, str]]:
    yield About(cell="red", dimension="owner"), red.owner
    yield About(cell="red", dimension="replies"), red.replies
    if red.wire is not None:
        yield About(cell="red", dimension="wire"), red.wire
    yield About(cell="red", dimension="raised"), red.raised
    yield About(cell="red", dimension="declared"), "yes" if red.expected_change else "no"


def _cell(cell: Cell, red: RedFacts, head: CellRun | None) -> Iterator[tuple[About, str]]:
    match cell:
        case RunsCell():
            yield from _runs(cell, red, head)
        case BundleCell():
            yield About(cell="bundle"), "incomplete" if cell.missing else "complete"
        case IntentCell():
            yield from _intent(cell)
        case SettingsCell():
            yield from _settings(cell)
        case LiveCell():
            yield About(cell="live"), _live(cell)
        case OutageCell():
            pass  # it groups, and decides nothing


def _runs(cell: RunsCell, red: RedFacts, head: CellRun | None) -> Iterator[tuple[About, str]]:
    outcomes = {_outcome(run, red) for run in cell.runs}
    if not outcomes or "invalid" in outcomes or not cell.tells:
        return
    yield About(cell=cell.name), outcomes.pop() if len(outcomes) == 1 else "mixed"
    # Only the head's own clean run can be compared with: the cell without it says nothing of what differs.
    if head is not None and len(cell.runs) == 1:
        run = cell.runs[0]
        yield About(cell=cell.name, dimension="canonical"), _same(run.canonical, head.canonical)
        yield About(cell=cell.name, dimension="digests"), _same(run.request_digests, head.request_digests)


def _outcome(run: CellRun, red: RedFacts) -> str:
    """`same` for the red's own failure, `other` for any other one."""
    if run.outcome != "fail":
        return run.outcome
    return "same" if run.signature == red.signature else "other"


def _same(one: object, other: object) -> str:
    return "equal" if one == other else "differ"


def _intent(cell: IntentCell) -> Iterator[tuple[About, str]]:
    if not cell.declared:
        yield About(cell="intent"), "undeclared"
        return
    yield About(cell="intent"), "satisfied" if cell.satisfied_by else "unsatisfied"
    kept = cell.mutants >= LEAST_MUTANTS and cell.rejected == cell.mutants
    yield About(cell="intent", dimension="mutants"), "rejected" if kept else "accepted"


def _settings(cell: SettingsCell) -> Iterator[tuple[About, str]]:
    yield About(cell="settings", dimension="canonical"), "equal" if cell.alike else "differ"
    if not cell.differ:
        yield About(cell="settings"), "equal"
    elif cell.base_passes is not None:
        yield About(cell="settings"), "base_passes" if cell.base_passes else "base_fails"


def _live(cell: LiveCell) -> str:
    """Whether the head fails more often than the base. A rise needs its stage's level, its absence all the runs.

    The design lets the posterior alone exonerate; with 3/20 against 1/20 it is .98 and yet says little: a rise from
    1 in 20 to 1 in 5 passes as often as not. So a flake needs the last stage.
    """
    runs = min(cell.head.of, cell.base.of)
    reached = [stage for stage in STAGES if stage.runs <= runs]
    if not reached:
        return "open"
    chance = fisher_greater(cell.head, cell.base) if cell.corrected is None else cell.corrected
    if chance <= reached[-1].alpha:
        return "higher"
    sure = difference_below(cell.head, cell.base, margin=LIVE_MARGIN) >= LIVE_CERTAINTY
    return "unchanged" if sure and reached[-1] is STAGES[-1] else "open"
