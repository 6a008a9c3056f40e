"""Allure results: a file a check, and `categories.json`, which sorts the failed ones by class."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid5

from marg_reports.render.body import class_of, headline, red_body
from marg_reports.render.plain_text import visible
from marg_reports.report import CLASSES, CheckLine, TriagedRed, TriageReport

_SPACE = UUID("5d9d1d0a-6f3e-5f0b-9b1e-0c5c2f1a7e42")  # ids derive from names, so that a run's history joins
LONGEST_TEXT = 16_000


@dataclass(frozen=True, kw_only=True)
class ResultFile:
    """A file of the results folder."""

    name: str
    text: str


def allure_results(report: TriageReport) -> Iterator[ResultFile]:
    """The files, one after another: ten thousand of them are never held at once."""
    reds = {red.place.id: red for red in report.reds}
    yield ResultFile(name="categories.json", text=_json(_categories()))
    for check in report.checks:
        result = _result(check, reds.get(check.place.id))
        yield ResultFile(name=f"{result['uuid']}-result.json", text=_json(result))


def allure_class(text: str) -> str | None:
    """The class of a result file of ours, or None where it did not fail."""
    return class_of(json.loads(text).get("statusDetails", {}).get("message", ""))


def _categories() -> list[dict[str, Any]]:
    return [
        {"name": name, "matchedStatuses": ["failed"], "messageRegex": rf"(?s)red: {name}\b.*"} for name in CLASSES
    ] + [{"name": "not measured", "matchedStatuses": ["broken"], "messageRegex": "(?s).*"}]


def _result(check: CheckLine, red: TriagedRed | None) -> dict[str, Any]:
    place = check.place
    identity = str(uuid5(_SPACE, visible(place.id)))
    result: dict[str, Any] = {
        "uuid": identity,
        "historyId": identity,
        "testCaseId": identity,
        "fullName": visible(place.id),
        "name": visible(place.name),
        "status": "broken" if not check.valid else "passed" if check.passed else "failed",
        "stage": "finished",
        "start": 0,
        "stop": 0,
        "labels": [
            {"name": "framework", "value": "marg"},
            *(
                {"name": level, "value": visible(part)}
                for level, part in (("parentSuite", place.path), ("suite", place.scenario), ("subSuite", place.turn))
                if part
            ),
        ],
        "parameters": [],
        "steps": [],
        "attachments": [],
    }
    if red is not None:
        result["statusDetails"] = {"message": headline(red), "trace": red_body(red, limit=LONGEST_TEXT)}
        result["labels"].append({"name": "tag", "value": f"red.{red.red_class}"})
    elif not check.valid:
        result["statusDetails"] = {"message": "not measured: the check could not be run"}
    if check.flaky:
        result["statusDetails"] = {"message": "passed after a failed attempt", "flaky": True}
    return result


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True) + "\n"
