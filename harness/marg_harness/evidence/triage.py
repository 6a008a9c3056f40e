"""Triage: the reds of a run, the evidence for each, and the verdicts, as one report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from marg_harness.evidence.gather import Bench, gather
from marg_harness.evidence.live import with_live
from marg_harness.untriaged import check_lines, triaged
from marg_reports.report import Square, TriagedRed, TriageReport, triage_report
from marg_reports.statistics import fisher_greater, holm
from marg_reports.triage import (
    BundleCell,
    Cell,
    Evidence,
    IntentCell,
    LiveCell,
    OutageCell,
    RunsCell,
    SettingsCell,
    classify,
)
from marg_runtime.numbers import of

SHOWN_COMMIT = 12  # characters of a commit's hash


def triage(bench: Bench, *, run: str, head: str, live: int = 0) -> TriageReport:
    """The report of a run. run: the record's file, named in commands; head: the head's commit; live: at most so many
    live runs a side, for reds that only rates decide."""
    gathered = gather(bench)
    evidences = corrected(with_live(bench, gathered, runs=live) if live else gathered)
    reds = tuple(
        _with_squares(
            triaged(
                red, classify(evidence), run=run, settings=bench.run.settings, base=(bench.base or "")[:SHOWN_COMMIT]
            ),
            evidence,
        )
        for red, evidence in zip(bench.reds, evidences, strict=True)
    )
    return triage_report(
        version=bench.run.version, head=head, base=bench.base or "", checks=check_lines([bench.run]), reds=reds
    )


def corrected(evidences: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """The evidence with Holm's correction over all live rates of the report: many tests find something by chance."""
    live = [(place, cell) for place, one in enumerate(evidences) if isinstance(cell := one.cell("live"), LiveCell)]
    chances = holm([fisher_greater(cell.head, cell.base) for _, cell in live])
    found = list(evidences)
    for (place, cell), chance in zip(live, chances, strict=True):
        others = tuple(one for one in found[place].cells if one is not cell)
        found[place] = replace(found[place], cells=(*others, replace(cell, corrected=chance)))
    return tuple(found)


def _with_squares(red: TriagedRed, evidence: Evidence) -> TriagedRed:
    squares = tuple(
        Square(cell=cell.name, says=_says(cell, evidence), commit=cell.commit[:SHOWN_COMMIT], command=cell.command)
        for cell in evidence.cells
    )
    return replace(red, squares=squares)


def _says(cell: Cell, evidence: Evidence) -> str:
    """A cell in a word or two."""
    match cell:
        case RunsCell(runs=runs):
            words = Counter(_outcome(run.outcome, run.signature, evidence.red.signature) for run in runs)
            counted = [f"{number} {word}" for word, number in sorted(words.items())]
            return next(iter(words)) if len(words) == 1 else f"mixed: {', '.join(counted)}"
        case BundleCell(missing=missing):
            return f"incomplete: {', '.join(missing)}" if missing else "complete"
        case IntentCell(declared=declared, satisfied_by=form, rejected=rejected, mutants=mutants):
            if not declared:
                return "no forms declared"
            return f"{'satisfied by ' + form if form else 'unsatisfied'}, mutants refused {of(rejected, mutants)}"
        case SettingsCell(differ=differ, base_passes=passes):
            return "the base passes" if differ and passes else "the base fails too"
        case OutageCell(alike=alike, reds=reds):
            return f"{of(alike, reds)} reds alike"
        case LiveCell(head=head, base=base, invalid=invalid):
            return f"head {of(head.hits, head.of)}, base {of(base.hits, base.of)}, {invalid} invalid"


def _outcome(outcome: str, signature: str, mine: str) -> str:
    if outcome != "fail":
        return outcome
    return "same" if signature == mine else "other"
