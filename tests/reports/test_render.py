"""The renderings: the class can be read back from each, hostile content breaks none, and the size limits hold."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from xml.etree.ElementTree import fromstring

import pytest
from hypothesis import given
from hypothesis import strategies as st
from junitparser import JUnitXml

from marg_reports.render import (
    allure_class,
    allure_results,
    class_of,
    code_quality_json,
    ctrf_classes,
    ctrf_json,
    github_annotations,
    headline,
    junit_classes,
    junit_xml,
    red_body,
    summary_markdown,
    visible,
)
from marg_reports.report import CheckLine, Place, TriagedRed, TriageReport, triage_report

MakeRed = Callable[..., TriagedRed]
MakeReport = Callable[..., TriageReport]

HOSTILE = [
    "<script>alert(1)</script>",
    "\x1b[31mred\x1b[0m",
    "a\x00b",
    "[/b] [bold]x",
    "]]> & <![CDATA[",
    "::error::x\n::warning::y",
    "```\n# heading\n| a | b |",
    "\u202eevil\u200b",
    "\ud800 half",
    "%0A::error::",
    "\"quoted' ` ``",
]


# The class comes back


def test_the_class_is_read_back_from_junit_by_another_reader(every_class: TriageReport) -> None:
    expected = {f"{red.place.path}::{red.place.scenario}": red.red_class for red in every_class.reds}
    found = {
        case.classname: class_of(result.text)
        for suite in JUnitXml.fromstring(junit_xml(every_class).encode())
        for case in suite
        for result in case.result
    }
    assert found == expected


def test_the_class_is_read_back_from_junit(every_class: TriageReport) -> None:
    assert sorted(junit_classes(junit_xml(every_class)).values()) == sorted(red.red_class for red in every_class.reds)


def test_the_class_is_read_back_from_ctrf(every_class: TriageReport) -> None:
    assert ctrf_classes(ctrf_json(every_class)) == {red.place.id: red.red_class for red in every_class.reds}


def test_the_class_is_read_back_from_allure(every_class: TriageReport) -> None:
    found = [allure_class(file.text) for file in allure_results(every_class) if file.name.endswith("-result.json")]
    assert sorted(filter(None, found)) == sorted(red.red_class for red in every_class.reds)


def test_allure_sorts_each_red_into_the_category_of_its_class(every_class: TriageReport) -> None:
    files = {file.name: json.loads(file.text) for file in allure_results(every_class)}
    categories = files.pop("categories.json")
    for result in files.values():
        if result["status"] == "failed":
            message = result["statusDetails"]["message"]
            fits = [one["name"] for one in categories if re.fullmatch(one["messageRegex"], message)]
            assert fits[0] == class_of(message)


def test_the_class_is_read_back_from_code_quality(every_class: TriageReport) -> None:
    issues = json.loads(code_quality_json(every_class))
    assert [issue["check_name"] for issue in issues] == [f"red.{red.red_class}" for red in every_class.reds]


def test_the_summary_has_regressions_first(every_class: TriageReport) -> None:
    sections = [line[4:] for line in summary_markdown(every_class).splitlines() if line.startswith("### ")]
    assert sections == ["regression", "unclassified", "pre existing", "brittle check", "model flake", "transport"]


# The formats


def test_junit_counts_what_it_holds(every_class: TriageReport) -> None:
    root = fromstring(junit_xml(every_class))
    assert (root.get("tests"), root.get("failures"), root.get("errors")) == ("9", "6", "0")
    assert len(list(root.iter("testcase"))) == 9


def test_junit_names_a_testcase_after_its_place(red: MakeRed, report: MakeReport) -> None:
    case = next(fromstring(junit_xml(report([red(1, text="a yes")]))).iter("testcase"))
    assert (case.get("classname"), case.get("name")) == ("scenarios/00001.yaml::a yes[1]", "t2::draft")


@pytest.mark.parametrize(("attempts", "kept"), [((False, True), "flakyFailure"), ((False, False), "rerunFailure")])
def test_attempts_are_kept_in_junit(attempts: tuple[bool, ...], kept: str) -> None:
    # Failed attempts vanish where the retry passes (pytest-dev/pytest-rerunfailures 170).
    place = Place(path="a.yaml", scenario="a", turn="t1", check="draft", line=1)
    checks = (CheckLine(place=place, attempts=attempts),)
    one = triage_report(version="0.1.0", head="", base="", checks=checks, reds=())
    (again,) = fromstring(junit_xml(one)).iter(kept)
    assert ("before it passed" in str(again.text)) is attempts[-1]


def test_a_check_that_could_not_be_run_is_an_error_and_not_a_pass() -> None:
    place = Place(path="a.yaml", scenario="a", turn="t1", check="draft", line=1)
    one = triage_report(
        version="0.1.0", head="", base="", checks=(CheckLine(place=place, attempts=(), valid=False),), reds=()
    )
    assert fromstring(junit_xml(one)).get("errors") == "1"
    assert json.loads(ctrf_json(one))["results"]["summary"]["other"] == 1
    assert "1 not measured" in summary_markdown(one)


def test_only_a_check_that_passed_in_the_end_is_flaky_in_ctrf() -> None:
    def line(turn: str, *attempts: bool) -> CheckLine:
        place = Place(path="a.yaml", scenario="a", turn=turn, check="draft", line=1)
        return CheckLine(place=place, attempts=attempts)

    checks = (line("t1", False, True), line("t2", True, False), line("t3", True))
    one = triage_report(version="0.1.0", head="", base="", checks=checks, reds=())
    assert [test["flaky"] for test in json.loads(ctrf_json(one))["results"]["tests"]] == [True, False, False]


def test_more_than_ten_annotations_of_a_level_end_in_how_many_more(red: MakeRed, report: MakeReport) -> None:
    lines = github_annotations(report(red(number) for number in range(1, 16))).splitlines()
    assert len(lines) == 10
    assert lines[-1] == "::error title=marg::6 reds more"


def test_the_code_quality_severity_of_a_regression_is_blocker(red: MakeRed, report: MakeReport) -> None:
    assert json.loads(code_quality_json(report([red(1)])))[0]["severity"] == "blocker"


# Order and bytes


@pytest.mark.parametrize("render", [junit_xml, ctrf_json, code_quality_json, summary_markdown, github_annotations])
def test_the_order_of_the_input_does_not_change_a_byte(
    render: Callable[[TriageReport], str], every_class: TriageReport
) -> None:
    reds, checks = list(every_class.reds), list(every_class.checks)
    random.Random(7).shuffle(reds)
    random.Random(8).shuffle(checks)
    shuffled = triage_report(version="0.1.0", head="abc123", base="def456", checks=tuple(checks), reds=tuple(reds))
    assert render(shuffled) == render(every_class)


# Hostile content


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_leaves_junit_readable_and_its_class_in_place(text: str, red: MakeRed, report: MakeReport) -> None:
    found = junit_classes(junit_xml(report([red(1, text=text)])).encode("utf-8").decode("utf-8"))
    assert list(found.values()) == ["regression"]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_shown_in_junit_as_what_it_is(text: str, red: MakeRed, report: MakeReport) -> None:
    case = next(fromstring(junit_xml(report([red(1, text=text)]))).iter("testcase"))
    assert visible(text) in (case.get("classname") or "")


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_makes_no_workflow_command_of_its_own(text: str, red: MakeRed, report: MakeReport) -> None:
    assert len(github_annotations(report([red(1, text=text)])).splitlines()) == 1


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_makes_no_markdown_of_its_own(text: str, red: MakeRed, report: MakeReport) -> None:
    plain, hostile = (summary_markdown(report([red(1, text=one)])) for one in ("x", text))
    assert len(hostile.splitlines()) == len(plain.splitlines())
    assert "<script>" not in re.sub(r"(`+).*?\1", "", hostile)


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_can_be_written_as_utf_8_everywhere(text: str, red: MakeRed, report: MakeReport) -> None:
    one = report([red(1, text=text)])
    files = [file.text for file in allure_results(one)]
    rendered = [junit_xml(one), ctrf_json(one), code_quality_json(one), summary_markdown(one), *files]
    assert all(part.encode("utf-8") for part in rendered)


@given(text=st.text(max_size=60))
def test_no_control_character_is_left_in_visible_text(text: str) -> None:
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff\u202a-\u202e]", visible(text))


def test_a_message_of_a_megabyte_is_cut_and_says_so(red: MakeRed) -> None:
    text = red_body(red(1, text="x" * 1_000_000), limit=16_000)
    assert len(text) <= 16_000
    assert "more characters]" in text


def test_the_class_stands_before_all_that_can_be_cut(red: MakeRed) -> None:
    one = red(1, text="x" * 10_000)
    assert red_body(one, limit=400).startswith(headline(one))


# Ten thousand


def test_ten_thousand_reds_fit_the_limits_of_junit(ten_thousand: TriageReport) -> None:
    xml = junit_xml(ten_thousand)
    assert len(xml.encode()) < 30_000_000
    assert xml.count("<testcase") + xml.count("<failure") + xml.count("<testsuite") < 250_000


def test_ten_thousand_reds_fit_the_limit_of_a_step_summary(ten_thousand: TriageReport) -> None:
    # A summary over the limit lost the whole report (dorny/test-reporter 57).
    text = summary_markdown(ten_thousand)
    assert len(text.encode()) < 1_000 * 1024
    assert re.search(r"[\d,]+ reds more are not listed here\.$", text.strip())
