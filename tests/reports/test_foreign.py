"""Reds of other runners: only what is proved is said, by enough runs of what is stated, and never by a message."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from marg_reports.foreign import (
    EXONERATING_RUNS,
    ForeignCase,
    ForeignRun,
    ForeignRuns,
    RunKind,
    foreign_report,
    runs_needed,
)
from marg_reports.report import TriagedRed

RED = ForeignCase(suite="s", name="red", status="failed", kind="AssertionError", at="t.py:3 in t.py", text="a message")
OTHER = replace(RED, at="t.py:9 in t.py")
GREEN = ForeignCase(suite="s", name="red", status="passed")
SKIPPED = ForeignCase(suite="s", name="red", status="skipped")


def run(*cases: ForeignCase) -> dict[str, ForeignCase]:
    return {case.id: case for case in cases}


def many(case: ForeignCase, number: int = 5) -> list[ForeignRun]:
    return [run(case)] * number


def triaged(runs: ForeignRuns) -> TriagedRed:
    return foreign_report(runs, version="0", run="head.xml").reds[0]


def verdict(
    others: Mapping[RunKind, Sequence[ForeignRun]],
    *,
    hermetic: bool = True,
    same: bool = False,
    head: ForeignCase = RED,
) -> str:
    runs = ForeignRuns(head=run(head), others=dict(others), hermetic=hermetic, same_checks=same)
    return triaged(runs).verdict.name


CODE: dict[RunKind, Sequence[ForeignRun]] = {"rerun": many(RED), "base_code": many(GREEN)}
BEFORE: dict[RunKind, Sequence[ForeignRun]] = {"rerun": many(RED), "base_code": many(RED), "base": many(RED)}
MOVED: dict[RunKind, Sequence[ForeignRun]] = {
    "rerun": many(RED),
    "base_code": many(RED),
    "base": many(GREEN),
    "base_checks": many(GREEN),
}
BOTH_MOVED: dict[RunKind, Sequence[ForeignRun]] = {**MOVED, "base_checks": many(RED)}
LEAK: dict[RunKind, Sequence[ForeignRun]] = {**CODE, "alone": many(GREEN)}
ORDER: dict[RunKind, Sequence[ForeignRun]] = {
    "rerun": many(RED),
    "alone": many(GREEN),
    "base_code": many(RED),
    "fresh": many(RED),
}
EVERY = {
    "regression.behaviour": CODE,
    "pre_existing.defect": BEFORE,
    "brittle_check.tightened": MOVED,
    "regression.state_leak": LEAK,
    "brittle_check.order": ORDER,
}


@pytest.mark.parametrize("name", EVERY)
def test_each_class_is_proved_by_its_runs(name: str) -> None:
    assert verdict(EVERY[name]) == name


def test_where_code_and_check_moved_and_the_old_check_fails_too_it_is_a_regression() -> None:
    assert verdict(BOTH_MOVED) == "regression.behaviour"


@pytest.mark.parametrize("name", EVERY)
def test_where_the_network_is_not_known_to_have_been_off_nothing_is_said(name: str) -> None:
    assert verdict(EVERY[name], hermetic=False) == "unclassified.no_replies"


@pytest.mark.parametrize("others", [*EVERY.values(), BOTH_MOVED])
def test_evidence_taken_away_leaves_the_class_or_leaves_it_open(others: dict[RunKind, Sequence[ForeignRun]]) -> None:
    whole = verdict(others).partition(".")[0]
    for number in range(len(others)):
        for kept in combinations(others, number):
            assert verdict({kind: others[kind] for kind in kept}).partition(".")[0] in (whole, "unclassified")


@pytest.mark.parametrize("kind", ["rerun", "base_code", "base", "base_checks"])
def test_one_run_too_few_says_nothing(kind: RunKind) -> None:
    assert verdict({**MOVED, kind: MOVED[kind][1:]}).startswith("unclassified.")


def test_a_report_of_many_reds_takes_more_runs_so_that_chance_makes_no_regression() -> None:
    for reds in (1, 2, 3, 30, 300, 10_000):
        runs = runs_needed(reds)
        assert reds / comb(2 * runs, runs) <= 0.01
        assert runs == 5 or reds / comb(2 * runs - 2, runs - 1) > 0.01


def test_where_the_tests_are_stated_to_be_the_same_the_bases_own_runs_are_enough() -> None:
    assert verdict({"rerun": many(RED), "base": many(GREEN)}, same=True) == "regression.behaviour"
    assert verdict({"rerun": many(RED), "base": many(RED)}, same=True) == "pre_existing.defect"


def test_a_base_whose_tests_may_be_others_makes_no_regression() -> None:
    assert verdict({"rerun": many(RED), "base": many(GREEN)}) == "unclassified.no_base"


def test_a_pass_on_a_rerun_exonerates_nothing() -> None:
    # A quarantine hid regressions that were consistent (dotnet/aspnetcore 67278).
    assert verdict({"rerun": many(GREEN), "base_code": many(GREEN)}).startswith("unclassified.")


def test_a_base_that_fails_elsewhere_exonerates_nothing() -> None:
    assert verdict({**BEFORE, "base_code": many(OTHER), "base": many(OTHER)}).startswith("unclassified.")


def test_failures_whose_place_is_unknown_are_never_taken_for_one_defect() -> None:
    unplaced = replace(RED, at="")
    others: dict[RunKind, Sequence[ForeignRun]] = {
        kind: many(unplaced) for kind in ("rerun", "base_code", "base", "base_checks")
    }
    found = triaged(ForeignRuns(head=run(unplaced), others=others, hermetic=True)).verdict
    assert found.name == "unclassified.conflict"
    assert found.command.startswith("marg reds label s::red CLASS --because REASON  # no stack shows a line")


def test_a_test_that_the_base_has_not_is_there_before_where_the_bases_code_fails_it() -> None:
    assert verdict({**BEFORE, "base": [run(replace(GREEN, name="else"))] * 5}) == "pre_existing.defect"


def test_a_head_that_wavers_where_the_base_never_fails_is_a_regression_once_chance_is_ruled_out() -> None:
    mixed = [*many(RED, 3), *many(GREEN, 2)]
    assert verdict({"rerun": mixed, "base_code": many(GREEN, 20)}) == "regression.nondeterminism"
    assert verdict({"rerun": mixed, "base_code": many(GREEN, 5)}).startswith("unclassified.")


def test_a_test_that_wavers_on_both_sides_needs_as_many_runs_as_a_live_rate() -> None:
    mixed = [*many(RED, 10), *many(GREEN, EXONERATING_RUNS - 10)]
    assert verdict({"rerun": mixed, "base_code": mixed}) == "pre_existing.nondeterminism"
    assert verdict({"rerun": mixed[5:], "base_code": mixed}).startswith("unclassified.")


def test_a_rate_that_rose_is_no_old_flake() -> None:
    worse = [*many(RED, 35), *many(GREEN, 5)]
    better = [*many(RED, 2), *many(GREEN, 38)]
    assert verdict({"rerun": worse, "base_code": better}).startswith("unclassified.")


def test_a_base_that_wavers_at_another_place_exonerates_nothing() -> None:
    mixed = [*many(RED, 10), *many(GREEN, 30)]
    elsewhere = [*many(OTHER, 10), *many(GREEN, 30)]
    assert verdict({"rerun": mixed, "base_code": elsewhere}).startswith("unclassified.")


def test_runs_that_skipped_the_test_count_in_no_rate() -> None:
    assert verdict({**CODE, "rerun": [*many(RED, 4), *many(SKIPPED, 4)]}).startswith("unclassified.")
    assert verdict({**CODE, "rerun": [*many(RED, 5), *many(SKIPPED, 4)]}) == "regression.behaviour"


def test_a_change_that_means_the_red_makes_no_regression_of_it() -> None:
    runs = ForeignRuns(head=run(RED), others=CODE, hermetic=True)
    found = foreign_report(runs, version="0", run="head.xml", expected=[RED.id]).reds[0].verdict
    assert (found.name, found.command) == (
        "unclassified.intended_change",
        "marg reds label s::red regression --because REASON",
    )


def test_what_other_runners_runs_prove_is_statistical_and_says_what_was_stated() -> None:
    found = triaged(ForeignRuns(head=run(RED), others=CODE, hermetic=True)).verdict
    assert (found.confidence, found.statistics) == ("statistical", "head 5/5, base's code 0/5; stated: no network")


@given(text=st.text(max_size=30))
def test_no_message_changes_a_verdict(text: str) -> None:
    said = replace(RED, text=text, message=text[::-1])
    assert verdict({**CODE, "rerun": many(said)}, head=said) == "regression.behaviour"
    assert verdict({**BEFORE, "base_code": many(said)}) == "pre_existing.defect"


@pytest.mark.parametrize("name", EVERY)
def test_the_command_asks_for_no_more_than_what_decides(name: str) -> None:
    """Whatever was given before: the reports that the printed command names, once made, decide."""
    truth = EVERY[name]
    given: dict[RunKind, Sequence[ForeignRun]] = {}
    for _ in range(3):
        runs = ForeignRuns(head=run(RED), others=given, hermetic=bool(given))
        red = triaged(runs)
        if red.red_class != "unclassified":
            break
        asked = re.findall(r"--([a-z-]+)=[a-z-]+-(?:\{(\d+)\.\.(\d+)\}|\d+)\.xml", red.verdict.command)
        assert asked, red.verdict.command
        for option, first, last in asked:
            kind: RunKind = option.replace("-", "_")
            number = int(last) - int(first) + 1 if last else 1
            case = truth.get(kind, many(GREEN if name.startswith("brittle") else RED))[0]
            given = {**given, kind: [*given.get(kind, ()), *[case] * number]}
        if "alone" in truth:
            given["alone"] = truth["alone"]
    assert red.verdict.name == name


def test_what_a_failure_says_is_shown_once_and_its_type_before_it() -> None:
    said = replace(RED, message="AssertionError: the till is out\nmore")
    found = triaged(ForeignRuns(head=run(said)))
    assert (found.kind, found.differences) == ("AssertionError", ("the till is out",))


def test_what_is_skipped_is_no_check_of_the_run() -> None:
    report = foreign_report(ForeignRuns(head=run(RED, replace(SKIPPED, name="idle"))), version="0", run="head.xml")
    assert [(check.place.id, check.passed, check.valid) for check in report.checks] == [("s::red", False, True)]


def test_an_attempt_that_failed_makes_a_passed_check_flaky_and_no_red() -> None:
    report = foreign_report(ForeignRuns(head=run(replace(GREEN, failed_before=1))), version="0", run="head.xml")
    assert ([check.flaky for check in report.checks], report.reds) == ([True], ())


def test_a_file_that_is_collected_on_the_bases_code_alone_is_a_regression() -> None:
    broken = ForeignCase(
        suite="", name="tests.test_a", status="error", at="test_a.py:1 in a.py", collects="tests.test_a"
    )
    found = ForeignCase(suite="tests.test_a.TestB", name="test_c", status="passed")
    others: dict[RunKind, Sequence[ForeignRun]] = {"rerun": many(broken), "base_code": many(found)}
    assert verdict(others, head=broken) == "regression.behaviour"


def test_a_test_that_only_the_head_has_is_no_regression_for_its_suite_alone() -> None:
    new = replace(RED, name="new", status="error")
    others: dict[RunKind, Sequence[ForeignRun]] = {"rerun": many(new), "base_code": many(GREEN), "base": many(GREEN)}
    assert verdict(others, head=new).startswith("unclassified.")
