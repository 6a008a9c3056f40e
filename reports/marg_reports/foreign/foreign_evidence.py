"""Evidence for the reds of other runners, as far as their reports go.

The laws are the same: reruns alone are no evidence of a class, a message never is, and where the wire is not known to
have been clean nothing but the wish for a clean run can be said. So almost everything here depends on two statements of
the user's: that the runs were hermetic (no network), and which checks are the same on both sides.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from marg_reports.foreign.case import ForeignCase, ForeignRun
from marg_reports.triage import BundleCell, Cell, CellName, CellRun, Evidence, IntentCell, RedFacts, RunsCell

LEAST_RERUNS = 3
"""Fewer runs than this of the head say nothing of whether it is deterministic."""

LEAST_BASE_RUNS = 20
"""A test that fails once in five passes three times in a row every second time, twenty times once in a hundred."""


@dataclass(frozen=True, kw_only=True)
class ForeignRuns:
    """The reports at hand. head: the run to triage. reruns: of the same commit. base: of the base commit, each a run.

    alone: the red cases run by themselves, on the head. hermetic: no run could reach a network. same_checks: ids of
    cases whose test is the same on both sides; their base runs are runs of the head's check on the base.
    """

    head: ForeignRun
    reruns: Sequence[ForeignRun] = ()
    base: Sequence[ForeignRun] = ()
    alone: ForeignRun | None = None
    hermetic: bool = False
    same_checks: Collection[str] = ()


def foreign_evidence(runs: ForeignRuns) -> tuple[Evidence, ...]:
    """The evidence of each red of the head, in the order of their ids."""
    reds = [case for case in runs.head.values() if case.is_red]
    return tuple(_evidence(case, runs) for case in sorted(reds, key=lambda case: case.id))


def _evidence(case: ForeignCase, runs: ForeignRuns) -> Evidence:
    red = RedFacts(id=case.id, owner="runtime", signature=case.signature)
    return Evidence(red=red, cells=tuple(_cells(case, runs)))


def _cells(case: ForeignCase, runs: ForeignRuns) -> Iterator[Cell]:
    yield BundleCell()
    yield IntentCell(declared=())  # another runner's check declares no forms
    if not runs.hermetic:
        return
    reruns = [_run(case.id, run) for run in runs.reruns]
    base = [_run(case.id, run) for run in runs.base]
    if len(reruns) >= LEAST_RERUNS:
        yield RunsCell(name="varied", runs=tuple(reruns))
    if len(base) >= LEAST_BASE_RUNS:
        yield RunsCell(name="base_varied", runs=tuple(base))
    alone = _run(case.id, runs.alone) if runs.alone is not None else None
    if alone is not None:
        yield RunsCell(name="clean_wire", runs=(alone,))
        yield RunsCell(name="alone", runs=(alone,))
    if reruns:
        yield RunsCell(name="in_order", runs=(reruns[0],))
    if base:
        yield from _base_cells(case, base, alone, same_check=case.id in runs.same_checks)


def _base_cells(
    case: ForeignCase, base: Sequence[CellRun], alone: CellRun | None, *, same_check: bool
) -> Iterator[Cell]:
    yield RunsCell(name="base_pair", runs=(base[0],))
    if not same_check:
        return
    # One check on two sides: the base's run of it is the head's check on the base, and the other way round.
    names: list[CellName] = ["base_runtime", "base_in_order"]
    for name in names:
        yield RunsCell(name=name, runs=(base[0],))
    if alone is not None:
        yield RunsCell(name="base_check", runs=(alone,))


def _run(identity: str, run: ForeignRun) -> CellRun:
    case = run.get(identity)
    if case is None:
        return CellRun(outcome="absent")
    if case.status == "skipped":
        return CellRun(outcome="invalid")
    if case.is_red:
        return CellRun(outcome="fail", signature=case.signature, canonical=case.signature)
    return CellRun(outcome="pass", canonical="passed")
