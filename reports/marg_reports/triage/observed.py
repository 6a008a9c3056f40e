"""What a run says of a red: the run's record, looked at through the red's own check."""

from __future__ import annotations

from marg_reports.forms import Form, canonical, identity
from marg_reports.record import ONLY_RED, STOPPING, CheckRecord, Red, RunRecord, ScenarioRecord, TurnRecord
from marg_reports.triage.cell import CellRun
from marg_reports.triage.signature import signature
from marg_reports.triage.words import Outcome


def red_signature(red: Red) -> str:
    """The signature of a red in its own run."""
    return signature(scenario=_scenario_id(red.scenario), turn=red.turn_record.id, check=red.check)


def observed(red: Red, run: RunRecord | None, *, form: Form = identity) -> CellRun:
    """How a red's check went in another run. form: the check's declared forms, for the canonical digest.

    `invalid` where there is no run; `absent` where the run has no such scenario, turn or check; `fail` with another
    signature where the scenario stopped before the check, or in another way.
    """
    if run is None:
        return CellRun(outcome="invalid")
    scenario = run.scenario(path=red.scenario.path, title=red.scenario.title)
    if scenario is None:
        return CellRun(outcome="absent")
    turn = next((one for one in scenario.turns if one.id == red.turn_record.id), None)
    digests = _digests(scenario, red.turn_record.id)
    stopped = _stop(scenario, turn)
    check = _check(turn, red.check.id)
    if stopped is not None and not stopped.measured and check is None:
        return CellRun(outcome="invalid", request_digests=digests)
    if stopped is not None and (check is None or not check.passed):
        where = next(one for one in scenario.turns if stopped in one.checks)
        failure = signature(scenario=_scenario_id(scenario), turn=where.id, check=stopped)
        return CellRun(
            outcome="fail",
            signature=failure,
            # Nothing was looked at; that it stopped, and how, is what was seen.
            canonical=failure,
            request_digests=digests,
            raised=stopped.raised,
        )
    if check is None:
        # A stop is a check only where it happened: a turn that went on without one has passed it.
        passed = turn is not None and red.check.kind in ONLY_RED
        return CellRun(outcome="pass" if passed else "absent", request_digests=digests)
    return CellRun(
        outcome=_outcome(check),
        signature=signature(scenario=_scenario_id(scenario), turn=red.turn_record.id, check=check),
        canonical=canonical(check.got, form),
        request_digests=digests,
        raised=check.raised,
    )


def _outcome(check: CheckRecord) -> Outcome:
    if not check.measured:
        return "invalid"
    return "pass" if check.passed else "fail"


def _scenario_id(scenario: ScenarioRecord) -> str:
    return f"{scenario.path}::{scenario.title}"


def _digests(scenario: ScenarioRecord, turn: str) -> tuple[str, ...]:
    """The model requests up to and with a turn, or all where the run never came to it."""
    ids = [one.id for one in scenario.turns]
    upto = ids.index(turn) + 1 if turn in ids else len(ids)
    return tuple(digest for one in scenario.turns[:upto] for digest in one.request_digests)


def _stop(scenario: ScenarioRecord, turn: TurnRecord | None) -> CheckRecord | None:
    """What ended the scenario in the turn or before it."""
    for one in scenario.turns:
        stop = next((check for check in one.checks if check.kind in STOPPING), None)
        if stop is not None:
            return stop
        if turn is not None and one.id == turn.id:
            return None
    return None


def _check(turn: TurnRecord | None, name: str) -> CheckRecord | None:
    return next((check for check in turn.checks if check.id == name), None) if turn else None
