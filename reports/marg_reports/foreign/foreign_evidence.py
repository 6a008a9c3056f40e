"""Evidence for the reds of other runners, as far as their reports go.

The laws are the same: a message never is evidence, and where the wire is not known to have been clean nothing is said.
What a replay of ours excludes by its making (a clock, a network, a hash seed) another runner's run does not, so a
single run of it proves nothing: a cell speaks where enough runs of it agree, and a rate where two sides are far apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from marg_reports.foreign.case import ForeignCase, ForeignRun
from marg_reports.foreign.runs import ALPHA, ForeignRuns, RunKind
from marg_reports.statistics import STAGES, Rate, difference_below, fisher_greater
from marg_reports.triage import BundleCell, Cell, CellName, CellRun, Evidence, IntentCell, RedFacts, RunsCell
from marg_reports.triage.findings import LIVE_CERTAINTY, LIVE_MARGIN

EXONERATING_RUNS = STAGES[-1].runs
"""So many a side before a test that wavers on both is called one that always did: a rise must not hide in chance."""

_BASE_CELLS: tuple[tuple[CellName, RunKind], ...] = (
    ("base_runtime", "base_code"),
    ("base_pair", "base"),
    ("base_check", "base_checks"),
)


def foreign_evidence(runs: ForeignRuns, *, expected: Sequence[str] = ()) -> tuple[Evidence, ...]:
    """The evidence of each red of the head, in the order of their ids. expected: ids that the change means."""
    reds = sorted((name, case) for name, case in runs.head.items() if case.is_red)
    return tuple(_evidence(name, case, runs, expected) for name, case in reds)


def _evidence(name: str, case: ForeignCase, runs: ForeignRuns, expected: Sequence[str]) -> Evidence:
    red = RedFacts(id=name, owner="runtime", signature=case.signature, wire=None, expected_change=name in expected)
    return Evidence(red=red, cells=tuple(_cells(red, runs)))


def _cells(red: RedFacts, runs: ForeignRuns) -> Iterator[Cell]:
    yield BundleCell()
    yield IntentCell(declared=())  # another runner's check declares no forms
    if not runs.hermetic:
        return
    head = measured(runs, "rerun", red.id)
    alone = agreed(measured(runs, "alone", red.id), runs)
    if wavers(head):
        yield from _wavering(red, runs, head)
    elif alone is not None and alone.outcome == "pass":
        yield from _only_in_order(red.id, runs, alone, agreed(head, runs))
    else:
        yield from _standing(red.id, runs, head)


def _standing(name: str, runs: ForeignRuns, head: Sequence[CellRun]) -> Iterator[Cell]:
    """The red is there in every run of the head: what do the base's code and the base's tests make of it?"""
    said = agreed(head, runs)
    if said is None:
        return
    yield RunsCell(name="clean_wire", runs=(said,))
    yield RunsCell(name="varied", runs=tuple(head))
    for cell, kind in _BASE_CELLS:
        swapped = agreed(measured(runs, kind, name), runs)
        if swapped is not None:
            yield RunsCell(name=cell, runs=(swapped,))


def _only_in_order(name: str, runs: ForeignRuns, alone: CellRun, in_order: CellRun | None) -> Iterator[Cell]:
    """By itself it passes: is it there in order, and on whose side?"""
    names: list[CellName] = ["clean_wire", "alone", "varied"]
    for cell in names:
        yield RunsCell(name=cell, runs=(alone,))
    base = agreed(measured(runs, "base_code", name), runs)
    fresh = agreed(measured(runs, "fresh", name), runs)
    found: list[tuple[CellName, CellRun | None]] = [
        ("in_order", in_order),
        ("base_in_order", base),
        # These tests on the base's code are the head's; what of them is code cannot be swapped by itself.
        ("old_judges_in_order", base),
        ("fresh_runtime", fresh),
    ]
    yield from (RunsCell(name=cell, runs=(run,)) for cell, run in found if run is not None)


def _wavering(red: RedFacts, runs: ForeignRuns, head: Sequence[CellRun]) -> Iterator[Cell]:
    """Runs of one commit differ. They say something beside the base's where the rates are far apart, or surely close.

    Where the base fails in another way as well, that is another red, and its rate is not this one's.
    """
    yield RunsCell(name="varied", runs=tuple(head))
    base = measured(runs, "base_code", red.id)
    alike = {run.signature for run in (*head, *base) if run.outcome == "fail"} <= {red.signature}
    if not alike or not {run.outcome for run in base} <= {"pass", "fail"}:
        return
    ours, theirs = _failures(head), _failures(base)
    risen = fisher_greater(ours, theirs) * runs.reds <= ALPHA
    enough = min(ours.of, theirs.of) >= EXONERATING_RUNS
    close = enough and difference_below(ours, theirs, margin=LIVE_MARGIN) >= LIVE_CERTAINTY
    if risen if theirs.hits == 0 else close and not risen:
        yield RunsCell(name="base_varied", runs=tuple(base))


def agreed(found: Sequence[CellRun], runs: ForeignRuns) -> CellRun | None:
    """What enough runs say with one voice, or None. A test that is in none of them is absent."""
    if not found or len({(run.outcome, run.signature) for run in found}) > 1 or len(found) < runs.needed:
        return None
    return found[0]


def wavers(found: Sequence[CellRun]) -> bool:
    """Whether some runs passed and some failed."""
    return {"pass", "fail"} <= {run.outcome for run in found}


def _failures(found: Sequence[CellRun]) -> Rate:
    return Rate(hits=sum(run.outcome == "fail" for run in found), of=len(found))


def measured(runs: ForeignRuns, kind: RunKind, name: str) -> tuple[CellRun, ...]:
    """What the runs of a kind say of a case. Those that skipped it count in no rate; nor do those without it, unless
    all are."""
    other = kind in ("base", "base_code")
    collects = runs.head[name].collects if name in runs.head else ""
    found = [_run(name, run, base=other, collects=collects) for run in runs.of(kind)]
    there = tuple(run for run in found if run.outcome in ("pass", "fail"))
    return there or tuple(run for run in found if run.outcome == "absent")


def _run(name: str, run: ForeignRun, *, base: bool, collects: str) -> CellRun:
    case = run.get(name)
    if case is None:
        # A file whose tests were found has passed its collection.
        found = collects and any(_is_of(other, collects) for other in run.values())
        return CellRun(outcome="pass", canonical="passed") if found else CellRun(outcome="absent")
    if case.status == "skipped":
        return CellRun(outcome="invalid")
    if not case.is_red:
        return CellRun(outcome="pass", canonical="passed")
    # Without a place two failures of one type may be two defects: on the base such a one is never taken for this red.
    signature = case.signature if case.is_placed or not base else f"{case.signature} somewhere on the base"
    return CellRun(outcome="fail", signature=signature, canonical=signature)


def _is_of(case: ForeignCase, suite: str) -> bool:
    return case.suite == suite or case.suite.startswith(f"{suite}.")
