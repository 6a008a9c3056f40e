"""The intent of a check: what it still accepts in its declared forms, and what it still refuses."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from marg_reports import Red
from marg_reports.forms import Form, form_of, identity, mutants
from marg_reports.triage import IntentCell
from marg_runtime.canonical import Json
from marg_runtime.errors import MargError
from marg_scenarios import Check, Scenario, load_scenarios


def check_of(red: Red, *, root: Path) -> Check | None:
    """The check that failed, as the head's scenario has it; None where the file cannot be read or has no such check."""
    try:
        scenarios = load_scenarios(root / red.scenario.path)
    except (MargError, OSError):
        return None
    scenario = next((one for one in scenarios if one.title == red.scenario.title), None)
    return _in(scenario, red) if scenario else None


def _in(scenario: Scenario, red: Red) -> Check | None:
    turn = next((one for one in scenario.played if one.id == red.turn_record.id), None)
    return next((check for check in turn.checks if check.id == red.check.id), None) if turn else None


def form_of_check(check: Check | None) -> Form:
    """All the forms that a check declares, as one."""
    return form_of(check.canonical) if check is not None and check.canonical else identity


def intent_cell(red: Red, check: Check | None, *, passing: Sequence[Json]) -> IntentCell:
    """The cell. passing: observations of other runs with which the check passed; their mutants show what it is for.

    A mutant counts where the check refuses it in no form at all: what a check never looked at, it need not refuse.
    """
    if check is None or not check.canonical:
        return IntentCell(declared=())
    whole = form_of(check.canonical)
    satisfied = [name for name in check.canonical if check.judge(red.check.got, form=form_of([name])).passed]
    satisfied_by = satisfied[0] if satisfied else None
    if satisfied_by is None and check.judge(red.check.got, form=whole).passed:
        satisfied_by = check.canonical[0]
    meant = [
        mutant.value
        for got in passing
        for mutant in mutants(got, passing=[other for other in passing if other is not got])
        if not check.judge(mutant.value).passed
    ]
    rejected = sum(not check.judge(value, form=whole).passed for value in meant)
    return IntentCell(declared=check.canonical, satisfied_by=satisfied_by, rejected=rejected, mutants=len(meant))
