"""What another run says of a red, and when two failures are the same one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from marg_reports import CheckRecord, Red, RunRecord, ScenarioRecord, TurnRecord
from marg_reports.forms import form_of
from marg_reports.triage.observed import observed, red_signature
from marg_runtime.canonical import Json


def check(*, got: Json = "low", passed: bool = False, kind: str = "draft") -> CheckRecord:
    return CheckRecord(id=kind, kind=kind, owner="runtime", line=5, passed=passed, expected="high", got=got)


def stop(got: str, *, kind: str = "crash") -> CheckRecord:
    return replace(check(got=got, kind=kind), expected="no error", raised="runtime")


def turn(name: str, *checks: CheckRecord, digest: str = "d") -> TurnRecord:
    return TurnRecord(id=name, line=3, checks=checks, transcript=(), request_digests=(digest,), events=())


def run(*turns: TurnRecord, name: str = "a") -> RunRecord:
    scenario = ScenarioRecord(name=name, path="a.yaml", line=1, turns=turns, turns_planned=len(turns), writes=0)
    return RunRecord(version="0.1.0", scenarios=(scenario,))


def red_of(record: RunRecord) -> Red:
    return record.reds()[0]


RED = red_of(run(turn("t1", digest="d1"), turn("t2", check(), digest="d2")))


def test_the_same_failure_has_the_same_signature() -> None:
    assert observed(RED, run(turn("t2", check()))).signature == red_signature(RED)


def test_another_value_is_another_failure() -> None:
    assert observed(RED, run(turn("t2", check(got="none")))).signature != red_signature(RED)


def test_ids_and_times_in_what_was_got_make_no_other_failure() -> None:
    one, other = (f"ticket {letter * 32} at 2026-11-30T10:0{minute}:00Z" for letter, minute in (("a", 1), ("b", 2)))
    first = red_of(run(turn("t2", check(got=one))))
    assert observed(first, run(turn("t2", check(got=other)))).signature == red_signature(first)


def test_the_message_and_the_line_of_an_error_make_no_other_failure_but_its_type_does() -> None:
    crashed = red_of(run(turn("t2", stop("KeyError: 'x' (at flow.py:12 < session.py:9)"))))
    alike = observed(crashed, run(turn("t2", stop("KeyError: 'another' (at flow.py:14 < session.py:3)"))))
    other = observed(crashed, run(turn("t2", stop("ValueError: 'x' (at flow.py:12)"))))
    assert alike.signature == red_signature(crashed)
    assert other.signature != red_signature(crashed)


def test_a_check_that_passed_has_passed_and_has_no_signature() -> None:
    found = observed(RED, run(turn("t2", check(got="high", passed=True))))
    assert (found.outcome, found.signature) == ("pass", "")


@pytest.mark.parametrize("record", [run(turn("t2")), run(turn("t9", check())), run(turn("t2", check()), name="b")])
def test_where_there_is_no_such_check_turn_or_scenario_it_is_absent(record: RunRecord) -> None:
    assert observed(RED, record).outcome == "absent"


def test_without_a_run_it_is_invalid() -> None:
    assert observed(RED, None).outcome == "invalid"


def test_a_scenario_that_stopped_before_the_check_failed_in_another_way() -> None:
    found = observed(RED, run(turn("t1", stop("KeyError: 1 (at a.py:1)"))))
    assert (found.outcome, found.raised) == ("fail", "runtime")
    assert found.signature != red_signature(RED)


def test_a_turn_that_went_on_has_passed_the_crash_of_another_run() -> None:
    crashed = red_of(run(turn("t2", stop("KeyError: 1 (at a.py:1)"))))
    assert observed(crashed, run(turn("t2", check(passed=True)))).outcome == "pass"


def test_the_requests_up_to_the_red_are_compared_and_none_after_it() -> None:
    found = observed(RED, run(turn("t1", digest="d1"), turn("t2", check(), digest="d2"), turn("t3", digest="d3")))
    assert found.request_digests == ("d1", "d2")


def test_the_canonical_digest_lets_go_what_the_check_declares() -> None:
    form = form_of(["case"])
    one, other = (observed(RED, run(turn("t2", check(got=got))), form=form) for got in ("LOW", "low"))
    assert one.canonical == other.canonical
