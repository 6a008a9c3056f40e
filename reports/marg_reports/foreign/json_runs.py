"""Reading a run from CTRF, or from pytest's report log (JSON Lines)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, Field, ValidationError

from marg_reports.errors import RecordError
from marg_reports.foreign.case import ForeignCase, Status
from marg_reports.json_lines import json_object


def _joined(suite: Any) -> Any:
    return " > ".join(str(part) for part in suite) if isinstance(suite, list) else suite


class _Test(BaseModel):
    """A test of CTRF. Older writers give the suite as one text."""

    name: str
    status: str
    suite: Annotated[str, BeforeValidator(_joined)] = ""
    file_path: str = Field(default="", alias="filePath")
    line: int = 0
    message: str = ""
    trace: str = ""


class _Results(BaseModel):
    """The results of CTRF."""

    tests: list[_Test]


class _Document(BaseModel):
    """A CTRF document."""

    results: _Results


def ctrf_run(text: str, *, name: str) -> dict[str, ForeignCase]:
    """The cases of a CTRF file by id. Raises RecordError for what is no CTRF."""
    try:
        document = _Document.model_validate_json(text)
    except ValidationError as error:
        first = error.errors()[0]
        raise RecordError(f"{name}: no CTRF: {'.'.join(map(str, first['loc']))}: {first['msg']}") from error
    statuses: dict[str, Status] = {"passed": "passed", "failed": "failed", "other": "error"}
    cases = (
        ForeignCase(
            suite=test.suite,
            name=test.name,
            status=statuses.get(test.status, "skipped"),
            path=test.file_path,
            line=test.line,
            text=test.trace or test.message,
        )
        for test in document.results.tests
    )
    return {case.id: case for case in cases}


def report_log_run(lines: Iterable[str], *, name: str) -> dict[str, ForeignCase]:
    """The cases of a report log by id: a case is red where its setup, its call or its teardown is.

    Raises RecordError with the line for what is no report log.
    """
    cases: dict[str, ForeignCase] = {}
    for number, line in enumerate(lines, start=1):
        record = json_object(line, where=f"{name}:{number}")
        if record.get("$report_type") != "TestReport":
            continue
        case = _reported(record)
        before = cases.get(case.id)
        if before is None or not before.is_red:
            cases[case.id] = case if before is None or case.status != "passed" else before
    return cases


def _reported(record: dict[str, Any]) -> ForeignCase:
    outcome, when = record.get("outcome"), record.get("when")
    status: Status = "passed" if outcome == "passed" else "skipped"
    if outcome == "failed":
        status = "failed" if when == "call" else "error"
    suite, _, name = str(record.get("nodeid", "")).partition("::")
    location = record.get("location")
    place: list[Any] = location if isinstance(location, list) and len(location) == 3 else [suite, -1, ""]
    crash = record.get("longrepr")
    said = crash.get("reprcrash") if isinstance(crash, dict) else None
    return ForeignCase(
        suite=suite,
        name=name,
        status=status,
        path=str(place[0]),
        line=int(place[1] or 0) + 1,
        # A crash's message is text; the file and line at which it was raised are not.
        kind=f"{said.get('path')}:{said.get('lineno')}" if isinstance(said, dict) else "",
        text=str(said.get("message", "")) if isinstance(said, dict) else str(crash or ""),
    )
