"""Reading a run from pytest's report log (JSON Lines)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from marg_reports.errors import RecordError
from marg_reports.foreign.case import ForeignCase, Status
from marg_reports.foreign.stack import FailedAt, failed_at
from marg_reports.json_lines import json_object

_REPORTS = ("TestReport", "CollectReport")


def report_log_run(lines: Iterable[str], *, name: str) -> dict[str, ForeignCase]:
    """The cases of a report log by id: a case is red where its setup, its call or its teardown is, and a file that
    could not be collected is one. Reruns within the run are attempts of one case.

    Raises RecordError with the line for what is no report log, and for one without its end.
    """
    cases: dict[str, ForeignCase] = {}
    ended = False
    for number, line in enumerate(lines, start=1):
        record = json_object(line, where=f"{name}:{number}")
        kind = record.get("$report_type")
        if kind is None:
            raise RecordError(
                f"{name}:{number}: no line of a report log: it has no '$report_type'; name a file of --report-log"
            )
        ended = ended or kind == "SessionFinish"
        if kind in _REPORTS and (kind == "TestReport" or record.get("outcome") == "failed"):
            case = _reported(record, f"{name}:{number}")
            cases[case.id] = _merged(cases.get(case.id), case, again=record.get("outcome") == "rerun")
    if not ended:
        raise RecordError(f"{name}: the log has no end (SessionFinish): the run was cut off; run it again")
    return cases


def _merged(before: ForeignCase | None, case: ForeignCase, *, again: bool) -> ForeignCase:
    """A case with another of its phases: the first that is red stands, but for an attempt that was run again."""
    if again:
        return replace(case, status="passed", failed_before=(before.failed_before if before else 0) + 1)
    if before is None:
        return case
    worst = before if before.is_red or (case.status == "passed") else case
    return replace(worst, failed_before=before.failed_before)


def _reported(record: Mapping[str, Any], where: str) -> ForeignCase:
    outcome, node = record.get("outcome"), record.get("nodeid")
    if not isinstance(node, str) or not isinstance(outcome, str):
        raise RecordError(f"{where}: a report without a 'nodeid' or an 'outcome'; have pytest write it anew")
    status: Status = "passed" if outcome in ("passed", "rerun") else "skipped"
    if outcome == "failed":
        status = "failed" if record.get("when") == "call" else "error"
    suite, _, name = node.partition("::")
    crash = record.get("longrepr")
    said, at = _said(crash, suite=suite)
    red = status in ("failed", "error")
    return ForeignCase(
        suite=suite,
        name=name or "collection",
        status=status,
        path=suite,
        line=at.line or _line(record.get("location")),
        kind=at.raised if red else "",
        at=at.at if red else "",
        message=str(_part(crash, "reprcrash").get("message", "")) if red else "",
        text=said if red else "",
        collects="" if name else suite,
    )


def _line(location: Any) -> int:
    """pytest counts lines from 0 here; None where it does not know."""
    found = location[1] if isinstance(location, list) and len(location) == 3 else None
    return found + 1 if isinstance(found, int) else 0


def _said(crash: Any, *, suite: str) -> tuple[str, FailedAt]:
    """What was printed of a failure, and where it was."""
    if not isinstance(crash, dict):
        text = str(crash or "")
        return text, failed_at(text, suite=suite, path=suite)
    message = _part(crash, "reprcrash").get("message", "")
    entries = _part(crash, "reprtraceback").get("reprentries")
    places = [_part(_part(entry, "data"), "reprfileloc") for entry in entries or ()]
    stack = "\n".join(
        f"{place['path']}:{place.get('lineno')}: {place.get('message') or ''}" for place in places if place
    )
    return f"{message}\n{stack}", failed_at(stack, suite=suite, path=suite)


def _part(record: Any, name: str) -> Mapping[str, Any]:
    """A part of a record that is an object, or an empty one."""
    found = record.get(name) if isinstance(record, dict) else None
    return found if isinstance(found, dict) else {}
