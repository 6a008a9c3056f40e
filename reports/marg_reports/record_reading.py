"""Reading the record of a run back from its JSON Lines."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from marg_reports.errors import RecordError
from marg_reports.record import FORMAT_VERSION, CheckRecord, RunRecord, ScenarioRecord, TurnRecord

_PLACE = ("record", "path", "scenario", "row", "turn")


def read_record(path: Path) -> RunRecord:
    """The run of a file; raises RecordError with file:line for what is no run record of this format."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise RecordError(f"{str(path)!r} cannot be read as a run record: {error}") from error
    return record_of(lines, name=str(path))


def record_of(lines: Iterable[str], *, name: str) -> RunRecord:
    """The run of these lines; `name` is the file's in an error. Raises RecordError, also for a file that was cut."""
    head: dict[str, Any] = {}
    scenarios: list[ScenarioRecord] = []
    for number, line in enumerate(lines, start=1):
        where = f"{name}:{number}"
        record = _record(line, where)
        match record.get("record"):
            case "run" if number == 1 and record.get("format") == FORMAT_VERSION:
                head = record
            case "scenario":
                scenarios.append(_scenario(record, where))
            case "turn" if scenarios:
                scenarios[-1] = _with_turn(scenarios[-1], _turn(record, where))
            case "check" if scenarios and scenarios[-1].turns:
                scenarios[-1] = _with_check(scenarios[-1], _check(record, where))
            case other:
                raise RecordError(
                    f"{where}: {other!r} is no record of a run of format {FORMAT_VERSION}, or out of place"
                )
    run = RunRecord(version=str(head.get("version", "")), scenarios=tuple(scenarios), settings=head.get("settings", {}))
    counted = {
        "scenarios": len(scenarios),
        "turns": sum(len(scenario.turns) for scenario in scenarios),
        "checks": sum(len(scenario.checks) for scenario in scenarios),
    }
    missing = {key: (head.get(key), got) for key, got in counted.items() if head.get(key) != got}
    if missing:
        key, (said, got) = next(iter(missing.items()))
        raise RecordError(f"{name}: it is cut short: {said!r} {key} are announced, {got!r} are there; replay again")
    return run


def _record(line: str, where: str) -> dict[str, Any]:
    try:
        record = json.loads(line)
    except ValueError as error:
        raise RecordError(f"{where}: no JSON: {error}") from error
    if not isinstance(record, dict):
        raise RecordError(f"{where}: no JSON object: {line[:60]!r}")
    return record


def _scenario(record: Mapping[str, Any], where: str) -> ScenarioRecord:
    kept = {"name": record.get("scenario"), "path": record.get("path"), "row": record.get("row"), "turns": ()}
    fields = {key: record[key] for key in ("line", "turns_planned", "writes", "tags") if key in record}
    found: ScenarioRecord = _valid(ScenarioRecord, {**kept, **fields}, where)
    return found


def _turn(record: Mapping[str, Any], where: str) -> TurnRecord:
    fields = {key: value for key, value in record.items() if key not in _PLACE}
    found: TurnRecord = _valid(TurnRecord, {**fields, "id": record.get("turn"), "checks": ()}, where)
    return found


def _check(record: Mapping[str, Any], where: str) -> CheckRecord:
    fields = {key: value for key, value in record.items() if key not in _PLACE}
    found: CheckRecord = _valid(CheckRecord, fields, where)
    return found


def _with_turn(scenario: ScenarioRecord, turn: TurnRecord) -> ScenarioRecord:
    return replace(scenario, turns=(*scenario.turns, turn))


def _with_check(scenario: ScenarioRecord, check: CheckRecord) -> ScenarioRecord:
    *others, last = scenario.turns
    return replace(scenario, turns=(*others, replace(last, checks=(*last.checks, check))))


@cache
def _adapter(kind: type) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def _valid(kind: type, fields: Mapping[str, Any], where: str) -> Any:
    try:
        return _adapter(kind).validate_python(dict(fields))
    except ValidationError as error:
        problem = error.errors()[0]
        place = ".".join(str(part) for part in problem["loc"])
        raise RecordError(f"{where}: {place!r} of the {kind.__name__} is wrong: {problem['msg']}") from error
