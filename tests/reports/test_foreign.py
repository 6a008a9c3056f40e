"""Reds of other runners: their files are read, and only what is proved is said."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from marg_reports import RecordError
from marg_reports.foreign import ForeignCase, ForeignRuns, ctrf_run, foreign_evidence, junit_run, report_log_run
from marg_reports.triage import classify

JUNIT = """<?xml version="1.0"?>
<testsuites><testsuite name="s">
  <testcase classname="pkg.test_a" name="test_one" file="test_a.py" line="3"/>
  <testcase classname="pkg.test_a" name="test_two"><failure type="AssertionError" message="m">text</failure></testcase>
  <testcase name="test_three"><skipped/></testcase>
  <testcase classname="pkg.test_a" name="test_four"><error type="OSError"/></testcase>
</testsuite></testsuites>"""

RED = ForeignCase(suite="s", name="red", status="failed", kind="AssertionError", text="one message")
GREEN = ForeignCase(suite="s", name="red", status="passed")


def run(*cases: ForeignCase) -> dict[str, ForeignCase]:
    return {case.id: case for case in cases}


def verdict(runs: ForeignRuns) -> str:
    return classify(foreign_evidence(runs)[0]).name


HERMETIC = ForeignRuns(head=run(RED), hermetic=True)


def test_junit_cases_are_read_with_their_kinds() -> None:
    found = junit_run(JUNIT, name="j.xml")
    assert {case.name: (case.suite, case.status, case.kind) for case in found.values()} == {
        "test_one": ("pkg.test_a", "passed", ""),
        "test_two": ("pkg.test_a", "failed", "AssertionError"),
        "test_three": ("s", "skipped", ""),
        "test_four": ("pkg.test_a", "error", "OSError"),
    }


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("<testsuites>", "j.xml:1: no XML"),
        ("<html/>", "the root is 'html'"),
        ('<!DOCTYPE x [<!ENTITY a "b">]><testsuite/>', "a document type is not read"),
    ],
)
def test_what_is_no_junit_is_refused_by_file_and_line(text: str, problem: str) -> None:
    with pytest.raises(RecordError, match=problem):
        junit_run(text, name="j.xml")


def test_ctrf_cases_are_read_whether_the_suite_is_a_list_or_a_text() -> None:
    tests = [
        {"name": "a", "status": "failed", "duration": 1, "suite": ["x", "y"]},
        {"name": "b", "status": "other", "duration": 1, "suite": "x"},
    ]
    found = ctrf_run(json.dumps({"results": {"tests": tests}}), name="c.json")
    assert {key: case.status for key, case in found.items()} == {"x > y::a": "failed", "x::b": "error"}


def test_what_is_no_ctrf_is_refused_with_the_place() -> None:
    with pytest.raises(RecordError, match=r"c\.json: no CTRF: results"):
        ctrf_run("{}", name="c.json")


def test_a_report_log_case_is_red_where_any_of_its_phases_is() -> None:
    def line(when: str, outcome: str) -> str:
        record = {"$report_type": "TestReport", "nodeid": "t.py::test_a", "when": when, "outcome": outcome}
        return json.dumps({**record, "location": ["t.py", 4, "test_a"], "longrepr": None})

    found = report_log_run([line("setup", "passed"), line("call", "passed"), line("teardown", "failed")], name="l")
    assert [(case.status, case.line) for case in found.values()] == [("error", 5)]


def test_without_a_hermetic_run_nothing_is_said_but_what_is_missing() -> None:
    runs = replace(HERMETIC, hermetic=False, base=[run(GREEN)], reruns=[run(RED)] * 3)
    assert verdict(runs).startswith("unclassified.")


def test_the_same_check_that_passes_on_the_base_and_fails_alone_is_a_regression() -> None:
    runs = replace(HERMETIC, base=[run(GREEN)], reruns=[run(RED)] * 3, alone=run(RED), same_checks={RED.id})
    assert verdict(runs) == "regression.behaviour"


def test_a_check_that_may_have_changed_is_not_called_a_regression() -> None:
    runs = replace(HERMETIC, base=[run(GREEN)], reruns=[run(RED)] * 3, alone=run(RED))
    assert verdict(runs).startswith("unclassified.")


def test_the_same_check_that_fails_alike_on_the_base_was_there_before() -> None:
    runs = replace(HERMETIC, base=[run(RED)], reruns=[run(RED)] * 3, alone=run(RED), same_checks={RED.id})
    assert verdict(runs) == "pre_existing.defect"


def test_a_pass_on_a_rerun_alone_exonerates_nothing() -> None:
    assert verdict(replace(HERMETIC, reruns=[run(GREEN)])).startswith("unclassified.")


def test_a_head_that_wavers_where_the_base_does_not_is_a_regression() -> None:
    mixed = [run(RED), run(GREEN), run(RED)]
    assert verdict(replace(HERMETIC, reruns=mixed, base=[run(GREEN)] * 20)) == "regression.nondeterminism"
    assert verdict(replace(HERMETIC, reruns=mixed, base=[run(GREEN)] * 3)).startswith("unclassified.")


@given(text=st.text(max_size=30))
def test_no_message_changes_a_verdict(text: str) -> None:
    def with_text(said: str) -> str:
        red = replace(RED, text=said)
        return verdict(
            replace(
                HERMETIC, head=run(red), base=[run(GREEN)], reruns=[run(red)] * 3, alone=run(red), same_checks={red.id}
            )
        )

    assert with_text(text) == with_text("one message")
