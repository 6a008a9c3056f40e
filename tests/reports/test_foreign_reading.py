"""Reports of other runners are told by their content and read; no red of theirs is lost, and none is misread."""

from __future__ import annotations

import json
from typing import Any

import pytest

from marg_reports import RecordError
from marg_reports.foreign import ForeignCase, ctrf_run, dialect_of, foreign_run, junit_run, report_log_run

JUNIT = """<?xml version="1.0"?>
<testsuites><testsuite name="s">
  <testcase classname="pkg.test_a" name="test_one" file="test_a.py" line="3"/>
  <testcase classname="pkg.test_a" name="test_two"><failure type="AssertionError" message="m">text</failure></testcase>
  <testcase name="test_three"><skipped/></testcase>
  <testcase classname="pkg.test_a" name="test_four"><error type="OSError"/></testcase>
</testsuite></testsuites>"""

SUREFIRE = """<?xml version="1.0" encoding="UTF-8"?>
<testsuite xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" name="org.example.TillTest" time="0.1" tests="3"
    errors="0" skipped="0" failures="1">
  <properties><property name="java.version" value="21"/></properties>
  <testcase name="adds" classname="org.example.TillTest" time="0.01">
    <failure message="expected: &lt;3&gt; but was: &lt;4&gt;" type="org.opentest4j.AssertionFailedError"><![CDATA[
org.opentest4j.AssertionFailedError: expected: <3> but was: <4>
\tat org.junit.jupiter.api.AssertionUtils.fail(AssertionUtils.java:55)
\tat org.example.Till.check(Till.java:9)
\tat org.example.TillTest.adds(TillTest.java:14)
\tat java.base/java.lang.reflect.Method.invoke(Method.java:580)
]]></failure>
    <rerunFailure message="again" type="org.opentest4j.AssertionFailedError"><stackTrace>x</stackTrace></rerunFailure>
  </testcase>
  <testcase name="wavers" classname="org.example.TillTest" time="0.01">
    <flakyFailure message="once" type="java.lang.AssertionError"><stackTrace>x</stackTrace></flakyFailure>
  </testcase>
  <testcase name="idle" classname="org.example.TillTest" time="0"><skipped message="not today"/></testcase>
</testsuite>"""

JEST = """<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="jest tests" tests="2" failures="1" errors="0" time="0.7">
  <testsuite name="the till" errors="0" failures="1" skipped="0" timestamp="2026-03-01T10:00:00" time="0.3" tests="2">
    <testcase classname="the till adds" name="the till adds" time="0.002">
      <failure>Error: expect(received).toBe(expected) // Object.is equality

Expected: 3
Received: 4
    at total (src/till.js:7:11)
    at Object.&lt;anonymous&gt; (src/till.test.js:12:5)
    at Promise.then.completed (node_modules/jest-circus/build/utils.js:298:28)</failure>
    </testcase>
    <testcase classname="the till opens" name="the till opens" time="0.001"></testcase>
  </testsuite>
</testsuites>"""


def the(found: dict[str, ForeignCase], name: str) -> ForeignCase:
    return next(case for case in found.values() if case.name == name)


def report(nodeid: str, when: str, outcome: str, **more: Any) -> str:
    record = {"$report_type": "TestReport", "nodeid": nodeid, "when": when, "outcome": outcome, "longrepr": None}
    return json.dumps({**record, "location": [nodeid.partition("::")[0], 4, "test_a"], **more})


END = json.dumps({"$report_type": "SessionFinish", "exitstatus": 1})


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
        ("<html/>", "j.xml:1: the root is 'html'"),
        ('<!DOCTYPE x [<!ENTITY a "b">]><testsuite/>', "the document type 'x' is not read"),
        ('<?xml version="1.0" encoding="nope"?><testsuite/>', "j.xml:1: no XML"),
        ("<testsuite>" * 103 + "</testsuite>" * 103, "more than 100 deep"),
    ],
)
def test_what_is_no_junit_is_refused_by_file_and_line(text: str, problem: str) -> None:
    with pytest.raises(RecordError, match=problem):
        junit_run(text.encode(), name="j.xml")


