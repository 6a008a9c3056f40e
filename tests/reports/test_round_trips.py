"""Every file format is read back by another's reader or held against its own specification, and no class is lost."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest
from allure_commons import model2 as allure
from jsonschema import Draft7Validator
from junitparser import Failure, JUnitXml

from marg_reports.render import (
    allure_results,
    class_of,
    code_quality_json,
    ctrf_classes,
    ctrf_json,
    junit_classes,
    junit_xml,
    visible,
)
from marg_reports.report import CLASSES, TriagedRed, TriageReport, triage_report

TEXTS = (
    "Shall I create this?",
    "<b>]]>&\x00\x1b[31m",
    "red: transport (proven, rule R1)",
    "x" * 30_000,
    "\u202e\ud800",
)


@pytest.fixture(scope="module")
def reds(red: Callable[..., TriagedRed], report: Callable[..., TriageReport]) -> TriageReport:
    """Reds of all classes, each with every text, some tried again; checks that passed, one at the second time, and one
    that could not be run."""
    pairs = [(name, text) for name in CLASSES for text in TEXTS]
    made = report((red(number, name, text=text) for number, (name, text) in enumerate(pairs, start=1)), passed=4)
    first, second, third, fourth, *failed = made.checks
    checks = (
        replace(first, attempts=(False, True)),
        replace(second, attempts=(), valid=False),
        third,
        fourth,
        *(replace(one, attempts=(False, False)) if number % 3 else one for number, one in enumerate(failed)),
    )
    return triage_report(version="0.1.0", head="abc", base="def", checks=checks, reds=made.reds)


def classes_of(report: TriageReport) -> dict[str, str]:
    return {visible(red.place.id): red.red_class for red in report.reds}


def test_junit_by_another_reader_gives_the_class_of_every_red(reds: TriageReport) -> None:
    found = {
        f"{case.classname}::{case.name}": (result.type, class_of(result.text))
        for suite in JUnitXml.fromstring(junit_xml(reds).encode())
        for case in suite
        for result in case.result
        if isinstance(result, Failure)
    }
    assert found == {name: (f"red.{red_class}", red_class) for name, red_class in classes_of(reds).items()}
    assert junit_classes(junit_xml(reds)) == classes_of(reds)


# CTRF's published schema (github.com/ctrf-io/ctrf, schema/ctrf.schema.json), as far as a report of ours goes.
_COUNTS = ("tests", "passed", "failed", "skipped", "pending", "other", "flaky", "start", "stop")
_STATUS = {"enum": ["passed", "failed", "skipped", "pending", "other"]}
_TEXT: Mapping[str, Any] = {"type": "string"}
_NAME: Mapping[str, Any] = {"type": "string", "minLength": 1}
_WHOLE: Mapping[str, Any] = {"type": "integer"}


def _object(required: tuple[str, ...], properties: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "object", "required": [*required], "additionalProperties": False, "properties": dict(properties)}


_ATTEMPT = _object(("attempt", "status"), {"attempt": {"type": "integer", "minimum": 1}, "status": _STATUS})
_TEST = _object(
    ("name", "status", "duration"),
    {
        "name": _NAME,
        "status": _STATUS,
        "duration": _WHOLE,
        "suite": {"type": "array", "minItems": 1, "items": _TEXT},
        "message": _TEXT,
        "trace": _TEXT,
        "line": _WHOLE,
        "filePath": _TEXT,
        "retries": _WHOLE,
        "retryAttempts": {"type": "array", "items": _ATTEMPT},
        "flaky": {"type": "boolean"},
        "extra": {"type": "object"},
    },
)
_RESULTS = _object(
    ("tool", "summary", "tests"),
    {
        "tool": _object(("name",), {"name": _NAME, "version": _TEXT}),
        "summary": _object(tuple(name for name in _COUNTS if name != "flaky"), dict.fromkeys(_COUNTS, _WHOLE)),
        "tests": {"type": "array", "items": _TEST},
        "extra": {"type": "object"},
    },
)
CTRF = _object(
    ("reportFormat", "specVersion", "results"),
    {
        "reportFormat": {"const": "CTRF"},
        "specVersion": {"type": "string", "pattern": r"^[0-9]+\.[0-9]+\.[0-9]+$"},
        "results": _RESULTS,
    },
)


def test_ctrf_fits_its_published_schema_and_gives_the_class_of_every_red(reds: TriageReport) -> None:
    text = ctrf_json(reds)
    Draft7Validator(CTRF).validate(json.loads(text))
    assert ctrf_classes(text) == classes_of(reds)
    traced = {
        test["extra"]["id"]: class_of(test["trace"]) for test in json.loads(text)["results"]["tests"] if "trace" in test
    }
    assert traced == classes_of(reds)


def test_ctrf_counts_are_those_of_its_tests(reds: TriageReport) -> None:
    results = json.loads(ctrf_json(reds))["results"]
    for status in ("passed", "failed", "other"):
        assert results["summary"][status] == sum(test["status"] == status for test in results["tests"])
    assert results["summary"]["tests"] == len(results["tests"])


def test_allures_own_model_takes_every_result_and_gives_the_class_of_every_red(reds: TriageReport) -> None:
    found: dict[str, str | None] = {}
    for file in allure_results(reds):
        if file.name != "categories.json":
            fields = json.loads(file.text)
            details = allure.StatusDetails(**fields.pop("statusDetails", {}))
            result = allure.TestResult(**fields, statusDetails=details)
            tags = [label.value for label in (allure.Label(**one) for one in result.labels) if label.name == "tag"]
            if result.status == "failed":
                found[result.fullName] = class_of(details.message)
                assert tags == [f"red.{class_of(details.message)}"]
    assert found == classes_of(reds)


def test_code_quality_has_what_gitlab_asks_for_and_gives_the_class_of_every_red(reds: TriageReport) -> None:
    # GitLab's "Code Quality report format": five keys, one of five severities, a fingerprint of the issue's own.
    issues = json.loads(code_quality_json(reds))
    for issue in issues:
        assert issue.keys() == {"description", "check_name", "fingerprint", "severity", "location"}
        assert issue["severity"] in ("info", "minor", "major", "critical", "blocker")
        assert issue["location"]["path"]
        assert not issue["location"]["path"].startswith("./")
        assert issue["location"]["lines"]["begin"] >= 1
    assert len({issue["fingerprint"] for issue in issues}) == len(reds.reds)
    expected = [red.red_class for red in reds.reds]
    assert [issue["check_name"].removeprefix("red.") for issue in issues] == expected
    assert [class_of(issue["description"]) for issue in issues] == expected
