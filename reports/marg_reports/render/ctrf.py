"""The Common Test Report Format: one test a check, the whole verdict in `extra.red`."""

from __future__ import annotations

import json
from typing import Any

from marg_reports.render.body import message, red_body
from marg_reports.render.plain_text import visible
from marg_reports.report import CheckLine, TriagedRed, TriageReport

SPEC_VERSION = "0.0.0"
LONGEST_TEXT = 16_000


def ctrf_json(report: TriageReport) -> str:
    """The JSON. Times are 0: a record of Marg's holds no clock, and the same run gives the same bytes."""
    reds = {red.place.id: red for red in report.reds}
    tests = [_test(check, reds.get(check.place.id)) for check in report.checks]
    failed = sum(test["status"] == "failed" for test in tests)
    other = sum(test["status"] == "other" for test in tests)
    summary = {
        "tests": len(tests),
        "passed": len(tests) - failed - other,
        "failed": failed,
        "pending": 0,
        "skipped": 0,
        "other": other,
        "flaky": sum(test["flaky"] for test in tests),
        "start": 0,
        "stop": 0,
    }
    tool = {"name": "marg", "version": report.version}
    results = {"tool": tool, "summary": summary, "tests": tests, "extra": {"head": report.head, "base": report.base}}
    document = {"reportFormat": "CTRF", "specVersion": SPEC_VERSION, "results": results}
    return json.dumps(document, ensure_ascii=False, sort_keys=True) + "\n"


def ctrf_classes(text: str) -> dict[str, str]:
    """The class of each failed test by its id, read back from a file of ours."""
    tests = json.loads(text)["results"]["tests"]
    return {test["extra"]["id"]: test["extra"]["red"]["class"] for test in tests if "red" in test["extra"]}


def _test(check: CheckLine, red: TriagedRed | None) -> dict[str, Any]:
    place = check.place
    status = "other" if not check.valid else "passed" if check.passed else "failed"
    test: dict[str, Any] = {
        "name": visible(place.name),
        "status": status,
        "duration": 0,
        "suite": [visible(part) for part in (place.path, place.scenario) if part],
        "retries": max(0, len(check.attempts) - 1),
        "flaky": check.flaky,
        "extra": {"id": visible(place.id)},
    }
    test |= {"filePath": visible(place.source)} if place.source else {}
    test |= {"line": place.line} if place.line else {}
    if len(check.attempts) > 1:
        test["retryAttempts"] = [
            {"attempt": number, "status": "passed" if passed else "failed"}
            for number, passed in enumerate(check.attempts[:-1], start=1)
        ]
    if red is not None:
        test |= {"message": message(red), "trace": red_body(red, limit=LONGEST_TEXT)}
        test["extra"]["red"] = _red(red)
    return test


def _red(red: TriagedRed) -> dict[str, Any]:
    verdict = red.verdict
    return {
        "class": red.red_class,
        "sub": verdict.sub,
        "confidence": verdict.confidence,
        "rule": verdict.rule,
        "statistics": verdict.statistics,
        "command": visible(verdict.command),
        "also": list(verdict.also),
        "nearest": visible(verdict.nearest),
        "note": visible(verdict.note),
        "owner": red.owner,
        "labelled": red.label is not None,
        "cells": [
            {"cell": square.cell, "says": visible(square.says), "commit": square.commit} for square in red.squares
        ],
    }
