"""The triage report as JSON Lines: the core record, of which every rendering is a projection."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from marg_reports.errors import RecordError
from marg_reports.json_lines import json_line, json_object, read_lines
from marg_reports.report.triaged import CheckLine, TriagedRed, TriageReport, triage_report

TRIAGE_FORMAT = 1
MAKE = "marg triage"
_HEAD = ("version", "head", "base")


def report_lines(report: TriageReport) -> Iterator[str]:
    """The report's lines without their ends: the head, then the checks, then the reds, each a JSON object."""
    yield json_line(
        {
            "record": "triage",
            "format": TRIAGE_FORMAT,
            "version": report.version,
            "head": report.head,
            "base": report.base,
            "checks": len(report.checks),
            "reds": len(report.reds),
            "invalid": report.invalid,
            "counts": {str(name): number for name, number in report.counts().items()},
        }
    )
    for check in report.checks:
        yield json_line({"record": "check", **_adapter("check").dump_python(check, mode="json")})
    for red in report.reds:
        yield json_line({"record": "red", **_adapter("red").dump_python(red, mode="json")})


def read_report(path: Path) -> TriageReport:
    """The report of a file; raises RecordError with file:line for what is no triage report of this release."""
    return report_of(read_lines(path, what="triage report", make=MAKE), name=str(path))


def report_of(lines: Iterable[str], *, name: str) -> TriageReport:
    """The report of these lines; `name` is the file's in an error. Raises RecordError."""
    head: dict[str, Any] = {}
    checks: list[CheckLine] = []
    reds: list[TriagedRed] = []
    for number, line in enumerate(lines, start=1):
        record = json_object(line, where=f"{name}:{number}")
        kind = record.pop("record", None)
        if kind == "triage" and record.get("format") == TRIAGE_FORMAT:
            head = record
        elif kind == "check":
            checks.append(_valid("check", record, f"{name}:{number}"))
        elif kind == "red":
            reds.append(_valid("red", record, f"{name}:{number}"))
        else:
            raise RecordError(f"{name}:{number}: {kind!r} is no record of a triage report of format {TRIAGE_FORMAT}")
    if any(not isinstance(head.get(part), str) for part in _HEAD):
        raise RecordError(f"{name}: it has no head of a triage report; write one: {MAKE}")
    if (len(checks), len(reds)) != (head.get("checks"), head.get("reds")):
        raise RecordError(
            f"{name}: it is cut short: it holds {len(checks)} checks and {len(reds)} reds; triage again: {MAKE}"
        )
    return triage_report(
        **{part: head[part] for part in _HEAD},
        checks=tuple(checks),
        reds=tuple(reds),
    )


@cache
def _adapter(kind: str) -> TypeAdapter[Any]:
    return TypeAdapter(CheckLine if kind == "check" else TriagedRed)


def _valid(kind: str, record: dict[str, Any], where: str) -> Any:
    try:
        return _adapter(kind).validate_json(json.dumps(record), strict=True)
    except ValidationError as error:
        problem = error.errors()[0]
        place = ".".join(str(part) for part in problem["loc"])
        raise RecordError(f"{where}: the {kind}'s {place!r} is wrong: {problem['msg']}") from error