def test_a_page_that_a_failure_quotes_is_no_document_type() -> None:
    text = '<testsuite><testcase name="a"><failure><![CDATA[<!DOCTYPE html>]]></failure></testcase></testsuite>'
    assert the(junit_run(text, name="j.xml"), "a").text == "<!DOCTYPE html>"


def test_junit_of_another_encoding_is_read_by_its_declaration() -> None:
    text = '<?xml version="1.0" encoding="ISO-8859-1"?><testsuite><testcase name="prüft"/></testsuite>'
    assert the(junit_run(text.encode("latin-1"), name="j.xml"), "prüft").status == "passed"


def test_surefires_reruns_are_attempts_of_one_case() -> None:
    found = junit_run(SUREFIRE, name="TEST-org.example.TillTest.xml")
    assert {case.name: (case.status, case.failed_before) for case in found.values()} == {
        "adds": ("failed", 1),
        "wavers": ("passed", 1),
        "idle": ("skipped", 0),
    }


def test_a_java_stack_says_where_the_test_failed_and_never_the_line_of_the_code() -> None:
    adds = the(junit_run(SUREFIRE, name="s.xml"), "adds")
    assert (adds.at, adds.line) == ("TillTest.java:14 in AssertionUtils.java", 14)


def test_a_script_stack_says_where_the_test_failed() -> None:
    adds = the(junit_run(JEST, name="jest.xml"), "the till adds")
    assert (adds.at, adds.path, adds.line) == ("till.test.js:12 in till.js", "src/till.test.js", 12)


def test_two_failures_of_one_name_are_two_cases() -> None:
    case = '<testcase classname="a" name="b">{}</testcase>'
    text = f"<testsuite>{case.format('<failure/>')}{case.format('')}</testsuite>"
    found = junit_run(text, name="j.xml")
    assert {name: case.status for name, case in found.items()} == {"a::b": "failed", "a::b #2": "passed"}


def test_failures_that_a_suite_counts_and_does_not_list_are_a_red() -> None:
    text = '<testsuites><testsuite name="broken" tests="1" failures="0" errors="1"/></testsuites>'
    assert {name: case.status for name, case in junit_run(text, name="j.xml").items()} == {
        "broken::failures that no testcase shows": "error"
    }


def test_the_length_of_a_stack_costs_no_time_beyond_its_length() -> None:
    # With a pattern that looks on past the end of a line, each of these would take hours.
    for text in ("\n" * 150_000, "at " + "a" * 150_000, "at (" * 40_000, ("a" * 200 + "\n") * 700):
        run = f"<testsuite><testcase name='x'><failure>{text}</failure></testcase></testsuite>"
        assert the(junit_run(run, name="j.xml"), "x").at == ""


def test_ctrf_cases_are_read_whether_the_suite_is_a_list_or_a_text_or_nothing() -> None:
    tests = [
        {"name": "a", "status": "failed", "duration": 1, "suite": ["x", "y"], "retries": 2},
        {"name": "b", "status": "other", "duration": 1, "suite": "x"},
        {"name": "c", "status": "pending", "duration": 1, "suite": None, "filePath": None, "line": None},
    ]
    found = ctrf_run(json.dumps({"results": {"tests": tests}}), name="c.json")
    assert {key: case.status for key, case in found.items()} == {"x > y::a": "failed", "x::b": "error", "c": "skipped"}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{}", r"c\.json: no CTRF: results"),
        ('{"results": {"tests": [{"name": 3, "status": "failed"}]}}', r"no CTRF: results\.tests\.0\.name"),
        ('{"results": {"summary": {"failed": 2}, "tests": []}}', "counts 2 failed tests and lists 0"),
        ('{"results": ', "no CTRF: the document"),
    ],
)
def test_what_is_no_ctrf_is_refused_with_the_place(text: str, problem: str) -> None:
    with pytest.raises(RecordError, match=problem):
        ctrf_run(text, name="c.json")


