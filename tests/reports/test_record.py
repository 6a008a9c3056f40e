"""The record of a run: its reds, their ids, and what stopped a scenario."""

from __future__ import annotations

import pytest

from marg_reports import CheckRecord, RunRecord, ScenarioRecord, TurnRecord


def check(kind: str, *, passed: bool = True) -> CheckRecord:
    return CheckRecord(id=kind, kind=kind, owner="runtime", line=5, passed=passed, expected=1, got=1 if passed else 2)


def turn(name: str, *checks: CheckRecord) -> TurnRecord:
    return TurnRecord(id=name, line=4, checks=checks, transcript=(), request_digests=(), events=())


def scenario(name: str, *turns: TurnRecord) -> ScenarioRecord:
    return ScenarioRecord(name=name, path=f"{name}.yaml", line=1, turns=turns, turns_planned=len(turns), writes=0)


RUN = RunRecord(
    version="1",
    scenarios=(
        scenario("a", turn("one", check("reading")), turn("two", check("block", passed=False), check("gate"))),
        scenario("b", turn("one", check("draft", passed=False))),
    ),
)


def test_the_checks_of_a_scenario_are_those_of_all_its_turns_in_order() -> None:
    assert [found.kind for found in RUN.scenarios[0].checks] == ["reading", "block", "gate"]


def test_every_failed_check_is_a_red_with_the_turn_that_it_stands_in() -> None:
    assert [(red.scenario.name, red.turn, red.check.kind) for red in RUN.reds()] == [
        ("a", 1, "block"),
        ("b", 0, "draft"),
    ]


def test_a_run_with_no_failed_check_has_no_reds() -> None:
    assert RunRecord(version="1", scenarios=(scenario("a", turn("one", check("gate"))),)).reds() == ()


def test_the_id_of_a_red_is_made_of_names_alone() -> None:
    assert [red.id for red in RUN.reds()] == ["a.yaml::a::two::block", "b.yaml::b::one::draft"]


@pytest.mark.parametrize(("kind", "stopped"), [("crash", True), ("undeclared", True), ("gate", False)])
def test_a_crash_and_an_undeclared_situation_stop_a_scenario(kind: str, stopped: bool) -> None:
    assert turn("one", check(kind, passed=False)).stopped is stopped