def test_a_report_log_case_is_red_where_any_of_its_phases_is() -> None:
    node = "t.py::test_a"
    lines = [report(node, "setup", "passed"), report(node, "call", "passed"), report(node, "teardown", "failed"), END]
    assert [(case.status, case.line) for case in report_log_run(lines, name="l").values()] == [("error", 5)]


def test_a_file_that_cannot_be_collected_is_a_red() -> None:
    record = {"$report_type": "CollectReport", "nodeid": "t.py", "outcome": "failed", "longrepr": "no module"}
    (case,) = report_log_run([json.dumps(record), END], name="l").values()
    assert (case.id, case.status, case.collects) == ("t.py::collection", "error", "t.py")


def test_pytests_junit_of_a_file_that_cannot_be_collected_is_a_red_of_its_own() -> None:
    text = (
        '<testsuites><testsuite name="pytest" errors="1"><testcase classname="" name="tests.test_a">'
        '<error message="collection failure">tests/test_a.py:1: in &lt;module&gt;\n    import gone</error>'
        "</testcase></testsuite></testsuites>"
    )
    (case,) = junit_run(text, name="j.xml").values()
    assert (case.id, case.collects, case.at) == ("tests.test_a", "tests.test_a", "test_a.py:1 in test_a.py")


def test_reruns_within_a_log_are_attempts() -> None:
    node = "t.py::test_a"
    phases = [("setup", "passed"), ("call", "rerun"), ("setup", "passed"), ("call", "passed"), ("teardown", "passed")]
    found = report_log_run([*(report(node, when, outcome) for when, outcome in phases), END], name="l")
    assert [(case.status, case.failed_before) for case in found.values()] == [("passed", 1)]


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        (["{"], "l:1: no JSON"),
        ([END, "[]"], "l:2: no JSON object"),
        (['{"a": 1}'], "l:1: no line of a report log"),
        (['{"$report_type": "TestReport"}'], "l:1: a report without a 'nodeid'"),
        (['{"$report_type": "SessionStart"}'], "the log has no end"),
    ],
)
def test_what_is_no_report_log_is_refused_by_file_and_line(lines: list[str], problem: str) -> None:
    with pytest.raises(RecordError, match=problem):
        report_log_run(lines, name="l")


@pytest.mark.parametrize("longrepr", [None, "text", 3, [], {"reprcrash": 3, "reprtraceback": {"reprentries": [1]}}])
def test_a_failure_that_says_nothing_of_itself_is_still_a_red(longrepr: Any) -> None:
    lines = [report("t.py::test_a", "call", "failed", longrepr=longrepr), END]
    assert the(report_log_run(lines, name="l"), "test_a").is_red


@pytest.mark.parametrize(
    ("head", "dialect"),
    [
        (JUNIT.encode(), "JUnit"),
        (b"\xef\xbb\xbf  " + JEST.encode(), "JUnit"),
        (SUREFIRE.encode("utf-16"), "JUnit"),
        (b'{\n  "reportFormat": "CTRF", "results": {}}', "CTRF"),
        (b'{"results": {"tests": []}}', "CTRF"),
        (b'{"pytest_version": "9", "$report_type": "SessionStart"}\n', "report log"),
        (b'{"checks":1,"format":1,"record":"run"}\n', None),
        (b'{"a": 1}', None),
        (b"plain text", None),
        (b"", None),
    ],
)
def test_a_report_is_told_by_its_content(head: bytes, dialect: str | None) -> None:
    assert dialect_of(head) == dialect


@pytest.mark.parametrize("data", [b"plain text", b"<testsuites/>", b'{"$report_type": "\xff"}\n'])
def test_what_is_no_report_or_has_no_test_is_refused(data: bytes) -> None:
    with pytest.raises(RecordError, match=r"^x: "):
        foreign_run(data, name="x")
